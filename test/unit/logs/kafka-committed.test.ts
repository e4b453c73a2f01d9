import { committedRecords, nextOffset } from '../../../topology/logs/kafka/wire/committed.ts'
import type { RawBatch } from '../../../topology/logs/kafka/wire/record-set.ts'

const COMMITTED = Buffer.from([0, 0, 0, 1])
const ABORTED = Buffer.from([0, 0, 0, 0])
const [P, Q] = [1n, 2n]

/** A batch of one record. */
const batch = (offset: number, producerId: bigint, rest: Partial<RawBatch> = {}): RawBatch => ({
  ...{ firstOffset: offset, lastOffset: offset, producerId, epoch: 0, isInTransaction: true, isControl: false },
  records: [{ offset, key: Buffer.from(`k${offset}`), value: Buffer.from('v') }],
  ...rest,
})
const marker = (offset: number, producerId: bigint, key: Buffer): RawBatch =>
  batch(offset, producerId, { isControl: true, records: [{ offset, key, value: Buffer.alloc(6) }] })
const offsets = (batches: readonly RawBatch[], aborted: { producerId: bigint; firstOffset: number }[] = [], from = 0): number[] =>
  committedRecords({ batches, aborted, from }).map(({ offset }) => offset)

describe('records visible to a reader of the log', () => {
  test('exclude control markers of either kind', () => {
    expect(offsets([batch(0, P), marker(1, P, COMMITTED), batch(2, P), marker(3, P, COMMITTED)])).toEqual([0, 2])
  })
  test('exclude an aborted transaction, and include records before, after and between its records', () => {
    const batches = [batch(0, P), batch(1, Q), batch(2, P), marker(3, Q, COMMITTED), marker(4, P, ABORTED), batch(5, P)]
    expect(offsets(batches, [{ producerId: P, firstOffset: 0 }])).toEqual([1, 5])
  })
  test('exclude two aborted transactions of one producer in any order, and include the committed one between them', () => {
    const batches = [batch(0, P), marker(1, P, ABORTED), batch(2, P), marker(3, P, COMMITTED), batch(4, P), marker(5, P, ABORTED)]
    const aborted = [
      { producerId: P, firstOffset: 4 },
      { producerId: P, firstOffset: 0 },
    ]
    expect(offsets(batches, aborted)).toEqual([2])
  })
  test('include records outside transactions, also of a producer with an aborted one', () => {
    const batches = [batch(0, P), batch(1, P, { isInTransaction: false }), marker(2, P, ABORTED)]
    expect(offsets(batches, [{ producerId: P, firstOffset: 0 }])).toEqual([1])
  })
  test('exclude records before the requested offset in the same batch', () => {
    const records = [3, 4, 5].map((offset) => ({ offset, key: null, value: null }))
    expect(offsets([batch(3, P, { lastOffset: 5, records })], [], 4)).toEqual([4, 5])
  })
})

describe('the next offset', () => {
  test('is past the last batch, even if compaction removed its last records, or all of them', () => {
    expect(nextOffset({ batches: [batch(10, P, { lastOffset: 19 })], from: 10, lastStableOffset: 50 })).toBe(20)
    expect(nextOffset({ batches: [batch(10, P, { lastOffset: 19, records: [] })], from: 10, lastStableOffset: 50 })).toBe(20)
  })
  test('advances one by one where no batch is returned, and not at the end', () => {
    expect(nextOffset({ batches: [], from: 10, lastStableOffset: 50 })).toBe(11)
    expect(nextOffset({ batches: [], from: 50, lastStableOffset: 50 })).toBe(50)
  })
})
