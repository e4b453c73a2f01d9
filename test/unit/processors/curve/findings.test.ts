// deployer_sold and curve_drained: when they fire, with which evidence, and when not.

import { keyText } from '../../../../schemas/keys.ts'
import { eventId, findingId } from '../../../../schemas/position.ts'
import type { AltTapeEvent } from '../../../../schemas/types.ts'
import { finding, fold, fullAt, given } from './curve-given.ts'
import { block, DEPLOYER_WALLET, ETH, GMGN, Pad, TOKEN, USD, wallet } from './launchpad.ts'

const boughtBy = (events: readonly AltTapeEvent[]): bigint =>
  events.reduce((sum, event) => (event.type === 'trade' && event.isBuy ? sum + BigInt(event.tokenUnits) : sum), 0n)
const hashesOf = (events: readonly AltTapeEvent[]): string[] =>
  events.flatMap((event) => (event.type === 'trade' ? [`0x${Buffer.from(event.signature, 'latin1').toString('hex')}`] : []))
const idOf = (frame: ReturnType<typeof block>, event: AltTapeEvent | undefined) => {
  const { chain, number, hash8 } = frame.header
  return eventId({ chain, number, tx: event?.tx ?? 0, outer: event?.outer ?? 0, inner: event?.inner ?? 0 }, hash8)
}

describe('deployer_sold', () => {
  test.each([
    ['called by itself', undefined],
    ['through a terminal', GMGN],
  ])('fires once for the first of two sells, %s, with its hash', (_how, via) => {
    const pad = new Pad()
    const launch = block(0, pad.launch())
    const bought = pad.buy(DEPLOYER_WALLET, ETH / 10n)
    const units = boughtBy(bought) / 4n
    const [first, second] = [pad.sell(DEPLOYER_WALLET, units, via), pad.sell(DEPLOYER_WALLET, units, via)]
    const sale = first.find(({ type }) => type === 'trade')
    const got = sale?.type === 'trade' ? Number(`${sale.userQuoteUnits}e-18`) : 0
    const sold = block(30, [...first, ...second])
    given(launch, block(3, bought))
      .when(sold)
      .thenEmits({
        topic: 'flags',
        conclusion: {
          id: findingId(
            { ...sold.header, tx: sale?.tx ?? 0, outer: sale?.outer ?? 0, inner: sale?.inner ?? 0 },
            sold.header.hash8,
            'deployer-sold',
            keyText(TOKEN),
          ),
          body: {
            ...{ flag: 'deployer_sold', creator: DEPLOYER_WALLET, mintAgeS: 3, events: [idOf(launch, launch.events[0]), idOf(sold, sale)] },
            evidence: JSON.stringify({ tokens_share: Number(units) / 1e27, eth: got, tx_hash: hashesOf(first)[0] }),
          },
        },
      })
  })

  test('has null proceeds with the reason for a curve of another pair', () => {
    const pad = new Pad({ quoteMint: USD, quoteDecimals: 6, threshold: 10_000_000_000n })
    const [launch, bought] = [pad.launch(), pad.buy(DEPLOYER_WALLET, 100_000_000n)]
    const sold = pad.sell(DEPLOYER_WALLET, boughtBy(bought))
    const { outputs } = given(block(0, [...launch, ...bought])).when(block(5, sold))
    const evidence = outputs.flatMap(({ conclusion: { body } }) => (body.type === 'finding' ? [JSON.parse(body.evidence)] : []))
    expect(evidence).toMatchObject([{ eth: null, eth_reason: `the curve is paired with ${keyText(USD)}, not ETH` }])
  })

  test('does not fire if the deployer gives tokens to a wallet that sells them; the card shows the gift', () => {
    const pad = new Pad()
    const [launch, bought] = [pad.launch(), pad.buy(DEPLOYER_WALLET, ETH / 10n)]
    const units = boughtBy(bought)
    const then = given(block(0, [...launch, ...bought])).when(
      block(20, pad.send(DEPLOYER_WALLET, wallet(1), units)),
      block(25, pad.sell(wallet(1), units / 2n)),
    )
    then.thenNothing()
    expect(fullAt(then, 30).deployer_activity).toMatchObject({ n_sells: 0, given_share: Number(units) / 1e27, first_given_after_s: 2 })
  })
})

describe('curve_drained', () => {
  /** One wallet buys for `quoteIn` and sells `percent` of it. */
  const drained = (quoteIn: bigint, percent: bigint, options = {}) => {
    const pad = new Pad(options)
    const launch = pad.launch()
    const bought = pad.buy(wallet(1), quoteIn)
    const peak = pad.real
    const sold = pad.sell(wallet(1), (boughtBy(bought) * percent) / 100n)
    return { pad, peak, bought, sold, result: given(block(0, launch), block(2, bought)).when(block(9, sold)) }
  }

  test('fires when 90 % of a peak of at least 0.1 ETH is sold, with both amounts and hashes', () => {
    const { pad, peak, bought, sold, result } = drained(ETH / 2n, 90n)
    const inEth = (units: bigint): number => Number(`${units}e-18`)
    result.thenEmits(
      finding('curve_drained', {
        ...{ peak_eth: inEth(peak), eth: inEth(pad.real), peak_tx_hash: hashesOf(bought)[0], tx_hash: hashesOf(sold)[0] },
      }),
    )
  })

  test.each([
    ['a peak below 0.1 ETH', ETH / 10n, 95n, {}],
    ['a third left', ETH / 2n, 60n, {}],
    ['another pair', 5n * ETH, 95n, { quoteMint: USD }],
  ])('does not fire for %s', (_what, quoteIn, percent, options) => {
    drained(quoteIn, percent, options).result.thenNothing()
  })

  test('is null on the card for another pair', () => {
    const pad = new Pad({ quoteMint: USD })
    expect(fullAt(fold(block(0, pad.launch())), 1).flags).toMatchObject({
      ...{ deployer_sold: false, curve_drained: null, curve_drained_reason: expect.stringContaining('not ETH: its threshold is in ETH') },
    })
  })
})
