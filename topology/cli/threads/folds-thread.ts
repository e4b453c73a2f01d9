// The thread of the tasks of `up`.

import { LAUNCH_RISK } from '../../launch-risk.ts'
import { serveFolds } from '../../threads/folds/serve.ts'

serveFolds(LAUNCH_RISK)
