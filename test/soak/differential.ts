// Sends one stream through every log: conclusions, stores and what a client sees must be the same on each.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { conclusionCodec, rawRecordCodec } from '../../schemas/codecs.ts'
import type { Key } from '../../schemas/keys.ts'
import type { Conclusion, RawRecord } from '../../schemas/types.ts'
import type { SourceOptions } from '../../topology/cli/settings/source-options.ts'
import { openSource } from '../../topology/cli/wiring/open-source.ts'
import { CURVE_RISK } from '../../topology/curve-risk.ts'
import { DEFAULT_LIMITS } from '../../topology/engine/limits.ts'
import { LAUNCH_RISK, TOPOLOGIES } from '../../topology/launch-risk.ts'
import { openLmdbLog } from '../../topology/logs/lmdb/lmdb.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import type { Log, LogRecord } from '../../topology/ports/log.ts'
import type { MintSnapshot } from '../../topology/ports/mint-view.ts'
import { Replay } from '../../topology/runtime/replay.ts'
import { startFolds } from '../../topology/runtime/runtime.ts'
import { LogMintView } from '../../topology/views/mint-view.ts'
import { canonicalFrames } from '../fixtures/canonical-frames.ts'
import { curveContentsOf } from '../fixtures/curve-contents.ts'
import { CONCLUDED, TOPICS } from '../fixtures/topics.ts'
import { appendNext } from '../fixtures/two-chains.ts'
import { cardsOf, readAll, standingConclusions } from '../live.ts'
import type { SharedKafka } from '../services/shared.ts'
import { removeDirectory } from '../tools/remove-directory.ts'
import { type Compared, comparedOf, differencesOf } from './compare.ts'
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

type Body = RawRecord['body']

interface AgainstReplay {
  readonly counts: Readonly<Record<'frames' | 'reverts' | 'gaps' | 'mints' | 'conclusions' | 'retractions', number>>
  readonly differences: Readonly<Record<'replay' | 'canonical branch', readonly string[]>>
}

/** Replays the records of the raw topic, and returns what differs from the log. */
const againstReplay = async (log: Log): Promise<AgainstReplay> => {
  const bodies = (await readAll(log, TOPICS.raw)).map(bodyOf)
  const canonical = canonicalFrames(bodies)
  const [all, alone] = [replayed(bodies, log.partitions(TOPICS.tape)), replayed(canonical, 1)]
  const [conclusions, standing] = await concludedOn(log)
  const { gaps, shown } = await shownOn(log, all.mints)
  const retractions = conclusions.length - standing.length
  return {
    counts: {
      frames: canonical.length,
      reverts: bodies.filter(({ type }) => type === 'revert').length,
      gaps,
      mints: all.mints.length,
      conclusions: standing.length,
      retractions,
    },
    differences: {
      replay: differencesOf({ ...shown, conclusions }, all.results),
      'canonical branch': differencesOf({ ...shown, conclusions: standing }, alone.results),
    },
  }
}

const bodyOf = ({ value }: LogRecord): Body => {
  const read = rawRecordCodec.decode(value ?? new Uint8Array())
  if (!read.ok) throw new Error(read.reason)
  return read.value.body
}

/** Conclusions are sorted, because a replay returns them by position and a log by partition. */
const replayed = (bodies: readonly Body[], partitions: number): { readonly results: Compared; readonly mints: readonly Key[] } => {
  const replay = new Replay(LAUNCH_RISK, partitions, DEFAULT_LIMITS)
  const conclusions = bodies.flatMap((body) => {
    if (body.type === 'frame') return replay.frame(body)?.conclusions ?? []
    return body.type === 'anchor' ? [] : replay.control(body)
  })
  const { tape } = replay
  const gap = tape === undefined || tape.gapFrom === null || tape.gapTo === null ? null : { from: tape.gapFrom, to: tape.gapTo }
  const mints = replay.mints()
  const results = {
    conclusions: conclusions.map((one) => JSON.stringify(one)).sort(),
    cards: cardsOf(mints, tape?.time ?? 0, gap),
    rows: mints.map(rowsText),
  }
  return { results, mints: mints.map(({ mint }) => mint) }
}

/** Rows of a kind are sorted, because pages hold them in the order in which they were written or restored. */
const rowsText = ({ mint, state }: MintSnapshot): string =>
  JSON.stringify({ mint, ...state }, (_name, value) => (Array.isArray(value) ? value.map((row) => JSON.stringify(row)).sort() : value))

/** All conclusions, and those not retracted. */
const concludedOn = async (log: Log): Promise<readonly [string[], string[]]> => {
  const parsed = (records: readonly LogRecord[]): Conclusion[] =>
    records.map(({ value }) => {
      const read = conclusionCodec.decode(value ?? new Uint8Array())
      if (!read.ok) throw new Error(read.reason)
      return read.value
    })
  const all: string[] = []
  const standing: string[] = []
  for (const topic of CONCLUDED)
    for (let partition = 0; partition < log.partitions(topic); partition++) {
      const conclusions = parsed(await readAll(log, topic, partition))
      all.push(...conclusions.map((one) => JSON.stringify(one)))
      standing.push(...standingConclusions(conclusions))
    }
  return [all.sort(), standing.sort()]
}

const shownOn = async (log: Log, mints: readonly Key[]): Promise<{ readonly gaps: number; readonly shown: Compared }> => {
  const view = new LogMintView(log, LAUNCH_RISK, { tip: () => null })
  await view.start()
  await view.stop()
  const { folded, gap, tracked, counters } = view.status()
  const snapshots = mints.map((mint) => view.get(mint)).filter((snapshot) => snapshot !== undefined)
  const rows = tracked === mints.length ? snapshots.map(rowsText) : [`${tracked} mints`]
  return { gaps: counters.gaps, shown: { cards: cardsOf(snapshots, folded?.time ?? 0, gap), rows } }
}
