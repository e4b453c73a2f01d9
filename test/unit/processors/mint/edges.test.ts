// Edge cases of rules: the first second outside of a window, the first sender, a vault, fewer than five holders.
import { solana } from '../../../../processors/chains/solana/chain.ts'
import { checkItem } from '../../../../processors/mint/card/check-item.ts'
import { withAccounts } from '../../../../processors/mint/card/onchain-part.ts'
import { takeMayhemReserves } from '../../../../processors/mint/fold/reserves.ts'
import { newCurve } from '../../../../processors/mint/rows.ts'
import { DEMAND_WINDOW_S } from '../../../../processors/mint/thresholds.ts'
import { TILDE } from '../../../../schemas/position.ts'
import type { Balance, MintState } from '../../../../schemas/types.ts'
import { reads } from '../../../fixtures/account-reads.ts'
import { mintEvidence, watchEvents } from '../../../shipped.ts'
import { curveRow, holderRow, key, launchRow, liveState, NOW_S } from '../../query-api/given-mint.ts'
import { CREATOR, CURVE, frame, Market, MILLION, MINT, POOL, SOL, wallet } from './market.ts'
import { fold, fullAt, stateOf, thinAt } from './mint-given.ts'

const AT_NOW = { asOf: NOW_S, gap: null }

describe('buyers of the last minute', () => {
  const checked = (...lastBuysAt: readonly number[]) => {
    const holders = lastBuysAt.map((lastBuyAt, n) => holderRow(key(50 + n), MILLION, { lastBuyAt }))
    return checkItem({ mint: key(1), launch: launchRow(), curve: curveRow(), state: liveState({ holders }), news: 0 }, AT_NOW, {
      options: { chain: solana },
      events: watchEvents,
      finalityOf: () => 'final',
    })
  }
  it('excludes the first second of the window, and includes its last', () => {
    const first = NOW_S - DEMAND_WINDOW_S
    expect(JSON.stringify(checked(first - 1, first))).toContain('"unique_buyers_60s":0')
    expect(JSON.stringify(checked(first, first + 1, NOW_S))).toContain('"unique_buyers_60s":2')
    expect(JSON.stringify(checked(NOW_S, NOW_S + 1))).toContain('"unique_buyers_60s":1')
  })
})

describe('a curve', () => {
  it('is not migrated before its migration', () => {
    const open = mintEvidence(key(1), liveState(), AT_NOW)
    expect(open).toMatchObject({ curve: { migrated: false, complete: false } })
    const moved = mintEvidence(key(1), liveState({ curve: curveRow({ migratedAt: NOW_S - 1, pool: key(3) }) }), AT_NOW)
    expect(moved).toMatchObject({ curve: { migrated: true, complete: true } })
  })
  it('is of a mayhem coin once the launchpad sets its reserves', () => {
    const curve = newCurve()
    const reserves = { virtualQuoteUnits: 31 * SOL, virtualTokenUnits: 7, realQuoteUnits: SOL, realTokenUnits: 5 }
    takeMayhemReserves(curve, { type: 'mayhem', tx: 1, outer: 0, inner: 0, mint: MINT, ...reserves } as never)
    expect(curve).toMatchObject({ mayhem: true, ...reserves })
  })
  it('states its drop after falling by half, and none near its peak', () => {
    const why = (realQuoteUnits: number): string =>
      JSON.stringify(mintEvidence(key(1), liveState({ curve: curveRow({ realQuoteUnits, peakQuoteUnits: 12 * SOL }) }), AT_NOW))
    expect(why(3 * SOL)).toContain('the curve is 75')
    expect(why(3 * SOL)).toContain('below its peak')
    expect(why(11 * SOL)).not.toContain('below its peak')
  })
})

describe('transferred coins', () => {
  const launched = () => {
    const market = new Market()
    return { market, opening: frame(0, [market.launch(), market.buy(CREATOR, 100 * MILLION)]) }
  }
  const balance = (owner: Balance['owner'], sender: Balance['sender'], inner = 0): Balance => ({
    ...{ type: 'balance', tx: 9, outer: TILDE, inner, signature: new Market().launch().signature, mint: MINT, timestamp: null },
    ...{ owner, units: MILLION, traded: false, isWallet: true, fromWallets: true, sender },
  })
  const holdersOf = (state: MintState) => new Map(state.holders.map((holder) => [holder.wallet, holder]))

  it('do not make the curve a holder', () => {
    const { opening } = launched()
    const holders = holdersOf(stateOf(fold(opening, frame(1, [balance(CURVE, CREATOR), balance(wallet(2), CREATOR, 1)])).engine))
    expect([holders.has(CURVE), holders.has(wallet(2))]).toEqual([false, true])
  })
  it('do not make the pool a holder', () => {
    const { market, opening } = launched()
    const moved = frame(1, [market.complete(), market.migrate(), market.sameTx().poolCreate()])
    const holders = holdersOf(stateOf(fold(opening, moved, frame(2, [balance(POOL, CREATOR), balance(wallet(2), CREATOR, 1)])).engine))
    expect([holders.has(POOL), holders.has(wallet(2))]).toEqual([false, true])
  })
  it("do not make the migration's pool a holder, even if its creation was not observed", () => {
    const { market, opening } = launched()
    const moved = frame(1, [market.complete(), market.migrate()])
    const holders = holdersOf(stateOf(fold(opening, moved, frame(2, [balance(POOL, CREATOR), balance(wallet(2), CREATOR, 1)])).engine))
    expect([holders.has(POOL), holders.has(wallet(2))]).toEqual([false, true])
  })
  it('sent twice count as given by the first sender', () => {
    const { opening } = launched()
    const given = frame(1, [balance(wallet(3), wallet(1)), balance(wallet(3), wallet(2), 1), balance(wallet(3), null, 2)])
    expect(holdersOf(stateOf(fold(opening, given).engine)).get(wallet(3))?.givenBy).toBe(wallet(1))
  })
  it('sold by one of fewer than five holders leave the floor at zero', () => {
    const { market, opening } = launched()
    const { engine } = fold(opening, frame(1, [market.buy(wallet(1), MILLION), market.sell(CREATOR, MILLION)]))
    expect(stateOf(engine).curve?.topFloorUnits).toBe(0)
  })
})

describe('a thin card with accounts', () => {
  const whyWith = (name: string): string => JSON.stringify(withAccounts(thinAt(fold(), 1), reads[name] as never, solana).why)
  it("states what others may do with a holder's coins, if anything", () => {
    expect(whyWith('a coin of somebody else')).toContain('others have powers over holders: ')
    expect(whyWith('a coin on its curve')).not.toContain('others have powers over holders')
    expect(whyWith('a wallet')).not.toContain('others have powers over holders')
  })
})

it('a card counts all buyers, the first of a window included', () => {
  const market = new Market()
  const then = fold(frame(0, [market.launch(), market.buy(wallet(1), MILLION)]), frame(1, [market.at(1).buy(wallet(2), MILLION)]))
  expect(fullAt(then, 1).demand).toMatchObject({ unique_buyers: 2, buys_60s: 2, sells_60s: 0 })
})
