// The comparator's checksum over all states: the same bytes and the same hash of each mint, summed.
import type { Aggregate } from '../../../topology/engine/rows/aggregate.ts'
import type { Store } from '../../../topology/engine/rows/store.ts'
import type { BundleRow, HolderRow, MintRow, TradeRow } from './processor.ts'

const HEAD_BYTES = 128

/** One mint in the comparator's format; holders and bundle in the order of their first buys. */
const bytesOf = (mint: MintRow, holders: readonly HolderRow[], bundle: readonly BundleRow[], window: readonly TradeRow[]): Buffer => {
  const bytes = Buffer.alloc(HEAD_BYTES + holders.length * 40 + bundle.length * 48 + window.length * 16)
  let at = bytes.write(mint.creator, 0, 32, 'latin1')
  const long = (value: number | bigint): void => {
    at = bytes.writeBigInt64LE(BigInt(value), at)
  }
  const key = (text: string): void => {
    at += bytes.write(text, at, 32, 'latin1')
  }
  const { createdSlot, createdAt, realSol, peakRealSol, bundleBought, bundleRemaining, netSol60s } = mint
  for (const value of [createdSlot, createdAt, realSol, peakRealSol, bundleBought, bundleRemaining, netSol60s]) long(value)
  const { nBuys, nSells, uniqueBuyers, flags, buys60s, sells60s } = mint
  for (const value of [nBuys, nSells, uniqueBuyers, flags, buys60s, sells60s, holders.length, bundle.length, window.length])
    at = bytes.writeInt32LE(value, at)
  at = HEAD_BYTES
  for (const { wallet, balance } of holders) {
    key(wallet)
    long(balance)
  }
  for (const { wallet, bought, remaining } of bundle) {
    key(wallet)
    long(bought)
    long(remaining)
  }
  for (const row of window) {
    long(row.at)
    long((BigInt(row.lamports) << 1n) | (row.isBuy ? 1n : 0n))
  }
  return bytes
}

/** Java's hash of a byte array (`Arrays.hashCode`). */
const hashOf = (bytes: Buffer): number => {
  let hash = 1
  for (let i = 0; i < bytes.length; i++) hash = (Math.imul(31, hash) + (((bytes[i] as number) << 24) >> 24)) | 0
  return hash
}

export interface StateSum {
  mints: number
  state_bytes: number
  state_sum: number
}

/** Sums over all mints in these stores. */
export const stateSum = (stores: Iterable<Store>): StateSum => {
  const sum = { mints: 0, state_bytes: 0, state_sum: 0 }
  for (const store of stores)
    for (const key of keysOf(store)) {
      const bytes = mintBytes(store, store.find(key) as Aggregate)
      sum.mints++
      sum.state_bytes += bytes.length
      sum.state_sum += hashOf(bytes)
    }
  return sum
}

const keysOf = (store: Store): Iterable<string> => new Set(store.snapshot().map(({ key }) => key.toString('latin1', 0, 32)))

const mintBytes = (store: Store, aggregate: Aggregate): Buffer => {
  const rows = <Row>(name: string): Row[] => {
    const kind = store.type.kinds.find((known) => known.name === name)
    return kind === undefined ? [] : ([...store.rows(aggregate, kind)] as Row[])
  }
  const inOrder = <Row extends { readonly n: number }>(name: string): Row[] => rows<Row>(name).sort((a, b) => a.n - b.n)
  const [mint] = rows<MintRow>('mint')
  if (mint === undefined) throw new Error('a mint has no row of figures')
  return bytesOf(mint, inOrder<HolderRow>('holders'), inOrder<BundleRow>('bundle'), inOrder<TradeRow>('window'))
}
