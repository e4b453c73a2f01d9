// The rows of a stretch: replayed as detectors saw them, within its hours and memory limits.
import fc from 'fast-check'
import type { DetectorRows } from '../../../../processors/mint/detectors/detector.ts'
import { ByteReader, ByteWriter, type Primitive } from '../../../../topology/backtest/dev/bytes.ts'
import { type AnySeen, Columns } from '../../../../topology/backtest/dev/columns.ts'
import { LaunchReader } from '../../../../topology/backtest/dev/launches.ts'
import { copyRows } from '../../../../topology/backtest/look-ahead/rows.ts'
import { callsOf, ROWS } from '../given-file.ts'
import { frameOf, mintOf, type RowsFrame, stretchOf } from './given-stretch.ts'

const MINTS_COUNT = 40
const calls = callsOf({ mints: MINTS_COUNT, events: 12 })
const opening = calls.slice(0, MINTS_COUNT)
const POOL = {
  ...{ number: 1, tx: 2, outer: 3, inner: 4, hash8: 'pool', pool: 'P'.repeat(32), quoteMint: null, coinIsBase: true },
  ...{ openingQuoteUnits: 2n ** 70n, quoteUnits: 5, virtualQuoteUnits: 0, tokenUnits: -1, trades: 0, openedAt: 9, lastAt: 9 },
  ...{ boosts: 0, boostQuoteUnits: 0, boostTokenUnits: 2n ** 70n },
} as unknown as NonNullable<DetectorRows['pool']>

const read = (frames: readonly RowsFrame[], options: Parameters<typeof stretchOf>[0] = {}, eachFrame = false) => {
  const stretch = stretchOf(options)
  const seen: DetectorRows[] = []
  const reader = new LaunchReader<DetectorRows>('mint', (rows) => {
    seen.push(copyRows('mint', rows))
    return undefined
  })
  for (const frame of frames) {
    stretch.take(frame)
    if (eachFrame) reader.read(stretch.kept(), () => true)
  }
  reader.read(stretch.kept(), () => true)
  return { stretch, seen, reader }
}
/** One frame per event of all mints; their launches are in the first. */
const market = calls.map((rows, at) => frameOf(rows.position.number, rows.curve.lastAt, [rows], at === 0 ? opening : []))

describe('a stretch', () => {
  test('replays every row as detectors saw it, in tape order', () => {
    const { seen, stretch } = read(market)
    expect(seen).toEqual(calls)
    expect(stretch.bytes).toBe(1_048_576)
  })
  test('replays the same rows while it grows, and over many small chunks', () => {
    expect(read(market, { chunkBytes: 700 }, true).seen).toEqual(calls)
  })
  test('keeps a pool that appears, changes and disappears, with amounts beyond numbers and names in any script', () => {
    const launch = { ...ROWS.launch, name: 'Кот \u{1f431} 猫', symbol: 'ÄÖ' }
    const states: DetectorRows[] = [undefined, POOL, { ...POOL, quoteUnits: -(2n ** 90n), trades: 3 }, undefined].map((pool) => ({
      ...{ ...ROWS, launch, pool },
      curve: { ...ROWS.curve, realQuoteUnits: 2 ** 53 - 3 },
    }))
    const { seen, reader } = read([frameOf(1, ROWS.curve.lastAt, states, [states[0] as DetectorRows])])
    expect(seen).toEqual(states)
    expect([...reader.launches]).toMatchObject([{ name: launch.name, symbol: 'ÄÖ', trial: { mint: mintOf(ROWS), events: 4 } }])
  })
  test('keeps any value that a row can have', () => {
    const columns = new Columns('mint')
    const value = fc.oneof<fc.Arbitrary<Primitive>[]>(
      ...[
        fc.integer(),
        fc.maxSafeInteger(),
        // `+ 0`: a row has no negative zero.
        fc.double({ noNaN: true }).map((one) => one + 0),
        fc.bigInt({ min: -(2n ** 255n), max: 2n ** 255n }),
      ],
      ...[fc.boolean(), fc.constant(null), fc.string({ unit: 'binary' })],
    )
    const states = fc.array(fc.dictionary(fc.constantFrom('buys', 'sells', 'lastAt', 'peakHash8', 'drainAt'), value), { maxLength: 8 })
    fc.assert(
      fc.property(states, (curves) => {
        const [last, rows, writer, reader] = [columns.newLast(), columns.newRows(), new ByteWriter(), new ByteReader()]
        for (const changes of curves) {
          const seen = { ...ROWS, curve: { ...ROWS.curve, ...changes } } as unknown as AnySeen
          writer.clear()
          columns.write(writer, seen, last)
          reader.point(Buffer.from(writer.written), 0)
          columns.read(reader, writer.written.length, rows)
          expect(rows.rows.curve).toEqual(seen.curve)
        }
      }),
      { numRuns: 60 },
    )
  })
  test('omits launches older than its hours and continues with the others', () => {
    const keptS = 60
    const late = calls.slice(-MINTS_COUNT).map((rows) => ({ ...rows, launch: { ...rows.launch, bondingCurve: mintOf(rows) } }))
    const at = late[0]?.curve.lastAt ?? 0
    const { reader, stretch } = read([...market, frameOf(2 ** 30, at + 61, late, late)], { keptS, chunkBytes: 2_000 }, true)
    expect(stretch.kept()).toMatchObject({ from: at + 1, to: at + 61 })
    expect([...reader.launches].map(({ trial }) => trial.launchedAt)).toEqual(late.map(() => at + 61))
    expect(stretch.isShortened).toBe(false)
  })
  test('evicts its oldest launches when its memory is full, and reports it', () => {
    const { stretch, reader, seen } = read(
      opening.map((rows) => frameOf(rows.position.number, rows.curve.lastAt, [rows], [rows])),
      { chunkBytes: 2_000, bytesMax: 8_000 },
    )
    expect(stretch.isShortened).toBe(true)
    expect(stretch.bytes).toBeLessThanOrEqual(8_000)
    expect(seen.length).toBeGreaterThan(5)
    expect(seen).toEqual(opening.slice(-seen.length))
    expect([...reader.launches]).toHaveLength(seen.length)
    expect(stretch.kept().from).toBe(seen[0]?.curve.lastAt)
  })
  test('stops reading once the reader stops', () => {
    const stretch = stretchOf()
    for (const frame of market) stretch.take(frame)
    let left = 100
    const reader = new LaunchReader<DetectorRows>('mint', () => undefined)
    expect(reader.read(stretch.kept(), () => --left > 0)).toBe(false)
    expect(reader.records).toBe(100)
  })
})
