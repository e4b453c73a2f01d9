import type { RawRecord } from '../../../topology/logs/kafka/fetch.ts'
import { nextOffset, visibleRecords } from '../../../topology/logs/kafka/visible.ts'

const COMMITTED = Buffer.from([0, 0, 0, 1])
const ABORTED = Buffer.from([0, 0, 0, 0])

/** A record in a batch of its own. */
const record = (offset: number, producerId: string, rest: Partial<RawRecord> = {}, inTransaction = true): RawRecord => ({
  offset: String(offset),
  key: Buffer.from(`k${offset}`),
  value: Buffer.from('v'),
  isControlRecord: false,
  batchContext: { firstOffset: String(offset), lastOffsetDelta: 0, producerId, inTransaction },
  ...rest,
})
const marker = (offset: number, producerId: string, key: Buffer): RawRecord => record(offset, producerId, { key, isControlRecord: true })
const offsets = (records: readonly RawRecord[], aborted: { producerId: string; firstOffset: string }[] = [], from = 0): number[] =>
  visibleRecords({ records, aborted, from }).map(({ offset }) => Number(offset))

describe('what a reader sees of the log', () => {
  test('markers are not seen, whatever they say', () => {
    expect(offsets([record(0, 'p'), marker(1, 'p', COMMITTED), record(2, 'p'), marker(3, 'p', COMMITTED)])).toEqual([0, 2])
  })
  test('given an aborted transaction, its records are not seen, and those before, after and between them are', () => {
    const records = [record(0, 'p'), record(1, 'q'), record(2, 'p'), marker(3, 'q', COMMITTED), marker(4, 'p', ABORTED), record(5, 'p')]
    expect(offsets(records, [{ producerId: 'p', firstOffset: '0' }])).toEqual([1, 5])
  })
  test('given two aborted transactions of one producer in any order, both are left out and the committed one between them is not', () => {
    const records = [
      record(0, 'p'),
      marker(1, 'p', ABORTED),
      record(2, 'p'),
      marker(3, 'p', COMMITTED),
      record(4, 'p'),
      marker(5, 'p', ABORTED),
    ]
    const aborted = [
      { producerId: 'p', firstOffset: '4' },
      { producerId: 'p', firstOffset: '0' },
    ]
    expect(offsets(records, aborted)).toEqual([2])
  })
  test('records outside transactions are seen, also of a producer with an aborted one', () => {
    expect(offsets([record(0, 'p'), record(1, 'p', {}, false), marker(2, 'p', ABORTED)], [{ producerId: 'p', firstOffset: '0' }])).toEqual([
      1,
    ])
  })
  test('records before the offset asked for, which share a batch with it, are left out', () => {
    expect(offsets([record(3, 'p'), record(4, 'p'), record(5, 'p')], [], 4)).toEqual([4, 5])
  })
})

describe('where to go on', () => {
  const context = (firstOffset: number, lastOffsetDelta: number) => ({
    batchContext: { firstOffset: String(firstOffset), lastOffsetDelta, producerId: 'p', inTransaction: true },
  })
  test('past the last batch, also where compaction took its last records', () => {
    expect(nextOffset({ records: [record(10, 'p', context(10, 9))], from: 10, stableEnd: 50 })).toBe(20)
  })
  test('past a batch of which nothing is left, one by one; nowhere at the end', () => {
    expect(nextOffset({ records: [], from: 10, stableEnd: 50 })).toBe(11)
    expect(nextOffset({ records: [], from: 50, stableEnd: 50 })).toBe(50)
  })
})
