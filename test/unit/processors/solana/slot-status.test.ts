import { gunzipSync } from 'node:zlib'
import { parseSlotStatus, type SlotStatus } from '../../../../processors/chains/solana/encodings/slot-status.ts'
import { readData } from './fixtures.ts'

const messages = (): Buffer[] => {
  const stream = gunzipSync(readData('stream/slots.bin.gz'))
  const found: Buffer[] = []
  for (let at = 0; at < stream.length; at += 4 + stream.readUInt32BE(at))
    found.push(stream.subarray(at + 4, at + 4 + stream.readUInt32BE(at)))
  return found
}

describe('12. slot statuses of a recorded stream', () => {
  const updates = messages().flatMap((bytes): SlotStatus[] => {
    const status = parseSlotStatus(bytes)
    return status.ok && status.value ? [status.value] : []
  })

  test('a slot is processed before it is confirmed, and confirmed before it is final, in 295 updates', () => {
    expect(updates).toHaveLength(295)
    const order = (slot: number) => updates.filter((update) => update.slot === slot).map(({ status }) => status)
    const ranks = ['processed', 'confirmed', 'finalized'] as const
    for (const slot of new Set(updates.map((update) => update.slot))) {
      const seen = order(slot).filter((status) => (ranks as readonly string[]).includes(status))
      expect(seen).toEqual(ranks.filter((rank) => seen.includes(rank)))
    }
    expect(order(398202773)).toEqual(['created_bank', 'first_shred', 'completed', 'processed', 'confirmed', 'finalized'])
  })

  test('at the end of the stream the newest slots are not final yet, 31 or 32 slots behind', () => {
    const newest = (wanted: string) => Math.max(...updates.filter(({ status }) => status === wanted).map(({ slot }) => slot))
    expect([newest('processed'), newest('processed') - newest('finalized')]).toEqual([398202820, 31])
  })

  test('a parent is the previous slot, or null if the stream has none', () => {
    expect(updates.filter(({ parent }) => parent !== null).every(({ slot, parent }) => slot - (parent as number) === 1)).toBe(true)
    expect(updates.filter(({ status }) => status === 'completed').every(({ parent }) => parent === null)).toBe(true)
  })

  test('a dead slot, other messages, unknown statuses and garbage are distinguished', () => {
    expect(parseSlotStatus(Buffer.from([0x1a, 4, 0x08, 7, 0x18, 6]))).toEqual({
      ok: true,
      value: { slot: 7, parent: null, status: 'dead' },
    })
    expect(parseSlotStatus(Buffer.alloc(0))).toEqual({ ok: true, value: undefined })
    expect(parseSlotStatus(Buffer.from([0x1a, 4, 0x08, 7, 0x18, 99]))).toMatchObject({ ok: false, code: 'bad_encoding' })
    expect(parseSlotStatus(Buffer.from([0x1a, 9, 1]))).toMatchObject({ ok: false, code: 'bad_encoding' })
  })
})
