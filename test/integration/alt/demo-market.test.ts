// The demo's market of curves through source, decoder and folds: what cards and findings say is what the market did.
import { CURVE } from '../../../processors/curve/rows.ts'
import { keyText } from '../../../schemas/keys.ts'
import type { CurveState } from '../../../schemas/types.ts'
import { CURVE_RISK } from '../../../topology/curve-risk.ts'
import { CurveReplay } from '../../../topology/runtime/curve-replay.ts'
import { ZERO_ADDRESS } from '../../../topology/simulator/alt/addresses.ts'
import { DemoCurve } from '../../../topology/simulator/alt/curve.ts'
import { SUPPLY_UNITS } from '../../../topology/simulator/alt/pad.ts'
import { Rows, RowsByKey } from '../../../topology/views/rows-by-key.ts'
import { demoCurveBodies } from '../../fixtures/demo-curves.ts'

/** 25 minutes: the market is simulated no further. */
const PLAN = { seed: 3, rate: 2, blocks: 15_000, forksPerHour: 0 }
const DRAINED_PEAK_WEI = 10n ** 17n

/** What the market did with a curve. */
interface Done {
  readonly wallets: Set<string>
  deployerSells: number
  peak: bigint
  isDrained: boolean
}
const done = new Map<DemoCurve, Done>()
const doneWith = (curve: DemoCurve): Done => {
  const known = done.get(curve) ?? { wallets: new Set(), deployerSells: 0, peak: 0n, isDrained: false }
  done.set(curve, known)
  return known
}
const noteReserve = (curve: DemoCurve): void => {
  const known = doneWith(curve)
  const real = curve.pad.realQuoteUnits
  if (real > known.peak) known.peak = real
  if (curve.facts.pair !== ZERO_ADDRESS || curve.isComplete || known.peak < DRAINED_PEAK_WEI) return
  known.isDrained ||= real * 5n <= known.peak
}

/** Follows every call of the market to its curves. */
const watchCurves = (): void => {
  const { launch, buy, sell, send, buyback } = DemoCurve.prototype
  Object.assign(DemoCurve.prototype, {
    launch(this: DemoCurve, ...args: Parameters<typeof launch>) {
      doneWith(this).wallets.add(this.facts.deployer)
      const made = launch.apply(this, args)
      noteReserve(this)
      return made
    },
    buy(this: DemoCurve, ...args: Parameters<typeof buy>) {
      doneWith(this).wallets.add(args[0])
      const made = buy.apply(this, args)
      noteReserve(this)
      return made
    },
    sell(this: DemoCurve, ...args: Parameters<typeof sell>) {
      if (args[0] === this.facts.deployer) doneWith(this).deployerSells += 1
      const made = sell.apply(this, args)
      noteReserve(this)
      return made
    },
    send(this: DemoCurve, ...args: Parameters<typeof send>) {
      doneWith(this).wallets.add(args[1])
      return send.apply(this, args)
    },
    buyback(this: DemoCurve, ...args: Parameters<typeof buyback>) {
      const made = buyback.apply(this, args)
      noteReserve(this)
      return made
    },
  })
}

const small = (text: string): string => text.toLowerCase()
const replay = new CurveReplay(CURVE_RISK)
/** Tokens of findings by flag. */
const found = new Map<string, string[]>()
let curves: readonly DemoCurve[]
let states: ReadonlyMap<string, CurveState>
let cards: ReadonlyMap<string, ReturnType<CurveReplay['cards']>[number]['evidence']>

beforeAll(async () => {
  watchCurves()
  for (const body of await demoCurveBodies(PLAN)) {
    if (body.type !== 'frame') continue
    for (const { body: said } of replay.frame(body)?.conclusions ?? [])
      if (said.type === 'finding') found.set(said.flag, [...(found.get(said.flag) ?? []), small(keyText(said.mint))])
  }
  curves = [...done.keys()]
  const rows = replay.rowsOf(CURVE, (type) => new RowsByKey<CurveState>({ type, decodedBytesMax: 0, of: Rows }))
  states = new Map(rows.map(({ key, state }) => [small(keyText(key)), state]))
  cards = new Map(replay.cards().map(({ mint, evidence }) => [small(mint), evidence]))
})

test('given strangers and clones among it, then every record is understood, and rows are of the launchpad alone', () => {
  expect(replay.deadLetters).toBe(0)
  expect(curves.length).toBeGreaterThan(500)
  expect([...states.keys()].sort()).toEqual(curves.map(({ facts }) => facts.token).sort())
})

test('given each curve, then its card shows the real quote of the contract, and the pair that it has', () => {
  const shown = curves.map(({ facts }) => {
    const card = cards.get(facts.token)
    return card?.coverage === 'full' ? [card.raised.quote_units, card.pair_token] : [card?.coverage_reason]
  })
  expect(shown).toEqual(curves.map(({ facts, pad }) => [String(pad.realQuoteUnits), expect.stringMatching(new RegExp(facts.pair, 'i'))]))
  expect(curves.filter(({ isComplete }) => isComplete).length).toBeGreaterThan(5)
  expect(curves.filter(({ facts }) => facts.pair !== ZERO_ADDRESS).length).toBeGreaterThan(5)
})

test('given each curve, then holders are those of its ledger, and all of them hold what left it', () => {
  const isZero = (units: bigint): boolean => units === 0n
  for (const curve of curves) {
    const { token } = curve.facts
    const rows = states.get(token)?.holders ?? []
    const held = new Map(rows.map(({ wallet, units }) => [small(keyText(wallet)), BigInt(units)]))
    for (const wallet of doneWith(curve).wallets)
      expect([token, wallet, held.get(wallet) ?? 0n]).toEqual([token, wallet, curve.heldBy(wallet)])
    const sum = [...held.values()].reduce((all, units) => all + units, 0n)
    expect([token, sum]).toEqual([token, SUPPLY_UNITS - curve.pad.tokenUnits])
    // Beside the ledger there is the locker of buybacks alone.
    const others = [...held].filter(([wallet, units]) => !doneWith(curve).wallets.has(wallet) && !isZero(units))
    expect(others.length).toBeLessThanOrEqual(1)
  }
})

test('given deployers that sold and those that did not, then deployer_sold names exactly the first', () => {
  const sold = curves.filter((curve) => doneWith(curve).deployerSells > 0)
  expect(sold.length).toBeGreaterThan(20)
  expect(found.get('deployer_sold')?.sort()).toEqual(sold.map(({ facts }) => facts.token).sort())
})

test('given curves that fell to a fifth of a peak of a tenth of an ETH, then curve_drained names exactly these', () => {
  const drained = curves.filter((curve) => doneWith(curve).isDrained)
  expect(drained.length).toBeGreaterThan(20)
  expect(found.get('curve_drained')?.sort()).toEqual(drained.map(({ facts }) => facts.token).sort())
})
