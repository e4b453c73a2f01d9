// The thread in which `dev` runs a detector.
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { serveEvaluations } from '../../backtest/dev/evaluations.ts'
import { Vitals } from '../../backtest/dev/vitals.ts'

serveEvaluations(parentPort as MessagePort, new Vitals(workerData as SharedArrayBuffer))
