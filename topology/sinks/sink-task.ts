// The sink as a task: runs once its history is reachable.
import { EngineError, messageOf } from '../../schemas/errors.ts'
import type { HistoryClient } from '../history/client.ts'
import type { Log } from '../ports/log.ts'
import type { RunningTask } from '../runtime/task-spec.ts'
import { retryUntil } from '../waiting/retry.ts'
import { stopped } from '../waiting/waiting.ts'
import { ClickHouseSink, type SinkTopology } from './clickhouse.ts'

const OPEN_RETRY_MS = 1_000

export interface SinkWorkOptions {
  readonly topology: SinkTopology
  readonly log: Log
  /** Null: there will be no history. */
  readonly client: Promise<HistoryClient | null>
  readonly notice: (code: string, facts: Record<string, string | number>) => void
  /** See SinkOptions. */
  readonly source?: () => string | null
  readonly adopts?: boolean
  /** Called once the sink writes its history; `stop` fires when it no longer does. */
  readonly opened: (sink: ClickHouseSink, client: HistoryClient, stop: AbortSignal) => void
}

/** Rejects with a failure of the log, with `fenced`, with `history_of_another` and with bugs; retries failures of ClickHouse. */
export class SinkTask implements RunningTask {
  readonly progress = 0
  readonly #options: SinkWorkOptions
  readonly #stopping = new AbortController()
  #sink: ClickHouseSink | null = null
  #hasHistory = true

  constructor(options: SinkWorkOptions) {
    this.#options = options
  }
  /** Offsets are per history: there is no state to restore. */
  async restore(): Promise<void> {}
  async run(): Promise<void> {
    const { signal } = this.#stopping
    const client = await Promise.race([this.#options.client, stopped(signal).then(() => null)])
    this.#hasHistory = client !== null
    if (client === null) return stopped(signal)
    const sink = await this.#open(client)
    if (sink === null) return
    this.#options.opened(sink, client, signal)
    await sink.run()
  }
  stop(): void {
    this.#stopping.abort()
  }
  /** True also when stopped: another process then does the rest. */
  get isCaughtUp(): boolean {
    return !this.#hasHistory || this.#stopping.signal.aborted || this.#sink?.isCaughtUp === true
  }
  /** Null until it writes its history. */
  get sink(): ClickHouseSink | null {
    return this.#sink
  }

  /** Null if stopped before. */
  async #open(client: HistoryClient): Promise<ClickHouseSink | null> {
    const { topology, log, notice, source, adopts } = this.#options
    const options = { topology, log, client, notice, ...(source && { source }), ...(adopts === true && { adopts }) }
    const { signal } = this.#stopping
    const once = async (): Promise<ClickHouseSink | null> => {
      const sink = new ClickHouseSink(options)
      const end = (): void => sink.stop()
      signal.addEventListener('abort', end, { once: true })
      try {
        await sink.open()
        this.#sink = sink
        return signal.aborted ? null : sink
      } catch (failure) {
        signal.removeEventListener('abort', end)
        throw failure
      }
    }
    const opened = await retryUntil(signal, once, {
      firstMs: OPEN_RETRY_MS,
      isPassing: (failure) => failure instanceof EngineError && failure.code !== 'history_of_another',
      failed: (failure) => notice('history_behind', { reason: messageOf(failure) }),
    })
    return opened ?? null
  }
}
