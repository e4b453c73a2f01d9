// Funding of a launch: the requested records, insiders from the answers, and their fields on the card. And wallets as entities.
import { toBase58 } from '../../../../schemas/keys.ts'
import { tickOf } from '../../../../schemas/position.ts'
import type { Fact, Payment } from '../../../../schemas/types.ts'
import { CREATOR, frame, key, Market, MILLION, MINT, SOL, T0, wallet } from './market.ts'
import { bareNulls, fold, fullAt, type MintThen, stateOf } from './mint-given.ts'

const FUNDER = key(50)
const EXCHANGE = key(51)
const payment = (funder: Payment['funder'], secondsBefore: number): Payment => ({
  ...{ funder, amountLamports: SOL / 2, at: T0 - secondsBefore, number: 900, tx: 1, outer: 0, inner: 0 },
})
const answer = (then: MintThen, from: Fact['fromKey'], body: Fact['body'], processor = 'wallet'): void => {
  const fact: Fact = { ...tickOf('solana', 1_010), from: processor, fromKey: from, to: 'mint', toKey: MINT, n: 0, body }
  then.engine.fact(frame(10).header, fact)
}
const funded = (launched: boolean, ...payments: Payment[]): Fact['body'] => ({
  type: 'funded',
  launched,
  observedSince: T0 - 9_000,
  payments,
})
const bought = (): MintThen => {
  const market = new Market()
  const first = frame(0, [market.launch(), market.buy(CREATOR, 10 * MILLION), market.buy(wallet(1), 20 * MILLION)])
  return fold(first, frame(1, [market.at(1).buy(wallet(2), 30 * MILLION), market.sameTx().buy(wallet(3), 5 * MILLION)]))
}

describe('requests of a launch', () => {
  it('cover the payers of the creator and of each buyer, once, without the dev set', () => {
    const asked = bought().engine.sent.filter(({ to }) => to === 'wallet')
    expect(asked.map(({ toKey, body }) => [toKey, body])).toEqual([
      [CREATOR, { type: 'fundingAsked', at: T0, launched: true }],
      [wallet(1), { type: 'fundingAsked', at: T0, launched: false }],
      [wallet(2), { type: 'fundingAsked', at: T0 + 1, launched: false }],
      [wallet(3), { type: 'fundingAsked', at: T0 + 1, launched: false }],
    ])
  })
})

describe('insiders by rule (b)', () => {
  const answers: readonly (readonly [Fact['fromKey'], Fact['body']])[] = [
    [CREATOR, funded(true, payment(FUNDER, 60), payment(EXCHANGE, 90))],
    [wallet(1), funded(false, payment(key(60), 5), payment(FUNDER, 100))],
    [wallet(2), funded(false, payment(key(61), 30))],
    [wallet(3), funded(false, payment(CREATOR, 30))],
  ]
  it.each([
    ['the creator first', [0, 1, 2, 3]],
    ['the creator last', [3, 2, 1, 0]],
  ])('are wallets paid by the creator or its funder, answered with %s', (_name, order) => {
    const then = bought()
    for (const n of order) answer(then, ...(answers[n] as (typeof answers)[number]))
    const { holders } = fullAt(then, 11)
    expect(holders).toMatchObject({ insider_share: 0.025, n_insider_wallets: 2 })
    expect(holders).toHaveProperty('insiders', [
      { wallet: toBase58(wallet(1)), rules: ['b'], tokens_share: 0.02 },
      { wallet: toBase58(wallet(3)), rules: ['b'], tokens_share: 0.005 },
    ])
    expect(stateOf(then.engine).waiting).toEqual([])
    expect(stateOf(then.engine).holders.find((row) => row.wallet === wallet(2))).toMatchObject({ funder: key(61) })
  })

  it('are incomplete, with the reason, if the service had just started to observe', () => {
    const then = bought()
    answer(then, CREATOR, { type: 'funded', launched: true, observedSince: T0 - 60, payments: [] })
    expect(fullAt(then, 11).holders).toHaveProperty('insider_share_reason', expect.stringContaining(`payments before ${T0 - 60}`))
    expect(fullAt(then, 11)).toHaveProperty('warm_launch_reason', expect.stringContaining(`since ${T0 - 60}`))
  })
})

describe('the warm launch', () => {
  it("is pending, then has the newest payment, then the funder's launches", () => {
    const then = bought()
    expect(fullAt(then, 2)).toMatchObject({ warm_launch: null, warm_launch_reason: expect.stringContaining('pending') })
    answer(then, CREATOR, funded(true, payment(FUNDER, 60), payment(EXCHANGE, 90)))
    const warm = { funder: toBase58(FUNDER), amount_sol: 0.5, funded_at: T0 - 60, seconds_before_launch: 60, position: 'solana:900.1.0.0' }
    const waits = expect.stringContaining('pending')
    expect(fullAt(then, 11)).toMatchObject({
      warm_launch: { ...warm, funder_is_creator: null, funder_prior: null, funder_prior_reason: waits },
    })
    answer(then, FUNDER, { type: 'funderPrior', launches: 4, resolved: 2, rugged: 1 }, 'creator')
    const card = fullAt(then, 20)
    expect(card).toMatchObject({ warm_launch: { ...warm, funder_is_creator: true, funder_prior: { n_launches: 4, rug_rate: 0.5 } } })
    expect(bareNulls(card)).toEqual([])
  })

  it('is null with the reason if no payment was observed', () => {
    const then = bought()
    answer(then, CREATOR, funded(true))
    const reason = 'no payment of 0.1 SOL or more to the creator was seen in the 30 minutes before the launch'
    expect(fullAt(then, 11)).toMatchObject({ warm_launch: null, warm_launch_reason: reason })
  })

  it('is not stored for a mint that is not kept', () => {
    const then = fold(frame(0, []))
    answer(then, CREATOR, funded(true, payment(FUNDER, 60)))
    answer(then, FUNDER, { type: 'funderPrior', launches: 4, resolved: 2, rugged: 1 }, 'creator')
    expect(then.engine.keys()).toEqual([])
  })
})

describe('entities', () => {
  it('join wallets of one funder, of one transaction and those that transfer coins, each join with its evidence', () => {
    const then = bought()
    answer(then, CREATOR, funded(true))
    for (const one of [wallet(1), wallet(2)]) answer(then, one, funded(false, payment(EXCHANGE, 30)))
    const { entities } = fullAt(then, 11).holders as { entities: Record<string, unknown> }
    expect(entities).toMatchObject({ n_entities: 2, n_joined_wallets: 3, top1_share: 0.055, top5_share: 0.065 })
    const [one, two, three] = [1, 2, 3].map((n) => toBase58(wallet(n)))
    expect(entities.largest).toEqual([
      {
        n_wallets: 3,
        tokens_share: 0.055,
        wallets: [two, one, three],
        joins: [
          { by: 'funder', wallets: [one, two], funder: toBase58(EXCHANGE) },
          { by: 'transaction', wallets: [two, three], slot: 1_001, tx_index: expect.any(Number) },
        ],
      },
    ])
  })

  it('are the wallets themselves without joins', () => {
    const market = new Market()
    const then = fold(frame(0, [market.launch(), market.buy(wallet(1), MILLION), market.buy(wallet(2), MILLION)]))
    expect(fullAt(then, 1).holders).toMatchObject({ hhi: 0.5, entities: { n_entities: 2, n_joined_wallets: 0, hhi: 0.5, largest: [] } })
  })
})
