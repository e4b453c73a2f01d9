// A cluster under load: brokers, several `process` and `serve`, ClickHouse, Redis with clients that buy all the time. While faults happen,
// nothing is lost or doubled: log, stores, cards and history equal those of one undisturbed process, and each payment has one answer.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomOf } from '../../bench/synthetic-tape.ts'
import { hasRedis, NO_REDIS } from '../../services/redis.ts'
import { withRegistry } from '../../services/registry.ts'
import { removeDirectory } from '../../tools/remove-directory.ts'
import { KafkaWorld, type Outcome } from '../kafka-world.ts'
import { Brokers } from './brokers.ts'
import { Faults, type FaultsOptions, KILLS_AND_PAUSES, type Kind } from './faults.ts'
import { type Role, Roles } from './roles.ts'
import { Shop, type ShopReport } from './shop.ts'
import { hasStrace, NO_STRACE } from './slow-disk.ts'

/** At speed 1. */
const FRAMES_A_SECOND = 2.5

export interface ClusterPlan extends Omit<FaultsOptions, 'site' | 'random'> {
  readonly seed: number
  readonly killsAndPauses: number
  readonly brokers: 1 | 3
  readonly roles: readonly Role[]
  /** Whether clients buy; needs Redis. */
  readonly sells: boolean
  /** Launches of the market a second. */
  readonly rate: number
  readonly speed: number
  /** Expected length of the stream, in wall time. What is left when the faults are over is sent at full speed. */
  readonly seconds: number
}

/** The result. Numbers of records and rows are those of the undisturbed run, with which all others were compared. */
export interface ClusterReport {
  readonly seed: number
  readonly killsAndPauses: number
  readonly disturbances: Readonly<Record<string, number>>
  readonly delayedWrites: number
  readonly records: number
  readonly rows: number
  /** Null without Redis. */
  readonly sales: ShopReport | null
  /** Must be empty. */
  readonly differences: readonly string[]
  /** Roles that ended by themselves; must be empty. */
  readonly ended: readonly string[]
  /** Must be 0. */
  readonly exitCodes: readonly (number | null)[]
  /** Last lines of the roles if the run fails. */
  readonly lines: readonly string[]
  readonly seconds: number
}

/** False also if nothing was compared or bought, or no write was delayed by a slow disk. */
export const isClusterWell = ({
  differences,
  ended,
  exitCodes,
  records,
  rows,
  sales,
  disturbances,
  delayedWrites,
}: ClusterReport): boolean =>
  differences.length + ended.length === 0 &&
  exitCodes.every((code) => code === 0) &&
  records > 0 &&
  rows > 0 &&
  (sales === null || (sales.paymentFaults.length === 0 && sales.purchases > 0)) &&
  (disturbances['slow disk'] === undefined || delayedWrites > 0)

export const soakCluster =
  (print: (line: string) => void) =>
  async ([count = '60', seed = String(Date.now() % 1_000_000)]: readonly string[]) => {
    const plan = fullPlan(Number(count), Number(seed), print)
    const report = await withRegistry((url) => runCluster(plan, url, print))
    return { report, isWhole: isClusterWell(report) }
  }

const SECONDS_A_FAULT = 5

const fullPlan = (killsAndPauses: number, seed: number, print: (line: string) => void): ClusterPlan => {
  const [sells, slows] = [hasRedis(true), hasStrace()]
  if (!sells) print(`SKIPPED: payments, and faults of Redis: ${NO_REDIS}`)
  if (!slows) print(`SKIPPED: slow disks: ${NO_STRACE}`)
  const kinds: readonly Kind[] = [...KILLS_AND_PAUSES, 'step clock', 'cut broker', 'slow disk']
  return {
    seed,
    killsAndPauses,
    brokers: 3,
    roles: ['process', 'process', 'serve', 'serve', 'capture'],
    kinds: kinds.filter((kind) => (sells || !kind.endsWith('Redis')) && (slows || kind !== 'slow disk')),
    sells,
    rate: 3,
    speed: 2,
    seconds: killsAndPauses * SECONDS_A_FAULT,
    gapMsMax: 2_500,
    lastsMsMin: 200,
    lastsMsMax: 9_000,
  }
}

export const runCluster = async (plan: ClusterPlan, registryUrl: string, print: (line: string) => void): Promise<ClusterReport> => {
  const startedMs = Date.now()
  const dir = mkdtempSync(join(tmpdir(), 'mintfold-cluster-'))
  const brokers = await Brokers.open(dir, plan.brokers)
  const shop = plan.sells ? await Shop.open(dir) : null
  const frames = Math.ceil(plan.seconds * FRAMES_A_SECOND * plan.speed)
  const market = { seed: 9, rate: plan.rate, frames, partitions: 6, curveMinutes: 2, curveFeedS: plan.seconds }
  const world = await KafkaWorld.open(market, { brokers: brokers.addresses, registryUrl })
  try {
    const env = { MINTFOLD_SINGLE_BROKER: String(plan.brokers === 1) }
    const roles = new Roles({ world, roles: plan.roles, speed: plan.speed, env, serverEnv: shop?.env ?? {} })
    const random = randomOf(plan.seed)
    const faults = new Faults({ ...plan, site: { world, brokers, roles, shop, dir }, random })
    const [expected] = await Promise.all([world.reference(), roles.start()])
    shop?.open(() => roles.serverUrls[Math.floor(Math.random() * roles.serverUrls.length)] ?? '')
    while (faults.killsAndPauses < plan.killsAndPauses) {
      const kind = await faults.next()
      print(`${Math.round((Date.now() - startedMs) / 1_000)} s: ${kind}`)
    }
    await roles.finishCapture()
    const differences = await world.arrived(expected)
    const sales = (await shop?.judge(roles.serverUrls)) ?? null
    const exitCodes = await roles.stop()
    const report = {
      seed: plan.seed,
      killsAndPauses: faults.killsAndPauses,
      disturbances: faults.counts,
      delayedWrites: faults.delayedWrites,
      ...sizeOf(expected),
      sales,
      differences,
      ended: roles.ended,
      exitCodes,
      lines: [],
      seconds: Math.round((Date.now() - startedMs) / 1_000),
    }
    return isClusterWell(report) ? report : { ...report, lines: roles.lastLines }
  } finally {
    await world.close()
    await shop?.close()
    await brokers.close()
    removeDirectory(dir)
  }
}

/** Records of the log, with rows of stores and cards, and rows of ClickHouse. */
const sizeOf = ({ log, history }: Outcome): { readonly records: number; readonly rows: number } => ({
  records: Object.values(log).reduce((sum, lines) => sum + lines.length, 0),
  rows: Object.values(history).reduce((sum, text) => sum + Number(text.split(' ')[0]), 0),
})
