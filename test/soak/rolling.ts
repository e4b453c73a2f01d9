// Rolling restarts of two `serve` behind a load balancer, under load: no request fails, no answer is older than the feed's limit, and
// cursors and payments go on.
import { setTimeout as pause } from 'node:timers/promises'
import { FRESH_LAG_S } from '../../topology/ports/chain-view.ts'
import { withKafka } from '../services/kafka.ts'
import type { SharedKafka } from '../services/shared.ts'
import { type LoadFigures, type Rates, RollingLoad } from './rolling-load.ts'
import { TwoServers } from './two-servers.ts'

const FRAMES_A_SECOND = 2.5
/** Frames beyond the load: the servers start while they are played. */
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

export const isRollingWell = (report: RollingReport): boolean =>
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
