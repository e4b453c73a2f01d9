// How long the partitions of a killed process are without work, and how old cards are meanwhile, on the log of `ready.ts`: with standbys,
// and with restores from snapshots.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { Closing } from '../../../topology/cli/start/closing.ts'
import { openMember } from '../../../topology/cli/wiring/open-member.ts'
import { LAUNCH_RISK } from '../../../topology/launch-risk.ts'
import { KafkaAssignment } from '../../../topology/logs/kafka/group/assignment.ts'
import { startFolds } from '../../../topology/runtime/runtime.ts'
import { LogMintView } from '../../../topology/views/mint-view.ts'
import { until } from '../../tools/until.ts'
import { readyOf, reportReady, runChild, startChild } from './child.ts'
import { openKept } from './engine.ts'
import { LiveTail } from './live-tail.ts'
import type { ReadyOptions } from './ready.ts'
import { openReadyLog, PARTITIONS, READY_PREFIX } from './ready-log.ts'
import { round } from './report.ts'
import type { Figures } from './together.ts'

/** Of the folds and of the decoder. */
const SHARES = PARTITIONS + 1
const POLL_MS = 5
/** Until the members have restored a day's state and moved its partitions. */
const WAIT_MS_MAX = 600_000
/** A group that has not moved a partition for this long has settled. */
const SETTLED_MS = 4_000
/** Frames have whole seconds. */
const LIVE_LAG_S = 2

export interface MemberOptions extends Omit<ReadyOptions, 'keeps'> {
  readonly standbys: number
  /** Process to kill once the group has settled; null: stay until killed. */
  readonly victim: number | null
}

/** `remembers`: its membership ends with the next start on this data directory, as in the product. */
const join = async ({ dataDir, standbys, brokers, ...services }: Omit<MemberOptions, 'victim'>, remembers = false) => {
  const closing = new Closing()
  const kafka = await openReadyLog({ brokers, ...services })
  closing.add('log', () => kafka.close())
  const log = dataDir === null ? kafka : await openKept(kafka, { dataDir, keeps: false }, closing)
  const group = { group: `takeover-${standbys}`, prefix: READY_PREFIX, weightOf: () => 1, standbys, notice: () => {} }
  const memory = remembers && dataDir !== null ? await openMember(dataDir, group.group, closing) : undefined
  const assignment = new KafkaAssignment({ ...group, brokers: brokers.split(','), security: { tls: false, sasl: null }, memory })
  const has = { partitions: 0, sinceMs: performance.now() }
  const assigned = (_names: readonly string[], partitions: ReadonlySet<string>): void => {
    if (partitions.size !== has.partitions) has.sinceMs = performance.now()
    has.partitions = partitions.size
  }
  const folds = await startFolds(log, [LAUNCH_RISK], undefined, { assignment, assigned })
  closing.add('folds', () => folds.stop())
  return { closing, log, folds, has }
}
const settled = (holds: () => boolean): Promise<void> => until(holds, { everyMs: POLL_MS, msMax: WAIT_MS_MAX })

/** A member of the group. Reports when it is ready; with a `victim`, returns how long its takeover took. */
export const beMember = async (options: MemberOptions): Promise<object> => {
  const { closing, log, folds, has } = await join(options)
  if (options.victim === null) {
    await settled(() => has.partitions === SHARES)
    await folds.caughtUp()
    reportReady()
    return once(process, 'SIGTERM')
  }
  const isWarm = (): boolean => options.standbys === 0 || folds.standbys().warm === SHARES - has.partitions
  await settled(() => has.partitions > 0 && has.partitions < SHARES && isWarm() && performance.now() - has.sinceMs > SETTLED_MS)
  const view = new LogMintView(log, LAUNCH_RISK, { tip: () => null })
  await view.start()
  closing.add('view', () => view.stop())
  const tail = new LiveTail(log, view)
  await tail.start()
  closing.add('tail', () => tail.stop())
  await settled(() => tail.lagS() < LIVE_LAG_S)
  tail.takeLagSMax()
  const moved = SHARES - has.partitions
  const killed = performance.now()
  process.kill(options.victim, 'SIGKILL')
  await settled(() => has.partitions === SHARES)
  const noticed = performance.now()
  await folds.caughtUp()
  const ready = performance.now()
  await settled(() => tail.lagS() < LIVE_LAG_S)
  const card_lag_s = tail.takeLagSMax()
  await closing.run()
  return { moved, noticed_s: (noticed - killed) / 1_000, takeover_s: (ready - noticed) / 1_000, card_lag_s }
}

/** The only member of the group. Reports when it has folded everything; stays until it is killed. */
export const beAlone = async (options: Omit<MemberOptions, 'victim'>): Promise<object> => {
  const { folds, has } = await join(options, true)
  await settled(() => has.partitions === SHARES)
  await folds.caughtUp()
  reportReady()
  return once(process, 'SIGTERM')
}

/** Prints how long the only `process` needs from a kill -9 until it has folded everything again, its start included. */
export const measureRestart = async (
  services: Omit<MemberOptions, 'dataDir' | 'standbys' | 'victim'>,
  dataDir: string,
  rounds: number,
  print: (line: object) => void,
): Promise<void> => {
  const start = (): ChildProcess => startChild('alone', { ...services, dataDir, standbys: 0 })
  let running = start()
  await readyOf(running)
  for (let round = 0; round < rounds; round++) {
    running.kill('SIGKILL')
    await once(running, 'close')
    const killed = performance.now()
    running = start()
    await readyOf(running)
    print({ run: 'restart', from: 'kill -9', ready_s: (performance.now() - killed) / 1_000 })
  }
  running.kill('SIGKILL')
}

/** Prints a takeover without and with standbys, and their ratio. `dirs`: data directories with snapshots. */
export const compareTakeovers = async (
  services: Omit<MemberOptions, 'dataDir' | 'standbys' | 'victim'>,
  dirs: readonly [string, string],
  print: (line: object) => void,
): Promise<void> => {
  const run = async (standbys: number): Promise<Figures> => {
    const owner = startChild('member', { ...services, dataDir: dirs[0], standbys, victim: null })
    await readyOf(owner)
    const figures = await runChild('member', { ...services, dataDir: dirs[1], standbys, victim: owner.pid })
    print({ run: 'takeover', standbys, ...figures })
    return figures
  }
  const [restored, warm] = [await run(0), await run(1)]
  const [without, with_] = [restored, warm].map(({ takeover_s }) => takeover_s as number) as [number, number]
  print({ bench: 'kafka_takeover_ratio', value: round(with_ / without), unit: 'ratio', detail: { without, with: with_ } })
}
