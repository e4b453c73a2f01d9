// Odds as shown, over the log: every process reaches the same state, whenever it began to read; and trials end by themselves.
import { ODDS_HEADS } from '../../../processors/odds/heads.ts'
import { modelCodec } from '../../../schemas/codecs.ts'
import { keyText } from '../../../schemas/keys.ts'
import { tickOf } from '../../../schemas/position.ts'
import type { Conclusion } from '../../../schemas/types.ts'
import { createMemoryLog } from '../../../topology/logs/memory/memory.ts'
import type { Log } from '../../../topology/ports/log.ts'
import type { RunningTask } from '../../../topology/runtime/task-spec.ts'
import { TOPICS } from '../../fixtures/topics.ts'
import { readAll } from '../../live.ts'
import { DAY_S, GivenMarket, givenModel, givenOdds, givenOutcome, HOUR_S, mintOf } from '../../unit/processors/odds/standing-given.ts'
import { foldedTo, oddsOn, putConclusions, putModel, runToEnd } from './odds-live.ts'

const PARTITIONS = 3
const MINT = mintOf(1)
const logged = (): Log => createMemoryLog({ partitions: PARTITIONS })
const partitionOf = ({ body }: Conclusion): number => ('mint' in body ? body.mint.charCodeAt(3) % PARTITIONS : 0)

/** Writes conclusions to the partitions of their mints, as scorer and folds do. */
const put = async (log: Log, conclusions: readonly Conclusion[]): Promise<void> => {
  for (let partition = 0; partition < PARTITIONS; partition++)
    for (const topic of [TOPICS.odds, TOPICS.outcomes]) {
      const isOf = (one: Conclusion): boolean => (one.body.type === 'odds') === (topic === TOPICS.odds) && partitionOf(one) === partition
      await putConclusions(log, topic, conclusions.filter(isOf), partition)
    }
}
const retractionOf = ({ number, hash8, at }: Conclusion): Conclusion => ({
  ...{ id: `${number}:retraction`, ...tickOf('solana', number), hash8, at, body: { type: 'retraction', sequence: 1 } },
})

describe('the newest values', () => {
  test('are those of the model in force; shadows are not among them, and a fork retracts one', async () => {
    const log = logged()
    const [first, second] = [givenOdds(1, 1_010, { ageS: 10 }), givenOdds(1, 1_020, { ageS: 20, ppm: 700_000 })]
    await put(log, [first, second, givenOdds(1, 1_030, { ageS: 30, model: 'b', shadow: true })])
    const { graded, view } = oddsOn(log)
    await graded.start()
    const id = `solana:1020.~@aaaaaaaa:odds:${keyText(MINT)}:rug_within_300s:a`
    expect(view.of(MINT)).toEqual({
      rug_within_300s: { id, head: 'rug_within_300s', probability: 0.7, modelId: 'a', at: 1_020, ageS: 20 },
    })
    await putConclusions(log, TOPICS.odds, [retractionOf(second)], partitionOf(second))
    await graded.caughtUp()
    expect(view.of(MINT)).toMatchObject({ rug_within_300s: { at: 1_010 } })
    expect(view.of(mintOf(2))).toEqual({})
    await graded.stop()
  })
  test('expire some hours after the launch has resolved', async () => {
    const log = logged()
    await put(log, [givenOdds(1, 1_010), givenOutcome(1, 5_000), givenOutcome(2, 5_000 + 2 * HOUR_S)])
    await foldedTo(log, 5_000 + HOUR_S)
    const { graded, view } = oddsOn(log)
    await graded.start()
    expect(Object.keys(view.of(MINT))).toEqual(['rug_within_300s'])
    await put(log, [givenOutcome(3, 5_001 + 2 * HOUR_S)])
    await foldedTo(log, 5_000 + 3 * HOUR_S)
    await graded.caughtUp()
    expect(view.of(MINT)).toEqual({})
    await graded.stop()
  })
})

test('the feed gives records from an offset on, oldest first, and notifies of new ones', async () => {
  const log = logged()
  const [first, second] = [givenOdds(1, 1_010, { ageS: 10 }), givenOdds(1, 1_020, { ageS: 20 })]
  await putConclusions(log, TOPICS.odds, [first, second], 1)
  const { feed } = oddsOn(log)
  expect([feed.partitions, feed.start(1), feed.end(0)]).toEqual([PARTITIONS, 0, 0])
  expect(await feed.read(1, 0, 1)).toEqual([{ partition: 1, offset: 0, conclusion: first }])
  expect(await feed.read(1, 1, 10)).toEqual([{ partition: 1, offset: 1, conclusion: second }])
  expect(await feed.read(1, feed.end(1), 10)).toEqual([])
  let notifications = 0
  const stop = feed.onNew(() => notifications++)
  await putConclusions(log, TOPICS.odds, [retractionOf(second)], 1)
  stop()
  await putConclusions(log, TOPICS.odds, [second], 1)
  expect(notifications).toBe(1)
})

describe('the state of a head', () => {
  const market = new GivenMarket(7, 100)
  beforeAll(() => {
    market.models.set('a', givenModel('a'))
    market.run(14 * HOUR_S, { a: (truth) => truth })
    market.run(12 * HOUR_S, { a: (truth) => truth }, (truth) => truth ** 3)
  })

  test('gives the reason why nothing is shown before the first model, and before the log is read', async () => {
    const { graded, view } = oddsOn(logged())
    expect(view.headState('rug_within_300s')).toMatchObject({
      isKnown: false,
      isShown: false,
      reason: 'the logged odds are still being read',
    })
    await graded.start()
    expect(view.headState('rug_within_300s')).toEqual({
      ...{ head: 'rug_within_300s', isKnown: true, isShown: false, reason: 'no odds model is in force yet', modelId: null, since: null },
    })
    await graded.stop()
  })

  test('is the same for a process that followed the log hour by hour, for one that read it afterwards, and for the pure fold', async () => {
    const log = logged()
    await putModel(log, givenModel('a'))
    const early = oddsOn(log)
    await early.graded.start()
    const shown: boolean[] = []
    for (let hour = 1; hour <= 26; hour++) {
      const within = ({ at }: Conclusion): boolean => at >= (hour - 1) * HOUR_S && at < hour * HOUR_S
      await put(log, market.conclusions.filter(within))
      await foldedTo(log, hour * HOUR_S)
      await early.graded.caughtUp()
      shown.push(early.view.headState('rug_within_300s').isShown)
    }
    const late = oddsOn(log)
    await late.graded.start()
    for (const head of ODDS_HEADS) {
      expect(late.view.headState(head)).toEqual(early.view.headState(head))
      expect(late.view.headState(head)).toMatchObject({ isShown: false, reason: expect.stringMatching(/^withdrawn: over the last 2000/) })
      const withheldS = late.view.withheldS(head, 0, 30 * HOUR_S)
      expect(withheldS).toBeGreaterThan(HOUR_S)
      expect(early.view.withheldS(head, 0, 30 * HOUR_S)).toBe(withheldS)
      expect(market.headStates.withheldS(head, 0, 30 * HOUR_S)).toBe(withheldS)
    }
    expect([shown[9], shown[13], shown[25]]).toEqual([false, true, false])
    await early.graded.stop()
    await late.graded.stop()
  })

  test('grades odds that are logged some time after the outcome', async () => {
    const log = logged()
    const odds = oddsOn(log)
    await odds.graded.start()
    const isLate = ({ at }: Conclusion): boolean => at >= 12 * HOUR_S
    const isOdds = ({ body }: Conclusion): boolean => body.type === 'odds'
    const ended = market.conclusions.filter(({ at }) => at < 14 * HOUR_S)
    await put(
      log,
      ended.filter((one) => !isLate(one) || !isOdds(one)),
    )
    await foldedTo(log, 14 * HOUR_S)
    await odds.graded.caughtUp()
    const rows = () => odds.graded.book.rows.before('a', 'rug_within_300s', 14 * HOUR_S)
    const before = rows().length
    await put(
      log,
      ended.filter((one) => isLate(one) && isOdds(one)),
    )
    await odds.graded.caughtUp()
    expect(rows().length).toBeGreaterThan(before + 50)
    const other = oddsOn(log)
    await other.graded.start()
    expect(rows()).toEqual(other.graded.book.rows.before('a', 'rug_within_300s', 14 * HOUR_S))
    await odds.graded.stop()
    await other.graded.stop()
  })
})

test('a trial ends by itself after a day: records state that the better model is in force and the other retired', async () => {
  const market = new GivenMarket(5, 100)
  market.run(DAY_S, { a: (truth) => truth ** 2, b: (truth) => truth })
  const log = logged()
  await putModel(log, givenModel('a'))
  await putModel(log, givenModel('b', { sequence: 2, state: 'trial', inForceSince: null }))
  await put(log, market.conclusions)
  await foldedTo(log, DAY_S - 1)
  const { parts, graded } = oddsOn(log)
  await runToEnd(parts[1]?.create() as RunningTask)
  const states = async (): Promise<string[]> =>
    (await readAll(log, TOPICS.models)).flatMap(({ value }) => {
      const read = modelCodec.decode(value as Uint8Array)
      return read.ok ? [`${read.value.id} ${read.value.state} ${read.value.inForceSince}`] : []
    })
  expect(await states()).toEqual(['a in_force 0', 'b trial null'])
  await foldedTo(log, DAY_S)
  await runToEnd(parts[1]?.create() as RunningTask)
  expect((await states()).slice(-2)).toEqual([`b in_force ${DAY_S + 60}`, 'a retired 0'])
  await runToEnd(parts[1]?.create() as RunningTask)
  expect((await states()).length).toBeLessThanOrEqual(4)
  await graded.stop()
})
