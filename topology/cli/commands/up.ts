// `mintfold up`: runs every role in one process. Starts from the log upwards: source, view, payments, API, folds.
import type { Registry } from 'prom-client'
import { EngineError } from '../../../schemas/errors.ts'
import type { Chain } from '../../../schemas/types.ts'
import { CURVE_RISK } from '../../curve-risk.ts'
import { DEMO_BOUNDS, LAUNCH_RISK, TOPOLOGIES, topologyOf } from '../../launch-risk.ts'
import type { DurableLog } from '../../logs/lmdb/lmdb.ts'
import { apiMetrics } from '../../operations/metrics/api-metrics.ts'
import { barrierMetrics } from '../../operations/metrics/barrier-metrics.ts'
import { threadMetrics } from '../../operations/metrics/gauges.ts'
import { type MeasuredLog, measuredLog } from '../../operations/metrics/log-metrics.ts'
import type { Preparing } from '../../ports/chain-view.ts'
import type { History } from '../../ports/history.ts'
import type { Log } from '../../ports/log.ts'
import type { Notice } from '../../ports/notice.ts'
import { type RunOptions, taskPartitionsOf } from '../../runtime/runtime.ts'
import type { TaskSpec } from '../../runtime/task-spec.ts'
import type { SourceContext, SourceHandle, StartProgress } from '../../sources/source.ts'
import { foldInThread } from '../../threads/folds/thread-folds.ts'
import { openInThread } from '../../threads/source/thread-source.ts'
import { type Topology, topicsOfAll } from '../../topology.ts'
import { isReadable } from '../../versions/stores-record.ts'
import { Front } from '../../views/front.ts'
import { stopped } from '../../waiting/waiting.ts'
import type { Io, Register } from '../command.ts'
import { createLogger, noticesTo } from '../output/logger.ts'
import { preparing } from '../output/preparing.ts'
import { reportRebuilds } from '../output/rebuild-reporter.ts'
import { showStatus } from '../output/status-line.ts'
import { parseSettings, type Settings } from '../settings/settings.ts'
import { addBrokerOptions, type BrokerOptions, envWith } from '../settings/settings-kafka.ts'
import { sourceName } from '../settings/source-name.ts'
import { addEndOptions, addSourceOptions, checkSource, type EndOptions, type SourceOptions } from '../settings/source-options.ts'
import { type BeginningFolds, beginFolds, beginView, type CommandFolds } from '../start/begin-folds.ts'
import { Closing } from '../start/closing.ts'
import { near } from '../start/early.ts'
import { endOf } from '../start/ending.ts'
import type { ExitOptions } from '../start/exit-watch.ts'
import { earlyOf, handOver, type Starts, showEarly } from '../start/first-start.ts'
import { hereOf, openChains, playedOf, wordsOf } from '../start/open-chains.ts'
import { type OpenViews, openViews } from '../start/open-views.ts'
import { mintPaths, type PlayedChain, playAll } from '../start/play.ts'
import { startSharedFolds } from '../start/shared-folds.ts'
import { FOLDS_THREAD, type GivenFolds, SOURCE_THREAD, WORKER_THREAD } from '../threads/threads.ts'
import { claimPorts } from '../wiring/claim-ports.ts'
import { openAccounts } from '../wiring/open-accounts.ts'
import { openApi } from '../wiring/open-api.ts'
import { type AdoptOption, addAdoptOption, type Filling, openHistory, openSharedHistory } from '../wiring/open-history.ts'
import { logWords, type OpenLog, openLog } from '../wiring/open-log.ts'
import { openMetrics, showFigures, shownOf } from '../wiring/open-metrics.ts'
import { type OpenOdds, openOdds, showAndScore } from '../wiring/open-odds.ts'
import { type GivenSource, withStart } from '../wiring/open-source.ts'
import { publishClocks } from '../wiring/publish-clocks.ts'
import { outcomeOf } from './redrive.ts'

export const register: Register = (command, io) => {
  command.description('Runs every role in one process, on the embedded log or on Kafka. Resumes from its last committed frame.')
  addBrokerOptions(
    addAdoptOption(addEndOptions(addSourceOptions(command, { verb: 'play', historyHours: DEMO_BOUNDS.HISTORY_S / 3_600 }))),
  ).action((options: Options) => up(options, io))
}

type ExitLimits = Pick<ExitOptions, 'idleSMax'>
type Options = SourceOptions & EndOptions & AdoptOption & BrokerOptions

type SizedLog = Log & Partial<Pick<DurableLog, 'usedBytes'>>
/** Opens the source of a chain. */
export type SourceOpener = (log: SizedLog, given: GivenSource, context: SourceContext) => Promise<SourceHandle>

const openThread: SourceOpener = (log, given, context) =>
  openInThread(log, { entry: SOURCE_THREAD, topics: topicsOfAll(TOPOLOGIES), given }, context)

/**
 * Runs until stopped or until a part fails. A soak test passes an `open` whose stream ends; a test of `--exit` passes its own
 * `limits`.
 */
export const up = async (options: Options, io: Io, open: SourceOpener = openThread, limits: ExitLimits = {}): Promise<void> => {
  await new Closing(io.printNotice).after((closing) => start(options, io, open, closing, limits))
}

/** Starts every part and registers how it ends, then waits for the stop or for a failure. */
const start = async (asked: Options, io: Io, open: SourceOpener, closing: Closing, limits: ExitLimits): Promise<void> => {
  checkSource(asked)
  const settings = parseSettings(envWith(io.env, asked), { source: asked.source })
  const logger = createLogger({ logLevel: settings.logLevel, terminal: io.terminal })
  const port = await claimPorts(settings)
  const { registry, notice } = await openMetrics('up', settings, noticesTo(logger), closing, io)
  const failed = new AbortController()
  const stop = AbortSignal.any([io.stop, failed.signal])
  const opened = await openLog(settings, closing, notice, stop)
  const { log, live } = opened
  const options = await withStart(opened.embedded ?? log, asked, Date.now())
  const given = { options, live: settings.live, liveAlt: settings.liveAlt }
  const starts: Starts = { work: null }
  const early = open === openThread ? earlyOf({ opened, given, settings, notice, stop, starts }, closing) : null
  let views: OpenViews | undefined
  const groundOf = (chain: Chain): SourceContext => {
    const folded = (): number | null => views?.all.get(topologyOf(chain))?.status().folded?.number ?? null
    return { dataDir: settings.dataDir, stop, folded, notice }
  }
  const openOne = (one: GivenSource): Promise<SourceHandle> => open(opened.embedded ?? log, one, groundOf(one.chain))
  const chains = await openChains({ given, log, isShared: opened.embedded === null, open: openOne, stop, notice }, closing)
  const { own: primary, source, facts } = hereOf(chains, LAUNCH_RISK)
  views = openViews(log, chains, keptOf(options, opened), notice)
  const { mints: view, curves, shownCurves, all } = views
  const odds = openOdds(log, notice, closing, registry)
  let folding: BeginningFolds | undefined
  const kept = historyOf(settings, opened, fillingsOf(chains, options, odds), closing, notice, early?.isLive)
  const { history } = kept
  const full = { view, clock: source, accounts: primary?.accounts }
  const front = new Front(full, () => starts.work)
  const redrive = async (end: AbortSignal): Promise<object> => outcomeOf(await begun(folding?.now).redrive(end))
  const shown = { view: front, curves: shownCurves, records: front, clock: front, source: facts, live, history, odds }
  const more = { ...openAccounts(full.accounts && front, settings.accountsUrl, notice), observer: apiMetrics(registry), redrive }
  const server = await openApi({ settings, port, log, ...shown, logger, notice, stop, drained: stop, ...more }, closing)
  const figures = [shownOf(LAUNCH_RISK, front, source, front), shownOf(CURVE_RISK, curves, hereOf(chains, CURVE_RISK).source)]
  showFigures(registry, figures, history)
  const measured = measuredLog(log, TOPOLOGIES, registry)
  const answers = `mintfold answers on ${server.url} (payments: ${settings.payments}; data: ${settings.dataDir}${logWords(settings)})`
  const words = wordsOf(chains)
  const line = early && (await showEarly(early, { front, settings, io, url: server.url, answers, words }))
  const playing = playedOf(chains, all)
  await prepareAll(playing, io, starts)
  const reportRebuild = reportRebuilds(io.printNotice, (progress, chain) => all.get(topologyOf(chain))?.rebuilding(progress))
  const readable = await readableOf(log)
  if (opened.embedded !== null) measured.assigned(taskPartitionsOf(log, TOPOLOGIES))
  const otherTasks = [...kept.otherTasks, ...odds.parts]
  const folds = beginFolds(tasksOf({ opened, measured, settings, otherTasks, registry, notice, stop }), reportRebuild, closing)
  folding = folds
  barrierMetrics(registry, () => folds.now?.waits() ?? [])
  closing.add('rebuild', async () => failed.abort())
  const viewing = await Promise.all([...all].map(([one, followed]) => beginView(followed, folds, readable.has(one), closing, stop)))
  const scoring = showAndScore(odds, opened.embedded !== null, closing)
  if (early === null) starts.work = null
  if (early === null) io.printNotice(answers)
  const publishing = opened.embedded === null ? publishClocks(log, playing, stop) : stopped(stop)
  const handedOver = early === null ? null : handOver(early, { full, front, io, starts, stop })
  const played = playAll(playing, {
    ...{ words, folds, settings, io, url: server.url, stop, speed: options.speed, suggested: () => mintPaths(view) },
    ...(line && { line }),
    after: handedOver ?? (options.isOnWall === true ? near(view, source, stop) : undefined),
  })
  const ending = endOf(
    played,
    { chains: playing, history, hasAll: () => odds.isScored() && kept.hasAll(), log, options },
    { printNotice: io.printNotice, stop, ...limits },
  )
  closing.add('source', async () => {
    failed.abort()
    await Promise.all([played, publishing])
  })
  const hide = showStatus({ view: front, source, terminal: io.terminal })
  closing.add('status', async () => hide())
  const ended = Promise.all([folds.done, ...viewing.map(({ started }) => started)]).then(() => stopped(stop))
  const asides = [kept.done, scoring, publishing, handedOver ?? stopped(stop)].map((aside) => aside.then(() => stopped(stop)))
  await Promise.race([stopped(stop), ...[...all.values()].map(({ failed: broken }) => broken), ended, ...asides, ending])
  io.printNotice('stopping: committed work is kept')
}

const keptOf = ({ source }: Options, { pages, embedded }: OpenLog) => ({
  ...{ pages, isShared: embedded === null },
  isRecorded: sourceName(source)?.kind === 'recording',
})

/** Chains whose rows this program version can read without a rebuild. */
const readableOf = async (log: Log): Promise<ReadonlySet<Topology>> => {
  const are = await Promise.all(TOPOLOGIES.map((one) => isReadable(log, one)))
  return new Set<Topology>(TOPOLOGIES.filter((_one, n) => are[n]))
}

/** Runs the long work before the first frame for all chains in parallel; the progress of the primary chain is shown. */
const prepareAll = async (playing: readonly Pick<PlayedChain, 'topology' | 'source'>[], io: Io, starts: Starts): Promise<void> => {
  const showPreparing = (work: Preparing): void => {
    starts.work = work
  }
  const progressOf = (topology: Topology): StartProgress => (topology === LAUNCH_RISK ? preparing(io, showPreparing) : () => {})
  await Promise.all(playing.map(({ topology, source }) => source.prepare?.(progressOf(topology))))
}

interface TasksContext {
  readonly opened: OpenLog
  readonly measured: MeasuredLog
  readonly settings: Settings
  /** Tasks that are assigned with the same partitions as the folds. */
  readonly otherTasks: readonly TaskSpec[]
  readonly registry: Registry
  readonly notice: Notice
  readonly stop: AbortSignal
}

const CHAINS = TOPOLOGIES.map(({ chain }) => chain.name)

/** How tasks start: in threads of their own if the log is embedded, else as a member of the consumer group. */
const tasksOf =
  ({ opened: { embedded, assignment, pages }, measured, settings, otherTasks, registry, notice, stop }: TasksContext) =>
  async (rebuilding: NonNullable<RunOptions['rebuilding']>): Promise<CommandFolds> => {
    const { log, assigned } = measured
    if (embedded === null)
      return startSharedFolds(
        { settings, measured, registry },
        { ...{ assignment, pages, otherTasks, rebuilding, stop, notice }, assigned: (_names, partitions) => assigned(partitions) },
      )
    const { dataDir, liveAlt, foldThreads } = settings
    const given: GivenFolds = { chains: CHAINS, addresses: liveAlt.addresses }
    const workers = { entry: WORKER_THREAD, count: foldThreads - 1 }
    const place = { entry: FOLDS_THREAD, workers, topics: topicsOfAll(TOPOLOGIES), dataDir, given }
    const folds = await foldInThread(log, place, { rebuilding, notice, stop })
    threadMetrics(registry, folds.memory)
    return folds
  }

const begun = <Begun>(folds: Begun | undefined): Begun => {
  if (folds === undefined) throw new EngineError('stores_busy', 'the tasks have not started yet: retry in a moment', { retriable: true })
  return folds
}

interface KeptHistory {
  readonly history: History
  readonly otherTasks: readonly TaskSpec[]
  readonly done: Promise<void>
  hasAll(): boolean
}

/** On Kafka the tasks of the sink are assigned by the consumer group, in `otherTasks`; on the embedded log the sink starts now. */
const historyOf = (
  settings: Settings,
  { log, embedded }: OpenLog,
  fillings: readonly Filling[],
  closing: Closing,
  notice: ReturnType<typeof noticesTo>,
  after?: Promise<boolean>,
): KeptHistory => {
  if (embedded !== null) return { ...openHistory(settings, embedded, fillings, closing, notice, after), otherTasks: [] }
  const { history, sinkParts, hasAll } = openSharedHistory(settings, log, fillings, closing, notice)
  return { history, otherTasks: sinkParts, done: Promise.resolve(), hasAll }
}

/** All chains, each with the facts of its source. */
const fillingsOf = (
  chains: Parameters<typeof hereOf>[0],
  { adoptHistory }: Options,
  { isScored }: Pick<OpenOdds, 'isScored'>,
): readonly Filling[] =>
  TOPOLOGIES.map((topology) => ({
    ...{ topology, source: hereOf(chains, topology).facts, adopts: adoptHistory === true },
    ...(topology === LAUNCH_RISK && { isScored }),
  }))
