// The history of `up`: ClickHouse beside the product, the sink that fills it, and retention. None is waited for, nor its death the product's.
import { EngineError, messageOf } from '../../schemas/errors.ts'
import type { HistoryClient } from '../history/client.ts'
import { ClickHouseHistory } from '../history/history.ts'
import { placeOf } from '../history/where.ts'
import type { DurableLog } from '../logs/lmdb.ts'
import type { History } from '../ports/history.ts'
import type { Log } from '../ports/log.ts'
import { ClickHouseSink } from '../sinks/clickhouse.ts'
import { historyDaysOf } from '../sinks/history-days.ts'
import { refreshViews } from '../sinks/refresh-views.ts'
import { Retention, type SunkHistory } from '../sinks/retention.ts'
import { pause } from '../waiting.ts'
import type { Closing } from './closing.ts'
import type { Settings } from './settings.ts'

const RETRY_MS = 1_000

type Notice = (code: string, facts: Record<string, string | number>) => void

/** A history at work. `done` rejects with a failure of the log or a bug, and else resolves only once it was ended. */
export interface OpenHistory {
  readonly history: History
  readonly done: Promise<void>
}

/** Starts it in the background; `closing` learns how it ends. */
export const openHistory = (settings: Settings, log: DurableLog, closing: Closing, notice: Notice): OpenHistory => {
  const stopping = new AbortController()
  const place = placeOf(settings.dataDir, settings.clickhouse)
  let sink: ClickHouseSink | null = null
  let sunk: SunkHistory | null = { upTo: () => sink?.status().upTo ?? null, days: null }
  const history = new ClickHouseHistory({ at: 'dir' in place ? { ...place, notice } : place, sink: () => sink?.status() ?? null, notice })
  const sinking = history.start().then(async (client) => {
    sunk = client && { upTo: () => sink?.status().upTo ?? null, days: 'dir' in place ? historyDaysOf(client) : null }
    sink = client && (await openSink(log, client, notice, stopping.signal))
    if (client !== null) void sink?.caughtUp().then(() => showFigures(history, client, notice))
    await sink?.run()
  })
  const retention = new Retention({ log, logBytes: () => log.usedBytes(), settings: settings.retention, history: () => sunk, notice })
  const done = Promise.all([sinking, retention.run()]).then(() => {})
  done.catch(() => {})
  closing.add('history', async () => {
    stopping.abort()
    sink?.stop()
    retention.stop()
    await history.stop()
    await done
  })
  return { history, done }
}

/** So that a newcomer need not wait for the minute: the views are computed now, and read. */
const showFigures = async (history: ClickHouseHistory, client: HistoryClient, notice: Notice): Promise<void> => {
  try {
    await refreshViews(client)
    await history.refresh()
  } catch (failure) {
    notice('history_figures_late', { reason: messageOf(failure) })
  }
}

/** Null when stopped before ClickHouse told which history it is. */
const openSink = async (log: Log, client: HistoryClient, notice: Notice, stop: AbortSignal): Promise<ClickHouseSink | null> => {
  while (!stop.aborted) {
    const sink = new ClickHouseSink({ log, client, notice })
    try {
      await sink.open()
      return sink
    } catch (failure) {
      if (!(failure instanceof EngineError)) throw failure
      notice('history_behind', { reason: failure.message })
    }
    await pause(RETRY_MS, stop)
  }
  return null
}
