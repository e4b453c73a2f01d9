// The thread in which `dev` runs a detector.
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { serveAsking } from '../../backtest/dev/asking.ts'
import { Vitals } from '../../backtest/dev/vitals.ts'

serveAsking(parentPort as MessagePort, new Vitals(workerData as SharedArrayBuffer))
