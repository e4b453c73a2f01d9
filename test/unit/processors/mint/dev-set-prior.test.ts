// Whose record a launch shows: that of the dev set's member with the most earlier launches, so that naming another creator
// launders nothing.

import { launcherOf } from '../../../../processors/mint/fold/prior.ts'
import { type Key, toBase58 } from '../../../../schemas/keys.ts'
import type { Fact, PriorFact } from '../../../../schemas/types.ts'
import { launchItem, mintEvidence, mintProcessor } from '../../../shipped.ts'
import { CREATOR, frame, Market, MINT, T0, USER } from './market.ts'
import { bareNulls, fold, type MintThen, stateOf } from './mint-given.ts'

const sentTo = (processor: string, { engine }: MintThen) => engine.sent.filter(({ to }) => to === processor)
const launched = (change: Parameters<Market['launch']>[0] = {}) =>
  fold(frame(0, [new Market().launch({ user: USER, creator: CREATOR, ...change })]))

const priorOf = (launches: number): PriorFact => ({
  type: 'prior',
  launches,
  resolved: 0,
  graduated: 0,
  rugged: 0,
  medianDevSellS: null,
  observedSince: T0 - 900,
})

/** The card after answers of wallets, in the order in which they come. */
const answered = (then: MintThen, ...answers: readonly (readonly [Key, number])[]) => {
  for (const [fromKey, launches] of answers) {
    const fact = {
      number: 1_008,
      tx: 0,
      outer: 0,
      inner: 0,
      from: 'creator',
      fromKey,
      n: 0,
      to: 'mint',
      toKey: MINT,
      body: priorOf(launches),
    }
    then.engine.fact(frame(8).header, fact satisfies Fact)
  }
  const state = stateOf(then.engine)
  const card = mintEvidence(MINT, state, { asOf: T0 + 9, gap: null })
  expect(bareNulls(card)).toEqual([])
  return { state, card }
}

test('given a launch that names another wallet, then both are asked, and both hear what became of it', () => {
  const then = launched()
  const keys = (): Key[] => sentTo('creator', then).map(({ toKey }) => toKey)
  expect(keys()).toEqual([USER, CREATOR])
  expect(sentTo('creator', fold(frame(0, [new Market().launch({ user: USER })]), frame(4_000))).slice(2)).toMatchObject([
    { toKey: USER, body: { type: 'settled' } },
    { toKey: CREATOR, body: { type: 'settled' } },
  ])
})

test('given a launch that names a program address, then who called create is asked alone', () => {
  const then = launched({ creatorIsWallet: false })
  expect(sentTo('creator', then).map(({ toKey }) => toKey)).toEqual([USER])
  expect(answered(then, [USER, 110]).card).toMatchObject({
    creator: toBase58(CREATOR),
    creator_is_wallet: false,
    creator_prior_at_launch: { n_launches: 110, is_first_time: false },
    creator_prior_of: toBase58(USER),
  })
})

test.each([
  [[USER, 110] as const, [CREATOR, 0] as const, USER],
  [[USER, 2] as const, [CREATOR, 7] as const, CREATOR],
  [[USER, 3] as const, [CREATOR, 3] as const, USER],
])('given the answers %j and %j, then the record is that of the most launches, in whichever order they come', (one, other, whose) => {
  for (const answers of [
    [one, other],
    [other, one],
  ]) {
    const { card, state } = answered(launched(), ...answers)
    expect(card).toMatchObject({ creator_prior_of: toBase58(whose), creator_prior_at_launch: { n_launches: Math.max(one[1], other[1]) } })
    expect(launcherOf(state)).toBe(whose)
    expect(launchItem(MINT, state, { asOf: T0 + 9, gap: null })).toMatchObject({ creator_prior_of: toBase58(whose) })
  }
})

test('given the answer of one of two, then nothing is known yet, and links lead to who called create', () => {
  const { card, state } = answered(launched(), [CREATOR, 0])
  expect(card).toMatchObject({
    creator_prior_at_launch: null,
    creator_prior_of: null,
    creator_prior_of_reason: expect.stringMatching(/^pending/),
  })
  expect(launcherOf(state)).toBe(USER)
})

test('given rows of an older version, then the record is that of the creator that was asked', () => {
  const { state } = answered(launched(), [USER, 1], [CREATOR, 0])
  const older = { ...state, prior: { ...priorOf(4), of: null, waits: 0 } }
  expect(mintProcessor.migrate?.({ ...older }, 5)).toMatchObject({ prior: { launches: 4, of: CREATOR } })
})
