// The settled record of a launch is frozen at the settlement, whatever is traded afterwards.
import type { OutcomeRecord } from '../../../../processors/mint/card/history.ts'
import { mintProcessor } from '../../../shipped.ts'
import { CREATOR, frame, Market, MILLION, SOL, T0, wallet } from './market.ts'
import { fold, fullAt, stateOf, thinAt } from './mint-given.ts'

const HOUR = 3_600

test('pool trades and a sell of the creator after the migration do not change the record', () => {
  const market = new Market()
  const settled = [
    frame(0, [market.launch(), market.buy(CREATOR, MILLION)]),
    frame(1, [market.at(1).level(wallet(1), true, 85 * SOL)]),
    frame(2, [market.at(2).complete(), market.migrate()]),
  ]
  const { outcome } = fullAt(fold(...settled), 3)
  const later = [2, 3, 4].map((n) => market.at(10 + n).poolTrade(wallet(n), true, MILLION))
  const then = fold(...settled, frame(20, [...later, market.at(20).poolTrade(CREATOR, false, MILLION)]))
  const card = fullAt(then, 21)
  expect(card).toMatchObject({ demand: { unique_buyers: 5 }, exit_signals: { creator_sold: true } })
  expect(card.outcome).toEqual(outcome)
  expect(outcome).toMatchObject({ n_trades: 2, n_buyers: 2, dev_first_sell_dt_s: null, settled_by: 'migrated', graduated: true })
})

test('a coin that trades again after settling by silence keeps its peak, trades and buyers, also in its stub', () => {
  const market = new Market()
  const frames = [
    frame(0, [market.launch(), market.level(wallet(1), true, 2 * SOL)]),
    frame(HOUR + 1),
    frame(HOUR + 5, [market.at(HOUR + 5).level(wallet(2), true, 9 * SOL)]),
  ]
  const woken = fullAt(fold(...frames), HOUR + 6)
  expect(woken.curve.peak_rs_sol).toBe(9)
  const record = { n_trades: 1, n_buyers: 1, peak_rs: 2, reached_5_sol: false, reopened_at: T0 + HOUR + 5 }
  expect(woken.outcome).toMatchObject(record)
  const forgotten = thinAt(fold(...frames, frame(9 * HOUR)), 9 * HOUR)
  expect(forgotten).toMatchObject({ status: 'historical', name: 'Coin', symbol: 'COIN', created_at: T0, age_s: 9 * HOUR })
  expect(forgotten.history).toEqual(woken.outcome as OutcomeRecord)
})

test("rows of an older version give the curve's figures, which stay frozen", () => {
  const market = new Market()
  const state = stateOf(fold(frame(0, [market.launch(), market.buy(wallet(1), MILLION)]), frame(HOUR + 1)).engine)
  const none = { peakQuoteUnits: 0, devBuyQuoteUnits: 0, trades: 0, buyers: 0 }
  const older = { ...state, outcome: state.outcome && { ...state.outcome, ...none } }
  expect(mintProcessor.migrate?.({ ...older }, 5)).toMatchObject({ outcome: state.outcome })
})
