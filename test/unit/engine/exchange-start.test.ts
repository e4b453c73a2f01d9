// Where a starting task begins to read another's repartition records: it misses nothing and reads little more than it needs.
import fc from 'fast-check'
import { exchangeCodec } from '../../../schemas/codecs.ts'
import { encodeClosings, encodeCut } from '../../../topology/engine/exchange/exchange-record.ts'
import { findStart } from '../../../topology/engine/exchange/exchange-start.ts'
import { createMemoryLog } from '../../../topology/logs/memory/memory.ts'
import type { LogReader } from '../../../topology/ports/log.ts'
import { EXCHANGE } from '../../fixtures/askers.ts'
import { empty, emptyRecord } from '../../fixtures/exchange-records.ts'

const WRITER = 1
/** Number of records that the search first steps back from the end. */
const STEP_OFFSETS = 64
/** A log with these repartition records of `WRITER`. */
const logOf = async (values: readonly Buffer[]) => {
  const log = createMemoryLog({ partitions: 2 })
  const outputs = values.map((value) => ({ topic: EXCHANGE, partition: WRITER, key: Buffer.from('alt'), value }))
  await (await log.own('writer')).commit({ outputs, inputs: new Map() })
  return log
}
const older = (writer: number, closedBy: number): Buffer =>
  exchangeCodec.encode({ ...empty(writer, closedBy), earlier: [], closings: [], cut: false })

test('the start is never after a needed epoch, whatever other records lie between', async () => {
  const step = fc.record({ closes: fc.integer({ min: 1, max: 3 }), kind: fc.integer({ min: 0, max: 9 }) })
  const edge = fc.option(fc.integer({ min: -60, max: 60 }))
  // Within the first step back, and beyond it.
  const steps = fc.oneof(fc.array(step, { maxLength: 60 }), fc.array(step, { minLength: 150, maxLength: 400, size: 'max' }))
  await fc.assert(
    fc.asyncProperty(steps, fc.double({ min: 0, max: 1.2, noNaN: true }), edge, async (written, share, delta) => {
      let closedBy = 0
      const own: (number | undefined)[] = []
      const values = written.map(({ closes, kind }) => {
        if (kind === 0) {
          own.push(undefined)
          return older(0, closedBy + 2)
        }
        const first = closedBy + 1
        closedBy += closes * 4
        own.push(closedBy)
        if (kind === 1) return older(WRITER, closedBy)
        return encodeClosings(
          'alt',
          WRITER,
          [first, closedBy].map((frame) => ({ epoch: 0, closedBy: frame, facts: new Map() })),
        )[0] as Buffer
      })
      const log = await logOf(values)
      // At any offset, or near the first step back.
      const looked = own[own.length - STEP_OFFSETS] ?? closedBy
      const needed = delta === null ? Math.floor(closedBy * share) : looked + delta
      const start = await findStart(log, EXCHANGE, WRITER, needed, log.end(EXCHANGE, WRITER))
      const first = own.findIndex((newest) => newest !== undefined && newest >= needed)
      expect(start).toBeLessThanOrEqual(first === -1 ? values.length : first)
    }),
    { numRuns: 300 },
  )
})
test('a day of epochs is not read to find the last ones', async () => {
  const log = await logOf(Array.from({ length: 20_000 }, (_, n) => emptyRecord(WRITER, n * 4 + 4)))
  let read = 0
  const counted: LogReader = {
    ...{ partitions: () => 2, start: () => log.start(EXCHANGE, WRITER), end: () => log.end(EXCHANGE, WRITER) },
    read: async (...asked) => {
      const records = await log.read(...asked)
      read += records.length
      return records
    },
  }
  expect(await findStart(counted, EXCHANGE, WRITER, 79_900, 20_000)).toBe(19_936)
  expect(await findStart(counted, EXCHANGE, WRITER, 78_000, 20_000)).toBe(19_488)
  expect(read).toBeLessThan(100)
})
test('the search stops at a cut', async () => {
  const before = Array.from({ length: 1_000 }, (_, n) => emptyRecord(WRITER, n + 5_000))
  const after = Array.from({ length: 63 }, (_, n) => emptyRecord(WRITER, n + 100))
  const log = await logOf([...before, encodeCut('alt', WRITER), ...after])
  expect(await findStart(log, EXCHANGE, WRITER, 100, log.end(EXCHANGE, WRITER))).toBe(1_000)
})
