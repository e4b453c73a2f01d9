// Whose record a launch shows: that of the dev set's member with the most earlier launches, so naming another creator launders nothing.

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

/** The card after answers about wallets, in order of arrival. */
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

test('a launch that names another wallet requests both records, and sends both the outcome', () => {
  const then = launched()
  const keys = (): Key[] => sentTo('creator', then).map(({ toKey }) => toKey)
  expect(keys()).toEqual([USER, CREATOR])
  expect(sentTo('creator', fold(frame(0, [new Market().launch({ user: USER })]), frame(4_000))).slice(2)).toMatchObject([
    { toKey: USER, body: { type: 'settled' } },
    { toKey: CREATOR, body: { type: 'settled' } },
  ])
})

test('a launch that names a program address requests only the record of the wallet that called create', () => {
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
])('the answers %j and %j give the record with the most launches, in any order', (one, other, whose) => {
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

test('with one of two answers the record is unknown, and links lead to the wallet that called create', () => {
  const { card, state } = answered(launched(), [CREATOR, 0])
  expect(card).toMatchObject({
    creator_prior_at_launch: null,
    creator_prior_of: null,
    creator_prior_of_reason: expect.stringMatching(/^pending/),
  })
  expect(launcherOf(state)).toBe(USER)
})

test('rows of an older version show the record of the requested creator', () => {
  const { state } = answered(launched(), [USER, 1], [CREATOR, 0])
  const older = { ...state, prior: { ...priorOf(4), of: null, waits: 0 } }
  expect(mintProcessor.migrate?.({ ...older }, 5)).toMatchObject({ prior: { launches: 4, of: CREATOR } })
})
