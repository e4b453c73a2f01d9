// Where the thread of the tasks begins.
import { load } from '../load.mjs'

await load(new URL('./folds-thread.ts', import.meta.url))
