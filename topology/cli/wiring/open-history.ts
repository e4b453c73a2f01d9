// The history: embedded or external ClickHouse, its sinks, and retention. Startup does not wait for it; its failure stops nothing else.
import type { Command } from 'commander'
import { EngineError, hasCode, messageOf } from '../../../schemas/errors.ts'
import { ownName } from '../../../schemas/topics.ts'
import type { HistoryClient } from '../../history/client.ts'
import { placeOf } from '../../history/engine/where.ts'
import { ClickHouseHistory } from '../../history/history.ts'
import { keepLedger } from '../../history/odds/ledger.ts'
import { TOPOLOGIES } from '../../launch-risk.ts'
import type { DurableLog } from '../../logs/lmdb/lmdb.ts'
import type { History, SinkStatus } from '../../ports/history.ts'
import type { Log } from '../../ports/log.ts'
import type { Notice } from '../../ports/notice.ts'
import { chainPartitionOf } from '../../runtime/task-parts.ts'
import type { TaskSpec } from '../../runtime/task-spec.ts'
import type { ClickHouseSink } from '../../sinks/clickhouse.ts'
import { refreshFilled, refreshViews } from '../../sinks/refresh-views.ts'
import { type HistoryDays, historyDaysOf } from '../../sinks/retention/history-days.ts'
import { keepDays } from '../../sinks/retention/keep-days.ts'
import { Retention, type SunkHistory } from '../../sinks/retention/retention.ts'
import { SinkTask, type SinkWorkOptions } from '../../sinks/sink-task.ts'
import type { SunkTopology } from '../../sinks/sink-topology.ts'
import type { Topology } from '../../topology.ts'
import { retryUntil } from '../../waiting/retry.ts'
import type { Settings } from '../settings/settings.ts'
import type { Closing } from '../start/closing.ts'

/** A history that several processes may write. */
export interface SharedHistory {
  readonly history: History
  /** One sink per chain, each run by the process that is assigned its partition. */
  readonly sinkParts: readonly TaskSpec[]
  /** True when the history has the whole log, as far as this process writes it. */
  hasAll(): boolean
}

/** A running history. `done` rejects with a failure of the log or a bug; else it resolves only after a stop. */
export interface OpenHistory extends Omit<SharedHistory, 'sinkParts'> {
  readonly done: Promise<void>
}

export interface AdoptOption {
  readonly adoptHistory?: true
}

export const addAdoptOption = (command: Command): Command =>
  command.option('--adopt-history', 'continue a history that another log has written, keeping its rows: for a log that was started over')

/** A chain whose history is written, with the options of its sink. */
export type Filling = Pick<SinkWorkOptions, 'source' | 'adopts'> & {
  readonly topology: SunkTopology
  /** True when every judgement that this process scores has its odds; absent: this process scores none. */
  readonly isScored?: () => boolean
}

interface Reached {
  readonly history: ClickHouseHistory
  readonly client: Promise<HistoryClient | null>
  readonly hasOwnDisks: boolean
}

/** Rows of all sinks; `upTo` is the first chain's. Null before a sink runs. */
const statusOf = (statuses: readonly (SinkStatus | undefined)[]): SinkStatus | null => {
  const known = statuses.filter((status) => status !== undefined)
  if (known.length === 0) return null
  const rows = known.reduce((sum, status) => sum + status.rows, 0)
  return { rows, upTo: statuses[0]?.upTo ?? null, trouble: known.find(({ trouble }) => trouble !== null)?.trouble ?? null }
}

const reach = (settings: Settings, works: () => readonly (SinkTask | null)[], notice: Notice, after = Promise.resolve(true)): Reached => {
  const place = placeOf(settings.dataDir, settings.clickhouse)
  const status = (): SinkStatus | null => statusOf(works().map((work) => work?.sink?.status()))
  const history = new ClickHouseHistory({ at: 'dir' in place ? { ...place, notice } : place, sink: status, notice })
  return { history, client: after.then((begins) => (begins ? history.start() : null)), hasOwnDisks: !('dir' in place) }
}

/** `whole` is called for the first chain's sink only: the figures come from its tables. */
const openedOf = (
  { isScored: _, ...filling }: Filling,
  isFirst: boolean,
  whole: SinkWorkOptions['opened'],
): Pick<SinkWorkOptions, 'opened' | 'source' | 'adopts' | 'topology'> => ({
  ...filling,
  opened: isFirst ? whole : () => {},
})

/**
 * For a log on Kafka: the process that is assigned a chain's decoder writes the chain's tables. Registers the end of the history with
 * `closing`; the sinks must end before it. The first chain is the primary one.
 */
export const openSharedHistory = (
  settings: Settings,
  log: Log,
  fillings: readonly Filling[],
  closing: Closing,
  notice: Notice,
): SharedHistory => {
  const works: (SinkTask | null)[] = fillings.map(() => null)
  const { history, client } = reach(settings, () => works, notice)
  const stopping = new AbortController()
  closing.add('history', () => {
    stopping.abort()
    return history.stop()
  })
  const whole = whenWhole(history, { days: settings.clickhouse.days, isScored: fillings[0]?.isScored }, stopping.signal, notice)
  const sinkParts = fillings.map((filling, n) => ({
    name: ownName(filling.topology.chain, 'sink'),
    topicPartition: chainPartitionOf(filling.topology),
    create: () => {
      const work = new SinkTask({ log, client, notice, ...openedOf(filling, n === 0, whole) })
      works[n] = work
      return work
    },
  }))
  return { history, sinkParts, hasAll: () => works.every((work) => work === null || work.isCaughtUp) }
}

/** A history that other processes write. */
export const openReadHistory = (settings: Settings, closing: Closing, notice: Notice): History => {
  const { history } = reach(settings, () => [], notice)
  closing.add('history', () => history.stop())
  return history
}

/**
 * For an embedded log: starts sinks and retention in the background. The history starts once `after`, more urgent work, resolves; if it
 * resolves to false (stopped), the history does not start. Registers their end with `closing`. The first chain is the primary one.
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
  const works = fillings.map((filling, n) => new SinkTask({ log, client, notice, ...openedOf(filling, n === 0, whole) }))
  let reached: HistoryClient | null | undefined
  const days = (): HistoryDays | null => (reached == null || hasOwnDisks ? null : historyDaysOf(reached))
  const sunk = (topology: Topology) => (): SunkHistory | null => {
    const n = fillings.findIndex((filling) => filling.topology === topology)
    // All chains share the history's disk: only the first chain's retention deletes days from it.
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

/**
 * Once the sink has caught up: computes the figures of a new history, rewrites the tables of a migrated one, applies the retention, and
 * keeps the ledger of hourly roots. A stop ends this silently.
 */
const whenWhole =
  (history: ClickHouseHistory, { days, isScored = () => true }: WholeOptions, stop: AbortSignal, notice: Notice) =>
  async (sink: ClickHouseSink, client: HistoryClient, sinkStop: AbortSignal): Promise<void> => {
    const noticeUntilStop: Notice = (code, facts) => {
      if (!stop.aborted) notice(code, facts)
    }
    const upTo = (): number | null => sink.status().upTo
    const fresh = async (): Promise<void> => {
      await refreshFilled({ compute: () => showFigures(history, client, stop, noticeUntilStop), upTo, stop })
      await retryUntil(stop, () => tidy(history, client, days, stop, noticeUntilStop), {
        firstMs: FIGURE_RETRIES.firstMs,
        isPassing: (failure) => failure instanceof EngineError,
        failed: (failure) => noticeUntilStop('history_upkeep_late', { reason: messageOf(failure) }),
      })
    }
    await sink.caughtUp()
    await Promise.all([fresh(), keepLedger({ client, upTo, isScored, stop: sinkStop, notice: noticeUntilStop })])
  }

/** Applies the layout and the retention of the tables. Idempotent. @throws EngineError */
const tidy = async (history: ClickHouseHistory, client: HistoryClient, days: number, stop: AbortSignal, notice: Notice): Promise<void> => {
  await history.rewrite()
  // Retention modifies parts, and the rewrite finds its remaining work by their modification times: so it must come after.
  if (!stop.aborted) await keepDays(client, days, notice)
}

const FIGURE_RETRIES = { firstMs: 5_000, triesMax: 3 }

/** Refreshes the views now instead of at the next minute, and reads the figures. Retries while the server is busy. */
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
