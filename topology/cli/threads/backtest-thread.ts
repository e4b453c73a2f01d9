// The backtest thread for detectors of files: a detector that never returns blocks only this thread.
import { parentPort, workerData } from 'node:worker_threads'
import { EngineError, UsageError } from '../../../schemas/errors.ts'
import { Heartbeat } from '../commands/backtest/heartbeat.ts'
import { reportOf } from '../commands/backtest/report-of.ts'
import type { FromThread, ThreadGiven } from '../commands/backtest/thread.ts'

const given = workerData as ThreadGiven
const stop = new AbortController()
const send = (message: FromThread): void => parentPort?.postMessage(message)
parentPort?.on('message', () => stop.abort())

const io = {
  out: async () => {},
  printNotice: (line: string) => send({ type: 'notice', line }),
  env: given.env,
  terminal: false,
  stop: stop.signal,
  setExitCode: () => {},
}

try {
  send({ type: 'report', report: await reportOf(given.options, io, new Heartbeat(given.beat)) })
} catch (thrown) {
  const { name, message, stack } = thrown as Error
  const code = thrown instanceof EngineError ? thrown.code : null
  send({
    type: 'failed',
    failure: {
      isUsage: thrown instanceof UsageError,
      code,
      text: code === null && !(thrown instanceof UsageError) ? `${name}: ${stack}` : message,
    },
  })
} finally {
  parentPort?.close()
}
