import { randomBytes } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { BODY_BYTES_MAX, joinFrames, PART_BYTES_MAX, splitFrame } from '../../../../processors/chains/frame-parts.ts'
import { decodeFrame } from '../../../../processors/chains/solana/decode-frame.ts'
import { countBody, deflateBody, encodeBody, openBody, syntheticHash } from '../../../../processors/chains/solana/frame.ts'
import { makeFrames } from '../../../../processors/chains/solana/make-frames.ts'
import type { SourceBlock } from '../../../../processors/chains/solana/source-transaction.ts'
import type { RawFrame } from '../../../../schemas/types.ts'
import { framesOf, open } from './fixtures.ts'

const [frame] = framesOf(open('blocks/mainnet-285000037.getBlock.json.gz')) as [RawFrame]
const bodyOf = (one: RawFrame) => {
  const body = openBody(one)
  if (!body.ok) throw new Error(body.reason)
  return body.value
}
const encoded = encodeBody(bodyOf(frame))
const damaged = (bytes: Uint8Array): RawFrame => ({ ...frame, body: deflateBody(bytes) })

describe('a frame’s body', () => {
  test('survives a round trip and is re-encoded identically', () => {
    expect(deflateBody(encodeBody(bodyOf(frame)))).toEqual(frame.body)
    expect(syntheticHash(encoded)).toMatch(/^[0-9a-f]{64}$/)
  })

  test('is counted without a full read: the counts are the same, and the same damage is refused', () => {
    const whole = bodyOf(frame)
    const counted = countBody(frame)
    expect(counted).toEqual({
      ok: true,
      value: {
        transactions: whole.transactions.map(({ failed }) => ({ failed })),
        transfers: whole.transfers.map(({ index }) => ({ index })),
        failedOthers: whole.failedOthers,
        transactionsTotal: whole.transactionsTotal,
      },
    })
    for (const one of [damaged(encoded.subarray(0, 99)), { ...frame, parts: 2 }]) expect(countBody(one)).toEqual(openBody(one))
  })

  test('is refused if truncated anywhere', () => {
    for (let length = 0; length < encoded.length; length += 61)
      expect(openBody(damaged(encoded.subarray(0, length)))).toMatchObject({ ok: false, code: 'bad_frame' })
    for (let length = 0; length < frame.body.length; length += 61) {
      expect(openBody({ ...frame, body: frame.body.subarray(0, length) })).toMatchObject({ ok: false, code: 'bad_frame' })
    }
  })

  test('with any changed bytes gives events or dead letters, never an exception', () => {
    const change = fc.tuple(fc.nat(encoded.length - 1), fc.integer({ min: 0, max: 255 }))
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 8 }), (changes) => {
        const bytes = Buffer.from(encoded)
        for (const [at, byte] of changes) bytes[at] = byte
        const { events, deadLetters } = decodeFrame(damaged(bytes))
        expect(events.length + deadLetters.length).toBeLessThan(1000)
      }),
      { numRuns: 300 },
    )
  })

  test('that is garbage, deflated or not, gives no event, and at most one dead letter, with the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 400 }), fc.boolean(), (bytes, isDeflated) => {
        const body = isDeflated ? deflateBody(bytes) : bytes
        const { events, deadLetters } = decodeFrame({ ...frame, body })
        if (deadLetters.length > 0)
          expect(deadLetters).toMatchObject([{ code: 'bad_frame', bytes: body, signature: null, at: { number: frame.number } }])
        expect(events).toEqual([])
      }),
      { numRuns: 300 },
    )
  })

  test('with a count of a billion items does not fill the memory', () => {
    const huge = Buffer.from([0x80, 0xa8, 0xd6, 0xb9, 0x07, 0, 0, 0, 0, 0, 0])
    expect(openBody(damaged(huge))).toMatchObject({ ok: false, code: 'bad_frame' })
  })

  test('that inflates beyond the limit is refused', () => {
    const bomb = deflateRawSync(Buffer.alloc(BODY_BYTES_MAX + 1))
    expect(openBody({ ...frame, body: bomb })).toMatchObject({ ok: false, code: 'bad_frame' })
  })
})

describe('parts', () => {
  const large: RawFrame = { ...frame, body: randomBytes(PART_BYTES_MAX * 2 + 1) }

  test('a large frame is split into three parts and joined again unchanged', () => {
    const parts = splitFrame(large)
    expect(parts.map(({ part, parts: of, body }) => [part, of, body.length])).toEqual([
      [0, 3, PART_BYTES_MAX],
      [1, 3, PART_BYTES_MAX],
      [2, 3, 1],
    ])
    const joined = joinFrames(parts)
    expect(joined.ok && { ...joined.value, body: Buffer.from(joined.value.body).equals(large.body) }).toEqual({ ...large, body: true })
  })

  test('a small frame is its only part', () => {
    expect(splitFrame(frame)).toEqual([frame])
    expect(joinFrames([frame])).toEqual({ ok: true, value: frame })
  })

  test('parts that are missing, out of order or of another frame are refused; a single part is not a frame', () => {
    const [first, second, third] = splitFrame(large) as [RawFrame, RawFrame, RawFrame]
    for (const parts of [[], [first, second], [second, first, third], [first, second, { ...third, hash: 'other' }]]) {
      expect(joinFrames(parts)).toMatchObject({ ok: false, code: 'bad_frame' })
    }
    expect(openBody(first)).toMatchObject({ ok: false, code: 'bad_frame' })
  })
})

describe('frames of several files', () => {
  const blockOf = (name: string): SourceBlock => open(name).blocks[0] as SourceBlock
  const make = (blocks: SourceBlock[], vouched = false) => {
    const made = makeFrames(blocks, vouched)
    if (!made.ok) throw new Error(made.reason)
    return made.value
  }
  const sells = ['tx/amm_sell-5xSnRjWk.json.gz', 'tx/amm_sell-58hytiDB.json.gz'].map(blockOf)
  const [unplaced, alsoUnplaced] = ['tx/buy-3mpAjSPh.json.gz', 'tx/create_v2+buy-5EDHe12K.json.gz'].map(blockOf) as [
    SourceBlock,
    SourceBlock,
  ]

  test('two transactions of one slot form one frame, numbered in file order', () => {
    const { frames, transactions } = make(sells)
    expect([frames.length, transactions]).toEqual([1, 2])
    expect(bodyOf(frames[0] as RawFrame).transactions.map(({ index, indexKnown }) => [index, indexKnown])).toEqual([
      [0, false],
      [1, false],
    ])
    expect(frames[0]).toMatchObject({ number: 415000018, whole: false, placed: true, hashSynthetic: true, blockTime: null, vouched: false })
  })

  test('a known index in the block is kept, and others get the free numbers', () => {
    const [one, other] = sells as [SourceBlock, SourceBlock]
    const placed: SourceBlock = { ...other, transactions: other.transactions.map((tx) => ({ ...tx, index: 0 })) }
    const { frames } = make([one, placed])
    expect(bodyOf(frames[0] as RawFrame).transactions.map(({ index, indexKnown }) => [index, indexKnown])).toEqual([
      [0, true],
      [1, false],
    ])
  })

  test('the same transaction in two encodings is kept once and counted', () => {
    const twins = ['base64', 'jsonParsed'].map((encoding) => blockOf(`tx/create_v2+buy-4HbY43S9-${encoding}.json.gz`))
    expect(make(twins)).toMatchObject({ transactions: 1, repeated: 1, frames: [{ number: 430584458 }] })
  })

  test('frames without a slot are numbered in file order, unplaced, before the others', () => {
    const { frames } = make([...sells, unplaced, alsoUnplaced], true)
    expect(frames.map(({ number, placed, vouched }) => [number, placed, vouched])).toEqual([
      [0, false, true],
      [1, false, true],
      [415000018, true, true],
    ])
    expect(new Set(frames.map(({ hash }) => hash)).size).toBe(3)
  })

  test('two different blocks of one slot are refused', () => {
    const block = open('blocks/mainnet-285000037.getBlock.json.gz').blocks[0] as SourceBlock
    expect(makeFrames([block, { ...block, hash: 'another' }], false)).toMatchObject({ ok: false, code: 'bad_frame' })
    expect(make([block, block])).toMatchObject({ repeated: 557, frames: [{ whole: true }] })
  })
})
