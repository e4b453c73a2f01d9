// What a load costs on Kafka: bytes written to each topic, processor time and memory of each role, for deploy/sizing.md. Linux only.
import { mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Broker, startBroker } from '../services/broker.ts'
import { withRegistry } from '../services/registry.ts'
import { freePort } from '../tools/free-port.ts'
import { removeDirectory } from '../tools/remove-directory.ts'
import { until } from '../tools/until.ts'
import { BIN, UpProcess } from './up-process.ts'

/** Least time from the start of the roles to the measurement; the demo then still sends the frames before its start at full speed. */
const WARM_MS = 30_000
const CAUGHT_UP_MS_MAX = 900_000
const LOOK_MS = 10_000
const CLOCK_TICKS = 100

interface RoleCost {
  /** Processor seconds a second. */
  readonly cores: number
  readonly rssMb: number
}
/** The result: `kbPerSecond` by topic (bytes in the broker's files, one replica, markers of transactions included). */
interface TopicBytes {
  readonly rate: number
  readonly seconds: number
  readonly kbPerSecond: Readonly<Record<string, number>>
  readonly sumKbPerSecond: number
  readonly roles: Readonly<Record<string, RoleCost>>
  /** 2.3 in real time, as some slots are empty: fewer if the machine is too slow for the rate. */
  readonly framesPerSecond: number
}

const isRealTime = (framesPerSecond: number): boolean => framesPerSecond > 2.1 && framesPerSecond < 2.7
const isMeasured = ({ sumKbPerSecond, framesPerSecond }: TopicBytes): boolean => sumKbPerSecond > 0 && isRealTime(framesPerSecond)

/** `npm run soak -- topic-bytes [minutes] [rate]`. */
export const soakTopicBytes = async ([minutes = '3', rate = '10']: readonly string[]) => {
  const report = await runTopicBytes(Number(minutes), Number(rate))
  return { report, isWhole: isMeasured(report) }
}

/** Plays both chains of the demo in real time at `rate` (10 is today's load) for `minutes`, and measures after the warm-up. */
const runTopicBytes = (minutes: number, rate: number): Promise<TopicBytes> =>
  withRegistry(async (registryUrl) => {
    const dir = mkdtempSync(join(tmpdir(), 'mintfold-bytes-'))
    const broker = await startBroker()
    const roles = await startRoles({ dir, rate, broker, registryUrl })
    const frames = (): Promise<number> => framesOf(roles.serve)
    try {
      await pause(WARM_MS)
      await until(async () => isRealTime(await perSecond(frames, LOOK_MS)), { msMax: CAUGHT_UP_MS_MAX, everyMs: LOOK_MS })
      const before = { bytes: bytesByTopic(broker), ticks: ticksOf(roles), ms: performance.now() }
      const framesPerSecond = round(await perSecond(frames, minutes * 60_000))
      const seconds = (performance.now() - before.ms) / 1_000
      const written = Object.entries(bytesByTopic(broker)).map(([topic, bytes]) => {
        return [topic, round((bytes - (before.bytes[topic] ?? 0)) / 1_000 / seconds)] as const
      })
      const ticks = ticksOf(roles)
      const costs = Object.entries(roles).map(([name, { pid }]) => {
        const cores = round(((ticks[name] ?? 0) - (before.ticks[name] ?? 0)) / CLOCK_TICKS / seconds)
        return [name, { cores, rssMb: rssMbOf(pid) }] as const
      })
      return {
        rate,
        seconds: round(seconds),
        kbPerSecond: Object.fromEntries(written.filter(([, kb]) => kb > 0).sort(([, a], [, b]) => b - a)),
        sumKbPerSecond: round(written.reduce((sum, [, kb]) => sum + kb, 0)),
        roles: Object.fromEntries(costs),
        framesPerSecond,
      }
    } finally {
      await Promise.all(Object.values(roles).map((role) => role.stop()))
      await broker.stop()
      removeDirectory(dir)
    }
  })

interface World {
  readonly dir: string
  readonly rate: number
  readonly broker: Broker
  readonly registryUrl: string
}
interface Roles extends Readonly<Record<string, UpProcess | Broker>> {
  readonly serve: UpProcess
}

const startRoles = async ({ dir, rate, broker, registryUrl }: World): Promise<Roles> => {
  // The history is not part of the measurement: nothing listens there.
  const env = {
    KAFKA_BROKERS: broker.address,
    SCHEMA_REGISTRY_URL: registryUrl,
    CLICKHOUSE_URL: 'http://127.0.0.1:9',
    MINTFOLD_PAYMENTS: 'off',
  }
  const role = (name: string, words: readonly string[], port: number): UpProcess =>
    new UpProcess({ dataDir: join(dir, name), port, args: [BIN, ...words], env: { ...env, MINTFOLD_METRICS_PORT: '0' } })
  const process = role('process', ['process'], 0)
  await process.printed('processes from')
  const serve = role('serve', ['serve'], await freePort())
  const capture = role('capture', ['capture', '--source', 'demo', '--history', '0', '--rate', String(rate)], 0)
  return { capture, process, serve, broker }
}

/** Sizes of the segment files; the index files beside them are preallocated. */
const bytesByTopic = ({ dir }: Broker): Readonly<Record<string, number>> => {
  const bytes: Record<string, number> = {}
  for (const name of readdirSync(join(dir, 'data'), { recursive: true }) as string[]) {
    const [, topic] = /^(.+)-\d+\/\d+\.log$/.exec(name) ?? []
    const size = topic === undefined ? 0 : (statSync(join(dir, 'data', name), { throwIfNoEntry: false })?.size ?? 0)
    if (topic !== undefined) bytes[topic] = (bytes[topic] ?? 0) + size
  }
  return bytes
}

/** User and system ticks by role. */
const ticksOf = (roles: Readonly<Record<string, { readonly pid: number }>>): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(roles).map(([name, { pid }]) => {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')
      return [name, Number(fields[11]) + Number(fields[12])]
    }),
  )

/** Frames folded so far. */
const framesOf = async ({ url }: UpProcess): Promise<number> =>
  ((await (await fetch(`${url}/health`)).json()) as { readonly counters: { readonly frames: number } }).counters.frames

/** How fast a count grows in the next `ms`. */
const perSecond = async (count: () => Promise<number>, ms: number): Promise<number> => {
  const [from, startedMs] = [await count(), performance.now()]
  await pause(ms)
  return ((await count()) - from) / ((performance.now() - startedMs) / 1_000)
}

const rssMbOf = (pid: number): number =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_000)

const round = (value: number): number => Math.round(value * 100) / 100
