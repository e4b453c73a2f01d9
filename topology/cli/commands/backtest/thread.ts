// Runs a backtest in a worker thread: detectors of files may never return.
import { Worker } from 'node:worker_threads'
import { EngineError, type EngineErrorCode } from '../../../../schemas/errors.ts'
import type { Report } from '../../../backtest/report-types.ts'
import { type Io, UsageError } from '../../command.ts'
import { BACKTEST_THREAD } from '../../threads/threads.ts'
import { Heartbeat, Watchdog } from './heartbeat.ts'
import type { Options } from './options.ts'

export interface ThreadGiven {
  readonly options: Options
  readonly env: Readonly<Record<string, string | undefined>>
  readonly beat: SharedArrayBuffer
}
export type FromThread =
  | { readonly type: 'notice'; readonly line: string }
  | { readonly type: 'report'; readonly report: Report }
  | {
      readonly type: 'failed'
      readonly failure: { readonly isUsage: boolean; readonly code: EngineErrorCode | null; readonly text: string }
    }

const CHECK_MS = 1_000

/** @throws the worker's error; UsageError for a detector that does not return */
export const reportInThread = async (options: Options, io: Io): Promise<Report> => {
  const heartbeat = new Heartbeat()
  const given: ThreadGiven = { options, env: { ...io.env }, beat: heartbeat.memory }
  const worker = new Worker(BACKTEST_THREAD, { name: 'backtest', workerData: given })
  const watchdog = new Watchdog(heartbeat, options.detector ?? [], options.chain)
  let looking: NodeJS.Timeout | undefined
  const stop = (): void => worker.postMessage('stop')
  io.stop.addEventListener('abort', stop)
  try {
    return await new Promise<Report>((resolve, reject) => {
      worker.on('message', (message: FromThread) => {
        if (message.type === 'notice') io.printNotice(message.line)
        else if (message.type === 'report') resolve(message.report)
        else reject(failureOf(message.failure))
      })
      worker.on('error', reject)
      worker.on('exit', (code) => reject(new Error(`the backtest's thread ended with code ${code}`)))
      looking = setInterval(() => {
        const stuck = watchdog.check()
        if (stuck !== undefined) reject(new UsageError(stuck))
      }, CHECK_MS)
    })
  } finally {
    clearInterval(looking)
    io.stop.removeEventListener('abort', stop)
    await worker.terminate()
  }
}

const failureOf = ({ isUsage, code, text }: Extract<FromThread, { type: 'failed' }>['failure']): Error =>
  isUsage ? new UsageError(text) : code === null ? new Error(text) : new EngineError(code, text)
