// Coins that move without a trade: holders, insiders by rule (a), and transfers that anybody may send.

import { MAYHEM_AGENT } from '../../../../processors/chains/solana/programs.ts'
import { compareAmounts } from '../../../../schemas/amount.ts'
import { TILDE } from '../../../../schemas/position.ts'
import type { Balance } from '../../../../schemas/types.ts'
import { CREATOR, CURVE, frame, key, Market, MILLION, MINT, POOL, SOL, wallet } from './market.ts'
import { finding, fold, fullAt, given, outcome, stateOf } from './mint-given.ts'

const launch = new Market().launch()
const balance = (owner: Balance['owner'], units: number, change: Partial<Balance> = {}): Balance => ({
  type: 'balance',
  ...{ tx: 9, outer: TILDE, inner: 0, signature: launch.signature, mint: MINT, timestamp: null },
  ...{ owner, units, traded: false, isWallet: units > 0, fromWallets: units > 0, sender: units > 0 ? wallet(1) : null },
  ...change,
})
const opened = () => {
  const market = new Market()
  return { market, opening: frame(0, [market.launch(), market.buy(CREATOR, 100 * MILLION)]) }
}

describe('a transfer', () => {
  it('moves holdings, and makes the receiver an insider by rule (a)', () => {
    const { opening } = opened()
    const card = fullAt(
      fold(opening, frame(1, [balance(CREATOR, -20 * MILLION), balance(wallet(2), 20 * MILLION, { sender: CREATOR })])),
      2,
    )
    expect(card.holders).toMatchObject({
      n_holders: 2,
      dev_share: 0.08,
      insider_share: 0.02,
      insiders: [{ rules: ['a'], tokens_share: 0.02 }],
    })
  })

  it.each([
    ['to a program address', { isWallet: false }],
    ['from a program address', { fromWallets: false }],
    ['with a trade in the same transaction', { traded: true }],
  ])('%s makes no insider', (_name, change) => {
    const { opening } = opened()
    const card = fullAt(fold(opening, frame(1, [balance(wallet(2), 20 * MILLION, change)])), 2)
    expect(card.holders).toMatchObject({ n_holders: 2, insider_share: 0 })
  })

  it('makes no insider after the completion or of the dev set, whose coins count as received', () => {
    const { market, opening } = opened()
    const late = fullAt(fold(opening, frame(1, [market.complete(), balance(wallet(2), MILLION)])), 2)
    expect(late.holders).toMatchObject({ insider_share: 0 })
    const dev = stateOf(fold(opening, frame(1, [balance(CREATOR, 100 * MILLION)])).engine)
    expect(dev.curve?.devBoughtUnits).toBe(200 * MILLION)
    const half = frame(2, [market.at(2).sell(CREATOR, 60 * MILLION)])
    given(opening, frame(1, [balance(CREATOR, 100 * MILLION)]))
      .when(half, frame(7_200))
      .thenEmits(finding('creator_sold'), outcome({ rugged: false }))
  })

  it('of coins sold in the same transaction makes no balance negative', () => {
    const { market, opening } = opened()
    const proxy = key(77)
    const sale = market.at(1).sell(proxy, 30 * MILLION)
    const moves = [balance(CREATOR, -30 * MILLION), balance(proxy, 30 * MILLION, { traded: true, isWallet: false })]
    const { holders } = stateOf(fold(opening, frame(1, [sale, ...moves.map((move) => ({ ...move, tx: sale.tx }))])).engine)
    expect(holders.map(({ units }) => units).sort(compareAmounts)).toEqual([0, 70 * MILLION])
  })

  it('to the mayhem agent is a mint: shares refer to the new supply, and after a burn to the rest', () => {
    const market = new Market({ mayhem: true })
    const opening = frame(0, [market.launch(), market.buy(CREATOR, 100 * MILLION)])
    const agent = (units: number) => balance(MAYHEM_AGENT, units, { isWallet: false, fromWallets: false, sender: null })
    const alone = fullAt(fold(opening), 1).holders
    expect(alone).toMatchObject({ n_holders: 1, supply_tokens: 1e9, dev_share: 0.1, supply_tokens_reason: expect.any(String) })
    const minted = fullAt(fold(opening, frame(1, [agent(1_000 * MILLION)])), 2).holders
    expect(minted).toMatchObject({ n_holders: 1, supply_tokens: 2e9, dev_share: 0.05, circulating_tokens: 1e8 })
    expect(minted).not.toHaveProperty('supply_tokens_reason')
    const burnt = fullAt(fold(opening, frame(1, [agent(1_000 * MILLION)]), frame(2, [agent(-600 * MILLION)])), 3).holders
    expect(burnt).toMatchObject({ n_holders: 1, supply_tokens: 1.4e9 })
  })
  it('to the agent of a coin that is not mayhem does not change the supply', () => {
    const { opening } = opened()
    expect(fullAt(fold(opening, frame(1, [balance(MAYHEM_AGENT, 5 * MILLION)])), 2).holders).toMatchObject({
      n_holders: 1,
      supply_tokens: 1e9,
    })
  })

  it('of the curve or a pool changes no holder, and a burn reduces a holder', () => {
    const { market, opening } = opened()
    const end = frame(1, [market.at(1).level(wallet(1), true, 85 * SOL), market.complete(), market.poolCreate(), market.migrate()])
    const { holders } = stateOf(fold(opening, end, frame(2, [balance(CURVE, 5), balance(POOL, -5), balance(CREATOR, -MILLION)])).engine)
    expect(holders.map(({ units }) => units).sort(compareAmounts)).toEqual([MILLION, 99 * MILLION])
  })

  it('opens no mint, and does not prevent eviction', () => {
    expect(fold(frame(0, [balance(wallet(2), 5)])).engine.rows(MINT, 'curve')).toEqual([])
    const { opening } = opened()
    const dust = [6_000, 12_000, 18_000, 21_000].map((after) => frame(after, [balance(wallet(2), 1)]))
    expect(stateOf(fold(opening, ...dust, frame(21_601)).engine)).toMatchObject({ curve: null, stub: { reason: 'silent for 2 h' } })
  })
})
