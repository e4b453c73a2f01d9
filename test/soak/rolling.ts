// Two `serve` of one shop under load: they are restarted in turn, or the `process` behind them are killed.
import { setTimeout as pause } from 'node:timers/promises'
import { FRESH_LAG_S } from '../../topology/ports/chain-view.ts'
import { withKafka } from '../services/kafka.ts'
import type { SharedKafka } from '../services/shared.ts'
import { until } from '../tools/until.ts'
import { type LoadFigures, type Rates, RollingLoad } from './rolling-load.ts'
import { TwoServers } from './two-servers.ts'
import type { UpProcess } from './up-process.ts'

const FRAMES_A_SECOND = 2.5
/** Frames beyond the load or the takeovers: the servers start while they are played. */
const START_S = 240
const PAID_PER_S = 3
const BETWEEN_MS = 2_000
const RESENT = 20

export interface RollingReport extends LoadFigures {
  readonly restarts: number
  /** Connections for which the balancer found no server. */
  readonly refused: number
  /** What was paid according to the chain; equals `paidMicroUsdc`. */
  readonly earnedMicroUsdc: number
  readonly resentDiffer: readonly string[]
  readonly exitCodes: readonly (number | null)[]
}

const isRollingWell = (report: RollingReport): boolean =>
  report.faults.length + report.resentDiffer.length + report.refused === 0 &&
  report.exitCodes.every((code) => code === 0) &&
  report.earnedMicroUsdc === report.paidMicroUsdc &&
  report.stale === 0 &&
  report.lagSMax <= FRESH_LAG_S

/** Loads the shop, and restarts its servers in turn while `goesOn(restarts)`. */
export const rollShop = async (
  shop: TwoServers,
  { goesOn, ...rates }: Rates & { readonly goesOn: (restarts: number) => boolean },
): Promise<RollingReport> => {
  const [before, refused] = [await shop.earned(), shop.refused]
  const load = new RollingLoad(shop, rates)
  await load.prepare()
  const exitCodes: (number | null)[] = []
  let isOver = false
  const roll = async (): Promise<void> => {
    try {
      for (; goesOn(exitCodes.length); await pause(BETWEEN_MS)) exitCodes.push(await shop.restart(exitCodes.length % 2))
    } finally {
      isOver = true
    }
  }
  const [figures] = await Promise.all([load.run(() => isOver), roll()])
  const resentDiffer = await load.resend(RESENT)
  const earnedMicroUsdc = (await shop.earned()) - before
  return { ...figures, restarts: exitCodes.length, refused: shop.refused - refused, earnedMicroUsdc, resentDiffer, exitCodes }
}

export const soakRolling = ([minutes = '10', perS = '1000']: readonly string[]) =>
  withKafka(async (services) => {
    const report = await runRolling(Number(minutes) * 60, Number(perS), services)
    return { report, isWhole: isRollingWell(report) }
  })

/** `perS` requests a second for this many seconds, on a market in real time. */
const runRolling = async (seconds: number, perS: number, services: SharedKafka): Promise<RollingReport> => {
  const frames = Math.ceil((seconds + START_S) * FRAMES_A_SECOND)
  const shop = await TwoServers.open({ seed: 5, rate: 6, frames, partitions: 4 }, 1, Promise.resolve(services))
  try {
    const endMs = performance.now() + seconds * 1_000
    return await rollShop(shop, { perS, paidPerS: PAID_PER_S, goesOn: () => performance.now() < endMs })
  } finally {
    await shop.close()
  }
}

/** Frames for each takeover with the start of a new `process`. */
const TAKEOVER_S = 90
const PARTITIONS = 4
const CARDS_PER_S = 10
/** Of the consumer group, and what commits, view and a card may take beyond it. */
const LAG_S_MAX = 6 + 2
/** How long cards are bought after a kill. */
const AFTER_MS = 15_000
const WARM_MS_MAX = 120_000
const LOOK_MS = 250

export interface TakeoverReport {
  /** Age of the oldest card of each takeover, seconds. */
  readonly lagS: readonly number[]
  readonly cards: number
  readonly stale: number
  readonly faults: readonly string[]
}

export const soakTakeoverCards = ([count = '5']: readonly string[]) =>
  withKafka(async (services) => {
    const report = await runTakeovers(Number(count), services)
    return { report, isWhole: report.faults.length === 0 && report.lagS.every((lag) => lag <= LAG_S_MAX) }
  })

const runTakeovers = async (count: number, services: SharedKafka): Promise<TakeoverReport> => {
  const frames = Math.ceil((START_S + count * TAKEOVER_S) * FRAMES_A_SECOND)
  const shop = await TwoServers.open({ seed: 5, rate: 6, frames, partitions: PARTITIONS }, 1, Promise.resolve(services), 2)
  try {
    const load = new RollingLoad(shop, { perS: 0, paidPerS: CARDS_PER_S, onlyCards: true })
    await load.prepare()
    const lagS: number[] = []
    let isOver = false
    const kill = async (): Promise<void> => {
      try {
        for (; lagS.length < count; shop.startProcess()) {
          await untilWarm(shop.processes)
          load.takeLagSMax()
          await shop.killProcess()
          await pause(AFTER_MS)
          lagS.push(load.takeLagSMax())
        }
      } finally {
        isOver = true
      }
    }
    const [{ paid, stale, faults }] = await Promise.all([load.run(() => isOver), kill()])
    return { lagS, cards: paid, stale, faults }
  } finally {
    await shop.close()
  }
}

/** Resolves once each process stands by for the partitions of the other. */
const untilWarm = (processes: readonly UpProcess[]): Promise<void> =>
  until(async () => (await Promise.all(processes.map(isWarm))).every(Boolean), { everyMs: LOOK_MS, msMax: WARM_MS_MAX })

const isWarm = async ({ lines }: UpProcess): Promise<boolean> => {
  const [, url = ''] = lines.map((line) => /metrics are on (\S+)/.exec(line)).find((match) => match !== null) ?? []
  const page = await fetch(new URL('/metrics', url)).then((answer) => answer.text())
  const of = (state: string): number =>
    Number(new RegExp(`^mintfold_standby_partitions{[^}]*"${state}"[^}]*} (\\d+)`, 'm').exec(page)?.[1] ?? 0)
  return of('warm') > 0 && of('cold') === 0
}
