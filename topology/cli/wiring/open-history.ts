// The history: ClickHouse beside the product or elsewhere, its sink, and retention. None is waited for, nor its death the product's.
import type { Command } from 'commander'
import { hasCode, messageOf } from '../../../schemas/errors.ts'
import type { HistoryClient } from '../../history/client.ts'
import { placeOf } from '../../history/engine/where.ts'
import { ClickHouseHistory } from '../../history/history.ts'
import { LAUNCH_RISK, TOPOLOGIES } from '../../launch-risk.ts'
import type { DurableLog } from '../../logs/lmdb/lmdb.ts'
import type { History } from '../../ports/history.ts'
import type { Log } from '../../ports/log.ts'
import type { Notice } from '../../ports/notice.ts'
import { chainPlaceOf } from '../../runtime/runtime.ts'
import type { Part } from '../../runtime/work.ts'
import type { ClickHouseSink } from '../../sinks/clickhouse.ts'
import { refreshFilled, refreshViews } from '../../sinks/refresh-views.ts'
import { historyDaysOf } from '../../sinks/retention/history-days.ts'
import { keepDays } from '../../sinks/retention/keep-days.ts'
import { Retention, type SunkHistory } from '../../sinks/retention/retention.ts'
import { SinkWork, type SinkWorkOptions } from '../../sinks/sink-work.ts'
import { retryUntil } from '../../waiting/retry.ts'
import type { Settings } from '../settings/settings.ts'
import type { Closing } from '../start/closing.ts'

/** A history that others may fill. */
export interface SharedHistory {
  readonly history: History
  /** The sink, for the one process that has its place. */
  readonly sinkPart: Part
  /** True when the history has all of the log, as far as that is this process's to do. */
  hasAll(): boolean
}

/** A history at work. `done` rejects with a failure of the log or a bug, and else resolves only once it was ended. */
export interface OpenHistory extends Omit<SharedHistory, 'sinkPart'> {
  readonly done: Promise<void>
}

export interface AdoptOption {
  readonly adoptHistory?: true
}

export const addAdoptOption = (command: Command): Command =>
  command.option('--adopt-history', 'fill a history that another log has filled, from now on: for a log that is begun anew; its rows stay')

/** What a sink is told of its log beside it. */
export type Filling = Pick<SinkWorkOptions, 'source' | 'adopts'>

interface Reached {
  readonly history: ClickHouseHistory
  readonly client: Promise<HistoryClient | null>
  readonly hasOwnDisks: boolean
}

const reach = (settings: Settings, sink: () => SinkWork | null, notice: Notice, after = Promise.resolve(true)): Reached => {
  const place = placeOf(settings.dataDir, settings.clickhouse)
  const status = (): ReturnType<History['status']> | null => sink()?.sink?.status() ?? null
  const history = new ClickHouseHistory({ at: 'dir' in place ? { ...place, notice } : place, sink: status, notice })
  return { history, client: after.then((begins) => (begins ? history.start() : null)), hasOwnDisks: !('dir' in place) }
}

/** Of a log on Kafka: who has the decoder's place fills it. `closing` learns how it ends; parts must have ended before. */
export const openSharedHistory = (settings: Settings, log: Log, filling: Filling, closing: Closing, notice: Notice): SharedHistory => {
  let work: SinkWork | null = null
  const { history, client } = reach(settings, () => work, notice)
  const stopping = new AbortController()
  closing.add('history', () => {
    stopping.abort()
    return history.stop()
  })
  const create = (): SinkWork => {
    const created = new SinkWork({
      log,
      topology: LAUNCH_RISK,
      client,
      notice,
      ...filling,
      opened: whenWhole(history, settings.clickhouse.days, stopping.signal, notice),
    })
    work = created
    return created
  }
  return { history, sinkPart: { name: 'sink', place: chainPlaceOf(LAUNCH_RISK), create }, hasAll: () => work === null || work.isCaughtUp }
}

/** To read what others fill. */
export const openReadHistory = (settings: Settings, closing: Closing, notice: Notice): History => {
  const { history } = reach(settings, () => null, notice)
  closing.add('history', () => history.stop())
  return history
}

/**
 * Of a log that is this process's own: starts sink and retention in the background, `after` what is more urgent: false where that was
 * stopped. `closing` learns how they end.
 */
export const openHistory = (
  settings: Settings,
  log: DurableLog,
  filling: Filling,
  closing: Closing,
  notice: Notice,
  after: Promise<boolean> = Promise.resolve(true),
): OpenHistory => {
  const sunk = (): SunkHistory | null => known
  let known: SunkHistory | null = { upTo: () => work.sink?.status().upTo ?? null, days: null }
  const { history, client, hasOwnDisks } = reach(settings, () => work, notice, after)
  const stopping = new AbortController()
  const work: SinkWork = new SinkWork({
    log,
    topology: LAUNCH_RISK,
    client,
    notice,
    ...filling,
    opened: whenWhole(history, settings.clickhouse.days, stopping.signal, notice),
  })
  const sinking = client.then(async (reached) => {
    known = reached && { upTo: () => work.sink?.status().upTo ?? null, days: hasOwnDisks ? null : historyDaysOf(reached) }
    await work.run()
  })
  const retentions = TOPOLOGIES.map((topology) => {
    const isSunk = topology === LAUNCH_RISK
    return new Retention({ log, topology, disk: log, settings: settings.retention, history: isSunk ? sunk : () => null, notice })
  })
  const done = Promise.all([sinking, ...retentions.map((retention) => retention.run())]).then(() => {})
  done.catch(() => {})
  closing.add('history', async () => {
    stopping.abort()
    work.stop()
    for (const retention of retentions) retention.stop()
    await history.stop()
    await done
  })
  return { history, done, hasAll: () => work.isCaughtUp }
}

/** What a new or a newer history still needs once it is filled up to now. A stop ends it without a word. */
const whenWhole =
  (history: ClickHouseHistory, days: number, stop: AbortSignal, notice: Notice) =>
  async (sink: ClickHouseSink, client: HistoryClient): Promise<void> => {
    const toldWhileItRuns: Notice = (code, facts) => {
      if (!stop.aborted) notice(code, facts)
    }
    await sink.caughtUp()
    await refreshFilled({
      compute: () => showFigures(history, client, stop, toldWhileItRuns),
      upTo: () => sink.status().upTo,
      stop,
    })
    await history.rewrite()
    // It touches parts, and what the rewriting has still to do is told by when they were touched last.
    if (!stop.aborted) await keepDays(client, days, toldWhileItRuns)
  }

const FIGURE_RETRIES = { firstMs: 5_000, triesMax: 3 }

/** So that a newcomer need not wait for the minute: the views are computed now, and read. What is busy then is asked again. */
const showFigures = async (history: ClickHouseHistory, client: HistoryClient, stop: AbortSignal, notice: Notice): Promise<void> => {
  const once = async (): Promise<void> => {
    await refreshViews(client)
    await history.refresh()
  }
  const isPassing = (failure: unknown): boolean => hasCode(failure, 'history_busy')
  await retryUntil(stop, once, { ...FIGURE_RETRIES, isPassing }).catch((failure: unknown) =>
    notice('history_figures_late', { reason: messageOf(failure) }),
  )
}
