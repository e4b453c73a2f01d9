// Mints and their dev sets through the engine's repartition: each mint ends up with the longest record of its dev set as of its launch.
import fc from 'fast-check'
import type { Key } from '../../schemas/keys.ts'
import { comparePositions, type Position } from '../../schemas/position.ts'
import type { Conclusion, Launch, PriorRow, TapeBatch } from '../../schemas/types.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { Replay } from '../../topology/runtime/replay.ts'
import { creatorSteps, creatorTape, withQuiet } from '../fixtures/creator-tape.ts'
import { CREATOR, frame, Market, MINT } from '../unit/processors/mint/market.ts'

/** Rows are read in every 4th frame, in the last frame and in one chosen frame: a mint may be evicted between two reads. */
const LOOK_FRAMES = 4

interface Ran {
  readonly conclusions: readonly Conclusion[]
  /** First prior of each mint. */
  readonly priors: ReadonlyMap<Key, PriorRow>
  readonly changed: readonly Key[]
  readonly pending: readonly Key[]
}

const run = (tape: readonly TapeBatch[], partitions = 1, lookAt = -1): Ran => {
  const replay = new Replay(LAUNCH_RISK, partitions)
  const conclusions: Conclusion[] = []
  const priors = new Map<Key, PriorRow>()
  const changed: Key[] = []
  for (const [n, batch] of tape.entries()) {
    conclusions.push(...replay.batch(batch).conclusions)
    if (n % LOOK_FRAMES !== 0 && n !== tape.length - 1 && n !== lookAt) continue
    for (const { mint, state } of replay.mints()) {
      if (state.prior === null) continue
      const prior = { ...state.prior }
      const known = priors.get(mint)
      if (known === undefined) priors.set(mint, prior)
      else if (JSON.stringify(known) !== JSON.stringify(prior)) changed.push(mint)
    }
  }
  return {
    conclusions,
    priors,
    changed,
    pending: replay.mints().flatMap(({ mint, state: { launch, prior } }) => (launch !== null && prior === null ? [mint] : [])),
  }
}

type Launched = Position & Launch
const launchesOf = (tape: readonly TapeBatch[]): Launched[] =>
  tape.flatMap(({ number, events }) =>
    events.flatMap((event) => (event.type === 'launch' ? [{ chain: 'solana' as const, ...event, number }] : [])),
  )

const medianOf = (values: readonly number[]): number | null => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1)
  return values.length === 0 ? null : middle.reduce((sum, value) => sum + value, 0) / middle.length
}

/** The record of the wallet `of` as of the launch `asked`, counted over the tape, which is shorter than the horizon of records. */
const recordOf = (
  of: Key,
  asked: Launched,
  launches: readonly Launched[],
  conclusions: readonly Conclusion[],
  observedSince: number,
): PriorRow => {
  const own = launches.filter((launch) => devsOf(launch).includes(of))
  const isBefore = (other: Position): boolean => comparePositions(other, asked) < 0
  const outcomes = conclusions.flatMap(({ body, ...at }) =>
    body.type === 'outcome' && own.some(({ mint }) => mint === body.mint) && body.graduated !== null && body.rugged !== null && isBefore(at)
      ? [body]
      : [],
  )
  return {
    launches: own.filter(isBefore).length,
    resolved: outcomes.length,
    graduated: outcomes.filter(({ graduated }) => graduated).length,
    rugged: outcomes.filter(({ rugged }) => rugged).length,
    medianDevSellS: medianOf(outcomes.flatMap(({ devFirstSellDtS }) => (devFirstSellDtS === null ? [] : [devFirstSellDtS]))),
    observedSince,
    of,
    waits: 0,
  }
}

const devsOf = ({ user, creator, creatorIsWallet }: Launch): Key[] => (creatorIsWallet ? [user, creator] : [user])

/** The record with the most launches; on a tie, that of the wallet that called create. */
const expectedOf = (asked: Launched, ...rest: readonly [readonly Launched[], readonly Conclusion[], number]): PriorRow =>
  devsOf(asked)
    .map((wallet) => recordOf(wallet, asked, ...rest))
    .reduce((longest, record) => (record.launches > longest.launches ? record : longest))

const tapes = creatorSteps.map((steps) => withQuiet(creatorTape(steps)))

test('the prior of every mint is a count over all launches and outcomes with positions before its launch', () => {
  fc.assert(
    fc.property(tapes, (tape) => {
      const { conclusions, priors, pending } = run(tape)
      const launches = launchesOf(tape)
      const since = tape[0]?.time ?? 0
      for (const asked of launches) {
        const prior = priors.get(asked.mint)
        if (prior !== undefined) expect(prior).toEqual(expectedOf(asked, launches, conclusions, since))
      }
      expect(pending).toEqual([])
    }),
    { numRuns: 25 },
  )
})

test('no later event changes a prior, neither within a tape nor when the tape is cut at any point', () => {
  fc.assert(
    fc.property(tapes, fc.nat({ max: 60 }), (tape, cut) => {
      const whole = run(tape, 1, cut - 1)
      const part = run(tape.slice(0, cut))
      expect(whole.changed).toEqual([])
      for (const [mint, prior] of part.priors) expect(whole.priors.get(mint)).toEqual(prior)
    }),
    { numRuns: 15 },
  )
})

test('the number of partitions changes neither a prior nor an outcome', () => {
  fc.assert(
    fc.property(tapes, fc.integer({ min: 2, max: 4 }), (tape, partitions) => {
      expect(run(tape, partitions)).toEqual(run(tape))
    }),
    { numRuns: 10 },
  )
})

test('the prior of a launch at the start of an epoch is set 11 slots later and not before', () => {
  const replay = new Replay(LAUNCH_RISK)
  const market = new Market()
  for (let after = 0; after <= 11; after += 1) {
    expect(replay.mints().every(({ state }) => state.prior === null)).toBe(true)
    const { header, events } = frame(after, after === 0 ? [market.launch()] : [])
    replay.batch({ type: 'batch', ...header, events: [...events] })
  }
  expect(replay.mints()).toMatchObject([{ mint: MINT, state: { launch: { creator: CREATOR }, prior: { launches: 0 } } }])
})
