// The thread of the tasks of `up`.
import { serveFolds } from '../folding/serve.ts'

serveFolds()
