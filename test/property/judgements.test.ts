// Every judgement of a demo market equals a recount from the coin's events, without the rows of the fold.
import { solana } from '../../processors/chains/solana/chain.ts'
import { JUDGED_AGES_S } from '../../processors/odds/heads.ts'
import type { Key } from '../../schemas/keys.ts'
import type { Conclusion } from '../../schemas/types.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { Replay } from '../../topology/runtime/replay.ts'
import { batchOf, demoSlots } from '../fixtures/demo-tape.ts'
import { paymentOf, recountOf, type Seen, seenIn } from '../fixtures/judgement-recount.ts'

const STRETCH = { seed: 31, rate: 5, seconds: 960 }

type Judged = Conclusion & { readonly body: Extract<Conclusion['body'], { type: 'judgement' }> }
const isJudged = (conclusion: Conclusion): conclusion is Judged => conclusion.body.type === 'judgement'

describe('a demo market', () => {
  const tape = [...demoSlots(STRETCH)].map(batchOf)
  const run = (partitions: number): readonly Conclusion[] => {
    const replay = new Replay(LAUNCH_RISK, partitions)
    return tape.flatMap((batch) => [...replay.batch(batch).conclusions])
  }
  const conclusions = run(2)
  const judged = conclusions.filter(isJudged)
  const coins: ReadonlyMap<Key, Seen> = seenIn(tape, conclusions)

  test('is judged at every age of every coin whose curve is open then, and at no other', () => {
    const expected = [...coins].flatMap(([mint, { launch, closedIn }]) =>
      JUDGED_AGES_S.flatMap((ageS, n) => {
        const tick = tape.find(({ time }) => time >= launch.at + ageS)
        const isPassed = tick !== undefined && tick.time >= launch.at + (JUDGED_AGES_S[n + 1] ?? Number.POSITIVE_INFINITY)
        const isJudged = tick !== undefined && !isPassed && closedIn > tick.number && launch.quoteMint === null
        return isJudged ? [`${mint} ${ageS} ${tick.number}`] : []
      }),
    )
    expect(judged.map(({ number, body }) => `${body.mint} ${body.ageS} ${number}`).sort()).toEqual(expected.sort())
    expect(expected.length).toBeGreaterThan(500)
  })
  test('has inputs that follow from its events', () => {
    for (const { number, at, body } of judged) {
      const coin = coins.get(body.mint) as Seen
      expect(body).toMatchObject(recountOf(coin, number, at, solana.agent))
      if (body.warmQuoteUnits !== null) expect(body).toMatchObject(paymentOf(coin))
      else expect(body.ageS).toBeLessThan(20)
    }
    const of = (isSo: (body: Judged['body']) => boolean): number => judged.filter(({ body }) => isSo(body)).length
    expect(of(({ mayhem }) => mayhem)).toBeGreaterThan(10)
    expect(of(({ flagBits }) => flagBits !== 0)).toBeGreaterThan(50)
    expect(of(({ insiderUnits }) => insiderUnits > 0)).toBeGreaterThan(10)
    expect(of(({ bundleSoldUnits }) => bundleSoldUnits > 0)).toBeGreaterThan(10)
    expect(of(({ priorLaunches }) => (priorLaunches ?? 0) > 0)).toBeGreaterThan(10)
    expect(of(({ warmQuoteUnits }) => (warmQuoteUnits ?? 0) > 0)).toBeGreaterThan(10)
  })
  test('has the same judgements for any number of partitions', () => {
    const texts = (all: readonly Conclusion[]): readonly string[] => all.map((one) => JSON.stringify(one)).sort()
    expect(texts(run(1).filter(isJudged))).toEqual(texts(judged))
  })
})
