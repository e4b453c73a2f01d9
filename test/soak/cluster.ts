// A cluster under load: three brokers, two `process` that stand by for each other, two `serve`, ClickHouse. Roles are killed, paused, and
// their clocks stepped; brokers are killed, paused and cut off. Log, stores, cards and history equal those of one undisturbed process.
import { setTimeout as pause } from 'node:timers/promises'
import { randomOf } from '../bench/synthetic-tape.ts'
import { withRegistry } from '../services/registry.ts'
import { Brokers, ROLE_ENV } from './cluster-world.ts'
import type { Plan } from './kafka-plan.ts'
import { KafkaWorld } from './kafka-world.ts'
import type { UpProcess } from './up-process.ts'

/** At speed 1. */
const FRAMES_A_SECOND = 2.5
const SPEED = 2
const GAP_MS_MAX = 2_500
/** Shorter and longer than the session timeout of 6 s; short ones are more frequent. */
const AWAY_MS_MIN = 200
const AWAY_MS_MAX = 9_000
const BEGUN_MS_MAX = 180_000
const LAST_LINES = 8

const ROLES = ['process', 'process', 'serve', 'serve', 'capture'] as const
type Role = (typeof ROLES)[number]
const BROKERS = 3
const KINDS = ['kill role', 'pause role', 'step clock', 'kill broker', 'pause broker', 'cut broker'] as const
type Kind = (typeof KINDS)[number]

/** The result. `differences` must be empty and `exitCodes` 0. */
export interface ClusterReport {
  readonly seed: number
  readonly disturbances: Readonly<Record<Kind, number>>
  readonly differences: readonly string[]
  readonly exitCodes: readonly (number | null)[]
  /** Last lines of the roles if the run fails. */
  readonly lines: readonly string[]
  readonly seconds: number
}

export const isClusterWell = ({ differences, exitCodes }: ClusterReport): boolean =>
  differences.length === 0 && exitCodes.every((code) => code === 0)

export const soakCluster = async ([minutes = '10', seed = String(Date.now() % 1_000_000)]: readonly string[]) => {
  const report = await withRegistry((url) => runCluster(Number(minutes) * 60, Number(seed), url))
  return { report, isWhole: isClusterWell(report) }
}

export const runCluster = async (lastsS: number, seed: number, registryUrl: string): Promise<ClusterReport> => {
  const startedMs = Date.now()
  const brokers = await Brokers.open()
  const frames = Math.ceil(lastsS * FRAMES_A_SECOND * SPEED)
  const plan: Plan = { seed: 9, rate: 3, frames, partitions: 6, curveMinutes: 2 }
  const world = await KafkaWorld.open(plan, { brokers: brokers.addresses, registryUrl })
  try {
    const cluster = new Cluster(world, brokers, seed)
    const [expected] = await Promise.all([world.reference(), cluster.start()])
    await cluster.disturb(lastsS)
    await cluster.finishCapture()
    const differences = await world.arrived(expected)
    const exitCodes = await cluster.stop()
    const seconds = Math.round((Date.now() - startedMs) / 1_000)
    const report = { seed, disturbances: cluster.counts, differences, exitCodes, lines: [], seconds }
    return isClusterWell(report) ? report : { ...report, lines: cluster.lastLines }
  } finally {
    await world.close()
    await brokers.close()
  }
}

class Cluster {
  readonly counts = Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Record<Kind, number>
  readonly #world: KafkaWorld
  readonly #brokers: Brokers
  readonly #random: () => number
  readonly #running: UpProcess[] = []

  constructor(world: KafkaWorld, brokers: Brokers, seed: number) {
    this.#world = world
    this.#brokers = brokers
    this.#random = randomOf(seed)
  }
  /** The first `process` creates the topics. */
  async start(): Promise<void> {
    for (const at of ROLES.keys()) {
      this.#running[at] = await this.#role(at, SPEED)
      if (at === 0) await this.#running[at].printed('processes from', BEGUN_MS_MAX)
    }
  }
  /** One disturbance after the other. */
  async disturb(seconds: number): Promise<void> {
    for (const until = performance.now() + seconds * 1_000; performance.now() < until; ) {
      await pause(this.#random() * GAP_MS_MAX)
      const kind = KINDS[Math.floor(this.#random() * KINDS.length)] as Kind
      this.counts[kind] += 1
      await this.#happen(kind)
    }
  }
  async finishCapture(): Promise<void> {
    const at = ROLES.indexOf('capture')
    await this.#running[at]?.kill()
    this.#running[at] = await this.#role(at, 'max')
  }
  stop(): Promise<readonly (number | null)[]> {
    return Promise.all(this.#running.map((role) => role.stop()))
  }
  get lastLines(): readonly string[] {
    return this.#running.map(({ lines }, at) => `${ROLES[at]}: ${lines.slice(-LAST_LINES).join(' | ')}`)
  }

  async #happen(kind: Kind): Promise<void> {
    const at = Math.floor(this.#random() * ROLES.length)
    const broker = Math.floor(this.#random() * BROKERS)
    const ms = AWAY_MS_MIN + this.#random() ** 2 * (AWAY_MS_MAX - AWAY_MS_MIN)
    const role = this.#running[at] as UpProcess
    if (kind === 'kill role') {
      await role.kill()
      this.#running[at] = await this.#role(at, SPEED)
    } else if (kind === 'pause role') {
      role.pause()
      await during(() => role.resume(), ms)
    } else if (kind === 'step clock') role.signal('SIGUSR2')
    else if (kind === 'cut broker') await during(this.#brokers.cut(broker), ms)
    else if (kind === 'pause broker' || broker === 0) await during(this.#brokers.pause(broker), ms)
    else await during(await this.#brokers.kill(broker), ms)
  }
  #role(at: number, speed: number | 'max'): Promise<UpProcess> {
    const role = ROLES[at] as Role
    if (role === 'serve') return this.#world.serve(`serve-${at}`, ROLE_ENV)
    return Promise.resolve(role === 'process' ? this.#world.process(ROLE_ENV) : this.#world.capture(speed, ROLE_ENV))
  }
}

const during = async (end: () => void | Promise<void>, ms: number): Promise<void> => {
  await pause(ms)
  await end()
}
