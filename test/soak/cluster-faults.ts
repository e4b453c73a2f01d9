// The faults of a cluster, one after the other: processes are killed and paused, clocks stepped, brokers cut off, disks slowed.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { programPath } from '../tools/program.ts'
import { until } from '../tools/until.ts'
import type { Roles } from './cluster.ts'
import type { Brokers, Shop } from './cluster-services.ts'
import type { KafkaWorld } from './kafka-world.ts'

// A slow disk: every write and flush of one running process takes longer, because strace delays these system calls. Reads, and writes by
// memory maps, keep their speed; nothing fails and no order changes. All other system calls of the process become somewhat slower too.
const CALLS = 'write,writev,pwrite64,fsync,fdatasync'
const DELAY_US = 100_000

export const NO_STRACE = 'no strace: install it'

/** Whether this machine can slow disks. */
export const hasStrace = (): boolean => programPath('strace') !== undefined

/**
 * Slows the writes of a process, from when this resolves until the result is called, which returns the number of delayed calls. `dir`: only
 * writes to files that exist below it now, for a process that also writes to its connections by these calls. @throws if this is not allowed
 */
const slowDisk = async (pid: number, out: string, dir?: string): Promise<() => Promise<number>> => {
  const paths = dir === undefined ? [] : filesIn(dir).flatMap((path) => ['-P', path])
  const args = ['-f', '-p', String(pid), ...paths, '-e', `trace=${CALLS}`, '-e', `inject=${CALLS}:delay_enter=${DELAY_US}`, '-o', out]
  const tracer = spawn(programPath('strace') ?? NO_STRACE, args, { stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(tracer, 'exit')
  const said = await printed(tracer, 'attached', ended)
  if (!isRunning(tracer)) throw new Error(`strace could not slow the disk of process ${pid}: ${said}`)
  return async () => {
    tracer.kill('SIGTERM')
    await ended
    return existsSync(out) ? readFileSync(out, 'utf8').split('(DELAYED)').length - 1 : 0
  }
}

/** What it prints until it has printed `text`, or has ended. */
const printed = async ({ stderr }: ChildProcess, text: string, ended: Promise<unknown>): Promise<string> => {
  let said = ''
  const found = new Promise<void>((resolve) => {
    stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk
      if (said.includes(text)) resolve()
    })
  })
  await Promise.race([found, ended])
  return said
}

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null

const filesIn = (dir: string): readonly string[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

export const KILLS_AND_PAUSES = [
  ...(['kill role', 'pause role', 'kill broker', 'kill controller', 'pause broker'] as const),
  ...(['kill ClickHouse', 'pause ClickHouse', 'kill Redis', 'pause Redis'] as const),
] as const
export type Kind = (typeof KILLS_AND_PAUSES)[number] | 'step clock' | 'cut broker' | 'slow disk'

interface Site {
  readonly world: KafkaWorld
  readonly brokers: Brokers
  readonly roles: Roles
  /** Null without Redis. */
  readonly shop: Shop | null
  /** For the files of the faults. */
  readonly dir: string
}

export interface FaultsOptions {
  readonly site: Site
  /** Each happens once before any happens again. */
  readonly kinds: readonly Kind[]
  readonly random: () => number
  /** Longest time between two faults. */
  readonly gapMsMax: number
  /** How long a fault lasts; shorter times are more frequent. */
  readonly lastsMsMin: number
  readonly lastsMsMax: number
}

/** What ends a fault; undefined if it has no end. */
type End = (() => void | Promise<void>) | undefined
type Pick = (count: number) => number
type Begin = (site: Site, pick: Pick) => End | Promise<End>

const paused = (pid: number): End => {
  process.kill(pid, 'SIGSTOP')
  return () => void process.kill(pid, 'SIGCONT')
}

/** Waits for the engine, which is started again after each kill. */
const historyPid = async ({ world }: Site): Promise<number> => {
  await until(() => world.historyPid !== null)
  return world.historyPid ?? 0
}

/** Until the engine of the next start runs, so that no other fault meets the process that is being killed. */
const killHistory = async (site: Site): Promise<undefined> => {
  const pid = await historyPid(site)
  process.kill(pid, 'SIGKILL')
  await until(() => site.world.historyPid !== pid)
}

/** Its server kills an engine that does not respond for long, and starts it again. */
const pausedHistory = async (site: Site): Promise<End> => {
  const pid = await historyPid(site)
  process.kill(pid, 'SIGSTOP')
  return () => {
    if (site.world.historyPid === pid) process.kill(pid, 'SIGCONT')
  }
}

const FAULTS: Readonly<Record<Exclude<Kind, 'slow disk'>, Begin>> = {
  'kill role': async ({ roles }, pick) => void (await roles.kill(pick(roles.count))),
  'pause role': ({ roles }, pick) => {
    const role = roles.at(pick(roles.count))
    role.pause()
    return () => role.resume()
  },
  'step clock': ({ roles }, pick) => void roles.at(pick(roles.count)).signal('SIGUSR2'),
  'kill broker': ({ brokers }, pick) => brokers.kill(pick(brokers.count)),
  'kill controller': ({ brokers }) => brokers.kill(brokers.controller()),
  'pause broker': ({ brokers }, pick) => paused(brokers.pid(pick(brokers.count))),
  'cut broker': ({ brokers }, pick) => brokers.cut(pick(brokers.count)),
  'kill ClickHouse': killHistory,
  'pause ClickHouse': pausedHistory,
  'kill Redis': ({ shop }) => shop?.killRedis(),
  'pause Redis': ({ shop }) => (shop === null ? undefined : paused(shop.redisPid)),
}

export class Faults {
  readonly #options: FaultsOptions
  readonly #counts = new Map<Kind, number>()
  #deck: Kind[] = []
  #delayedWrites = 0

  constructor(options: FaultsOptions) {
    this.#options = options
  }
  /** How often each kind happened. */
  get counts(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#counts)
  }
  /** Writes that slow disks delayed. */
  get delayedWrites(): number {
    return this.#delayedWrites
  }
  get killsAndPauses(): number {
    return KILLS_AND_PAUSES.reduce((sum, kind) => sum + (this.#counts.get(kind) ?? 0), 0)
  }
  /** Waits a while, lets the next fault happen until it has ended, and describes it. */
  async next(): Promise<string> {
    const { site, random, gapMsMax, lastsMsMin, lastsMsMax } = this.#options
    await sleep(random() * gapMsMax)
    const kind = this.#draw()
    const lastsMs = lastsMsMin + random() ** 2 * (lastsMsMax - lastsMsMin)
    const pick: Pick = (count) => Math.floor(random() * count)
    const end = await (kind === 'slow disk' ? this.#slow(pick) : FAULTS[kind](site, pick))
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1)
    if (end === undefined) return kind
    await sleep(lastsMs)
    await end()
    return `${kind}, ${Math.round(lastsMs)} ms`
  }

  #draw(): Kind {
    const { kinds, random } = this.#options
    if (this.#deck.length === 0) this.#deck = [...kinds]
    return this.#deck.splice(Math.floor(random() * this.#deck.length), 1)[0] as Kind
  }
  /** Of a broker, of ClickHouse, or of Redis. */
  async #slow(pick: Pick): Promise<End> {
    const { site } = this.#options
    const { brokers, shop, dir } = site
    const slowed = pick(brokers.count + (shop === null ? 1 : 2))
    const out = join(dir, 'slow-disk.txt')
    const end = await (slowed < brokers.count
      ? slowDisk(brokers.pid(slowed), out, brokers.dataDir(slowed))
      : shop !== null && slowed > brokers.count
        ? slowDisk(shop.redisPid, out, shop.redisDir)
        : slowDisk(await historyPid(site), out))
    return async () => {
      this.#delayedWrites += await end()
    }
  }
}
