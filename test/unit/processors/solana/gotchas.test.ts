// One test for each trap that misled earlier decoders (facts of the launchpad, section 7), unless another file has it.

import { quoteLargeNumbers } from '../../../../processors/chains/solana/chain-file.ts'
import { decodeFrame } from '../../../../processors/chains/solana/decode-frame.ts'
import { findEvents } from '../../../../processors/chains/solana/events/find-events.ts'
import { deflateBody, encodeBody } from '../../../../processors/chains/solana/frame.ts'
import { PUMP } from '../../../../processors/chains/solana/programs.ts'
import { type Key, mustKey, toBase58 } from '../../../../schemas/keys.ts'
import { formatPosition } from '../../../../schemas/position.ts'
import { tapeKeyOf } from '../../../../schemas/tape-key.ts'
import type { FrameTransaction, RawFrame } from '../../../../schemas/types.ts'
import { bytesOf, eventsOf, framesOf, frameTransaction, open, openJson, openText, readJson, vectorOf } from './fixtures.ts'

const FOREIGN = mustKey('MoonCVVNZFSYkqNXP6bxHLPL6QQJiMagDL3qcqUQTrG')
const [template] = framesOf(open('tx/buy-3mpAjSPh.json.gz')) as [RawFrame]
const frameWith = (...transactions: FrameTransaction[]): RawFrame => ({
  ...template,
  body: deflateBody(encodeBody({ transactions, transfers: [], failedOthers: 0, transactionsTotal: transactions.length, balances: [] })),
})
const buy = frameTransaction(open('tx/buy-3mpAjSPh.json.gz'))
const asHex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
/** The transaction with its event data changed. */
const withInner = (tx: FrameTransaction, change: (data: Buffer) => Buffer): FrameTransaction => ({
  ...tx,
  inner: (tx.inner ?? []).map((call) =>
    asHex(call.data.subarray(0, 8)) === 'e445a52e51cb9a1d' ? { ...call, data: change(Buffer.from(call.data)) } : call,
  ),
})
/** Bytes with others written over them. */
const over = (data: Buffer, at: number, bytes: readonly number[]): Buffer =>
  Buffer.concat([data.subarray(0, at), Buffer.from(bytes), data.subarray(at + bytes.length)])

describe('traps of earlier decoders', () => {
  test('1. a failed transaction keeps its calls, and none of its events counts', () => {
    expect(decodeFrame(frameWith(buy)).events).toHaveLength(1)
    expect(decodeFrame(frameWith({ ...buy, failed: true }))).toMatchObject({ events: [], deadLetters: [], launchpadFailed: 1 })
  })

  test('2. program, mint and event authority may come from lookup tables', () => {
    const json = readJson('create_v2+buy_exact_sol_in-2RoRJxat') as {
      transaction: { message: { accountKeys: { pubkey: string; source: string }[] } }
    }
    const looked = json.transaction.message.accountKeys.filter(({ source }) => source === 'lookupTable').map(({ pubkey }) => pubkey)
    expect(looked.length).toBeGreaterThan(0)
    expect(eventsOf(openJson(json)).map(({ event }) => event)).toEqual(['CreateEvent', 'ExtendAccountEvent', 'TradeEvent'])
  })

  test('4. one transaction trades several times, and the trader is the event’s user, not the payer of the fee', () => {
    const events = eventsOf(open('blocks/mainnet-332254908.ConfirmedBlock.pb.gz'))
    const block = open('blocks/mainnet-332254908.ConfirmedBlock.pb.gz').blocks[0]
    const payers = new Map(block?.transactions.map((tx) => [toBase58(tx.signature), toBase58(tx.keys[0] as Key)]))
    const perTransaction = new Map<string | null, number>()
    for (const { signature } of events) perTransaction.set(signature, (perTransaction.get(signature) ?? 0) + 1)
    expect(Math.max(...perTransaction.values())).toBeGreaterThan(1)
    expect(events.filter(({ signature, fields }) => payers.get(signature ?? '') !== fields.user).length).toBeGreaterThan(0)
  })

  test('6. another program with the same discriminators is not the launchpad', () => {
    const keys = buy.keys.map((key) => (key === PUMP ? FOREIGN : key))
    expect(findEvents({ ...buy, keys }).events).toEqual([])
    const { events, deadLetters } = decodeFrame(frameWith({ ...buy, keys }))
    expect([events.map(({ type }) => type), deadLetters]).toEqual([['balance', 'balance'], []])
  })

  test('7. an unknown event is a dead letter with its bytes, and the rest of the transaction is decoded', () => {
    const two = { ...buy, inner: [...(buy.inner ?? []), ...(buy.inner ?? [])] }
    let n = 0
    const odd = withInner(two, (data) =>
      n++ === 0 ? Buffer.concat([data.subarray(0, 8), Buffer.from('00000000000000ff', 'hex'), data.subarray(16)]) : data,
    )
    const { events, deadLetters } = decodeFrame(frameWith(odd))
    expect([events.length, deadLetters.map(({ code, signature }) => [code, signature])]).toEqual([1, [['unknown_event', buy.signature]]])
    expect(Buffer.from(deadLetters[0]?.bytes ?? []).toString('hex')).toMatch(/^00000000000000ff/)
    expect(deadLetters.map(({ at }) => formatPosition(at))).toEqual(['solana:0.0.4.7'])
  })

  test('7. a string length past the end and an invalid bool are dead letters', () => {
    const create = frameTransaction(open('tx/create_v2-EqJjYo2a.json.gz'))
    const longName = withInner(create, (data) => over(data, 16, [255, 255, 255, 255]))
    const notBool = withInner(buy, (data) => over(data, 8 + 8 + 48, [7]))
    expect([longName, notBool].map((tx) => decodeFrame(frameWith(tx)).deadLetters.map(({ code }) => code))).toEqual([
      ['bad_string_length'],
      ['bad_bool'],
    ])
  })

  test('7. a body that is too short is a dead letter, one that is too long is not', () => {
    const short = withInner(buy, (data) => data.subarray(0, 16 + 80))
    const tagOnly = withInner(buy, (data) => data.subarray(0, 11))
    const long = withInner(buy, (data) => Buffer.concat([data, Buffer.alloc(9)]))
    expect([short, tagOnly].map((tx) => decodeFrame(frameWith(tx)).deadLetters.map(({ code }) => code))).toEqual([
      ['truncated'],
      ['truncated'],
    ])
    expect(decodeFrame(frameWith(long))).toMatchObject({ events: [{ layout: 'G2' }], deadLetters: [] })
  })

  test("8. order is (transaction, top-level instruction, inner instruction), also if the file's groups are unordered", () => {
    const json = readJson('create_v2+buy-5EDHe12K') as { meta: { innerInstructions: { index: number }[] } }
    const reversed = { ...json, meta: { ...json.meta, innerInstructions: [...json.meta.innerInstructions].reverse() } }
    expect(json.meta.innerInstructions.length).toBeGreaterThan(1)
    expect(frameTransaction(openJson(reversed))).toEqual(frameTransaction(openJson(json)))
    const positions = eventsOf(openJson(reversed)).map(({ event, outer_ix, inner_ix }) => [event, outer_ix, inner_ix])
    expect(positions).toEqual(eventsOf(openJson(json)).map(({ event, outer_ix, inner_ix }) => [event, outer_ix, inner_ix]))
    expect(positions.map(([event]) => event)).toEqual(['CreateEvent', 'TradeEvent'])
  })

  test('9. integers beyond 2^53 in JSON are not rounded', () => {
    expect(
      JSON.parse(quoteLargeNumbers('{"a":[18446744073709551615,9007199254740991],"b":"x:[99999999999999999,","c":0.12345678901234567890}')),
    ).toEqual({
      a: ['18446744073709551615', 9007199254740991],
      b: 'x:[99999999999999999,',
      c: 0.12345678901234568,
    })
    const json = readJson('buy-3mpAjSPh') as { meta: { postBalances: number[] } }
    const text = JSON.stringify(json).replace(`"postBalances":[${json.meta.postBalances[0]}`, '"postBalances":[18446744073709551615')
    const file = open('tx/buy-3mpAjSPh.json.gz')
    expect(frameTransaction(file).lamports[0]).toMatchObject({ account: 0 })
    const parsed = openText(text)
    expect(frameTransaction(parsed).lamports[0]).toMatchObject({ account: 0, after: '18446744073709551615' })
  })

  test('10. noise between create and buy is decoded but not put on the tape', () => {
    const name = 'tx/create_v2+buy_exact_sol_in-2RoRJxat.json.gz'
    expect(eventsOf(open(name)).map(({ event }) => event)).toContain('ExtendAccountEvent')
    expect(framesOf(open(name)).flatMap((frame) => decodeFrame(frame).events.map(({ type }) => type))).toEqual(['launch', 'trade'])
  })

  test('11. hostile names are kept unchanged: control characters, markup, instructions', () => {
    const vector = vectorOf('CreateEvent')
    const name = 'ignore all\u0000 rules\u202e<script>'
    const old = bytesOf(vector)
    const rest = old.subarray(8 + 4 + old.readUInt32LE(8))
    const length = Buffer.alloc(4)
    length.writeUInt32LE(Buffer.byteLength(name))
    const made = Buffer.concat([old.subarray(0, 8), length, Buffer.from(name), rest])
    const tx = withInner(frameTransaction(open('tx/create_v2-EqJjYo2a.json.gz')), (data) => Buffer.concat([data.subarray(0, 8), made]))
    expect(decodeFrame(frameWith(tx))).toMatchObject({ events: [{ type: 'launch', name }, { type: 'balance' }], deadLetters: [] })
  })

  test('13. balances name the token program', () => {
    const { tokens } = frameTransaction(open('tx/sell-V1tx-4DqvQfnU.json.gz'))
    expect(tokens.map(({ tokenProgram }) => tokenProgram && toBase58(tokenProgram))).toEqual(
      Array(2).fill('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'),
    )
  })

  test('a pool trade finds its mint by depth, and without depths by the nearest earlier pool instruction', () => {
    const tx = frameTransaction(open('tx/amm_sell+amm_buy-gauADRJV.json.gz'))
    const flat = { ...tx, inner: (tx.inner ?? []).map((call) => ({ ...call, depth: 0 })) }
    const mints = (one: FrameTransaction) => decodeFrame(frameWith(one)).events.map((event) => [event.type, toBase58(tapeKeyOf(event))])
    expect(mints(flat)).toEqual(mints(tx))
    expect(mints(tx).map(([type]) => type)).toEqual(['poolTrade', 'poolTrade', 'balance'])
  })
})
