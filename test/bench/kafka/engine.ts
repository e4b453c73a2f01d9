// Our engine over Kafka with the comparator's fold: the tasks of all partitions run in this process.
import { readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import type { FrameHeader } from '../../../processors/contract.ts'
import type { Topic } from '../../../schemas/topics.ts'
import { DEFAULT_LIMITS, type EngineLimits } from '../../../topology/engine/limits.ts'
import { TaskRunner } from '../../../topology/engine/runner.ts'
import { Task } from '../../../topology/engine/task.ts'
import { TimeSlice } from '../../../topology/engine/time-slice.ts'
import { openKafkaLog } from '../../../topology/logs/kafka/open.ts'
import type { Log } from '../../../topology/ports/log.ts'
import { TOPICS } from '../../fixtures/topics.ts'
import { FLAG_NAMES, type FoldEvent, type FoldFlag } from './processor.ts'
import { stateSum } from './state-sum.ts'
import { benchTask, flagType, PARTITIONS, topicsOf } from './task.ts'

export interface Services {
  readonly brokers: string
  readonly registryUrl: string
  /** Pid of the broker; 0 if the broker is not ours. */
  readonly brokerPid: number
}
export interface RunOptions extends Services {
  /** Used in the names of its topics, owners and transactions. */
  readonly run: string
  /** Name of its input. */
  readonly tape: string
  readonly limits: Partial<EngineLimits>
}

export const PREFIX = 'bench.mintfold.'
const POLL_MS = 2

export const openLog = ({ brokers, registryUrl }: Services, topics: readonly Topic[]): Promise<Log> =>
  openKafkaLog({
    brokers: brokers.split(','),
    registry: { url: registryUrl, login: null },
    security: { tls: false, sasl: null },
    prefix: PREFIX,
    partitions: PARTITIONS,
    topics,
    owners: TOPICS.owners,
    notice: (message) => process.stderr.write(`${message}\n`),
  })

interface Engine {
  readonly log: Log
  readonly tasks: readonly Task<FoldEvent, FrameHeader>[]
  readonly runners: readonly TaskRunner<FoldEvent, FrameHeader>[]
}

const openEngine = async (options: RunOptions): Promise<Engine> => {
  const { run, tape } = options
  const log = await openLog(options, Object.values(topicsOf(run, tape)))
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const slice = new TimeSlice(limits.sliceMs)
  const tasks = Array.from({ length: PARTITIONS }, (_, partition) => new Task(benchTask(run, tape), partition, limits))
  return { log, tasks, runners: tasks.map((task) => new TaskRunner(log, task, limits, slice)) }
}

export const cpuSeconds = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}
/** CPU time of another process, from its clock ticks of 10 ms. */
const cpuSecondsOf = (pid: number): number => {
  if (pid === 0) return Number.NaN
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}
const memoryMb = (field: 'VmRSS' | 'VmHWM'): number => {
  const [, kilobytes] = new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  return Math.round(Number(kilobytes) / 1024)
}

/** Every record of a topic, in the batches of the reads. */
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

const flagCounts = async (log: Log, topic: Topic): Promise<Record<string, number>> => {
  const counts: Record<string, number> = Object.fromEntries(FLAG_NAMES.map((name) => [name, 0]))
  for await (const records of allRecords(log, topic))
    for (const { value } of records) {
      const { name } = flagType.fromBuffer(value as Buffer) as FoldFlag
      counts[name] = (counts[name] ?? 0) + 1
    }
  return counts
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const since = (start: number): number => (performance.now() - start) / 1_000

/** Folds the whole tape, exactly once, and reads back its output. */
export const drain = async (options: RunOptions & { readonly events: number }): Promise<object> => {
  const [cpu, broker, opened] = [cpuSeconds(), cpuSecondsOf(options.brokerPid), performance.now()]
  const { log, tasks, runners } = await openEngine(options)
  let commits = 0
  const { flags } = topicsOf(options.run, options.tape)
  const unsubscribe = log.onCommit(() => commits++)
  await Promise.all(runners.map((runner) => runner.restore()))
  const [started, startupS] = [performance.now(), since(opened)]
  const running = Promise.all(runners.map((runner) => runner.run()))
  await Promise.race([running, caughtUp(runners)])
  const [seconds, cpuS, brokerS, peakMb] = [since(started), cpuSeconds() - cpu, cpuSecondsOf(options.brokerPid) - broker, memoryMb('VmHWM')]
  unsubscribe()
  for (const runner of runners) runner.stop()
  await running
  const sum = stateSum(tasks.map((task) => task.store('fold')))
  const counts = await flagCounts(log, flags)
  await log.close()
  return {
    ...{ events_per_s: Math.round(options.events / seconds), seconds, startup_s: startupS, cpu_s: cpuS, broker_cpu_s: brokerS },
    ...{ peak_rss_mb: peakMb, ...counts, ...sum, commits_notified: commits, load1: loadavg()[0] },
  }
}

const caughtUp = async (runners: Engine['runners']): Promise<void> => {
  while (!runners.every(({ isCaughtUp }) => isCaughtUp)) await pause(POLL_MS)
}

/** Restores the rows of a run in a new process from the changelog alone. */
export const restore = async (options: RunOptions): Promise<object> => {
  const [cpu, opened] = [cpuSeconds(), performance.now()]
  const { log, tasks, runners } = await openEngine(options)
  const started = performance.now()
  await Promise.all(runners.map((runner) => runner.restore()))
  const [seconds, toRunningS, cpuS, rssMb] = [since(started), since(opened), cpuSeconds() - cpu, memoryMb('VmHWM')]
  const sum = stateSum(tasks.map((task) => task.store('fold')))
  await log.close()
  return { seconds, to_running_s: toRunningS, cpu_s: cpuS, peak_rss_mb: rssMb, ...sum, load1: loadavg()[0] }
}

/** Folds until its standard input ends; calls `ready` once it can fold new records. */
export const serve = async (options: RunOptions, ready: () => void): Promise<object> => {
  const cpu = cpuSeconds()
  const { log, runners } = await openEngine(options)
  await Promise.all(runners.map((runner) => runner.restore()))
  const running = Promise.all(runners.map((runner) => runner.run()))
  const ended = new Promise((resolve) => process.stdin.resume().once('end', resolve))
  ready()
  await Promise.race([running, ended])
  const figures = { cpu_s: cpuSeconds() - cpu, rss_mb: memoryMb('VmRSS') }
  for (const runner of runners) runner.stop()
  await running
  await log.close()
  return figures
}
