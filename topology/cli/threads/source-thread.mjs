// Where the thread of a source begins.
import { load } from '../load.mjs'

await load(new URL('./source-thread.ts', import.meta.url))
