// Odds under kills: forks retract judgements of a demo and bring them back; the scorer is killed every few commits.
import { Seeded } from '../../processors/seeded.ts'
import { conclusionCodec } from '../../schemas/codecs.ts'
import { tickOf } from '../../schemas/position.ts'
import type { Conclusion } from '../../schemas/types.ts'
import { DEFAULT_LIMITS } from '../../topology/engine/limits.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import { publishModel } from '../../topology/odds/publish.ts'
import type { Log } from '../../topology/ports/log.ts'
import { batchOf, demoSlots } from '../fixtures/demo-tape.ts'
import { givenModelFile } from '../fixtures/odds-given.ts'
import { TOPICS } from '../fixtures/topics.ts'
import { putConclusions, recordsOn, scoreToEnd, scoreWithKills } from '../integration/odds/odds-live.ts'
import { appendTape, foldToEnd, readAll } from '../live.ts'

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
