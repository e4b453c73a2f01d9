// The thread of the tasks of `up`.

import { TOPOLOGIES } from '../../launch-risk.ts'
import { serveFolds } from '../../threads/folds/serve.ts'

serveFolds(TOPOLOGIES)
