// The floor that avoids walks over the holders never changes which holders are the five largest.
import fc from 'fast-check'
import type { HolderRow } from '../../schemas/types.ts'
import { NaiveEngine } from '../naive-context.ts'
import { mintProcessor } from '../shipped.ts'
import { frame, Market, T0, wallet } from '../unit/processors/mint/market.ts'
import { type MintEngine, stateOf } from '../unit/processors/mint/mint-given.ts'

const rankOf = (holders: readonly HolderRow[], seller: HolderRow): number =>
  holders.filter(({ units, wallet: other }) => units > seller.units || (units === seller.units && other < seller.wallet)).length

it('notes a sell exactly when fewer than five wallets held more, ties by key', () => {
  const step = fc.record({ who: fc.nat(8), kind: fc.constantFrom('buy', 'buy', 'sell', 'deposit'), units: fc.integer({ min: 1, max: 6 }) })
  fc.assert(
    fc.property(fc.array(step, { minLength: 20, maxLength: 120, size: 'max' }), (steps) => {
      const engine: MintEngine = new NaiveEngine(mintProcessor)
      const market = new Market()
      const opening = frame(0, [market.launch()])
      engine.frame(opening.header, opening.events)
      let expected = 0
      for (const [n, { who, kind, units }] of steps.entries()) {
        const { holders } = stateOf(engine)
        const seller = holders.find((holder) => holder.wallet === wallet(who))
        if (kind === 'sell' && seller !== undefined && seller.units > 0 && rankOf(holders, seller) < 5) expected = T0 + n + 1
        market.at(n + 1)
        const event = kind === 'deposit' ? market.deposit(wallet(who), units * 1_000) : market[kind](wallet(who), units * 1_000)
        const next = frame(n + 1, [event])
        engine.frame(next.header, next.events)
        expect(stateOf(engine).curve?.lastTop5SellAt).toBe(expected)
      }
    }),
  )
})
