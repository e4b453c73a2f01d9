// Sends one stream through every log: conclusions, stores and what a client sees must be the same on each.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RawRecord } from '../../schemas/types.ts'
import type { SourceOptions } from '../../topology/cli/settings/source-options.ts'
import { openSource } from '../../topology/cli/wiring/open-source.ts'
import { CURVE_RISK } from '../../topology/curve-risk.ts'
import { TOPOLOGIES } from '../../topology/launch-risk.ts'
import { openLmdbLog } from '../../topology/logs/lmdb/lmdb.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import type { Log } from '../../topology/ports/log.ts'
import { startFolds } from '../../topology/runtime/runtime.ts'
import { curveContentsOf } from '../fixtures/curve-contents.ts'
import { appendNext } from '../fixtures/two-chains.ts'
import type { SharedKafka } from '../services/shared.ts'
import { removeDirectory } from '../tools/remove-directory.ts'
import { type Compared, comparedOf, differencesOf } from './compare.ts'
import { type AgainstReplay, againstReplay } from './differential-replay.ts'
import { KafkaWorld, kafkaLog, type Outcome } from './kafka-world.ts'
import { againstCanonicalCurves, curveStream, demoOf, type Plan } from './streams.ts'

const PARTITIONS = 3
const PROCESSES = 3
const CAPTURED_MS_MAX = 1_800_000
/** Of 150 slots a minute, the demo skips one in twenty. */
const FRAMES_A_MINUTE = 142

/** A market with a tenth of today's load and five forks a minute; ten seconds of it never arrive. */
export const streamOf = (minutes: number): Plan => ({
  seed: 3,
  rate: 1,
  frames: Math.round(minutes * FRAMES_A_MINUTE),
  partitions: PARTITIONS,
  demo: { forks: 300, gap: { fromS: -1_000, toS: -990 } },
})

type Differences = Readonly<Record<string, readonly string[]>>
type Seconds = Readonly<Record<string, number>>

/** The result by log. `differences` must be empty lists. */
export interface DifferentialReport {
  readonly differences: Differences
  readonly seconds: Seconds
}

/** LMDB and a replay without a log, compared with the run in memory. */
export const differentialHere = async (
  plan: Plan,
): Promise<DifferentialReport & { readonly counts: AgainstReplay['counts'] & { readonly curves: number } }> => {
  const { timed, seconds } = stopwatch()
  const memory = createMemoryLog({ partitions: plan.partitions })
  const curves = await curvesOf(plan)
  await timed('memory', () => play(memory, demoOf(plan), curves))
  const expected = await bothChainsOf(memory)
  const { counts, differences } = await timed('replay', () => againstReplay(memory))
  const lmdb = differencesOf(await timed('lmdb', () => onDisk(plan, curves)), expected)
  const curvesReport = await againstCanonicalCurves(memory, curves)
  const ofCurves = expected['cards of curves']?.length ?? 0
  return { counts: { ...counts, curves: ofCurves }, differences: { ...differences, lmdb, 'canonical curves': curvesReport }, seconds }
}

/** Kafka with everything in one process, then with one capture process, three task processes and a ClickHouse. */
export const differentialOnKafka = async (plan: Plan, services: SharedKafka): Promise<DifferentialReport> => {
  const { timed, seconds } = stopwatch()
  const world = await KafkaWorld.open({ ...plan, curveMinutes: minutesOf(plan) }, services)
  try {
    const expected = await timed('memory', () => world.reference())
    const curves = await curvesOf(plan)
    const one = differencesOf(await timed('one process', () => onKafka(plan, services, curves)), expected.log)
    const several = await timed('several processes', () => withRoles(world, expected))
    return { differences: { 'one process': one, 'several processes': several }, seconds }
  } finally {
    await world.close()
  }
}

const stopwatch = () => {
  const seconds: Record<string, number> = {}
  const timed = async <Result>(what: string, run: () => Promise<Result>): Promise<Result> => {
    const startedMs = performance.now()
    const result = await run()
    seconds[what] = Math.round((performance.now() - startedMs) / 100) / 10
    return result
  }
  return { seconds, timed }
}

type Bodies = readonly RawRecord['body'][]

/** Length of the stream of curves: that of the demo of the other chain. */
const minutesOf = ({ frames }: Plan): number => Math.round(frames / FRAMES_A_MINUTE)
const curvesOf = (plan: Plan): Promise<Bodies> => curveStream(minutesOf(plan), plan.seed)

const bothChainsOf = async (log: Log): Promise<Compared> => ({ ...(await comparedOf(log)), ...(await curveContentsOf(log)) })

/** Runs the demo's capture and every task of both chains in this process. */
const play = async (log: Log, options: SourceOptions, curves: Bodies): Promise<void> => {
  const { source } = await openSource(
    log,
    { chain: 'solana', options },
    { dataDir: null, stop: new AbortController().signal, folded: () => null },
  )
  await source.prepare?.(() => {})
  await appendNext(log, CURVE_RISK, curves, curves.length)
  const folds = await startFolds(log, TOPOLOGIES)
  await source.run()
  await folds.caughtUp()
  await folds.stop()
}

/** Plays the stream over LMDB in two starts. */
const onDisk = async (plan: Plan, curves: Bodies): Promise<Compared> => {
  const dir = mkdtempSync(join(tmpdir(), 'mintfold-differential-'))
  try {
    for (const frames of [Math.round(plan.frames / 2), plan.frames]) {
      const log = await openLmdbLog({ dir: join(dir, 'log'), partitions: plan.partitions })
      try {
        const share = curves.slice(0, Math.round((curves.length * frames) / plan.frames))
        await play(log, { ...demoOf(plan), frames }, share)
        if (frames === plan.frames) return await bothChainsOf(log)
      } finally {
        await log.close()
      }
    }
    return {}
  } finally {
    removeDirectory(dir)
  }
}

const onKafka = async (plan: Plan, services: SharedKafka, curves: Bodies): Promise<Compared> => {
  const log = await kafkaLog(services, `one-${process.pid}-${Date.now()}.`, plan.partitions)
  try {
    await play(log, demoOf(plan), curves)
    return await bothChainsOf(log)
  } finally {
    await log.close()
  }
}

const withRoles = async (world: KafkaWorld, expected: Outcome): Promise<readonly string[]> => {
  const { processes, capture } = await world.startAll(PROCESSES)
  await capture.printed('the source has ended', CAPTURED_MS_MAX)
  const differences = await world.arrived(expected)
  if (differences.length > 0) for (const { lines } of [...processes, capture]) process.stderr.write(`${lines.join('\n')}\n`)
  return differences
}
