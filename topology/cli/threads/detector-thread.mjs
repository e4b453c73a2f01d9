// Entry of the detector thread of `dev`.
import { load } from '../load.mjs'

await load(new URL('./detector-thread.ts', import.meta.url))
