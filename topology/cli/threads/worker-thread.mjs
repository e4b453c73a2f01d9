// Entry of a worker thread for tasks of folds.
import { load } from '../load.mjs'

await load(new URL('./worker-thread.ts', import.meta.url))
