// A handwritten check of the usual transaction shape: the schema accepts everything it accepts, with the same result.
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { quickTransaction } from '../../../../processors/chains/solana/encodings/rpc-quick.ts'
import { rpcTransaction } from '../../../../processors/chains/solana/encodings/rpc-schema.ts'
import { readData } from './fixtures.ts'

const blockOf = (path: string): unknown[] => JSON.parse(gunzipSync(readData(path)).toString()).transactions
const TRANSACTIONS = [
  ...blockOf('blocks/mainnet-285000037.getBlock.json.gz'),
  ...blockOf('blocks/mainnet-332254908.getBlock-converted.json.gz').filter((_, index) => index % 5 === 0),
]
/** Null and absent fields mean the same to readers; fields without a reader are omitted. */
const bare = (value: unknown): unknown => JSON.parse(JSON.stringify(value, (_key, item) => item ?? undefined))
const JUNK = [null, -1, 1.5, 256, 2 ** 53, '', 'x', '0', '9'.repeat(21), [], {}, [null], true] as const

type Holder = Record<string, unknown>
/** Every place of a value in which another value could be put. */
const placesOf = (value: unknown, found: (() => readonly [Holder, string])[] = []): typeof found => {
  if (typeof value !== 'object' || value === null) return found
  for (const key of Object.keys(value)) {
    found.push(() => [value as Holder, key])
    placesOf((value as Holder)[key], found)
  }
  return found
}

test('recorded transactions give the same as with the schema', () => {
  let quick = 0
  for (const transaction of TRANSACTIONS) {
    const got = quickTransaction(transaction)
    if (got === undefined) continue
    quick++
    expect(bare(got)).toEqual(bare(rpcTransaction.parse(transaction)))
  }
  expect(quick).toBeGreaterThan(TRANSACTIONS.length * 0.99)
})

test('a transaction with one value replaced is never accepted if the schema refuses it', () => {
  fc.assert(
    fc.property(fc.nat(TRANSACTIONS.length - 1), fc.nat(), fc.constantFrom(...JUNK), (at, index, junk) => {
      const changed = structuredClone(TRANSACTIONS[at])
      const paths = placesOf(changed)
      const [holder, key] = (paths[index % paths.length] as (typeof paths)[number])()
      holder[key] = junk
      const got = quickTransaction(changed)
      const checked = rpcTransaction.safeParse(changed)
      if (got !== undefined) expect(bare(got)).toEqual(bare(checked.data))
    }),
    { numRuns: 2_000 },
  )
})
