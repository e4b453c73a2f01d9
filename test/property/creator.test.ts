// The answer about a creator equals a recount of all launches and outcomes before the position of the request.
import fc from 'fast-check'
import { HORIZON_DAYS, RECENT_MAX } from '../../processors/creator/horizon.ts'
import { loadType } from '../../schemas/avro.ts'
import type { OutcomeFact } from '../../schemas/types.ts'
import { type Answer, Creator, DAY_S, launched, mintOf, settled } from '../unit/processors/creator/creator-given.ts'
import { T0 } from '../unit/processors/mint/market.ts'

interface Step {
  /** Seconds after the previous fact; 0: in the same frame. */
  readonly afterS: number
  /** Selects the open launch that the fact settles; null, or without an open launch: the fact is a launch. */
  readonly settles: number | null
  /** Seconds by which the event's own time lags its tick. */
  readonly behindS: number
  readonly labels: Pick<OutcomeFact, 'graduated' | 'rugged' | 'devFirstSellDtS'>
}
const label = fc.oneof({ weight: 4, arbitrary: fc.boolean() }, { weight: 1, arbitrary: fc.constant(null) })
const step: fc.Arbitrary<Step> = fc.record({
  afterS: fc.oneof(
    { weight: 5, arbitrary: fc.constant(0) },
    { weight: 5, arbitrary: fc.integer({ min: 1, max: 4_000 }) },
    { weight: 2, arbitrary: fc.integer({ min: DAY_S / 2, max: 20 * DAY_S }) },
    { weight: 1, arbitrary: fc.integer({ min: 85 * DAY_S, max: 95 * DAY_S }) },
  ),
  settles: fc.option(fc.nat({ max: 50 }), { nil: null }),
  behindS: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 120 })),
  labels: fc.record({ graduated: label, rugged: label, devFirstSellDtS: fc.option(fc.nat({ max: 5_000 }), { nil: null }) }),
})

interface Placed {
  readonly frame: number
  readonly tx: number
  readonly mint: number
  readonly time: number
  readonly body: ReturnType<typeof launched> | OutcomeFact
}

/** Facts with positions: every mint settles once, after its launch. */
const placedOf = (steps: readonly Step[]): Placed[] => {
  const open: { mint: number; at: number }[] = []
  const placed: Placed[] = []
  let [time, frame, tx, mint] = [T0, 1, 0, 0]
  for (const { afterS, settles, behindS, labels } of steps) {
    if (afterS > 0) [time, frame, tx] = [time + afterS, frame + 1, 0]
    const settling = settles === null || open.length === 0 ? undefined : open.splice(settles % open.length, 1)[0]
    if (settling === undefined) {
      open.push({ mint, at: time - behindS })
      placed.push({ frame, tx, mint, time, body: launched(time - behindS) })
      mint += 1
    } else placed.push({ frame, tx, mint: settling.mint, time, body: settled(settling.at, time, labels) })
    tx += 1
  }
  return placed
}

const applyFacts = (creator: Creator, placed: readonly Placed[]): Creator => {
  for (const frame of new Set(placed.map((fact) => fact.frame))) {
    const facts = placed.filter((fact) => fact.frame === frame)
    creator.receive(facts[0]?.time ?? 0, ...facts.map(({ mint, body }) => [mint, body] as const))
  }
  return creator
}

const isBefore = (a: Placed, b: Placed): boolean => a.frame < b.frame || (a.frame === b.frame && a.tx < b.tx)
const dayOf = (second: number): number => Math.floor(second / DAY_S)
const medianOf = (values: readonly number[]): number | null => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1)
  return values.length === 0 ? null : middle.reduce((sum, value) => sum + value, 0) / middle.length
}

/** The answer to a launch, recounted from the list of all events. */
const expectedOf = (all: readonly Placed[], asked: Placed, since: number): Answer => {
  const { body } = asked
  if (body.type !== 'launched') throw new Error('only launches request an answer')
  const first = dayOf(body.at) - HORIZON_DAYS
  const before = all.filter((other) => isBefore(other, asked))
  const isCounted = ({ graduated, rugged, launchedAt }: OutcomeFact): boolean =>
    graduated !== null && rugged !== null && dayOf(launchedAt) >= first
  const resolved = before.flatMap(({ body: other }) => (other.type === 'settled' && isCounted(other) ? [other] : []))
  return {
    mint: mintOf(asked.mint),
    type: 'prior',
    launches: before.filter((other) => other.body.type === 'launched' && dayOf(other.body.at) >= first).length,
    resolved: resolved.length,
    graduated: resolved.filter(({ graduated }) => graduated).length,
    rugged: resolved.filter(({ rugged }) => rugged).length,
    medianDevSellS: medianOf(resolved.flatMap(({ devFirstSellDtS }) => (devFirstSellDtS === null ? [] : [devFirstSellDtS]))),
    observedSince: Math.max(since, first * DAY_S),
  }
}

const steps = fc.array(step, { maxLength: 60, size: 'max' })
const SINCE = T0 - 100

test('the answer equals a count over all events with positions before the launch', () => {
  fc.assert(
    fc.property(steps, (given) => {
      const placed = placedOf(given)
      const asked = placed.filter(({ body }) => body.type === 'launched')
      expect(applyFacts(new Creator(SINCE), placed).answers).toEqual(asked.map((launch) => expectedOf(placed, launch, SINCE)))
    }),
    { numRuns: 200 },
  )
})

test('no later event changes an answer: a tape cut at any point gives the same answers', () => {
  fc.assert(
    fc.property(steps, fc.nat({ max: 60 }), (given, cut) => {
      const placed = placedOf(given)
      const whole = applyFacts(new Creator(SINCE), placed).answers
      const part = applyFacts(new Creator(SINCE), placed.slice(0, cut)).answers
      expect(part).toEqual(whole.slice(0, part.length))
      expect(part).toHaveLength(placed.slice(0, cut).filter(({ body }) => body.type === 'launched').length)
    }),
  )
})

test('rows match their schema and are bounded', () => {
  const type = loadType('creator-state')
  fc.assert(
    fc.property(steps, (given) => {
      const { state } = applyFacts(new Creator(SINCE), placedOf(given))
      expect(type.isValid(state)).toBe(true)
      expect(state.launches.length).toBeLessThanOrEqual(RECENT_MAX)
      expect(state.days.length).toBeLessThanOrEqual(HORIZON_DAYS + 3)
    }),
  )
})
