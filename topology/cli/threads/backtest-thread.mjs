// Starts the thread of a backtest with detectors of files.
import { load } from '../load.mjs'

await load(new URL('./backtest-thread.ts', import.meta.url))
