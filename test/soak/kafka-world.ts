// A market on Kafka with each role in its own process, a ClickHouse for the history, and a reader of the result.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { RawRecord } from '../../schemas/types.ts'
import type { SourceOptions } from '../../topology/cli/settings/source-options.ts'
import { openSource } from '../../topology/cli/wiring/open-source.ts'
import { createHistoryClient, type HistoryClient } from '../../topology/history/client.ts'
import { ClickHouseServer } from '../../topology/history/engine/clickhouse-server.ts'
import { LAUNCH_RISK, TOPOLOGIES } from '../../topology/launch-risk.ts'
import { openKafkaLog } from '../../topology/logs/kafka/open.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import type { Log } from '../../topology/ports/log.ts'
import { startFolds } from '../../topology/runtime/runtime.ts'
import { ClickHouseSink } from '../../topology/sinks/clickhouse.ts'
import { topicsOfAll } from '../../topology/topology.ts'
import { curveContentsOf } from '../fixtures/curve-contents.ts'
import { contentsOf, countOf } from '../fixtures/history-contents.ts'
import { copyMigrated } from '../fixtures/migrated-history.ts'
import { TOPICS } from '../fixtures/topics.ts'
import type { SharedKafka } from '../services/shared.ts'
import { freePort } from '../tools/free-port.ts'
import { removeDirectory } from '../tools/remove-directory.ts'
import { type Compared, comparedOf, differencesOf } from './compare.ts'
import { retried } from './requests.ts'
import { CHUNKS, curveStream, demoOf, feedCurves, type Plan, recorded, wordsOf } from './streams.ts'
import { type UpOptions, UpProcess } from './up-process.ts'

const BIN = fileURLToPath(new URL('../../topology/cli/mintfold.mjs', import.meta.url))
const POLL_MS = 100
const ARRIVED_POLL_MS = 250
/** Time in which the stream of curves is sent by default. */
const CURVES_S = 4
const DATABASE = 'mintfold'
/** Database of the run that the roles are compared with. */
const REFERENCE = 'reference'
/** Time after the end of the stream in which folds and history must arrive; a busy machine needs minutes. */
const ARRIVED_MS_MAX = 420_000

type Env = Readonly<Record<string, string>>

/** A log with its own topics. */
export const kafkaLog = ({ brokers, registryUrl }: SharedKafka, prefix: string, partitions: number): Promise<Log> =>
  openKafkaLog({
    brokers: brokers.split(','),
    registry: { url: registryUrl, login: null },
    security: { tls: false, sasl: null },
    durable: 'none',
    prefix,
    partitions,
    topics: topicsOfAll(TOPOLOGIES),
    owners: TOPICS.owners,
    notice: () => {},
  })

/** The roles of one run, with their own topics and history. */
export class KafkaWorld {
  readonly plan: Plan
  readonly #services: SharedKafka
  readonly #dir: string
  readonly #prefix: string
  readonly #server: ClickHouseServer
  readonly #clients: HistoryClient[] = []
  readonly #roles: UpProcess[] = []
  readonly #curves: Promise<readonly RawRecord['body'][]>
  #feeding: Promise<void> | undefined

  private constructor(plan: Plan, services: SharedKafka, dir: string, server: ClickHouseServer) {
    this.plan = plan
    this.#services = services
    this.#dir = dir
    this.#prefix = `roles-${process.pid}-${Date.now()}.`
    this.#server = server
    this.#curves = plan.curveMinutes === undefined ? Promise.resolve([]) : curveStream(plan.curveMinutes, plan.seed)
  }
  static async open(plan: Plan, services: SharedKafka): Promise<KafkaWorld> {
    const dir = mkdtempSync(join(tmpdir(), 'mintfold-roles-'))
    const server = new ClickHouseServer({ dir: join(dir, 'clickhouse'), port: 0, database: DATABASE, notice: () => {} })
    const world = new KafkaWorld(plan, services, dir, server)
    // Migrated once for all roles: roles that start at the same moment would each run every statement. `asked`: no
    // view is refreshed, because no figure is compared.
    const copied = copyMigrated(join(dir, 'clickhouse'), [DATABASE, REFERENCE], 'asked')
    await Promise.all([copied.then(() => server.start()), plan.demo === undefined && recorded(plan, world.#recording)])
    return world
  }
  /** Of the ClickHouse, which is started again when it ends; null meanwhile. */
  get historyPid(): number | null {
    return this.#server.pid()
  }
  /** Prefix of the topic names. */
  get prefix(): string {
    return this.#prefix
  }
  get #recording(): string {
    return join(this.#dir, 'stream.avro')
  }
  get #source(): SourceOptions {
    return this.plan.demo === undefined ? { source: `recording:${this.#recording}` } : demoOf(this.plan)
  }
  /** Kills the roles that still run. */
  async close(): Promise<void> {
    await Promise.all(this.#roles.map((role) => role.kill()))
    await Promise.all(this.#clients.map((client) => client.close()))
    await this.#server.stop()
    removeDirectory(this.#dir)
  }
  /** Sends the rest of the stream. It then exits, as it does after two minutes without a broker, unless it `stays`. */
  capture(speed: number | 'max', env: Env = {}, stays = false): UpProcess {
    this.#feeding ??= this.#feed()
    this.#feeding.catch(() => {})
    const end = stays ? [] : ['--exit']
    return this.#role([BIN, 'capture', ...wordsOf({ ...this.#source, speed }), ...end], undefined, 0, env)
  }
  /** `name` selects the data directory; absent: a new one. */
  process(env: Env = {}, name?: string): UpProcess {
    return this.#role([BIN, 'process'], name, 0, env)
  }
  /** Starts this many processes, waits until they have their assignments, and starts a capture at full speed. */
  async startAll(count: number): Promise<{ readonly processes: readonly UpProcess[]; readonly capture: UpProcess }> {
    const processes = Array.from({ length: count }, () => this.process())
    await Promise.all(processes.map((one) => one.printed('processes from')))
    return { processes, capture: this.capture('max') }
  }
  /** Starts a server on `port`, else a free one. `name` selects the data directory, so that a restarted server finds its payments again. */
  async serve(name: string, env: Env = {}, port?: number): Promise<UpProcess> {
    return this.#role([BIN, 'serve'], name, port ?? (await freePort()), env)
  }
  /** Starts a command of a copy of the project in `tree`; absent: of this one. `name` selects the data directory. */
  command(
    name: string,
    args: readonly string[],
    { tree, out, env }: { readonly tree?: string; readonly out?: (line: string) => void; readonly env?: Env } = {},
  ) {
    const bin = tree === undefined ? BIN : join(tree, 'topology/cli/mintfold.mjs')
    return this.#role([bin, ...args], name, 0, env, out)
  }
  /** A separate client of the log, for reading. */
  log(): Promise<Log> {
    return kafkaLog(this.#services, this.#prefix, this.plan.partitions)
  }
  /**
   * Resolves once folds and history equal `expected`, except the parts of the log that `isLeftOut` names; after a timeout it returns the
   * differences.
   */
  async arrived(
    expected: Outcome,
    { msMax = ARRIVED_MS_MAX, isLeftOut = () => false }: { readonly msMax?: number; readonly isLeftOut?: (part: string) => boolean } = {},
  ): Promise<readonly string[]> {
    const compared = (log: Compared): Compared => Object.fromEntries(Object.entries(log).filter(([part]) => !isLeftOut(part)))
    const client = await this.#client(DATABASE)
    const frames = Number(expected.history.frames?.split(' ')[0])
    await this.#feeding
    const log = await this.log()
    try {
      for (const until = Date.now() + msMax; ; await pause(ARRIVED_POLL_MS)) {
        // The checksums read all tables: they are compared only once every frame is there.
        if (Date.now() <= until && (await countOf(client, 'frames').catch(() => -1)) !== frames) continue
        const history = await contentsOf(client).catch(() => ({}))
        const found = isSame(history, expected.history) || Date.now() > until ? await this.#bothChainsOf(log) : null
        if (found === null) continue
        const different = [
          ...differencesOf(compared(found), compared(expected.log)),
          ...differencesOf(linesOf(history), linesOf(expected.history)),
        ]
        if (different.length === 0 || Date.now() > until) return different
        await log.refresh()
      }
    } finally {
      await log.close()
    }
  }
  /** Folds the same stream in this process over the log in memory, into a separate history. */
  async reference(): Promise<Outcome> {
    const log = createMemoryLog({ partitions: this.plan.partitions })
    const context = { dataDir: null, stop: new AbortController().signal, folded: () => null }
    const { source } = await openSource(log, { chain: 'solana', options: this.#source }, context)
    await source.prepare?.(() => {})
    await feedCurves(log, await this.#curves, 0)
    const folds = await startFolds(log, TOPOLOGIES)
    await source.run()
    await folds.caughtUp()
    await folds.stop()
    const client = await this.#client(REFERENCE)
    const sink = new ClickHouseSink({ topology: LAUNCH_RISK, log, client, notice: () => {} })
    await sink.open()
    const sinking = sink.run()
    while (!sink.isCaughtUp) await pause(POLL_MS)
    sink.stop()
    await sinking
    return { log: await this.#bothChainsOf(log), history: await contentsOf(client) }
  }

  async #bothChainsOf(log: Log): Promise<Compared> {
    return { ...(await comparedOf(log)), ...(await curveContentsOf(log)) }
  }
  async #feed(): Promise<void> {
    const log = await retried(() => this.log())
    try {
      await feedCurves(log, await this.#curves, ((this.plan.curveFeedS ?? CURVES_S) * 1_000) / CHUNKS)
    } finally {
      await log.close()
    }
  }

  async #client(database: string): Promise<HistoryClient> {
    const client = createHistoryClient({ ...this.#server.target(), database })
    this.#clients.push(client)
    return client
  }
  #role(
    args: readonly string[],
    name = `role-${this.#roles.length}`,
    port = 0,
    more: Env = {},
    out: UpOptions['out'] = undefined,
  ): UpProcess {
    const { url, username, password } = this.#server.target()
    const { brokers, registryUrl } = this.#services
    const env = {
      KAFKA_BROKERS: brokers,
      SCHEMA_REGISTRY_URL: registryUrl,
      MINTFOLD_TOPIC_PREFIX: this.#prefix,
      MINTFOLD_PARTITIONS: String(this.plan.partitions),
      MINTFOLD_SINGLE_BROKER: 'true',
      MINTFOLD_PAYMENTS: 'off',
      MINTFOLD_DRAIN_S: '0',
      CLICKHOUSE_URL: url,
      CLICKHOUSE_USERNAME: username,
      CLICKHOUSE_PASSWORD: password,
      ...more,
    }
    const role = new UpProcess({ dataDir: join(this.#dir, name), port, args, env, ...(out && { out }) })
    this.#roles.push(role)
    return role
  }
}

/** The result of a stream. */
export interface Outcome {
  readonly log: Compared
  readonly history: Readonly<Record<string, string>>
}

const isSame = (a: object, b: object): boolean => JSON.stringify(a) === JSON.stringify(b)
const linesOf = (record: Readonly<Record<string, string>>): Compared =>
  Object.fromEntries(Object.entries(record).map(([name, text]) => [`history ${name}`, [text]]))
