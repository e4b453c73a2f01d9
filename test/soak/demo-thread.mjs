// Entry point of a soak's source thread.
import { load } from '../../topology/cli/load.mjs'

await load(new URL('./demo-thread.ts', import.meta.url))
