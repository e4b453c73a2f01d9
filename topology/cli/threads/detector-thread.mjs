// Where the thread that asks a detector begins.
import { load } from '../load.mjs'

await load(new URL('./detector-thread.ts', import.meta.url))
