// The actions of mintfold's processes: drain, restore, serve. Each opens the engine, reports that it is ready, and begins when its
// standard input ends, so that all processes of a run begin together.
import { loadavg } from 'node:os'
import type { Topic } from '../../../schemas/topics.ts'
import { pause } from '../../../topology/waiting/waiting.ts'
import { reportReady } from './child.ts'
import { type Engine, openEngine, type RunOptions, recordsOf } from './engine.ts'
import { cpuSeconds, memoryMb, sharedNow, startSpan } from './figures.ts'
import { FLAG_NAMES, type FoldFlag } from './processor.ts'
import { stateSum } from './state-sum.ts'
import { flagType, topicsOf } from './task.ts'

const POLL_MS = 2
const KEEP_POLL_MS = 50

export const inputEnd = (): Promise<void> => new Promise((resolve) => void process.stdin.resume().once('end', resolve))

const restoreAll = ({ runners }: Engine): Promise<unknown> => Promise.all(runners.map((runner) => runner.restore()))
const runAll = ({ runners }: Engine): Promise<unknown> => Promise.all(runners.map((runner) => runner.run()))
const stopAll = ({ runners }: Engine): void => {
  for (const runner of runners) runner.stop()
}
const caughtUp = async ({ runners }: Engine): Promise<void> => {
  while (!runners.every(({ isCaughtUp }) => isCaughtUp)) await pause(POLL_MS)
}
const sumOf = ({ tasks }: Engine) => stateSum(tasks.map((task) => task.store('fold')))

const flagCounts = async ({ log, partitions }: Engine, topic: Topic): Promise<Record<string, number>> => {
  const counts: Record<string, number> = Object.fromEntries(FLAG_NAMES.map((name) => [name, 0]))
  for (const partition of partitions)
    for await (const records of recordsOf(log, topic, partition))
      for (const { value } of records) {
        const { name } = flagType.fromBuffer(value as Buffer) as FoldFlag
        counts[name] = (counts[name] ?? 0) + 1
      }
  return counts
}

/** Folds the tape of its partitions, exactly once, and reads back the output. */
export const drain = async (options: RunOptions): Promise<object> => {
  const cpu = cpuSeconds()
  const engine = await openEngine(options)
  await restoreAll(engine)
  reportReady()
  await inputEnd()
  const [ended, before] = [startSpan(options.brokerPid, cpu), engine.commits()]
  const running = runAll(engine)
  await Promise.race([running, caughtUp(engine)])
  const [span, commits, load1] = [ended(), engine.commits() - before, loadavg()[0]]
  stopAll(engine)
  await running
  const counts = await flagCounts(engine, topicsOf(options.run, options.tape).flags)
  const sum = sumOf(engine)
  await engine.close()
  return { ...span, ...counts, ...sum, commits, partitions: engine.partitions.length, load1 }
}

/** Writes snapshots of the changelogs of a run up to their ends. */
export const keep = async (options: RunOptions): Promise<object> => {
  const engine = await openEngine(options)
  await restoreAll(engine)
  const { rows, task } = topicsOf(options.run, options.tape)
  const areBehind = async (): Promise<boolean> => {
    for (const topic of [rows, task])
      for (const partition of engine.partitions) {
        const beginning = await engine.log.beginning?.(topic, partition)
        for await (const _ of beginning?.batches() ?? []);
        if (engine.log.end(topic, partition) > (beginning?.next ?? 0)) return true
      }
    return false
  }
  while (await areBehind()) await pause(KEEP_POLL_MS)
  await engine.close()
  return {}
}

/** Restores the rows of a run in a new process, from the changelog alone or from snapshots. */
export const restore = async (options: RunOptions): Promise<object> => {
  const [cpu, opened] = [cpuSeconds(), sharedNow()]
  const engine = await openEngine(options)
  const joinedMs = sharedNow() - opened
  reportReady()
  await inputEnd()
  const ended = startSpan(options.brokerPid, cpu)
  await restoreAll(engine)
  const [span, load1] = [ended(), loadavg()[0]]
  const sum = sumOf(engine)
  await engine.close()
  return { ...span, joined_ms: joinedMs, ...sum, load1 }
}

/** Folds until its standard input ends. */
export const serve = async (options: RunOptions): Promise<object> => {
  const cpu = cpuSeconds()
  const engine = await openEngine(options)
  await restoreAll(engine)
  const [ended, running] = [startSpan(options.brokerPid, cpu), runAll(engine)]
  reportReady()
  await Promise.race([running, inputEnd()])
  const [span, rssMb] = [ended(), memoryMb('VmRSS')]
  stopAll(engine)
  await running
  await engine.close()
  return { ...span, rss_mb: rssMb, commits: engine.commits() }
}
