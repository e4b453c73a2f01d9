// The comparison with other decoders: every difference is found, and the table explains no other than those that it names.
import { realTransactions } from '../../fixtures/real-transactions.ts'
import { type Comparison, compareReadings, type Difference } from '../../tools/decoders/differences.ts'
import { EXPLANATIONS, explanationOf } from '../../tools/decoders/explained.ts'
import { ourEvents } from '../../tools/decoders/our-events.ts'
import type { Reading } from '../../tools/decoders/reading.ts'

const transactions = realTransactions()
const ours = transactions.map(ourEvents)
const SOL = 'So11111111111111111111111111111111111111112'
const PARSER = 'solana-dex-parser 0'

/** What a decoder reads that agrees with mintfold, or that `change` changes. */
const compareChanged = (
  change: (reading: Reading) => readonly Reading[] = (same) => [same],
  name = 'other',
  among = transactions,
): Comparison => {
  const events = new Set(ours.flat().map(({ program, event }) => `${program}.${event}`))
  const readings = among.map((one) =>
    (ours[transactions.indexOf(one)] ?? []).flatMap(({ program, event, outer, inner, fields }) =>
      change({ program, event, outer, inner, fields }),
    ),
  )
  return compareReadings({ name, events }, among, readings)
}
const only = (event: string, change: (reading: Reading) => readonly Reading[]) => (reading: Reading) =>
  reading.event === event ? change(reading) : [reading]
const withField = (name: string, value: (reading: Reading) => string) => (reading: Reading) => [
  { ...reading, fields: { ...reading.fields, [name]: value(reading) } },
]
const namesOf = (differences: readonly Difference[]): string[] => [...new Set(differences.map(explanationOf))].map(String)

test('a decoder that reads the same differs nowhere', () => {
  const { events, fields, differences } = compareChanged()
  expect([events, differences]).toEqual([ours.flat().length, []])
  expect(fields).toBeGreaterThan(20 * events)
})

const KINDS = [...new Map(ours.flat().map(({ event, fields }) => [event, Object.keys(fields)]))]

test.each(KINDS)('each field of %s that another decoder reads otherwise is an unexplained difference', (event, names) => {
  for (const name of names) {
    const { differences } = compareChanged(
      only(
        event,
        withField(name, ({ fields }) => (fields[name] === '1' ? '2' : '1')),
      ),
    )
    expect(differences.map(({ field }) => field)).toContain(name)
    expect(namesOf(differences)).toEqual(['undefined'])
  }
})

test.each([
  ['TradeEvent', 'token_amount', 'tape.tokenUnits'],
  ['CreateEvent', 'mint', 'tape.mint'],
  ['BuyEvent', 'pool_quote_token_reserves', 'tape.poolQuoteUnits'],
  ['SellEvent', 'user_quote_amount_out', 'tape.userQuoteUnits'],
  ['CompletePumpAmmMigrationEvent', 'sol_amount', 'tape.quoteUnits'],
])('the tape is compared with what follows from %s.%s', (event, name, field) => {
  const { differences } = compareChanged(
    only(
      event,
      withField(name, () => '1'),
    ),
  )
  expect(differences.map((one) => one.field)).toContain(field)
})

test('an event that only one of the two has is an unexplained difference', () => {
  const missing = compareChanged(only('CompleteEvent', () => [])).differences.filter(({ transaction }) => transaction.origin === 'chain')
  const added = compareChanged(only('CompleteEvent', (one) => [one, { ...one, inner: 99 }])).differences
  expect(missing.map(({ ours: our, theirs }) => [our, theirs])).toContainEqual(['CompleteEvent', null])
  expect(added.map(({ ours: our, theirs }) => [our, theirs])).toContainEqual([null, 'CompleteEvent'])
  expect([...namesOf(missing), ...namesOf(added)]).toEqual(['undefined', 'undefined'])
})

describe('explained is', () => {
  const names = EXPLANATIONS.map(({ name }) => name)
  const explainedBy = (name: string, differences: readonly Difference[]): boolean =>
    names.includes(name) && differences.length > 0 && namesOf(differences).every((one) => one === name)

  test('an event of a failed transaction, and of no other', () => {
    const rolledBack = { program: 'pump', event: 'TradeEvent', outer: 0, inner: 1, fields: {} } as const
    const failed = transactions.filter(({ tx }) => tx.failure !== null)
    const { differences } = compareReadings(
      { name: 'other', events: new Set() },
      failed,
      failed.map(() => [rolledBack]),
    )
    expect(differences.length).toBe(failed.length)
    expect(explainedBy('rolled back', differences)).toBe(true)
  })

  test('an event that only the log has', () => {
    const logged = new Set(transactions.filter(({ tx }) => (tx.inner ?? []).length === 0))
    const { differences } = compareChanged(() => [])
    const [ofLogs, others] = [true, false].map((isLogged) => differences.filter(({ transaction }) => logged.has(transaction) === isLogged))
    expect(explainedBy('log only', ofLogs ?? [])).toBe(true)
    expect(namesOf(others ?? [])).toEqual(['undefined'])
  })

  const misread = (at: number) => (reading: Reading) => {
    const bytes = ours.flat().find(({ fields }) => fields === reading.fields)?.bytes
    return String(bytes?.readBigUInt64LE(at))
  }
  const long = (change: (reading: Reading) => readonly Reading[]) =>
    only('TradeEvent', (reading) => ('creator_fee' in reading.fields ? change(reading) : [reading]))

  test.each([
    ['fee', 163],
    ['creator_fee', 205],
  ])('%s of a trade where its parser reads fee rates as u16, and no other value', (name, at) => {
    const { differences } = compareChanged(long(withField(name, misread(at))), PARSER)
    expect(explainedBy('fee rates of 16 bits', differences)).toBe(true)
    expect(namesOf(compareChanged(long(withField(name, misread(at))), 'other').differences)).toEqual(['undefined'])
    expect(namesOf(compareChanged(long(withField(name, misread(at - 1))), PARSER).differences)).toContain('undefined')
  })

  test('SOL as the quote of a trade in another coin, and of no trade in SOL', () => {
    const isForeign = ({ fields }: Reading): boolean => ![undefined, SOL, '1'.repeat(32)].includes(fields.quote_mint)
    const withoutQuote = ({ fields: { mint = '', sol_amount = '' }, ...reading }: Reading) => [
      { ...reading, fields: { mint, sol_amount }, mints: [mint, SOL].sort().join() },
    ]
    const foreign = only('TradeEvent', (one) => (isForeign(one) ? withoutQuote(one) : [one]))
    expect(explainedBy('every quote is SOL', compareChanged(foreign, PARSER).differences)).toBe(true)
    const swapped = only('TradeEvent', (one) => (isForeign(one) ? [one] : [{ ...one, mints: SOL }]))
    expect(namesOf(compareChanged(swapped, PARSER).differences)).toEqual(['undefined'])
  })
})
