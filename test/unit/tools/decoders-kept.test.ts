// What two decoders that nobody of this project wrote read of every real transaction, compared with what mintfold reads.
import { realTransactions } from '../../fixtures/real-transactions.ts'
import { compareReadings } from '../../tools/decoders/differences.ts'
import { EXPLANATIONS, explanationOf } from '../../tools/decoders/explained.ts'
import { keptDecoders } from '../../tools/decoders/kept.ts'

const transactions = realTransactions()
const compare = async (name: string) => {
  const decoder = keptDecoders().find((one) => one.name === name)
  if (decoder === undefined) throw new Error(`no readings of ${name}`)
  return compareReadings(decoder, transactions, await decoder.read(transactions))
}

/** Events and fields compared, events that it does not know, and differences by explanation: no other difference is explained. */
const EXPECTED = {
  'solana-dex-parser 2.6.7': {
    events: 282,
    fields: 5554,
    unknown: {
      'pump.ExtendAccountEvent': 6,
      'pump.InitUserVolumeAccumulatorEvent': 1,
      'pump.PostCompleteBuyEvent': 4,
      'pump_amm.BoostBuyAndBurnEvent': 2,
      'pump_amm.ClaimCashbackEvent': 1,
      'pump_amm.InitBoostEvent': 1,
    },
    explained: { 'rolled back': 41, 'log only': 7, 'fee rates of 16 bits': 324, 'every quote is SOL': 19 },
  },
  'carbon 1.0.0': {
    events: 290,
    fields: 8943,
    unknown: { 'pump.PostCompleteBuyEvent': 4, 'pump_amm.BoostBuyAndBurnEvent': 2, 'pump_amm.InitBoostEvent': 1 },
    explained: { 'rolled back': 41, 'log only': 7, 'fee rates of 16 bits': 0, 'every quote is SOL': 0 },
  },
} as const

describe.each(Object.entries(EXPECTED))('%s', (name, { explained, ...expected }) => {
  test('reads the same events and fields, apart from differences that the table explains by name', async () => {
    const { decoder, differences, ...counts } = await compare(name)
    const unexplained = differences.filter((one) => explanationOf(one) === undefined)
    expect(unexplained.map(({ event, field, ours, theirs, transaction: { id } }) => ({ event, field, ours, theirs, id }))).toEqual([])
    const found = EXPLANATIONS.map((one) => [one.name, differences.filter((difference) => explanationOf(difference) === one.name).length])
    expect([decoder, counts, Object.fromEntries(found)]).toEqual([name, expected, explained])
  })
})

test('the readings are those of the decoders named here', () => {
  expect(keptDecoders().map(({ name }) => name)).toEqual(Object.keys(EXPECTED).sort())
})
