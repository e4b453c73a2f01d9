// Entry of the backtest thread for detectors of files.
import { load } from '../load.mjs'

await load(new URL('./backtest-thread.ts', import.meta.url))
