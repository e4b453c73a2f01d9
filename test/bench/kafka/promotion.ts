// How old cards become while a newer version is promoted, on the log of `ready.ts` under the load of today: 14 events a frame. Every row of
// a creator differs between both versions.
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { Closing } from '../../../topology/cli/start/closing.ts'
import { DEFAULT_LIMITS } from '../../../topology/engine/limits.ts'
import { LAUNCH_RISK } from '../../../topology/launch-risk.ts'
import { KafkaAssignment } from '../../../topology/logs/kafka/group/assignment.ts'
import type { Log } from '../../../topology/ports/log.ts'
import { limitsOfTask, startFolds } from '../../../topology/runtime/runtime.ts'
import type { Topology } from '../../../topology/topology.ts'
import { directoryStaging } from '../../../topology/versions/rebuild/staging-stores.ts'
import { Shadow } from '../../../topology/versions/shadow/shadow.ts'
import { LogMintView } from '../../../topology/views/mint-view.ts'
import { pause } from '../../../topology/waiting/waiting.ts'
import { grownState, withGrownCreators } from '../../fixtures/grown-creators.ts'
import { until } from '../../tools/until.ts'
import { tapeRecordsOn } from '../fill-tape.ts'
import { inputEnd } from './actions.ts'
import { figuresOf, readyOf, reportReady, startChild } from './child.ts'
import { dayFrames } from './day.ts'
import { openKept, type Services } from './engine.ts'
import { openReadyLog, READY_PREFIX } from './ready-log.ts'
import { round } from './report.ts'

const FRAME_MS = 400
const LOOK_MS = 10
/** Until the shadow has built a day's stores. */
const WAIT_MS_MAX = 1_800_000
/** How long the shadow follows before it is promoted. */
const FOLLOWS_MS = 5_000

export interface PromotionOptions extends Services {
  /** Data directory with snapshots. */
  readonly dataDir: string
}

const openKeptLog = async ({ dataDir, ...services }: PromotionOptions) => {
  const closing = new Closing()
  const kafka = await openReadyLog(services)
  closing.add('log', () => kafka.close())
  return { closing, log: await openKept(kafka, { dataDir, keeps: false }, closing) }
}
const openMember = async (options: PromotionOptions) => {
  const group = { group: 'promotion', prefix: READY_PREFIX, weightOf: () => 1, standbys: 1, notice: () => {} }
  const assignment = new KafkaAssignment({ ...group, brokers: options.brokers.split(','), security: { tls: false, sasl: null } })
  return { ...(await openKeptLog(options)), assignment }
}
const seconds = (ms: number): number => round(ms / 1_000)

/** The running version, until it is replaced. */
export const beReplaced = async (options: PromotionOptions): Promise<object> => {
  const { closing, log, assignment } = await openMember(options)
  const folds = await startFolds(log, [LAUNCH_RISK], undefined, { assignment })
  closing.add('folds', () => folds.stop())
  await folds.caughtUp()
  reportReady()
  const ended = await folds.done.catch((failure: { code?: string }) => failure.code)
  await closing.run().catch(() => {})
  return { ended }
}

/** The shadow, which promotes itself. */
export const bePromoted = async (options: PromotionOptions): Promise<object> => {
  const { closing, log, assignment } = await openMember(options)
  const newer: Topology = withGrownCreators(LAUNCH_RISK, grownState())
  const staging = directoryStaging(mkdtempSync(join(options.dataDir, 'staging-')))
  const limits = limitsOfTask(log, [newer], DEFAULT_LIMITS)
  const shadow = new Shadow({ log, topology: newer, limits, staging, progress: () => {} })
  const leaving = new AbortController()
  const began = performance.now()
  const following = shadow.follow(leaving.signal)
  await until(() => shadow.status.state === 'follows' && shadow.status.behind === 0, { everyMs: LOOK_MS, msMax: WAIT_MS_MAX })
  const built = performance.now()
  reportReady()
  await pause(FOLLOWS_MS)
  const asked = performance.now()
  leaving.abort()
  await following
  const phases: Record<string, number> = {}
  const rebuilding = (at: { readonly phase: string } | null): void => {
    phases[at?.phase ?? 'end'] ??= seconds(performance.now() - asked)
  }
  const folds = await startFolds(log, [newer], undefined, { assignment, staging: () => staging, isPromoted: true, rebuilding })
  closing.add('folds', () => folds.stop())
  const started = performance.now()
  await folds.caughtUp()
  const done = performance.now()
  await inputEnd()
  await closing.run()
  return { build_s: seconds(built - began), promote_s: seconds(started - asked), caught_up_s: seconds(done - asked), phases }
}

export interface CardsOptions extends PromotionOptions {
  /** Sequence of the first frame to append. */
  readonly from: number
}

/** Appends frames at their pace, and polls a view like the API of `serve`. Returns how old the newest shown frame became. */
export const pollCards = async ({ from, ...options }: CardsOptions): Promise<object> => {
  const { closing, log } = await openKeptLog(options)
  const view = new LogMintView(log, LAUNCH_RISK, { tip: () => null })
  await view.start()
  closing.add('view', () => view.stop())
  const ending = new AbortController()
  const sentAtMs = new Map<number, number>()
  const feeding = feed(log, from, ending.signal, (number) => sentAtMs.set(number, performance.now()))
  const ages: number[] = []
  let notReady = 0
  const look = setInterval(() => {
    const { ready, folded } = view.status()
    const sinceMs = folded === null ? undefined : sentAtMs.get(folded.number)
    if (!ready) notReady++
    if (sinceMs !== undefined) ages.push(performance.now() - sinceMs)
  }, LOOK_MS)
  reportReady()
  await inputEnd()
  clearInterval(look)
  ending.abort()
  await feeding
  await closing.run()
  ages.sort((a, b) => a - b)
  const at = (share: number): number => seconds(ages[Math.floor((ages.length - 1) * share)] ?? Number.NaN)
  return { frames: sentAtMs.size, not_ready: notReady, age_p50_s: at(0.5), age_p99_s: at(0.99), age_max_s: at(1) }
}

/** The age of a card is the time since its newest frame was sent, as `feed_lag_s` of a live source. */
const feed = async (log: Log, from: number, stop: AbortSignal, sent: (number: number) => void): Promise<void> => {
  const owner = await log.own('bench')
  const recordsOf = tapeRecordsOn(log)
  for (const frame of dayFrames(from, Number.MAX_SAFE_INTEGER)) {
    if (stop.aborted) return
    const beganMs = performance.now()
    sent(frame.number)
    await owner.commit({ outputs: recordsOf(frame), inputs: new Map() })
    await pause(FRAME_MS - (performance.now() - beganMs), stop)
  }
}

/** Prints one promotion. `dirs`: data directories with snapshots, of both versions and of the view. `from`: see `CardsOptions`. */
export const measurePromotion = async (
  services: Services,
  [older, newer, view]: readonly [string, string, string],
  from: number,
  print: (line: object) => void,
): Promise<void> => {
  const running = startChild('replaced', { ...services, dataDir: older })
  const replaced = figuresOf(running)
  await readyOf(running)
  const client = startChild('cards', { ...services, dataDir: view, from })
  const seen = figuresOf(client)
  await readyOf(client)
  const shadow = startChild('promoted', { ...services, dataDir: newer })
  const promoted = figuresOf(shadow)
  await Promise.race([replaced, promoted])
  await pause(FOLLOWS_MS)
  for (const { stdin } of [client, shadow]) stdin?.end()
  const [cards, promotion, ended] = (await Promise.all([seen, promoted, replaced])).map(([figures]) => figures)
  print({ run: 'promotion', ...promotion, ...ended })
  print({ bench: 'kafka_promotion_age_max', value: cards?.age_max_s, unit: 's', detail: cards })
}
