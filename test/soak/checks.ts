// Checks of the demo in one process: reserves that continue, trades removed, detectors that cheat, odds under kills, frames with forks.

import { Seeded } from '../../processors/seeded.ts'
import { conclusionCodec } from '../../schemas/codecs.ts'
import { tickOf } from '../../schemas/position.ts'
import type { Conclusion } from '../../schemas/types.ts'
import { DEFAULT_LIMITS } from '../../topology/engine/limits.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import { publishModel } from '../../topology/odds/publish.ts'
import type { Log } from '../../topology/ports/log.ts'
import { CoinBook } from '../../topology/simulator/solana/bytes/coins.ts'
import { frameOf } from '../../topology/simulator/solana/bytes.ts'
import { DEMO_DEFAULTS } from '../../topology/simulator/solana/defaults.ts'
import { ForkFrames } from '../../topology/simulator/solana/forks/fork-frames.ts'
import { forkSteps } from '../../topology/simulator/solana/forks/forks.ts'
import { Market } from '../../topology/simulator/solana/market.ts'
import type { DemoSlot } from '../../topology/simulator/solana/market-types.ts'
import { demoContinuity, unfollowed } from '../fixtures/continuity.ts'
import { compareBytes } from '../fixtures/demo-bytes-compare.ts'
import { batchOf, demoSlots } from '../fixtures/demo-tape.ts'
import { type LossReport, lossesOfOne, lossesOfTwo, misreported } from '../fixtures/lost-trades.ts'
import { givenModelFile } from '../fixtures/odds-given.ts'
import { isEffective, type Judged, killed } from '../fixtures/planted-detectors/killed.ts'
import { TOPICS } from '../fixtures/topics.ts'
import { putConclusions, recordsOn, scoreToEnd, scoreWithKills } from '../integration/odds/odds-live.ts'
import { appendTape, foldToEnd, readAll } from '../live.ts'

/** Blocks come over HTTP from two nodes here, which is slow: a tenth of the time is enough. */
const TWO_SOURCES_SHARE = 0.1

const figuresOf = (report: LossReport, isSecondNamed: boolean) => {
  const { touched, reported } = report
  const counts = { lost: touched.lost, touched: touched.mints.size, withLater: touched.withLater.size, reported: reported.size }
  return { ...counts, ...misreported(report, isSecondNamed) }
}

/** `missed` (mints that should be reported) and `extra` (mints wrongly reported) must be empty for one and for two sources. */
export const runLostTrades = async (minutes: number, seed: number) => {
  const seconds = minutes * 60
  return {
    seed,
    oneSource: figuresOf(await lossesOfOne({ seed, rate: 1, seconds }), false),
    twoSources: figuresOf(await lossesOfTwo({ seed, rate: 1, seconds: seconds * TWO_SOURCES_SHARE }), true),
  }
}

/** `findings` and `unfollowed` must be empty. */
export const runContinuity = (minutes: number, seed: number) => {
  const report = demoContinuity({ seed, rate: 4, seconds: minutes * 60 })
  const { full, kinds, findings, findingsElsewhere } = report
  return { seed, full, kinds, unfollowed: unfollowed(report), findings: [...findings, ...findingsElsewhere] }
}

export interface GuardsReport {
  readonly seeds: number
  /** Planted cheats that affect the calls of their market. */
  readonly cheats: number
  /** Planted cheats that do not; they are ignored. */
  readonly withoutEffect: number
  readonly honest: number
  /** Cheats with an effect that passed, with their source; must be empty. */
  readonly missed: readonly string[]
  /** Honest detectors that did not pass, with their source; must be empty. */
  readonly accused: readonly string[]
}

const shown = (seed: number, { kind, reason, source }: Judged): string => `seed ${seed}, ${kind}: ${reason}\n${source}`

/** Runs this many seeds from `seed` on, each with its own market and detectors; each takes some seconds. */
export const runDetectorGuards = async (seeds: number, seed: number, print: (line: string) => void): Promise<GuardsReport> => {
  const counts = { cheats: 0, withoutEffect: 0, honest: 0 }
  const [missed, accused]: [string[], string[]] = [[], []]
  for (let one = seed; one < seed + seeds; one++) {
    const judged = await killed({ seed: one, market: { seed: one, rate: 20, seconds: 80 + (one % 5) * 20 }, cheats: 20, honest: 200 })
    for (const each of judged) {
      if (each.kind === 'honest') counts.honest++
      else if (isEffective(each)) counts.cheats++
      else counts.withoutEffect++
      if (each.kind === 'honest' && each.is !== 'passed') accused.push(shown(one, each))
      if (each.kind !== 'honest' && each.is === 'passed' && isEffective(each)) missed.push(shown(one, each))
    }
    print(`seed ${one}: ${counts.cheats} cheats, ${missed.length} missed; ${counts.honest} honest, ${accused.length} accused`)
  }
  return { seeds, ...counts, missed, accused }
}

const PARTITIONS = 4
const FORK_SHARE = 0.05

interface CutsReport {
  readonly asked: number
  readonly seed: number
  readonly kills: number
  readonly records: number
  readonly retractions: number
  /** Records that differ, position by position, from those of a scorer that was never killed. */
  readonly differences: number
}

const logOf = async (judged: readonly (readonly Conclusion[])[]): Promise<Log> => {
  const log = createMemoryLog({ partitions: PARTITIONS })
  await publishModel(log, LAUNCH_RISK, givenModelFile())
  await publishModel(log, LAUNCH_RISK, givenModelFile(0))
  for (const [partition, conclusions] of judged.entries()) await putConclusions(log, TOPICS.judgements, conclusions, partition)
  return log
}

/** Retracts some records at once; half of these return with their branch. */
function* forked(records: Iterable<Conclusion>, dice: Seeded): Generator<Conclusion> {
  for (const one of records) {
    yield one
    if (dice.next() > FORK_SHARE) continue
    const { number, hash8, at } = one
    yield { id: `${one.id}:taken`, ...tickOf('solana', number), hash8, at, body: { type: 'retraction', sequence: 1 } }
    if (dice.next() < 0.5) yield one
  }
}

export const runOddsCuts = async (count: number, seed: number): Promise<CutsReport> => {
  const source = createMemoryLog({ partitions: PARTITIONS })
  const seconds = Math.max(240, Math.ceil(count * 1.8))
  await appendTape(source, [...demoSlots({ seed, rate: 10, seconds })].map(batchOf))
  await foldToEnd(source, DEFAULT_LIMITS)
  const dice = new Seeded(seed)
  const judged = await Promise.all(
    Array.from({ length: PARTITIONS }, async (_, partition) => {
      const records = (await readAll(source, TOPICS.judgements, partition)).map(({ value }) => conclusionCodec.decode(value as Uint8Array))
      return [
        ...forked(
          records.flatMap((read) => (read.ok ? [read.value] : [])),
          dice,
        ),
      ]
    }),
  )
  const [whole, cut] = [await logOf(judged), await logOf(judged)]
  await scoreToEnd(whole)
  const kills = await scoreWithKills(cut, count, seed)
  const [expected, records] = [await recordsOn(whole, TOPICS.odds), await recordsOn(cut, TOPICS.odds)]
  const retractions = judged.flat().filter(({ body }) => body.type === 'retraction').length
  const differing = expected.filter((text, n) => records[n] !== text).length
  return {
    asked: count,
    seed,
    kills,
    records: records.length,
    retractions,
    differences: differing + Math.abs(expected.length - records.length),
  }
}

export const areCutsWell = ({ asked, kills, differences }: CutsReport): boolean => kills === asked && differences === 0

/** The demo's frames, decoded, compared with its tape. */
export const runDemoBytes = (seconds: number, rate: number, seed: number) => compareBytes({ ...DEMO_DEFAULTS, rate, seed }, seconds)

/** A forking demo's canonical frames, compared with those of the market without forks. */
export const runDemoForks = (seconds: number, perHour: number, seed: number) => {
  const options = { ...DEMO_DEFAULTS, seed }
  const slots = function* (): Generator<DemoSlot> {
    for (const slot of new Market(options)) {
      if (slot.timeMs >= options.startMs + seconds * 1_000) return
      yield slot
    }
  }
  const frames = new ForkFrames(new CoinBook())
  const plain = new CoinBook()
  const counts = { living: 0, dead: 0, reverts: 0, finality: 0, different: 0 }
  for (const step of forkSteps(slots(), { seed, perHour, fromMs: options.startMs })) {
    const body = frames.bodyOf(step)
    if (step.type === 'revert') counts.reverts++
    else if (step.type === 'finality') counts.finality++
    else if (step.branch !== 0) counts.dead++
    else {
      counts.living++
      if (body.type !== 'frame' || !Buffer.from(body.body).equals(frameOf(step.slot, plain).body)) counts.different++
    }
  }
  return counts
}
