// `mintfold up`: every role in one process. From the log up: source, view, payments, API, folds.
import type { Registry } from 'prom-client'
import { EngineError } from '../../../schemas/errors.ts'
import { DEFAULT_LIMITS } from '../../engine/limits.ts'
import { MIGRATING } from '../../history/history.ts'
import { DEMO_BOUNDS, LAUNCH_RISK, TOPOLOGIES } from '../../launch-risk.ts'
import type { DurableLog } from '../../logs/lmdb/lmdb.ts'
import { apiMetrics } from '../../operations/metrics/api-metrics.ts'
import { barrierMetrics } from '../../operations/metrics/barrier-metrics.ts'
import { threadMetrics } from '../../operations/metrics/gauges.ts'
import { measuredLog } from '../../operations/metrics/log-metrics.ts'
import type { History } from '../../ports/history.ts'
import type { Log } from '../../ports/log.ts'
import type { Preparing } from '../../ports/mint-view.ts'
import { placesOf, type Staff, startFolds } from '../../runtime/runtime.ts'
import type { Part } from '../../runtime/work.ts'
import type { Ground, OpenSource, Source } from '../../sources/source.ts'
import { foldInThread, type ThreadFolds } from '../../threads/folds/thread-folds.ts'
import { openInThread } from '../../threads/source/thread-source.ts'
import { topicsOfAll } from '../../topology.ts'
import { scratchesIn } from '../../versions/rebuild/scratches.ts'
import { isReadable } from '../../versions/stores-record.ts'
import { Front } from '../../views/front.ts'
import { LogMintView } from '../../views/mint-view.ts'
import { stopped } from '../../waiting/waiting.ts'
import type { Io, Register } from '../command.ts'
import { createLogger, noticesTo } from '../output/logger.ts'
import { preparing } from '../output/preparing.ts'
import { tellRebuilds } from '../output/rebuild-teller.ts'
import { showStatus } from '../output/status-line.ts'
import { processName } from '../process-name.ts'
import { parseSettings, type Settings } from '../settings/settings.ts'
import { addEndOptions, addSourceOptions, checkSource, type EndOptions, type SourceOptions } from '../settings/source-options.ts'
import { type BeginningFolds, beginFolds, beginView, type CommandFolds } from '../start/begin-folds.ts'
import { Closing } from '../start/closing.ts'
import { type ExitOptions, sourceProgress, sourceWords, untilDealtWith } from '../start/exit-watch.ts'
import { earlyOf, handOver, type Starts, showEarly } from '../start/first-start.ts'
import { play } from '../start/play.ts'
import { FOLDS_THREAD, type GivenSource, SOURCE_THREAD } from '../threads/threads.ts'
import { openAccounts } from '../wiring/open-accounts.ts'
import { claimPort, openApi } from '../wiring/open-api.ts'
import { type AdoptOption, addAdoptOption, type Filling, openHistory, openSharedHistory } from '../wiring/open-history.ts'
import { type OpenLog, openLog } from '../wiring/open-log.ts'
import { openMetrics, showFigures } from '../wiring/open-metrics.ts'
import { tellSource } from '../wiring/tell-source.ts'
import { outcomeOf } from './redrive.ts'

export const register: Register = (command, io) => {
  command.description('every role in one process, on the embedded log or on Kafka; resumes from its last committed frame')
  addAdoptOption(addEndOptions(addSourceOptions(command, 'play', DEMO_BOUNDS.HISTORY_S / 3_600))).action((options: Options) =>
    up(options, io),
  )
}

type ExitLimits = Pick<ExitOptions, 'idleSMax'>
type Options = SourceOptions & EndOptions & AdoptOption

/** Opens what is played. */
export type Opener = (log: Log & Partial<Pick<DurableLog, 'usedBytes'>>, given: GivenSource, ground: Ground) => Promise<OpenSource>

const openThread: Opener = (log, given, ground) =>
  openInThread(log, { entry: SOURCE_THREAD, topics: topicsOfAll(TOPOLOGIES), given }, ground)

/**
 * Runs until stopped or until a part fails. `open` is another than the options' own for a soak that needs a stream with an end, `limits`
 * are those of `--exit` for a test.
 */
export const up = async (options: Options, io: Io, open: Opener = openThread, limits: ExitLimits = {}): Promise<void> => {
  await new Closing(io.say).after((closing) => start(options, io, open, closing, limits))
}

/** Starts everything, each part with how it ends, then waits for the stop or for what fails. */
const start = async (options: Options, io: Io, open: Opener, closing: Closing, limits: ExitLimits): Promise<void> => {
  checkSource(options)
  const settings = parseSettings(io.env, { source: options.source })
  const logger = createLogger({ logLevel: settings.logLevel, terminal: io.terminal })
  const { registry, notice } = await openMetrics('up', settings, noticesTo(logger), closing, io)
  const failed = new AbortController()
  const stop = AbortSignal.any([io.stop, failed.signal])
  const port = await claimPort(settings)
  const opened = await openLog(settings, closing, notice, stop)
  const { log, assignment, live } = opened
  const folded = (): number | null => view.status().folded?.number ?? null
  const given = { options, live: settings.live }
  const starts: Starts = { work: null }
  const early = open === openThread ? earlyOf({ opened, given, settings, notice, stop, starts }, closing) : null
  const ground = { dataDir: settings.dataDir, stop, folded, notice }
  const { source, facts, words, accounts, close } = await open(opened.embedded ?? log, given, ground)
  if (close !== undefined) closing.add('source thread', close)
  const view = new LogMintView(log, LAUNCH_RISK.views.mints.reads, source, Date.now, notice)
  let folding: BeginningFolds | undefined
  const kept = historyOf(settings, opened, { source: () => facts, adopts: options.adoptHistory === true }, closing, notice, early?.isLive)
  const { history } = kept
  const full = { view, clock: source, accounts }
  const front = new Front(full, () => starts.work)
  const read = openAccounts(accounts && front, settings.accountsUrl, notice)
  const redrive = async (asked: AbortSignal): Promise<object> => outcomeOf(await begun(folding?.now).redrive(asked))
  const shown = { view: front, records: front, clock: front, source: facts, live, history, ...read }
  const observer = apiMetrics(registry)
  const server = await openApi({ settings, port, ...shown, logger, notice, observer, stop, redrive }, closing)
  showFigures(registry, front, source, history)
  const measured = measuredLog(log, TOPOLOGIES, registry)
  const answers = `mintfold answers on ${server.url} (payments: ${settings.payments}; data: ${settings.dataDir}${logWords(settings)})`
  const line = early && (await showEarly(early, { front, settings, io, url: server.url, answers, words }))
  const tell = (work: Preparing): void => {
    starts.work = work
  }
  await source.prepare?.(preparing(io, tell))
  const rebuildTold = tellRebuilds(io.say, (words, chain) => {
    if (chain === LAUNCH_RISK.chain.name) view.rebuilding(words)
  })
  const isReadableNow = await isReadable(log, LAUNCH_RISK)
  if (opened.embedded !== null) measured.assigned(placesOf(log, TOPOLOGIES))
  const startTasks = (rebuilding: NonNullable<Staff['rebuilding']>): Promise<CommandFolds> =>
    opened.embedded === null
      ? startFolds(measured.log, TOPOLOGIES, DEFAULT_LIMITS, {
          ...{ assignment, beside: kept.beside, scratches: scratchesIn(settings.dataDir), rebuilding, stop, by: processName() },
          notice,
          assigned: (_mine, places) => measured.assigned(places),
        })
      : inThread(measured.log, settings.dataDir, { rebuilding, notice, stop }, registry)
  const folds = beginFolds(startTasks, rebuildTold, closing)
  folding = folds
  barrierMetrics(registry, () => folds.now?.waits() ?? [])
  closing.add('rebuild', async () => failed.abort())
  const viewing = await beginView(view, folds, isReadableNow, closing, stop)
  if (early === null) starts.work = null
  if (early === null) io.say(answers)
  const telling = opened.embedded === null ? tellSource(log, LAUNCH_RISK, source, facts, stop) : stopped(stop)
  const playing = play({ source, words, view, folds, settings, io, url: server.url, line: line ?? undefined })
  const handedOver = early === null ? stopped(stop) : handOver(early, { full, front, io, starts, stop })
  const ending = endOf(playing, { source, view, kept, log, options }, { say: io.say, stop, ...limits })
  closing.add('source', async () => {
    failed.abort()
    await Promise.all([playing, telling])
  })
  const hide = showStatus({ view: front, source, terminal: io.terminal })
  closing.add('status', async () => hide())
  const ended = Promise.all([folds.done, viewing.started]).then(() => stopped(stop))
  const asides = [kept.done, telling, handedOver].map((aside) => aside.then(() => stopped(stop)))
  await Promise.race([stopped(stop), view.failed, ended, ...asides, ending])
  io.say('stopping: what was committed is kept')
}

const inThread = async (log: Log, dataDir: string, staff: Parameters<typeof foldInThread>[2], registry: Registry): Promise<ThreadFolds> => {
  const folds = await foldInThread(log, { entry: FOLDS_THREAD, topics: topicsOfAll(TOPOLOGIES), dataDir }, staff)
  threadMetrics(registry, 'folds', folds.memory)
  return folds
}

const begun = <Begun>(folds: Begun | undefined): Begun => {
  if (folds === undefined) throw new EngineError('stores_busy', 'the tasks are not at work yet: ask again in a moment', { retriable: true })
  return folds
}

interface KeptHistory {
  readonly history: History
  readonly beside: readonly Part[]
  readonly done: Promise<void>
  hasAll(): boolean
}

/** Where the log is shared, the sink is a part of the work; else it is at work from now on. */
const historyOf = (
  settings: Settings,
  { log, embedded }: OpenLog,
  filling: Filling,
  closing: Closing,
  notice: ReturnType<typeof noticesTo>,
  after?: Promise<boolean>,
): KeptHistory => {
  if (embedded !== null) return { ...openHistory(settings, embedded, filling, closing, notice, after), beside: [] }
  const { history, sinkPart, hasAll } = openSharedHistory(settings, log, filling, closing, notice)
  return { history, beside: [sinkPart], done: Promise.resolve(), hasAll }
}

interface Ending {
  readonly source: Source
  readonly view: LogMintView
  readonly kept: Pick<KeptHistory, 'history' | 'hasAll'>
  readonly log: Log
  readonly options: Options
}

/** With `--exit` resolves once all that the source sent is dealt with; else at the stop. Rejects with what ended `playing`. */
const endOf = (playing: Promise<void>, { source, view, kept, log, options }: Ending, watch: ExitOptions): Promise<void> => {
  let isPlayed = false
  const played = playing.then(() => {
    isPlayed = true
  })
  if (options.exit !== true) return played.then(() => stopped(watch.stop))
  const awaits = (): string | null => {
    if (!source.ended) return sourceWords(options.source, source, log)
    if (!isPlayed) return `the folds, which are at slot ${view.status().folded?.number ?? 'none'} of ${source.tip()?.number ?? 'none'}`
    return kept.hasAll() ? null : `the history: ${kept.history.status().trouble ?? 'its rows are written'}`
  }
  const progress = (): string => {
    const { folded, rebuild } = view.status()
    const { rows, upTo, trouble } = kept.history.status()
    const isBusy = trouble?.startsWith(MIGRATING) === true
    return JSON.stringify([sourceProgress(options.source, source, log), folded, rebuild, rows, upTo, isBusy ? trouble : null])
  }
  return Promise.race([untilDealtWith({ awaits, progress }, watch), played.then(() => stopped(watch.stop))])
}

const logWords = ({ kafka }: Settings): string => (kafka === null ? '' : `; log: Kafka ${kafka.brokers.join(',')}`)
