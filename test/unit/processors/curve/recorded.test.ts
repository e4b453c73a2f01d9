// The recorded transactions of the chain through decoder and fold, with their known figures (test/data/alt/README.md).
import { curveChainOf } from '../../../../processors/chains/alt/curve-chain.ts'
import { PONS_V2 } from '../../../../processors/chains/alt/launchpad.ts'
import { curveEvidence } from '../../../../processors/curve/card/card.ts'
import { curveDetectors } from '../../../../processors/curve/detectors/index.ts'
import { createCurveProcessor } from '../../../../processors/curve/fold/curve.ts'
import type { TapeHeader } from '../../../../processors/tape.ts'
import { type Key, keyText, mustHexKey } from '../../../../schemas/keys.ts'
import type { AltTapeEvent, RawFrame } from '../../../../schemas/types.ts'
import { NaiveEngine } from '../../../naive-context.ts'
import { Decoding, frame, framesOf, launchLog, openJson, readJson, rpcLog, transaction } from '../alt/fixtures.ts'
import { CONTEXT, type CurveEngine, stateOf } from './curve-given.ts'
import type { Frame } from './launchpad.ts'

const processor = createCurveProcessor(curveDetectors, curveChainOf(PONS_V2))

/** Frames of the tape, as the decoder emits them. */
const tapeOf = ({ engine }: Decoding): Frame[] => {
  const frames: { header: TapeHeader; events: AltTapeEvent[] }[] = []
  for (const { output } of engine.outputs) {
    if (output.type === 'header') frames.push({ header: output.header, events: [] })
    if (output.type === 'event') frames.at(-1)?.events.push(output.event)
  }
  return frames
}
const folded = (decoding: Decoding) => {
  const engine: CurveEngine = new NaiveEngine(processor)
  const frames = tapeOf(decoding)
  for (const { header, events } of frames) engine.frame(header, events)
  const last = frames.at(-1)?.header
  const moment = { asOf: last?.time ?? 0, tip: { number: last?.number ?? 0, time: last?.time ?? 0 }, gap: null }
  return {
    state: (token: Key) => stateOf(engine, token),
    full: (token: Key) => {
      const card = curveEvidence({ address: token, token, state: stateOf(engine, token) }, moment, CONTEXT)
      if (card.coverage !== 'full') throw new Error(card.coverage_reason)
      return card
    },
  }
}
const vouched = (frames: readonly RawFrame[]): RawFrame[] => frames.map((one) => ({ ...one, vouched: true }))
const launchAndTaxedBuy = framesOf(openJson(readJson('launch')), openJson(readJson('taxedBuy')))

test("the recorded curve has the chain's reserves to the wei, and null holders, because no transfer is recorded", () => {
  const recorded = readJson('curve')
  const curve: string = recorded.result[0].address
  const first = Number(recorded.result[0].blockNumber)
  const token = mustHexKey('0x1111111111111111111111111111111111111111')
  const launch = frame(first - 1, transaction(0, [launchLog(0, keyText(token), curve)]))
  const { state, full } = folded(new Decoding().add(...vouched([launch, ...framesOf(openJson(recorded))])))
  expect(state(token).figures).toMatchObject({
    realQuoteUnits: 1_001_227_946_752_784_009n,
    tokenUnits: 626_578_580_174_295_135_537_342_258n,
  })
  const card = full(token)
  expect(card.raised).toMatchObject({ quote_units: '1001227946752784009', eth: 1.001227946752784, progress: 1.001227946752784 / 4.2 })
  // Without buybacks the product of the reserves is constant up to rounding: the price grows with the square of the quote.
  expect(card.raised.price_multiple_vs_launch).toBeCloseTo((2.681227946752784 / 1.68) ** 2, 9)
  expect(card.flow).toMatchObject({ n_buys: 22, n_sells: 8 })
  expect(card.structure).toMatchObject({
    routes: { direct: 18, gmgn: 3, pons_launchbuy: 1 },
    ...{ direct_buy_share: 18 / 22, terminal_buy_share: 3 / 22, router_join_resolved_share: 19 / 22 },
    ...{ n_holders: null, n_holders_reason: expect.stringContaining('transfers of the token are missing: 0 of the') },
  })
})

test('a launch with a buy and a taxed buy has holders, the tax and the launcher on its card', () => {
  const launched = new Decoding().add(...vouched(launchAndTaxedBuy))
  const token = launched.of('launch')[0]?.mint as Key
  const card = folded(launched).full(token)
  const [first, taxed] = launched.of('trade')
  expect(card).toMatchObject({ status: 'live_curve', pair_kind: 'eth', pair_token: '0x0000000000000000000000000000000000000000' })
  expect(card.deployer.toLowerCase()).toBe('0x3f927788d627d3561ff59bbfef67ebcbf0fb10a9')
  expect(card.snipe_tax).toMatchObject({ in_tax_window: true, n_taxed_buys: 1, tax_total_units: String(taxed?.snipeTaxUnits) })
  expect(card.structure).toMatchObject({ n_holders: 2, routes: { direct: 1, pons_launchbuy: 1 }, router_join_resolved_share: 1 })
  const bought = BigInt(first?.tokenUnits ?? 0) + BigInt(taxed?.tokenUnits ?? 0)
  expect(card.structure.deployer_holding_share).toBe(Number(first?.tokenUnits) / Number(bought))
  expect(card.flow).toMatchObject({ n_buys: 2, first_buy_after_s: 0 })
})

test('with the blocks between a launch and a second buy missing, that buy shows that no trade was lost; holders are null', () => {
  const launched = new Decoding().add(...launchAndTaxedBuy)
  const { structure, flow } = folded(launched).full(launched.of('launch')[0]?.mint as Key)
  expect(flow.n_buys).toBe(2)
  expect(structure).toMatchObject({ n_holders: null, n_holders_reason: expect.stringContaining('which were not delivered') })
})

test('the buy that fills a curve completes it with the reserves handed over, and one buyer was refunded', () => {
  const token = '0x63ae1e0f1a756ec4947f3f06efb09c588984ed88'
  const announced = openJson([rpcLog(62_263_000, transaction(0, []), launchLog(0, token, '0x008089e243a611ace236fc4e2127403a3c9e347b'))])
  const { state } = folded(new Decoding().add(...framesOf(announced, openJson(readJson('graduation')))))
  expect(state(mustHexKey(token)).figures).toMatchObject({
    ...{ realQuoteUnits: 4_200_000_000_000_000_263n, tokenUnits: 285_714_285_714_285_714_285_714_285n, refunds: 1, graduatedNumber: -1 },
    completeNumber: Number(readJson('graduation').result.blockNumber),
  })
})
