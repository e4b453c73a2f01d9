// A launchpad's curves checked against its formula, trade by trade: a whole tape has no findings, a damaged one is reported where it shows.
import { alt } from '../../../../processors/chains/alt/chain.ts'
import type { TapeFinding } from '../../../../processors/verify/finding.ts'
import { TapeCheck } from '../../../../processors/verify/tape-check.ts'
import type { AltTapeEvent } from '../../../../schemas/types.ts'
import { BLOCK0, block, DEPLOYER_WALLET, ETH, GMGN, key, Pad, wallet } from '../curve/launchpad.ts'

/** One frame each. */
const checked = (...frames: readonly (readonly AltTapeEvent[])[]) => {
  const check = new TapeCheck(alt)
  const findings = frames.flatMap((events, n): readonly TapeFinding[] => {
    const { header } = block(n)
    return check.batch({ type: 'batch', ...header, events: [...events] })
  })
  return { findings, counts: check.counts }
}
const transactions = (): AltTapeEvent[][] => {
  const pad = new Pad({ taxBps: 150n })
  return [
    [...pad.launch(), ...pad.buy(DEPLOYER_WALLET, ETH / 3n)],
    pad.buy(wallet(1), ETH / 7n, GMGN, 618n),
    pad.sell(DEPLOYER_WALLET, 10n ** 24n + 7n),
    pad.buyback(ETH / 1_000n),
    pad.buy(wallet(2), ETH / 9n),
    pad.buy(wallet(3), 9n * ETH),
    pad.graduate(),
  ]
}
/** The tape with the first trade of a frame changed. */
const changed = (at: number, change: (trade: Extract<AltTapeEvent, { type: 'trade' }>) => object): AltTapeEvent[][] =>
  transactions().map((events, n) => (n === at ? events.map((one) => (one.type === 'trade' ? { ...one, ...change(one) } : one)) : events))

test('every event up to graduation gives no finding, and every trade is checked', () => {
  const { findings, counts } = checked(...transactions())
  expect(findings).toEqual([])
  expect(counts).toMatchObject({ frames: 7, launches: 1, trades: 5, checked: 5, withoutLaunch: 0 })
})
test.each([1, 2, 3, 4])('with transaction %i removed, the trade after it is reported once', (at) => {
  const rest = transactions().map((events, n) => (n === at ? [] : events))
  const { findings } = checked(...rest)
  expect(findings).toHaveLength(1)
  const after = at === 1 ? 2 : Math.max(at + 1, 4)
  expect(findings[0]).toMatchObject({ finding: 'reserves', position: expect.stringMatching(`^alt:${BLOCK0 + after}\\.`) })
  expect(findings[0]?.expected).not.toEqual(findings[0]?.found)
})
test.each([
  ['the tokens of a buy', 1, 'tokenUnits'],
  ['the quote of a sale', 2, 'quoteUnits'],
  ['the tokens of the buy that fills the curve', 5, 'tokenUnits'],
] as const)('one unit more in %s is reported at that trade', (_what, at, field) => {
  const { findings } = checked(...changed(at, (trade) => ({ [field]: BigInt(trade[field]) + 1n })))
  expect(findings).toMatchObject([{ finding: 'reserves', position: expect.stringMatching(`^alt:${BLOCK0 + at}\\.`) }])
})
test('a curve that hands over one wei less than it holds is reported at the completion', () => {
  const pad = new Pad()
  const tape = [pad.launch(), pad.buy(wallet(1), 9n * ETH)]
  const completed = tape.map((events) =>
    events.map((one) => (one.type === 'complete' ? { ...one, quoteUnits: BigInt(one.quoteUnits) - 1n } : one)),
  )
  expect(checked(...completed).findings).toMatchObject([{ finding: 'reserves', words: expect.stringContaining('hands over') }])
})
test('trades without a launch are counted but not checked; those of another curve are', () => {
  const other = new Pad({ token: key(21), curve: key(22) })
  const [, ...rest] = transactions()
  const { findings, counts } = checked(...rest, other.launch(), other.buy(wallet(5), ETH))
  expect(findings).toEqual([])
  expect(counts).toMatchObject({ trades: 5, checked: 1, withoutLaunch: 1 })
})
test('after a takeover by the factory, a curve is no longer checked', () => {
  const pad = new Pad()
  const { findings, counts } = checked(pad.launch(), pad.buy(wallet(1), ETH), pad.forceSweep(), new Pad().buy(wallet(2), ETH))
  expect(findings).toEqual([])
  expect(counts).toMatchObject({ trades: 2, checked: 1 })
})
