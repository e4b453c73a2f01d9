// Frames: which parts of blocks they keep, where runs end, and invalid bytes.
import fc from 'fast-check'
import { alt } from '../../../../processors/chains/alt/chain.ts'
import { openBody, QUIET_BODY, toFrame } from '../../../../processors/chains/alt/frame.ts'
import { type KnownTokens, keptOf } from '../../../../processors/chains/alt/kept-logs.ts'
import { PONS_V2 } from '../../../../processors/chains/alt/launchpad.ts'
import { framesOfBlocks, type RunBlock } from '../../../../processors/chains/alt/runs.ts'
import { gapAt } from '../../../../processors/chains/decoder.ts'
import { joinFrames, splitFrame } from '../../../../processors/chains/frame-parts.ts'
import { formatPosition, NONE, parsePosition, tickOf } from '../../../../schemas/position.ts'
import type { AltLog, AltTransaction, RawFrame, TipRow } from '../../../../schemas/types.ts'
import {
  address,
  CURVE,
  Decoding,
  FACTORY,
  frame,
  GMGN,
  launchFrame,
  launchLog,
  log,
  TOKEN,
  transaction,
  WALLET,
  ZERO_ADDRESS,
} from './fixtures.ts'

const hashOf = (number: number, branch = 0): string => (branch * 0x1000_0000 + number).toString(16).padStart(64, '0')
const LOGS = transaction(0, [launchLog(0)], FACTORY)

/** Ten blocks a second. */
const blockOf = (number: number, transactions: readonly AltTransaction[] = []): RunBlock => ({
  ...{ number, hash: hashOf(number), parentHash: hashOf(number - 1), blockTime: 1_000 + Math.floor(number / 10) },
  ...{ status: 'processed', whole: true, transactions },
})
const tipOf = ({ number, hash }: RawFrame): TipRow => ({
  ...{ number, hash, time: 0, firstTime: 0, gaps: 0, frames: 1, events: 0, deadLetters: 0 },
  ...{ missingEvents: 0, blindSince: null, callsUnseenAt: null, newLayouts: '' },
  ...{ gapFrom: null, gapTo: null, gapUntil: null, gapReason: null },
})

describe('runs', () => {
  const placesOf = (blocks: readonly RunBlock[]) => framesOfBlocks(blocks).map(({ parentNumber, number }) => [parentNumber, number])

  test('a second without logs is one frame, at the first block of the next second', () => {
    const blocks = Array.from({ length: 40 }, (_, i) => blockOf(105 + i))
    expect(placesOf(blocks)).toEqual([
      [104, 105],
      [105, 110],
      [110, 120],
      [120, 130],
      [130, 140],
      [140, 144],
    ])
    for (const { body } of framesOfBlocks(blocks)) expect(QUIET_BODY.equals(body)).toBe(true)
  })

  test('a block with logs ends a run at once', () => {
    const blocks = [blockOf(110), blockOf(111), blockOf(112), blockOf(113, [LOGS]), blockOf(114, [LOGS])]
    expect(framesOfBlocks(blocks).map(({ parentNumber, number, parentHash }) => [parentNumber, number, parentHash])).toEqual([
      [109, 110, hashOf(109)],
      [110, 113, hashOf(110)],
      [113, 114, hashOf(113)],
    ])
  })

  test('missing blocks and another branch end a run', () => {
    const onOther = { ...blockOf(117), parentHash: hashOf(116, 1) }
    expect(placesOf([blockOf(111), blockOf(112), blockOf(113), blockOf(116), onOther])).toEqual([
      [110, 111],
      [111, 113],
      [115, 116],
      [116, 117],
    ])
  })

  test('whatever blocks have logs, frames link up, cover every block and leave no gap', () =>
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000 }), fc.array(fc.boolean(), { minLength: 1, maxLength: 60 }), (first, busy) => {
        const frames = framesOfBlocks(busy.map((isBusy, i) => blockOf(first + i, isBusy ? [LOGS] : [])))
        let last = first - 1
        for (const [i, made] of frames.entries()) {
          expect([made.parentNumber, made.parentHash]).toEqual([last, hashOf(last)])
          expect(busy[made.number - first] || i === 0 || i === frames.length - 1 || made.number % 10 === 0).toBe(true)
          expect(busy.slice(last + 1 - first, made.number - first)).not.toContain(true)
          expect(made.number - last).toBeLessThanOrEqual(10)
          const before = frames[i - 1]
          if (before) expect(gapAt(tipOf(before), made).isNew).toBe(false)
          last = made.number
        }
        expect(last).toBe(first + busy.length - 1)
      }),
    ))
})

describe('logs kept in a frame', () => {
  const STRANGER = address(0x99)
  const none: KnownTokens = { hasToken: () => false }
  const buy = (index: number): AltLog => log(index, CURVE, 'CurveBuy', WALLET, WALLET, 100n, 1_000n, 1n, 1n)
  const move = (index: number, token: string): AltLog => log(index, token, 'Transfer', CURVE, WALLET, 1_000n)
  const other = (index: number): AltLog => ({ ...move(index, TOKEN), topics: ['?'.repeat(32)] })
  const keptIndexes = (transactions: readonly AltTransaction[], known = none): number[] =>
    keptOf(transactions, known, PONS_V2).flatMap(({ logs }) => logs.map(({ index }) => index))

  test("include those of any curve, of the factory, and the routers' logs with them", () => {
    const launched = log(4, GMGN, 'Launched', TOKEN, CURVE, WALLET, WALLET, 1n, 1n)
    const logs = [
      buy(0),
      { ...buy(1), address: transaction(0, []).hash.slice(0, 20) as AltLog['address'] },
      other(2),
      launchLog(3),
      launched,
    ]
    expect(keptIndexes([transaction(0, [...logs, { ...launchLog(5), address: move(0, STRANGER).address }])])).toEqual([0, 1, 3, 4])
    expect(keptIndexes([transaction(0, [other(2), launched])])).toEqual([])
  })

  test('include transfers of tokens that are known or launched in the block, in any transaction', () => {
    const transactions = [transaction(0, [move(0, STRANGER), move(1, TOKEN)]), transaction(1, [buy(2), move(3, STRANGER), move(4, TOKEN)])]
    expect(keptIndexes(transactions)).toEqual([2])
    expect(keptIndexes(transactions, { hasToken: (token) => token === move(0, TOKEN).address })).toEqual([1, 2, 4])
    expect(keptIndexes([...transactions, transaction(2, [launchLog(9)], FACTORY)])).toEqual([1, 2, 4, 9])
  })

  test('do not depend on the order of arrival', () => {
    const logs = [launchLog(0), log(1, TOKEN, 'Transfer', ZERO_ADDRESS, CURVE, 5n), other(2), buy(3), move(4, TOKEN), move(5, STRANGER)]
    const whole = [transaction(0, logs, FACTORY), transaction(1, [buy(6), move(7, TOKEN)]), transaction(2, [other(8)])]
    const expected = toFrame({ ...blockOf(7), parentNumber: 6 }, keptOf(whole, none, PONS_V2))
    fc.assert(
      fc.property(fc.shuffledSubarray(whole, { minLength: 3 }), fc.infiniteStream(fc.nat()), (transactions, dice) => {
        const shuffled = transactions.map((tx) => ({
          ...tx,
          logs: tx.logs
            .map((one) => ({ one, key: dice.next().value }))
            .sort((a, b) => a.key - b.key)
            .map(({ one }) => one),
        }))
        expect(toFrame({ ...blockOf(7), parentNumber: 6 }, keptOf(shuffled, none, PONS_V2))).toEqual(expected)
      }),
    )
  })
})

describe('bytes', () => {
  const made = frame(2, transaction(3, [log(5, CURVE, 'CurveBuy', WALLET, WALLET, 100n, 1_000n, 1n, 1n)]))

  test('a body is read back as written, also in parts', () => {
    expect(openBody(made)).toMatchObject({ ok: true, value: { transactions: [{ index: 3, logs: [{ index: 5 }] }] } })
    expect(openBody({ ...made, parts: 2 })).toMatchObject({ ok: false, code: 'bad_frame' })
    const joined = joinFrames(splitFrame(made))
    expect(joined.ok && openBody(joined.value)).toEqual(openBody(made))
    expect(alt.decoder.count(made)).toMatchObject({ ok: true, value: { transactions: [{ failed: false }], transactionsTotal: 1 } })
  })

  test('decoding returns for any bytes', () =>
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(), fc.integer({ min: 1, max: 255 }), (bytes, at, change) => {
        const { letters } = new Decoding().add({ ...made, body: bytes })
        expect(letters).toHaveLength(QUIET_BODY.equals(bytes) ? 0 : 1)
        const damaged = Buffer.from(made.body)
        damaged[at % damaged.length] = (damaged[at % damaged.length] ?? 0) ^ change
        expect(() => new Decoding().add(launchFrame(), { ...made, body: damaged })).not.toThrow()
        expect(() => alt.decoder.count({ ...made, body: damaged })).not.toThrow()
      }),
    ))

  test('decoding returns a trade or a dead letter for any event of a curve', () =>
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 120, maxLength: 130 }),
        fc.array(fc.uint8Array({ minLength: 32, maxLength: 32 }), { maxLength: 3 }),
        (data, topics) => {
          const buy = log(5, CURVE, 'CurveBuy', WALLET, WALLET, 100n, 1_000n, 1n, 1n)
          const odd = {
            ...buy,
            data: Buffer.from(data),
            topics: [buy.topics[0] ?? '', ...topics.map((topic) => Buffer.from(topic).toString('latin1'))],
          }
          const { events, letters } = new Decoding().add(launchFrame(), frame(2, transaction(3, [odd])))
          expect(events.length - 1 + letters.length).toBe(1)
        },
      ),
    ))
})

test('positions have block, transaction and log', () => {
  const at = { chain: 'alt' as const, number: 27_823_772, tx: 4, outer: 11, inner: NONE }
  expect(formatPosition(at)).toBe('alt:27823772.4.11')
  expect(parsePosition('alt:27823772.4.11', alt.positions)).toEqual(at)
  expect(parsePosition('alt:27823772.~', alt.positions)).toEqual(tickOf('alt', 27_823_772))
  for (const text of ['alt:27823772.4', 'alt:27823772.4.11.0', 'solana:1.4.11']) expect(parsePosition(text, alt.positions)).toBeUndefined()
})
