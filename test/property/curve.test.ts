// Properties of the curve fold and its cards for every tape.
import fc from 'fast-check'
import { curveEvidence, curveItem } from '../../processors/curve/card/card.ts'
import { flowOf } from '../../processors/curve/card/flow-part.ts'
import { tenthsSince } from '../../processors/curve/card/moment.ts'
import { loadType } from '../../schemas/avro.ts'
import type { CurveState } from '../../schemas/types.ts'
import { NaiveEngine } from '../naive-context.ts'
import { CONTEXT, type CurveEngine, curveProcessor, momentAt, stateOf } from '../unit/processors/curve/curve-given.ts'
import { BLOCK0, type Frame, TOKEN } from '../unit/processors/curve/launchpad.ts'
import { bareNulls } from '../unit/processors/mint/mint-given.ts'
import { anyTape, lifeOf, ops } from './curve-arbitraries.ts'
import { modelOf } from './curve-model.ts'

const foldAll = (frames: readonly Frame[]): CurveEngine => {
  const engine: CurveEngine = new NaiveEngine(curveProcessor)
  for (const { header, events } of frames) engine.frame(header, events)
  return engine
}
const curveState = loadType('curve-state')
const conclusion = loadType('alt-conclusions')
const afterOf = (frames: readonly Frame[]): number => (frames.at(-1)?.header.number ?? BLOCK0) - BLOCK0
const evidenceOf = (state: CurveState, after: number) => curveEvidence({ address: TOKEN, token: TOKEN, state }, momentAt(after), CONTEXT)
/** Pauses of at most 3,000 s: longer ones that end a curve are tested separately. */
const kept = ops.map((steps) => steps.map((step) => ({ ...step, pause: Math.min(step.pause, 3_000) })))

describe('the curve fold', () => {
  it('equals a naive model that recounts all events, after every frame', () => {
    let completed = 0
    fc.assert(
      fc.property(kept, (steps) => {
        const { frames, pad } = lifeOf(steps)
        const engine: CurveEngine = new NaiveEngine(curveProcessor)
        for (const [n, { header, events }] of frames.entries()) {
          engine.frame(header, events)
          expect(foldedOf(stateOf(engine))).toEqual(expectedOf(frames.slice(0, n + 1)))
        }
        const { figures } = stateOf(engine)
        expect([BigInt(figures?.realQuoteUnits ?? -1), BigInt(figures?.tokenUnits ?? -1)]).toEqual([pad.real, pad.tokens])
        if (figures?.completeNumber !== -1) completed += 1
      }),
    )
    expect(completed).toBeGreaterThan(3)
  })

  it('computes the flow of the last seconds from all trades, at every block for eight seconds', () => {
    fc.assert(
      fc.property(kept, fc.integer({ min: 0, max: 80 }), (steps, later) => {
        const { frames } = lifeOf(steps)
        const state = stateOf(foldAll(frames))
        const moment = momentAt(afterOf(frames) + later)
        for (const windowS of [2, 6]) {
          const recent = modelOf(frames).trades.filter(({ number, time }) => tenthsSince({ number, at: time }, moment) < windowS * 10)
          const { buys, sells } = flowOf(state, moment, windowS)
          expect([buys, sells]).toEqual([true, false].map((isBuy) => recent.filter(({ event }) => event.isBuy === isBuy).length))
        }
      }),
    )
  })

  it('is total: rows and outputs of any tape can be stored and are read back unchanged', () => {
    fc.assert(
      fc.property(anyTape, (frames) => {
        const engine = foldAll(frames)
        const rows = stateOf(engine)
        for (const { output } of engine.outputs)
          expect(conclusion.fromBuffer(conclusion.toBuffer(output.conclusion))).toEqual(output.conclusion)
        expect(curveState.fromBuffer(curveState.toBuffer(rows))).toEqual(rows)
      }),
    )
  })

  it('emits each flag and lifecycle step of a curve once and settles it once', () => {
    fc.assert(
      fc.property(ops, (steps) => {
        const { outputs } = foldAll(lifeOf(steps).frames)
        const ids = outputs.map(({ output }) => output.conclusion.id)
        expect(new Set(ids).size).toBe(ids.length)
        const names = outputs.map(
          ({
            output: {
              conclusion: { body },
            },
          }) => (body.type === 'finding' ? body.flag : body.type === 'transition' ? body.step : body.type),
        )
        expect(new Set(names).size).toBe(names.length)
      }),
    )
  })
})

describe("the curve's card", () => {
  const shuffled = (state: CurveState): CurveState => ({
    ...state,
    ...{ holders: [...state.holders].reverse(), flows: [...state.flows].reverse() },
    ...{ routes: [...state.routes].reverse(), flags: [...state.flags].reverse() },
  })

  it('depends neither on the order of rows nor on a round trip through the log', () => {
    fc.assert(
      fc.property(ops, (steps) => {
        const { frames } = lifeOf(steps)
        const state = stateOf(foldAll(frames))
        const read = curveState.fromBuffer(curveState.toBuffer(state)) as CurveState
        const text = JSON.stringify(evidenceOf(state, afterOf(frames)))
        expect(JSON.stringify(evidenceOf(shuffled(state), afterOf(frames)))).toBe(text)
        expect(JSON.stringify(evidenceOf(read, afterOf(frames)))).toBe(text)
      }),
    )
  })

  it('has only finite numbers, and a reason for every null, for any tape', () => {
    const numbersIn = (value: unknown): number[] => {
      if (typeof value === 'number') return [value]
      return value === null || typeof value !== 'object' ? [] : Object.values(value).flatMap(numbersIn)
    }
    fc.assert(
      fc.property(anyTape, (frames) => {
        const state = stateOf(foldAll(frames))
        const after = afterOf(frames)
        const cards = [evidenceOf(state, after), evidenceOf(state, after + 75), evidenceOf(state, after + 100_000)]
        const items = state.launch === null ? [] : [curveItem(TOKEN, state, momentAt(after), CONTEXT)]
        for (const card of [...cards, ...items]) {
          expect(bareNulls(card)).toEqual([])
          expect(numbersIn(card).filter((n) => !Number.isFinite(n))).toEqual([])
        }
      }),
    )
  })
})

/** The folded rows in the model's terms. */
const foldedOf = ({ figures, holders, routes }: CurveState) => ({
  ...{ real: figures?.realQuoteUnits, tokens: figures?.tokenUnits, peak: figures?.peakQuoteUnits, locked: figures?.lockedUnits },
  ...{ buys: figures?.buys, sells: figures?.sells, paid: figures?.buyQuoteUnits, got: figures?.sellQuoteUnits },
  ...{ taxed: figures?.taxedBuys, tax: figures?.taxUnits, direct: figures?.directBuys, terminal: figures?.terminalBuys },
  ...{
    buyers: figures?.uniqueBuyers,
    sellers: figures?.uniqueSellers,
    cluster: figures?.clusterWallets,
    maxDirect: figures?.maxDirectBuys,
  },
  ...{ sold: figures?.deployerSoldUnits, bought: figures?.deployerBoughtUnits, firstSellAt: figures?.deployerFirstSellAt },
  ...{ refunds: figures?.refunds, completeNumber: figures?.completeNumber, graduatedNumber: figures?.graduatedNumber },
  routes: Object.fromEntries(routes.map(({ route, buys }) => [route, buys])),
  balances: sorted(holders.filter(({ units }) => units !== 0).map(({ wallet, units }) => [wallet, BigInt(units)] as const)),
  terminals: holders.flatMap(({ wallet, roles }) => ((roles & 4) === 0 ? [] : [wallet])).sort(),
  clusters: holders.flatMap(({ wallet, roles }) => ((roles & 8) === 0 ? [] : [wallet])).sort(),
})
const sorted = (balances: readonly (readonly [string, bigint])[]) => [...balances].sort(([a], [b]) => (a < b ? -1 : 1))

const expectedOf = (frames: readonly Frame[]) => {
  const model = modelOf(frames)
  const { balances, buyers, sellers, cluster, terminalWallets, deployerFirstSell, trades: _trades, ...rest } = model
  const { deployerSold, deployerBought, ...same } = rest
  const amounts = { real: model.real, tokens: model.tokens, peak: model.peak, locked: model.locked }
  const sums = { paid: model.paid, got: model.got, tax: model.tax, sold: deployerSold, bought: deployerBought }
  return {
    ...same,
    ...Object.fromEntries(Object.entries({ ...amounts, ...sums }).map(([name, units]) => [name, inLong(units)])),
    ...{ buyers: buyers.size, sellers: sellers.size, cluster: cluster.size },
    firstSellAt: deployerFirstSell?.time ?? 0,
    balances: sorted([...balances].filter(([, units]) => units !== 0n)),
    terminals: [...terminalWallets].sort(),
    clusters: [...cluster].sort(),
  }
}
/** The stored form of an amount, implemented a second time. */
const inLong = (units: bigint): number | bigint => (units >= -(2n ** 52n) && units < 2n ** 53n - 1n ? Number(units) : units)
