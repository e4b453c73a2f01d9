import fc from 'fast-check'
import { Arena } from '../../topology/engine/rows/arena.ts'

const CHUNK_BYTES = 16_384
const SPARE_CHUNKS = 4
const SIZES = [0, 1, 36, 100, 144, 145, 700, 2_044, 2_045, 9_000]

interface Act {
  readonly kind: 'put' | 'replace' | 'free'
  readonly which: number
  readonly size: number
  readonly times: number
}
const act: fc.Arbitrary<Act> = fc.record({
  kind: fc.constantFrom('put', 'put', 'replace', 'free'),
  which: fc.nat(10_000),
  size: fc.constantFrom(...SIZES),
  times: fc.constantFrom(1, 3, 200),
})

/** An arena and the records that it should hold. */
class Both {
  readonly arena = new Arena()
  readonly records = new Map<number, Uint8Array>()
  recordsMax = 0
  #made = 0

  do({ kind, which, size, times }: Act): void {
    for (let n = 0; n < times; n++) {
      const handle = [...this.records.keys()][(which + n * 7) % Math.max(1, this.records.size)]
      const bytes = new Uint8Array(size).fill(++this.#made & 0xff)
      if (kind === 'put' || handle === undefined) this.#put(bytes)
      else if (kind === 'replace') {
        this.arena.replace(handle, bytes)
        this.records.set(handle, bytes)
      } else {
        this.arena.free(handle)
        this.records.delete(handle)
      }
    }
  }
  #put(bytes: Uint8Array): void {
    const handle = this.arena.put(bytes)
    expect(this.records.has(handle)).toBe(false)
    this.records.set(handle, bytes)
    this.recordsMax = Math.max(this.recordsMax, this.records.size)
  }
}

test('an arena keeps every stored record through additions, changes and removals of others', () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 40 }), (acts) => {
      const both = new Both()
      for (const one of acts) {
        both.do(one)
        for (const [handle, bytes] of both.records) expect(both.arena.read(handle).equals(bytes)).toBe(true)
      }
    }),
    { numRuns: 60 },
  )
})

test('an arena uses little more memory than its live records take', () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
      const both = new Both()
      for (const one of acts) {
        both.do(one)
        const sizes = [...both.records.values()].map(({ length }) => length)
        const liveBytes = sizes.reduce((sum, size) => sum + size + 12, 0)
        const chunks = new Set(sizes).size + SPARE_CHUNKS
        expect(both.arena.bytesHeld).toBeLessThanOrEqual(1.3 * liveBytes + chunks * CHUNK_BYTES + 16 * Math.max(64, both.recordsMax))
      }
    }),
    { numRuns: 60 },
  )
})

test('an arena that grew and emptied frees its memory', () => {
  const arena = new Arena()
  const handles = Array.from({ length: 100_000 }, (_, n) => arena.put(Buffer.alloc(50 + (n % 300))))
  const full = arena.bytesHeld
  for (const handle of handles) arena.free(handle)
  expect(full).toBeGreaterThan(20_000_000)
  // The table of handles remains, 8 bytes each, and some empty chunks.
  expect(arena.bytesHeld).toBeLessThan(1_200_000)
})
