import { lineOfLooseEvent } from '../../../../processors/chains/solana/decode-lines.ts'
import { LAYOUTS } from '../../../../processors/chains/solana/events/layouts.ts'
import { readEvent } from '../../../../processors/chains/solana/events/read-event.ts'
import { bytesOf, sequences, type Vector, vectorOf, vectors } from './fixtures.ts'

const lineOf = ({ program }: Vector, bytes: Buffer) => lineOfLooseEvent({ program, bytes, slot: null, signature: null })
const read = (vector: Vector) => {
  const line = lineOf(vector, bytesOf(vector))
  if ('error' in line) throw new Error(line.reason)
  return line
}
/** Bytes of a vector with one byte changed; `at` counts after the discriminator. */
const withByte = (vector: Vector, at: number, byte: number): Buffer => {
  const bytes = Buffer.from(bytesOf(vector))
  bytes[8 + at] = byte
  return bytes
}
const cut = (vector: Vector, length: number): Buffer => bytesOf(vector).subarray(0, length)
const trade = vectorOf('TradeEvent', ({ data_base64 }) => Buffer.from(data_base64, 'base64').length === 371)
const oldTrade = vectorOf('TradeEvent', ({ data_base64 }) => Buffer.from(data_base64, 'base64').length === 258)

describe('event bytes', () => {
  const all = [...vectors, ...sequences.flatMap(({ events }) => events)]

  test('every named field of 81 vectors and 8 log sequences is read, and the rest is the tail', () => {
    expect([vectors.length, sequences.length, all.length]).toEqual([81, 8, 94])
    for (const vector of all) {
      const line = read(vector)
      expect(line.event).toBe(vector.event)
      expect(line.fields).toMatchObject(vector.fields)
      const newer = Object.keys(line.fields).length - Object.keys(vector.fields).length
      const newerBytes = { creator_fee_unclaimed: 8, depth: 1 }
      const known = Object.keys(line.fields).slice(Object.keys(line.fields).length - newer)
      const explained = known.reduce((sum, name) => sum + newerBytes[name as keyof typeof newerBytes], 0)
      expect(explained + line.tail_hex.length / 2).toBe(vector.trailing_bytes)
    }
  })

  test('unknown bytes after any vector are the tail, and change nothing else', () => {
    const tail = Buffer.from('ffee', 'hex')
    for (const vector of vectors) {
      const whole = read(vector)
      const layout = LAYOUTS.find(({ program, event }) => program === vector.program && event === vector.event)
      const isNewest = Object.keys(whole.fields).length === layout?.fields.length
      const line = lineOf(vector, Buffer.concat([bytesOf(vector), tail]))
      if (isNewest) expect(line).toEqual({ ...whole, tail_hex: 'ffee' })
    }
  })

  test.each([
    [113, 'G0'],
    [120, 'G0'],
    [129, 'G1'],
    [225, 'G2'],
    [258, 'G3'],
  ])('a trade of %i bytes has layout %s, and the bytes after the last whole field are the tail', (length, layout) => {
    const line = lineOf(oldTrade, cut(oldTrade, length))
    expect(line).toMatchObject({ layout })
    expect('error' in line ? -1 : line.tail_hex.length / 2).toBe(length === 120 ? 7 : 0)
  })

  test('the layout of late 2025 (name and mayhem flag, no cashback) is G3, with both fields', () => {
    const name = trade.fields.ix_name as string
    expect(lineOf(trade, cut(trade, 258 + 4 + name.length + 1))).toMatchObject({
      layout: 'G3',
      tail_hex: '',
      fields: { ix_name: name, mayhem_mode: trade.fields.mayhem_mode },
    })
  })

  test.each([
    ['CreateEvent', (line: { layout: unknown }) => line.layout, ['V0', 'V1', 'V1', 'V1', 'V2', 'V3', 'V3', 'V3']],
    ['CompleteEvent', (line: { layout: unknown }) => line.layout, [2]],
    ['SellEvent', (line: { layout: unknown }) => line.layout, [2, 3, 3, 3, 3, 3, 3, 3, 3, 4]],
    ['BuyEvent', (line: { layout: unknown }) => line.layout, [2, 3, 3, 4, 4, 4, 4, 5, 5]],
    ['CreatePoolEvent', (line: { layout: unknown }) => line.layout, [1, 3, 3]],
    ['InitBoostEvent', (line: { layout: unknown }) => line.layout, [0]],
  ])('the layouts of all vectors of %s are named', (event, layoutOf, expected) => {
    expect(
      vectors
        .filter((vector) => vector.event === event)
        .map((vector) => layoutOf(read(vector)))
        .sort(),
    ).toEqual(expected)
  })

  test('fewer bytes than the oldest layout are a truncated record', () => {
    expect(lineOf(trade, cut(trade, 112))).toMatchObject({ error: 'truncated' })
    expect(lineOf(trade, cut(trade, 7))).toMatchObject({ error: 'truncated' })
  })

  test('the first fields of a truncated event with a single layout are read', () => {
    const boost = vectorOf('InitBoostEvent')
    expect(lineOf(boost, cut(boost, 50))).toMatchObject({
      layout: 0,
      fields: { mint: boost.fields.mint },
      tail_hex: expect.stringMatching(/^.{4}$/),
    })
  })

  test.each([2, 255])('a bool of %i refuses the record', (byte) => {
    expect(lineOf(trade, withByte(trade, 48, byte))).toMatchObject({ error: 'bad_bool' })
  })

  test('a string or list that ends past the bytes refuses the record', () => {
    const create = vectorOf('CreateEvent')
    expect(lineOf(trade, withByte(trade, 253, 0x7f))).toMatchObject({ error: 'bad_string_length' })
    expect(lineOf(create, withByte(create, 3, 0xff))).toMatchObject({ error: 'bad_string_length' })
    const shareholdersAt = 250 + 4 + (trade.fields.ix_name as string).length + 17 + 16
    expect(lineOf(trade, withByte(trade, shareholdersAt, 9))).toMatchObject({ error: 'bad_string_length' })
  })

  test('each shareholder is an address with its share', () => {
    const at = 8 + 250 + 4 + (trade.fields.ix_name as string).length + 17 + 16
    const bytes = bytesOf(trade)
    const two = Buffer.alloc(68, 1)
    const made = Buffer.concat([bytes.subarray(0, at), Buffer.from([2, 0, 0, 0]), two, bytes.subarray(at + 4)])
    const address = '4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi'
    expect(lineOf(trade, made)).toMatchObject({
      fields: {
        shareholders: [
          { address, share_bps: 257 },
          { address, share_bps: 257 },
        ],
        quote_mint: trade.fields.quote_mint,
      },
    })
  })

  test('a negative 128-bit reserve is read as such', () => {
    const boost = vectorOf('InitBoostEvent')
    const bytes = Buffer.from(bytesOf(boost))
    bytes.fill(0xff, 8 + 8 + 96, 8 + 8 + 96 + 16)
    expect(lineOf(boost, bytes)).toMatchObject({ fields: { virtual_quote_reserves: '-1' } })
  })

  test('invalid UTF-8 in a name is replaced, and the record is valid', () => {
    const create = vectorOf('CreateEvent')
    expect(lineOf(create, withByte(create, 4, 0xff))).toMatchObject({
      event: 'CreateEvent',
      fields: { name: expect.stringContaining('\ufffd') },
    })
  })

  test('a discriminator of both programs depends on the program; one unknown to its program is unknown', () => {
    const bytes = bytesOf(trade)
    expect(readEvent('pump_amm', bytes)).toMatchObject({ ok: false, code: 'unknown_event' })
    const extend = Buffer.from(`6161d7905d92167c${'01'.repeat(80)}`, 'hex')
    const names = (program: 'pump' | 'pump_amm') => {
      const event = readEvent(program, extend)
      return event.ok ? [...event.value.fields.keys()][0] : event.code
    }
    expect([names('pump'), names('pump_amm')]).toEqual(['account', 'timestamp'])
  })

  test('discriminators of the layouts equal those on the chain, and no event occurs twice', () => {
    const of = (program: string, event: string) =>
      LAYOUTS.find((layout) => layout.program === program && layout.event === event)?.discriminator
    expect([
      of('pump', 'TradeEvent'),
      of('pump', 'PostCompleteBuyEvent'),
      of('pump_amm', 'SweepPoolFeeEvent'),
      of('pump_amm', 'SellEvent'),
    ]).toEqual(['bddb7fd34ee661ee', '6fb06d8b316cd5fb', '82a42461e48287a5', '3e2f370aa503dc2a'])
    expect(new Set(LAYOUTS.map(({ program, discriminator }) => `${program} ${discriminator}`)).size).toBe(LAYOUTS.length)
    expect(LAYOUTS.length).toBe(28 + 26 + 5)
  })
})
