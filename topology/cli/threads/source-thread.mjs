// Entry of the thread of a source.
import { load } from '../load.mjs'

await load(new URL('./source-thread.ts', import.meta.url))
