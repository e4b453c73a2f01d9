// Where the thread of a soak's source begins.
import { load } from '../../topology/cli/load.mjs'

await load(new URL('./demo-thread.ts', import.meta.url))
