// Entry of the thread of the tasks.
import { load } from '../load.mjs'

await load(new URL('./folds-thread.ts', import.meta.url))
