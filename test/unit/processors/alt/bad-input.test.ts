// Invalid input: each becomes a dead letter or a null with its reason, and the block continues.
import { altWith } from '../../../../processors/chains/alt/chain.ts'
import { PONS_V2 } from '../../../../processors/chains/alt/launchpad.ts'
import { mustHexKey } from '../../../../schemas/keys.ts'
import type { AltLog } from '../../../../schemas/types.ts'
import { address, CURVE, Decoding, FACTORY, frame, GMGN, launchFrame, launchLog, log, TOKEN, transaction, WALLET } from './fixtures.ts'

const MAX = 2n ** 256n - 1n
const BUY = log(5, CURVE, 'CurveBuy', WALLET, WALLET, 100n, 1_000n, 1n, 1n)
const after = (index: number): AltLog => ({ ...BUY, index })

/** A bad log, then a good buy in the same transaction. */
const decoded = (...logs: readonly AltLog[]): Decoding => new Decoding().add(launchFrame(), frame(2, transaction(3, [...logs, after(900)])))

test.each<[string, AltLog, { readonly code: string; readonly reason: RegExp }]>([
  [
    'a log of another block',
    { ...BUY, blockHash: 'x'.repeat(32) },
    { code: 'bad_transaction', reason: /belongs to block 0x7878.*, not to the block of its frame/ },
  ],
  [
    'short data',
    { ...BUY, data: BUY.data.subarray(0, 127) },
    { code: 'truncated', reason: /CurveBuy must have 128 bytes of data, not 127/ },
  ],
  ['no data', { ...BUY, data: Buffer.alloc(0) }, { code: 'truncated', reason: /128 bytes of data, not 0/ }],
  ['long data', { ...BUY, data: Buffer.concat([BUY.data, Buffer.of(1)]) }, { code: 'bad_encoding', reason: /128 bytes of data, not 129/ }],
  ['one topic too few', { ...BUY, topics: BUY.topics.slice(0, 2) }, { code: 'bad_encoding', reason: /CurveBuy must have 3 topics, not 2/ }],
  [
    'one topic too many',
    { ...BUY, topics: [...BUY.topics, BUY.topics[0] ?? ''] },
    { code: 'bad_encoding', reason: /CurveBuy must have 3 topics, not 4/ },
  ],
  [
    'an address of more than 20 bytes',
    { ...BUY, topics: [BUY.topics[0] ?? '', '\u00ff'.repeat(32), BUY.topics[2] ?? ''] },
    { code: 'bad_encoding', reason: /buyer is not an address/ },
  ],
  [
    'fees above the amount paid',
    log(5, CURVE, 'CurveBuy', WALLET, WALLET, 100n, 1_000n, 99n, 2n),
    { code: 'bad_transaction', reason: /fees of 101, more than the 100 paid/ },
  ],
  [
    'amounts whose sum is beyond 256 bits',
    log(5, CURVE, 'CurveSell', WALLET, WALLET, MAX, MAX, MAX, 0n),
    { code: 'amount_too_large', reason: /quoteUnits of a trade has more than 256 bits/ },
  ],
  [
    'a snipe tax of an account that does not buy',
    log(5, CURVE, 'SnipeTaxCharged', address(0x77), 3n),
    { code: 'bad_transaction', reason: /is not followed by a buy of its recipient/ },
  ],
])('%s is a dead letter, and the next log is read', (_what, bad, { code, reason }) => {
  const decoding = decoded(bad)
  const { letters } = decoding
  expect(letters).toMatchObject([{ position: 'alt:2.3.5', code, reason: expect.stringMatching(reason), processor: 'decode-alt' }])
  expect(letters[0]?.signature).toBe(`0x${'03'.repeat(32)}`)
  expect(decoding.of('trade')).toMatchObject([{ outer: 900 }])
})

test('of two logs with one index, the first counts', () => {
  const { letters, events } = decoded(BUY, { ...BUY })
  expect(letters).toMatchObject([{ position: 'alt:2.3.5', reason: 'two logs of the block have index 5' }])
  expect(events.map(({ outer }) => outer)).toEqual([0, 5, 900])
})

test('the largest amounts of 256 bits are kept', () => {
  const bought = decoded(log(5, CURVE, 'CurveBuy', WALLET, WALLET, MAX, MAX, 0n, 0n))
  expect(bought.of('trade')[0]).toMatchObject({ quoteUnits: MAX, tokenUnits: MAX })
})

test('a frame with numbers beyond those of a position is a dead letter', () => {
  for (const index of [-1, 1_000_000_000]) {
    const { letters, events } = new Decoding().add(launchFrame(), frame(2, transaction(3, [{ ...BUY, index }])))
    expect(letters).toMatchObject([
      { position: 'alt:2.~', code: 'bad_frame', reason: `log ${index} of transaction 3: an index is not between 0 and 999999999` },
    ])
    expect(events).toHaveLength(1)
  }
})

describe('decimals of the pair', () => {
  const PAIR = address(0x88)
  const launched = (decimals: number | undefined) => {
    const pairs = new Map(decimals === undefined ? [] : [[mustHexKey(PAIR), decimals] as const])
    const { events } = altWith({ ...PONS_V2, pairs }).decoder.decode(frame(1, transaction(0, [launchLog(0, TOKEN, CURVE, PAIR)], FACTORY)))
    return events[0]
  }

  test.each([0, 6, 77])('%i are accepted', (decimals) => {
    expect(launched(decimals)).toMatchObject({ quoteMint: mustHexKey(PAIR), quoteDecimals: decimals, quoteDecimalsReason: null })
  })
  test.each([
    [undefined, `decimals of the pair token ${PAIR} are not known`],
    [78, `78 decimals of the pair token ${PAIR} are not between 0 and 77`],
    [-1, `-1 decimals of the pair token ${PAIR} are not between 0 and 77`],
    [1.5, `1.5 decimals of the pair token ${PAIR} are not between 0 and 77`],
  ])('%p are null with the reason', (decimals, reason) => {
    expect(launched(decimals)).toMatchObject({ quoteDecimals: null, quoteDecimalsReason: reason })
  })
})

test('routers and factories are not wallets', () => {
  const { isWallet } = altWith(PONS_V2)
  expect([GMGN, FACTORY, WALLET].map((text) => isWallet(mustHexKey(text)))).toEqual([false, false, true])
})
