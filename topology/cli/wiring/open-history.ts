// The history: ClickHouse beside the product or elsewhere, its sink, and retention. None is waited for, nor its death the product's.
import type { Command } from 'commander'
import { EngineError, hasCode, messageOf } from '../../../schemas/errors.ts'
import { ownName } from '../../../schemas/topics.ts'
import type { HistoryClient } from '../../history/client.ts'
import { placeOf } from '../../history/engine/where.ts'
import { ClickHouseHistory } from '../../history/history.ts'
import { keepLedger } from '../../history/odds/ledger.ts'
import { TOPOLOGIES } from '../../launch-risk.ts'
import type { DurableLog } from '../../logs/lmdb/lmdb.ts'
import type { History } from '../../ports/history.ts'
import type { Log } from '../../ports/log.ts'
import type { Notice } from '../../ports/notice.ts'
import { chainPlaceOf } from '../../runtime/runtime.ts'
import type { Part } from '../../runtime/work.ts'
import type { ClickHouseSink } from '../../sinks/clickhouse.ts'
import { refreshFilled, refreshViews } from '../../sinks/refresh-views.ts'
import { type HistoryDays, historyDaysOf } from '../../sinks/retention/history-days.ts'
import { keepDays } from '../../sinks/retention/keep-days.ts'
import { Retention, type SunkHistory } from '../../sinks/retention/retention.ts'
import type { SunkTopology } from '../../sinks/sink-topology.ts'
import { SinkWork, type SinkWorkOptions } from '../../sinks/sink-work.ts'
import type { Topology } from '../../topology.ts'
import { retryUntil } from '../../waiting/retry.ts'
import type { Settings } from '../settings/settings.ts'
import type { Closing } from '../start/closing.ts'

/** A history that others may fill. */
export interface SharedHistory {
  readonly history: History
  /** The sinks, one a chain, each for the one process that has its place. */
  readonly sinkParts: readonly Part[]
  /** True when the history has all of the log, as far as that is this process's to do. */
  hasAll(): boolean
}

/** A history at work. `done` rejects with a failure of the log or a bug, and else resolves only once it was ended. */
export interface OpenHistory extends Omit<SharedHistory, 'sinkParts'> {
  readonly done: Promise<void>
}

export interface AdoptOption {
  readonly adoptHistory?: true
}

export const addAdoptOption = (command: Command): Command =>
  command.option('--adopt-history', 'fill a history that another log has filled, from now on: for a log that is begun anew; its rows stay')

/** One chain whose history is kept, and what its sink is told of its log beside it. */
export type Filling = Pick<SinkWorkOptions, 'source' | 'adopts'> & {
  readonly topology: SunkTopology
  /** True when every judgement that this process has to score has its odds; absent: nothing is scored here. */
  readonly isScored?: () => boolean
}

interface Reached {
  readonly history: ClickHouseHistory
  readonly client: Promise<HistoryClient | null>
  readonly hasOwnDisks: boolean
}

type Status = ReturnType<History['status']>

/** Rows of all; figures are of the first chain, so that what is behind is told by its sink. Null before a sink runs. */
const statusOf = (statuses: readonly (Status | undefined)[]): Status | null => {
  const known = statuses.filter((status) => status !== undefined)
  if (known.length === 0) return null
  const rows = known.reduce((sum, status) => sum + status.rows, 0)
  return { rows, upTo: statuses[0]?.upTo ?? null, trouble: known.find(({ trouble }) => trouble !== null)?.trouble ?? null }
}

const reach = (settings: Settings, works: () => readonly (SinkWork | null)[], notice: Notice, after = Promise.resolve(true)): Reached => {
  const place = placeOf(settings.dataDir, settings.clickhouse)
  const status = (): Status | null => statusOf(works().map((work) => work?.sink?.status()))
  const history = new ClickHouseHistory({ at: 'dir' in place ? { ...place, notice } : place, sink: status, notice })
  return { history, client: after.then((begins) => (begins ? history.start() : null)), hasOwnDisks: !('dir' in place) }
}

/** What is done once a sink is at work: figures are of the first chain's tables. */
const openedOf = (
  { isScored: _, ...filling }: Filling,
  isFirst: boolean,
  whole: SinkWorkOptions['opened'],
): Pick<SinkWorkOptions, 'opened' | 'source' | 'adopts' | 'topology'> => ({
  ...filling,
  opened: isFirst ? whole : () => {},
})

/**
 * Of a log on Kafka: who has the place of a chain's decoder fills its tables. `closing` learns how it ends; parts must have ended before.
 * The first chain is the primary one.
 */
export const openSharedHistory = (
  settings: Settings,
  log: Log,
  fillings: readonly Filling[],
  closing: Closing,
  notice: Notice,
): SharedHistory => {
  const works: (SinkWork | null)[] = fillings.map(() => null)
  const { history, client } = reach(settings, () => works, notice)
  const stopping = new AbortController()
  closing.add('history', () => {
    stopping.abort()
    return history.stop()
  })
  const whole = whenWhole(history, { days: settings.clickhouse.days, isScored: fillings[0]?.isScored }, stopping.signal, notice)
  const sinkParts = fillings.map((filling, n) => ({
    name: ownName(filling.topology.chain, 'sink'),
    place: chainPlaceOf(filling.topology),
    create: () => {
      const work = new SinkWork({ log, client, notice, ...openedOf(filling, n === 0, whole) })
      works[n] = work
      return work
    },
  }))
  return { history, sinkParts, hasAll: () => works.every((work) => work === null || work.isCaughtUp) }
}

/** To read what others fill. */
export const openReadHistory = (settings: Settings, closing: Closing, notice: Notice): History => {
  const { history } = reach(settings, () => [], notice)
  closing.add('history', () => history.stop())
  return history
}

/**
 * Of a log that is this process's own: starts sinks and retention in the background, `after` what is more urgent: false where that was
 * stopped. `closing` learns how they end. The first chain is the primary one.
 */
export const openHistory = (
  settings: Settings,
  log: DurableLog,
  fillings: readonly Filling[],
  closing: Closing,
  notice: Notice,
  after: Promise<boolean> = Promise.resolve(true),
): OpenHistory => {
  const { history, client, hasOwnDisks } = reach(settings, () => works, notice, after)
  const stopping = new AbortController()
  const whole = whenWhole(history, { days: settings.clickhouse.days, isScored: fillings[0]?.isScored }, stopping.signal, notice)
  const works = fillings.map((filling, n) => new SinkWork({ log, client, notice, ...openedOf(filling, n === 0, whole) }))
  let reached: HistoryClient | null | undefined
  const days = (): HistoryDays | null => (reached == null || hasOwnDisks ? null : historyDaysOf(reached))
  const sunk = (topology: Topology) => (): SunkHistory | null => {
    const n = fillings.findIndex((filling) => filling.topology === topology)
    // What takes disk is one history: the first chain's retention makes room in it.
    return n === -1 || reached === null ? null : { upTo: () => works[n]?.sink?.status().upTo ?? null, days: n === 0 ? days() : null }
  }
  const sinking = client.then(async (found) => {
    reached = found
    await Promise.all(works.map((work) => work.run()))
  })
  const retentions = TOPOLOGIES.map(
    (topology) => new Retention({ log, topology, disk: log, settings: settings.retention, history: sunk(topology), notice }),
  )
  const done = Promise.all([sinking, ...retentions.map((retention) => retention.run())]).then(() => {})
  done.catch(() => {})
  closing.add('history', async () => {
    stopping.abort()
    for (const work of works) work.stop()
    for (const retention of retentions) retention.stop()
    await history.stop()
    await done
  })
  return { history, done, hasAll: () => works.every((work) => work.isCaughtUp) }
}

interface WholeOptions {
  readonly isScored: (() => boolean) | undefined
  readonly days: number
}

/** What a new or a newer history still needs once it is filled up to now, and the roots of its hours. A stop ends it without a word. */
const whenWhole =
  (history: ClickHouseHistory, { days, isScored = () => true }: WholeOptions, stop: AbortSignal, notice: Notice) =>
  async (sink: ClickHouseSink, client: HistoryClient, sinkStop: AbortSignal): Promise<void> => {
    const toldWhileItRuns: Notice = (code, facts) => {
      if (!stop.aborted) notice(code, facts)
    }
    const upTo = (): number | null => sink.status().upTo
    const fresh = async (): Promise<void> => {
      await refreshFilled({ compute: () => showFigures(history, client, stop, toldWhileItRuns), upTo, stop })
      await retryUntil(stop, () => tidy(history, client, days, stop, toldWhileItRuns), {
        firstMs: FIGURE_RETRIES.firstMs,
        isPassing: (failure) => failure instanceof EngineError,
        failed: (failure) => toldWhileItRuns('history_upkeep_late', { reason: messageOf(failure) }),
      })
    }
    await sink.caughtUp()
    await Promise.all([fresh(), keepLedger({ client, upTo, isScored, stop: sinkStop, notice: toldWhileItRuns })])
  }

/** What the layout and the retention of the tables need. Idempotent. @throws EngineError */
const tidy = async (history: ClickHouseHistory, client: HistoryClient, days: number, stop: AbortSignal, notice: Notice): Promise<void> => {
  await history.rewrite()
  // It touches parts, and what the rewriting has still to do is told by when they were touched last.
  if (!stop.aborted) await keepDays(client, days, notice)
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
