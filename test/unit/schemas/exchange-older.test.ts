// Repartition records of versions before all messages of a task were one record: the embedded log still has them.
import { readFileSync } from 'node:fs'
import { parseType } from '../../../schemas/avro.ts'
import { exchangeCodec } from '../../../schemas/codecs.ts'

const published = parseType(JSON.parse(readFileSync(new URL('../../data/exchange-before-closings.avsc', import.meta.url), 'utf8')))
const KEY = 'k'.repeat(32)
const fact = {
  ...{ number: 7, tx: 1, outer: 0, inner: 0, from: 'mint', fromKey: KEY, n: 0, to: 'wallet', toKey: KEY },
  body: { type: 'fundingAsked', at: 5, launched: true },
}
const older = { chain: 'solana', writer: 2, epoch: 9, closedBy: 40, facts: [fact], earlier: [{ epoch: 8, closedBy: 36, facts: [] }] }

test('are read with defaults for later fields', () => {
  const read = exchangeCodec.decode(published.toBuffer(older))
  expect(read).toMatchObject({ ok: true, value: { ...older, closings: [], cut: false } })
})
test('are bad data if truncated or with extra bytes', () => {
  const bytes = published.toBuffer(older)
  expect(exchangeCodec.decode(bytes.subarray(0, bytes.length - 1)).ok).toBe(false)
  expect(exchangeCodec.decode(Buffer.concat([bytes, Buffer.from([1])])).ok).toBe(false)
})
