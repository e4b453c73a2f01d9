// The demo's market of curves through source, decoder and folds: cards and findings match the simulated market.
import { CURVE } from '../../../processors/curve/rows.ts'
import { keyText } from '../../../schemas/keys.ts'
import type { CurveState } from '../../../schemas/types.ts'
import { CURVE_RISK } from '../../../topology/curve-risk.ts'
import { CurveReplay } from '../../../topology/runtime/curve-replay.ts'
import { FACTORY, UNKNOWN_PAIR, USDG, WETH, ZERO_ADDRESS } from '../../../topology/simulator/alt/addresses.ts'
import { DemoCurve } from '../../../topology/simulator/alt/curve.ts'
import { SUPPLY_UNITS } from '../../../topology/simulator/alt/pad.ts'
import { Rows, RowsByKey } from '../../../topology/views/rows-by-key.ts'
import { demoCurveBodies } from '../../fixtures/demo-curves.ts'

/** 25 minutes: the simulation ends there. */
const PLAN = { seed: 3, rate: 20, blocks: 15_000 }

/** Wallets that ever traded on a curve. */
const wallets = new Map<DemoCurve, Set<string>>()
const walletsOf = (curve: DemoCurve): Set<string> => {
  const known = wallets.get(curve) ?? new Set()
  wallets.set(curve, known)
  return known
}

/** Records the market's calls to its curves. */
const watchCurves = (): void => {
  const { launch, buy, send } = DemoCurve.prototype
  Object.assign(DemoCurve.prototype, {
    launch(this: DemoCurve, ...args: Parameters<typeof launch>) {
      walletsOf(this).add(this.facts.deployer)
      return launch.apply(this, args)
    },
    buy(this: DemoCurve, ...args: Parameters<typeof buy>) {
      walletsOf(this).add(args[0])
      return buy.apply(this, args)
    },
    send(this: DemoCurve, ...args: Parameters<typeof send>) {
      walletsOf(this).add(args[1])
      return send.apply(this, args)
    },
  })
}

const small = (text: string): string => text.toLowerCase()
const replay = new CurveReplay(CURVE_RISK)
/** Tokens of findings by flag. */
const found = new Map<string, string[]>()
let curves: readonly DemoCurve[]
let clones: readonly DemoCurve[]
let states: ReadonlyMap<string, CurveState>
let cards: ReadonlyMap<string, ReturnType<CurveReplay['cards']>[number]['evidence']>

beforeAll(async () => {
  watchCurves()
  for (const body of await demoCurveBodies(PLAN)) {
    if (body.type !== 'frame') continue
    for (const { body: conclusion } of replay.frame(body)?.conclusions ?? [])
      if (conclusion.type === 'finding')
        found.set(conclusion.flag, [...(found.get(conclusion.flag) ?? []), small(keyText(conclusion.mint))])
  }
  const all = [...wallets.keys()]
  curves = all.filter(({ facts }) => facts.factory === FACTORY)
  clones = all.filter(({ facts }) => facts.factory !== FACTORY)
  const rows = replay.rowsOf(CURVE, (type) => new RowsByKey<CurveState>({ type, decodedBytesMax: 0, of: Rows }))
  states = new Map(rows.map(({ key, state }) => [small(keyText(key)), state]))
  cards = new Map(replay.cards().map(({ mint, evidence }) => [small(mint), evidence]))
})

test('decodes every record, also those of unrelated contracts and traded clones, and keeps rows of the launchpad’s curves only', () => {
  expect(replay.deadLetters).toBe(0)
  expect(curves.length).toBeGreaterThan(500)
  expect(clones.filter((clone) => clone.truth.story('quiet').buys > 5).length).toBeGreaterThan(5)
  expect([...states.keys()].sort()).toEqual(curves.map(({ facts }) => facts.token).sort())
})

test('each card shows the real quote reserves of its contract, and its pair', () => {
  const shown = curves.map(({ facts }) => {
    const card = cards.get(facts.token)
    return card?.coverage === 'full' ? [card.raised.quote_units, card.pair_token] : [card?.coverage_reason]
  })
  expect(shown).toEqual(curves.map(({ facts, pad }) => [String(pad.realQuoteUnits), expect.stringMatching(new RegExp(facts.pair, 'i'))]))
  expect(curves.filter(({ isComplete }) => isComplete).length).toBeGreaterThan(5)
  const decimals = (pair: string): unknown[] => [
    ...new Set(curves.flatMap(({ facts }) => (facts.pair === pair ? [states.get(facts.token)?.launch?.quoteDecimals] : []))),
  ]
  expect([ZERO_ADDRESS, USDG, WETH, UNKNOWN_PAIR].map(decimals)).toEqual([[18], [6], [18], [null]])
})

test('holders equal the ledger, and together hold everything that was sold from the curve', () => {
  const isZero = (units: bigint): boolean => units === 0n
  for (const curve of curves) {
    const { token } = curve.facts
    const rows = states.get(token)?.holders ?? []
    const held = new Map(rows.map(({ wallet, units }) => [small(keyText(wallet)), BigInt(units)]))
    for (const wallet of walletsOf(curve)) expect([token, wallet, held.get(wallet) ?? 0n]).toEqual([token, wallet, curve.heldBy(wallet)])
    const sum = [...held.values()].reduce((all, units) => all + units, 0n)
    expect([token, sum]).toEqual([token, SUPPLY_UNITS - curve.pad.tokenUnits])
    // Of the wallets that never traded, only the locker of buybacks holds tokens.
    const others = [...held].filter(([wallet, units]) => !walletsOf(curve).has(wallet) && !isZero(units))
    expect(others.length).toBeLessThanOrEqual(1)
  }
})

test('deployer_sold names exactly the tokens whose deployers sold', () => {
  const sold = curves.filter((curve) => curve.truth.story('dump').deployerSold !== null)
  expect(sold.length).toBeGreaterThan(20)
  expect(found.get('deployer_sold')?.sort()).toEqual(sold.map(({ facts }) => facts.token).sort())
})

test('curve_drained names exactly the curves that fell to a fifth of a peak of at least a tenth of an ETH', () => {
  const drained = curves.filter((curve) => curve.truth.story('ring').curveDrained !== null)
  expect(drained.length).toBeGreaterThan(20)
  expect(found.get('curve_drained')?.sort()).toEqual(drained.map(({ facts }) => facts.token).sort())
})
