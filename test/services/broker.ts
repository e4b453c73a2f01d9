// A real Kafka broker (KRaft), alone or as one of a cluster, on loopback, from its jars.
import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, realpathSync, statSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../tools/free-port.ts'
import { programPath } from '../tools/program.ts'
import { brokerJars, filled, KAFKA_VERSION } from './jars.ts'
import { type Jvm, onFreePort, startJvm } from './jvm.ts'

const run = promisify(execFile)

export interface Broker extends Jvm {
  /** host:port. */
  readonly address: string
  readonly port: number
  readonly dir: string
}

export interface BrokerOptions {
  /** Default: a free one. */
  readonly port?: number
  /** Data and log; survives `stop` when given, so the broker can restart on it. */
  readonly dir?: string
  /** The advertised port: that of a proxy in front of it. */
  readonly advertisedPort?: number
  /** Features that the first start sets, as `name=level`, to levels below the broker's own. */
  readonly features?: readonly string[]
  /** Broker settings in addition to the defaults for tests. */
  readonly settings?: Readonly<Record<string, string>>
  /** The first broker of the cluster, which is node 1 and its only controller. */
  readonly joins?: Broker
  /** The cluster, if several of its brokers are controllers: these are ready once most of them run. */
  readonly cluster?: Cluster
  /** The number of a broker that joins, by default the second, or of one of `cluster`, by default the first. */
  readonly nodeId?: number
}

export interface Cluster {
  readonly id: string
  /** Ports of the controllers, which are the nodes 1, 2 and so on. */
  readonly controllerPorts: readonly number[]
}

const rolesOf = (port: number, { controllerPorts }: Cluster, nodeId: number): Record<string, string | number> => {
  const controllerPort = controllerPorts[nodeId - 1]
  return {
    'process.roles': controllerPort === undefined ? 'broker' : 'broker,controller',
    'node.id': nodeId,
    listeners: `PLAINTEXT://127.0.0.1:${port}${controllerPort === undefined ? '' : `,CONTROLLER://127.0.0.1:${controllerPort}`}`,
    'controller.quorum.voters': controllerPorts.map((voterPort, at) => `${at + 1}@127.0.0.1:${voterPort}`).join(),
  }
}

const settingsOf = (dir: string, advertisedPort: number): Record<string, string | number> => ({
  'controller.listener.names': 'CONTROLLER',
  'advertised.listeners': `PLAINTEXT://127.0.0.1:${advertisedPort}`,
  'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
  'log.dirs': join(dir, 'data'),
  // One node.
  'default.replication.factor': 1,
  'min.insync.replicas': 1,
  'offsets.topic.replication.factor': 1,
  'transaction.state.log.replication.factor': 1,
  'transaction.state.log.min.isr': 1,
  'share.coordinator.state.topic.replication.factor': 1,
  'share.coordinator.state.topic.min.isr': 1,
  // Small, and quick to recover: after a SIGKILL the next start waits for the previous session to expire.
  'offsets.topic.num.partitions': 4,
  'transaction.state.log.num.partitions': 4,
  'group.initial.rebalance.delay.ms': 0,
  'num.network.threads': 2,
  'num.io.threads': 4,
  'log.index.size.max.bytes': 1024 * 1024,
  'broker.session.timeout.ms': 3_000,
  'broker.heartbeat.interval.ms': 500,
  'controlled.shutdown.enable': 'false',
  // Compaction, retention and transaction cleanup run after seconds, not minutes.
  'log.cleaner.dedupe.buffer.size': 8 * 1024 * 1024,
  'log.cleaner.backoff.ms': 1_000,
  'log.retention.check.interval.ms': 1_000,
  'transaction.abort.timed.out.transaction.cleanup.interval.ms': 1_000,
  'auto.create.topics.enable': 'false',
})

const LOGGING = `status = warn
appender.out.type = Console
appender.out.name = out
appender.out.layout.type = PatternLayout
appender.out.layout.pattern = %d{HH:mm:ss.SSS} %p %m (%c{1})%n
rootLogger.level = warn
rootLogger.appenderRef.out.ref = out
logger.raft.name = kafka.server.KafkaRaftServer
logger.raft.level = info
`

/** A test broker lives for seconds or minutes: optimized compilation takes longer than it saves. */
const JIT = process.env.NODE_ENV === 'test' ? ['-XX:TieredStopAtLevel=1'] : []

/** A random id in Kafka's form. */
const freshId = (): string => randomBytes(16).toString('base64url').replace(/^-/, 'A')

interface Formatted {
  readonly java: readonly string[]
  /** File with the broker's settings. */
  readonly settings: string
  readonly id: string
  readonly nodeId: number
  readonly features: readonly string[]
}

/** Does what `StorageTool format` does. Its only slow part, the record of features, is made once and is the same for each node. */
const format = async (data: string, { java, settings, id, nodeId, features }: Formatted): Promise<void> => {
  const name = ['format', ...features].join('-')
  const cached = await filled(`kafka-${KAFKA_VERSION}-${name}`, async (dir) => {
    const here = join(dir, 'server.properties')
    await writeFile(here, `${await readFile(settings, 'utf8')}log.dirs=${dir}\n`)
    const asked = features.flatMap((one) => ['--feature', one])
    await run('java', [...java, '-XX:TieredStopAtLevel=1', 'kafka.tools.StorageTool', 'format', '-t', id, '-c', here, ...asked])
  })
  await copyFile(join(cached, 'bootstrap.checkpoint'), join(data, 'bootstrap.checkpoint'))
  await writeFile(join(data, 'meta.properties'), `version=1\ncluster.id=${id}\nnode.id=${nodeId}\ndirectory.id=${freshId()}\n`)
}

const clusterOf = async ({ dir }: Broker): Promise<Cluster> => {
  const read = async (file: string, pattern: RegExp): Promise<string> => pattern.exec(await readFile(join(dir, file), 'utf8'))?.[1] ?? ''
  const port = await read('server.properties', /voters=1@127\.0\.0\.1:(\d+)/)
  return { id: await read('data/meta.properties', /cluster\.id=(.+)/), controllerPorts: [Number(port)] }
}

/** A new cluster with this many controllers. */
export const freshCluster = async (controllers = 1): Promise<Cluster> => ({
  id: freshId(),
  controllerPorts: await Promise.all(Array.from({ length: controllers }, freePort)),
})

/** What JVM and its version are at this path. */
const javaKey = (): string => {
  const java = realpathSync(programPath('java') ?? '')
  return createHash('sha256')
    .update(`${java} ${statSync(java).mtimeMs}`)
    .digest('hex')
    .slice(0, 16)
}

/** A broker that is stopped writes the archive. */
const DUMP_MS_MAX = 120_000

/** Loaded from an archive, the classes of a broker take half the processor time of its start. The archive is made once for each JVM. */
const makeArchive = async (): Promise<string> => {
  const dir = await filled(`kafka-${KAFKA_VERSION}-classes-${javaKey()}`, async (draft) => {
    const file = join(draft, 'classes.jsa')
    const home = join(draft, 'broker')
    const broker = await start({ dir: home }, [`-XX:ArchiveClassesAtExit=${file}`], DUMP_MS_MAX)
    await broker.stop()
    await rm(home, { recursive: true })
    await run('java', [...javaOf(await brokerJars()), '-Xshare:on', '-XX:+VerifySharedSpaces', `-XX:SharedArchiveFile=${file}`, '-version'])
  })
  return join(dir, 'classes.jsa')
}

let archive: Promise<string | null> | undefined

const javaOf = (jars: string): readonly string[] => ['-cp', join(jars, '*'), '-XX:+UseSerialGC', '-Xshare:auto']

/** Starts a broker; the first start in a folder formats it. Its output is in `broker.log` there. */
export const startBroker = async (options: BrokerOptions = {}): Promise<Broker> => {
  await brokerJars()
  archive ??= makeArchive().catch(() => null)
  const file = await archive
  if (file === null) return start(options)
  try {
    return await start(options, [`-XX:SharedArchiveFile=${file}`])
  } catch (failure) {
    // Java ignores an archive of another version or other jars, but a damaged one ends it.
    if (!String(failure).includes('A fatal error has been detected by the Java Runtime Environment')) throw failure
    archive = undefined
    await rm(dirname(file), { recursive: true, force: true })
    return start(options)
  }
}

const start = async (
  { port, dir, advertisedPort, joins, cluster, nodeId = joins === undefined ? 1 : 2, features = [], settings: more = {} }: BrokerOptions,
  classes: readonly string[] = [],
  stopMsMax?: number,
): Promise<Broker> => {
  const jars = await brokerJars()
  const home = dir ?? (await mkdtemp(join(tmpdir(), 'mintfold-broker-')))
  await mkdir(join(home, 'data'), { recursive: true })
  const [settings, logging] = [join(home, 'server.properties'), join(home, 'log4j2.properties')]
  await writeFile(logging, LOGGING)
  const java = [...javaOf(jars), ...JIT, `-Dlog4j2.configurationFile=${logging}`, `-XX:ErrorFile=${join(home, 'java-error.log')}`]
  return onFreePort(port, async (on) => {
    const joined = cluster ?? (joins === undefined ? await freshCluster() : await clusterOf(joins))
    const wanted = {
      ...rolesOf(on, joined, nodeId),
      ...settingsOf(home, advertisedPort ?? on),
      ...more,
    }
    const lines = Object.entries(wanted).map(([name, value]) => `${name}=${value}\n`)
    await writeFile(settings, lines.join(''))
    const data = join(home, 'data')
    if (!existsSync(join(data, 'meta.properties'))) await format(data, { java, settings, id: joined.id, nodeId, features })
    const args = ['-Xms64m', '-Xmx512m', ...java, ...classes, 'kafka.Kafka', settings]
    const removed = dir === undefined ? home : null
    const logFile = join(home, 'broker.log')
    const jvm = await startJvm({ args, ready: 'Kafka Server started', logFile, removed, ...(stopMsMax !== undefined && { stopMsMax }) })
    const stop = async (): Promise<void> => {
      await jvm.stop()
      if (removed !== null) await rm(removed, { recursive: true, force: true })
    }
    return { ...jvm, stop, address: `127.0.0.1:${on}`, port: on, dir: home }
  })
}
