// A cluster under load: brokers, several `process` and `serve`, ClickHouse, Redis with clients that buy all the time. While faults happen,
// nothing is lost or doubled: log, stores, cards and history equal those of one undisturbed process, and each payment has one answer.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { randomOf } from '../bench/synthetic-tape.ts'
import { hasOwnRedis, NO_OWN_REDIS } from '../services/redis.ts'
import { withRegistry } from '../services/registry.ts'
import { removeDirectory } from '../tools/remove-directory.ts'
import { Faults, type FaultsOptions, hasStrace, KILLS_AND_PAUSES, type Kind, NO_STRACE } from './cluster-faults.ts'
import { Brokers, Shop, type ShopReport } from './cluster-services.ts'
import { KafkaWorld, type Outcome } from './kafka-world.ts'
import type { UpProcess } from './up-process.ts'

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
  const [sells, slows] = [hasOwnRedis(), hasStrace()]
  if (!sells) print(`SKIPPED: payments, and faults of Redis: ${NO_OWN_REDIS}`)
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

const CLOCK = fileURLToPath(new URL('../fakes/stepped-clock.cjs', import.meta.url))
const BEGUN_MS_MAX = 180_000
/** Without the requests that servers log. */
const LAST_LINES = 60
/** A paid answer is stored for ten minutes by the server's clock: a server that is an hour ahead would refuse to send it again. */
const SERVER_CLOCK_STEP_MS_MAX = 120_000

type Role = 'process' | 'serve' | 'capture'
type Env = Readonly<Record<string, string>>

interface RolesOptions {
  readonly world: KafkaWorld
  readonly roles: readonly Role[]
  /** Speed of the captured stream. */
  readonly speed: number
  readonly env: Env
  /** Added for `serve`. */
  readonly serverEnv: Env
}

/** Processes of the product; each finds its data directory again after a restart. */
export class Roles {
  readonly #options: RolesOptions
  readonly #running: UpProcess[] = []
  readonly #ended: string[] = []

  constructor(options: RolesOptions) {
    this.#options = options
  }
  /** The first `process` creates the topics. */
  async start(): Promise<void> {
    for (const at of this.#options.roles.keys()) {
      this.#running[at] = await this.#role(at, this.#options.speed)
      if (at === 0) await this.#running[at].printed('processes from', BEGUN_MS_MAX)
    }
  }
  get count(): number {
    return this.#options.roles.length
  }
  at(n: number): UpProcess {
    return this.#running[n] as UpProcess
  }
  get serverUrls(): readonly string[] {
    return this.#running.filter((_, at) => this.#options.roles[at] === 'serve').map(({ url }) => url)
  }
  /** SIGKILL, and a start at once. */
  async kill(n: number): Promise<void> {
    const { roles, speed } = this.#options
    const role = this.at(n)
    if (!role.isAlive && roles[n] !== 'capture') this.#ended.push(`${roles[n]} ended: ${told(role.lines)}`)
    await role.kill()
    this.#running[n] = await this.#role(n, speed)
  }
  /** Sends the rest of the stream at full speed. */
  async finishCapture(): Promise<void> {
    const at = this.#options.roles.indexOf('capture')
    await this.#running[at]?.kill()
    this.#running[at] = await this.#role(at, 'max')
  }
  stop(): Promise<readonly (number | null)[]> {
    return Promise.all(this.#running.map((role) => role.stop()))
  }
  /** Those that ended by themselves and were started again, each with its last lines. */
  get ended(): readonly string[] {
    return this.#ended
  }
  get lastLines(): readonly string[] {
    return this.#running.map(({ lines }, at) => `${this.#options.roles[at]}: ${told(lines)}`)
  }

  #role(at: number, speed: number | 'max'): Promise<UpProcess> {
    const { world, roles, env, serverEnv } = this.#options
    const own = { ...env, NODE_OPTIONS: `--require=${CLOCK}` }
    const name = `${roles[at]}-${at}`
    if (roles[at] === 'serve') return world.serve(name, { ...own, ...serverEnv, CLOCK_STEP_MS_MAX: String(SERVER_CLOCK_STEP_MS_MAX) })
    return Promise.resolve(roles[at] === 'process' ? world.process(own, name) : world.capture(speed, own))
  }
}

const told = (lines: readonly string[]): string =>
  lines
    .filter((line) => !line.includes('"msg":"request"'))
    .slice(-LAST_LINES)
    .join(' | ')
