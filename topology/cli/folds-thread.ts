// The thread of the tasks of `up`.
import { serveFolds } from '../folding/serve.ts'
import { LAUNCH_RISK } from '../launch-risk.ts'

serveFolds(LAUNCH_RISK)
