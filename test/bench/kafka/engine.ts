// mintfold's engine on Kafka with the fold that the comparator also runs, over this process's share of the partitions.
import type { FrameHeader } from '../../../processors/contract.ts'
import type { Topic } from '../../../schemas/topics.ts'
import { Closing } from '../../../topology/cli/start/closing.ts'
import { openSnapshots } from '../../../topology/cli/wiring/open-snapshots.ts'
import { DEFAULT_LIMITS, type EngineLimits } from '../../../topology/engine/limits.ts'
import { TaskRunner } from '../../../topology/engine/runner.ts'
import { Task } from '../../../topology/engine/task.ts'
import { TimeSlice } from '../../../topology/engine/time-slice.ts'
import { KafkaAssignment } from '../../../topology/logs/kafka/group/assignment.ts'
import type { KafkaLog } from '../../../topology/logs/kafka/kafka.ts'
import { openKafkaLog } from '../../../topology/logs/kafka/open.ts'
import type { Log } from '../../../topology/ports/log.ts'
import { TOPICS } from '../../fixtures/topics.ts'
import type { FoldEvent } from './processor.ts'
import { benchTask, PARTITIONS, RETENTION_HOURS, topicsOf } from './task.ts'

export interface Services {
  readonly brokers: string
  readonly registryUrl: string
  /** Pid of the broker; 0 if the bench did not start it. */
  readonly brokerPid: number
}
export interface Snapshots {
  readonly dataDir: string
  /** Writes them as soon as there is something to write; false: as the product does. */
  readonly keeps: boolean
}
export interface RunOptions extends Services {
  /** Name of the run, part of the names of its topics, owners, transactions and consumer group. */
  readonly run: string
  /** Name of the input topic. */
  readonly tape: string
  readonly limits: Partial<EngineLimits>
  /** Keeps undo for the frames that are not final. */
  readonly undo: boolean
  /** Number of processes of the run: each folds an equal share of the partitions. */
  readonly processes: number
  /** Snapshots of the changelogs, of the only process; absent: the log alone. */
  readonly snapshots?: Snapshots
}

export const PREFIX = 'bench.mintfold.'
const security = { tls: false, sasl: null }
const notice = (message: string): void => void process.stderr.write(`${message}\n`)

export const openLog = ({ brokers, registryUrl }: Services, topics: readonly Topic[]): Promise<KafkaLog> =>
  openKafkaLog({
    brokers: brokers.split(','),
    registry: { url: registryUrl, login: null },
    ...{ security, prefix: PREFIX, partitions: PARTITIONS, topics, owners: TOPICS.owners, durable: 'none', notice },
  })

export interface Engine {
  readonly log: Log
  readonly partitions: readonly number[]
  readonly tasks: readonly Task<FoldEvent, FrameHeader>[]
  readonly runners: readonly TaskRunner<FoldEvent, FrameHeader>[]
  /** Number of commits of all tasks so far. */
  commits(): number
  /** Leaves the group and closes the log. */
  close(): Promise<void>
}

/** Joins the consumer group of the run; resolves once this process has its equal share of the partitions. */
const joinGroup = async ({ brokers, run, tape, processes }: RunOptions) => {
  const assignment = new KafkaAssignment({
    brokers: brokers.split(','),
    security,
    prefix: PREFIX,
    group: run,
    notice,
    weightOf: () => 1,
    standbys: 0,
  })
  const all = Array.from({ length: PARTITIONS }, (_, partition) => `${tape}/${partition}`)
  const assigned = await new Promise<ReadonlySet<string>>((resolve, reject) => {
    const onAssigned = async (partitions: ReadonlySet<string>): Promise<void> => {
      if (partitions.size === PARTITIONS / processes) resolve(partitions)
    }
    assignment.start(all, onAssigned).catch(reject)
    assignment.done.catch(reject)
  })
  return { partitions: [...all.keys()].filter((partition) => assigned.has(`${tape}/${partition}`)), leave: () => assignment.stop() }
}

/** Counts the commits of the owners that the log hands out. */
const countCommits = (log: Log): (() => number) => {
  const own = log.own.bind(log)
  let commits = 0
  log.own = async (id, isShared) => {
    const owner = await own(id, isShared)
    const commit = owner.commit.bind(owner)
    owner.commit = (contents) => {
      commits++
      return commit(contents)
    }
    return owner
  }
  return () => commits
}

const AT_ONCE = { roundMs: 50, tailOffsetsMin: 1, tailShareMin: 0 }

/** The log, read from snapshots first. */
export const openKept = (kafka: KafkaLog, { dataDir, keeps }: Snapshots, closing: Closing): Promise<Log> => {
  const retention = { rawHours: RETENTION_HOURS, tapeDays: 7, capBytes: 1e11 }
  const told = (code: string, facts: object): void => notice(`${code} ${JSON.stringify(facts)}`)
  return openSnapshots(kafka, { dataDir, retention }, closing, told, keeps ? AT_ONCE : {})
}

export const openEngine = async (options: RunOptions): Promise<Engine> => {
  const { run, tape, undo } = options
  const closing = new Closing()
  const kafka = await openLog(options, Object.values(topicsOf(run, tape)))
  closing.add('log', () => kafka.close())
  const log = options.snapshots === undefined ? kafka : await openKept(kafka, options.snapshots, closing)
  const commits = countCommits(log)
  const { partitions, leave } = await joinGroup(options)
  const limits = { ...DEFAULT_LIMITS, undoBytesMax: DEFAULT_LIMITS.undoBytesMax / PARTITIONS, ...options.limits }
  const slice = new TimeSlice(limits.sliceMs)
  const tasks = partitions.map((partition) => new Task(benchTask(run, tape, undo), partition, limits))
  closing.add('group', leave)
  const close = (): Promise<void> => closing.run()
  return { log, partitions, tasks, runners: tasks.map((task) => new TaskRunner(log, task, limits, slice)), commits, close }
}

/** Every record of a topic, in one batch per read. */
export async function* allRecords(log: Log, topic: Topic) {
  for (let partition = 0; partition < PARTITIONS; partition++) yield* recordsOf(log, topic, partition)
}

export async function* recordsOf(log: Log, topic: Topic, partition: number) {
  await log.refresh()
  for (let at = log.start(topic, partition); at < log.end(topic, partition); ) {
    const records = await log.read(topic, partition, at, { recordsMax: 10_000, bytesMax: 4 * 1024 * 1024 })
    yield records
    at = (records.at(-1)?.offset ?? at) + 1
  }
}
