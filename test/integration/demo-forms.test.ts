// The demo's encoder held against recorded transactions: every instruction, account order, log line, event layout and balance that it
// writes is in one of them, or is listed as not seen.
import type { SourceTransaction } from '../../processors/chains/solana/source-transaction.ts'
import { CoinBook } from '../../topology/simulator/solana/bytes/coins.ts'
import { blockOf, marketBlocks } from '../fixtures/chain-blocks.ts'
import { demoSlots } from '../fixtures/demo-tape.ts'
import { SeenForms } from '../fixtures/forms/compare.ts'
import { UNSEEN } from '../fixtures/forms/unseen.ts'
import { realTransactions } from '../fixtures/real-transactions.ts'

const seen = new SeenForms(realTransactions())
const small = marketBlocks().flatMap(({ transactions }) => transactions)

/** Every kind of event and instruction, then a minute of the market. */
function* demo(): Generator<SourceTransaction> {
  yield* small
  const book = new CoinBook()
  for (const slot of demoSlots({ seed: 2, rate: 20, seconds: 60 })) yield* blockOf(slot, book).transactions
}

test('every form of the demo is in a recorded transaction of the chain, or listed with where it was seen instead', () => {
  const forms = [...seen.of(demo())]
  const unseen = forms.filter(([, where]) => where !== 'chain')
  expect(Object.fromEntries(unseen)).toEqual(Object.fromEntries(Object.entries(UNSEEN).map(([form, { seen: where }]) => [form, where])))
  expect(forms.length - unseen.length).toBeGreaterThan(30)
})

describe('a change of the encoder is found:', () => {
  const sell = small.find(
    ({ failure, instructions: [top] }) => failure === null && top?.accounts.length === 16 && top.data.length === 24,
  ) as SourceTransaction
  const [top] = sell.instructions as [SourceTransaction['instructions'][number]]
  const event = sell.inner?.[0] as NonNullable<SourceTransaction['inner']>[number]
  const cases: readonly (readonly [string, Partial<SourceTransaction>, RegExp])[] = [
    ['another instruction', { instructions: [{ ...top, data: Buffer.from(top.data as Uint8Array).fill(7, 0, 8) }] }, /^call pump\.0707/],
    [
      'an argument more',
      { instructions: [{ ...top, data: Buffer.concat([top.data as Uint8Array, Buffer.alloc(8)]) }] },
      /^call .* of 32 bytes$/,
    ],
    ['accounts in another order', { instructions: [{ ...top, accounts: top.accounts.toReversed() }] }, /^accounts of /],
    ['a log line', { logs: ['Program log: says something new'] }, /^log Program log: says/],
    [
      'a longer event',
      { inner: [{ ...event, data: Buffer.concat([event.data as Uint8Array, Buffer.alloc(3)]) }] },
      /^event .* and 3 bytes$/,
    ],
    ['balances that do not add up', { lamportsAfter: sell.lamportsAfter.map((units) => `${units}0`) }, /another amount than the fee$/],
    ['other decimals', { tokensAfter: sell.tokensAfter.map((token) => ({ ...token, decimals: 3 })) }, /3 decimals/],
  ]
  test.each(cases)('%s', (_name, change, form) => {
    const [before, after] = [sell, { ...sell, ...change }].map((tx) => [...seen.of([tx])].filter(([, where]) => where !== 'chain'))
    const known = new Set(before?.map(([text]) => text))
    expect(after?.filter(([text]) => !known.has(text)).map(([text]) => text)).toContainEqual(expect.stringMatching(form))
  })
})
