import { decodeFrame } from '../../../../processors/chains/solana/decode-frame.ts'
import { lineOfLooseEvent } from '../../../../processors/chains/solana/decode-lines.ts'
import type { FoundEvent } from '../../../../processors/chains/solana/events/found.ts'
import { readTrade } from '../../../../processors/chains/solana/events/pump-trade.ts'
import { readRare } from '../../../../processors/chains/solana/events/tape-rare.ts'
import { MAYHEM_AGENT, WSOL } from '../../../../processors/chains/solana/programs.ts'
import { tapeBatchCodec } from '../../../../schemas/codecs.ts'
import { type Key, mustKey, toBase58, toBytes } from '../../../../schemas/keys.ts'
import type { RawFrame, TapeEvent, Trade } from '../../../../schemas/types.ts'
import { bytesOf, framesOf, frameTransaction, namesIn, open, sequences, type Vector, vectorOf, vectors } from './fixtures.ts'

const someTransaction = frameTransaction(open('tx/sell-V1tx-4DqvQfnU.json.gz'))
const USDC = mustKey('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')

const found = (vector: Vector, bytes = bytesOf(vector)): FoundEvent => ({
  program: vector.program,
  outer: 0,
  inner: 1,
  bytes,
  accounts: undefined,
})
const trade = (vector: Vector, bytes?: Buffer): Trade => {
  const read = readTrade(found(vector, bytes), someTransaction)
  if (!read.ok) throw new Error(read.reason)
  return read.value
}
const rare = (vector: Vector, bytes?: Buffer): TapeEvent | undefined => {
  const read = readRare(found(vector, bytes), someTransaction)
  if (!read.ok) throw new Error(read.reason)
  return read.value
}
const all = [...vectors, ...sequences.flatMap(({ events }) => events)]
const num = (vector: Vector, name: string): number => Number(vector.fields[name])
const base58 = (key: Key | null): string | null => key && toBase58(key)

describe('trades of the curve', () => {
  test('the fast reader agrees with the general one on every TradeEvent', () => {
    const trades = all.filter(({ event }) => event === 'TradeEvent')
    expect(trades.length).toBeGreaterThan(50)
    for (const vector of trades) {
      const bytes = bytesOf(vector)
      const line = lineOfLooseEvent({ program: 'pump', bytes, slot: null, signature: null })
      const isSol = ['11111111111111111111111111111111', undefined].includes(vector.fields.quote_mint as string | undefined)
      const read = trade(vector)
      expect(read).toMatchObject({
        layout: 'layout' in line ? line.layout : '',
        timestamp: num(vector, 'timestamp'),
        isBuy: vector.fields.is_buy,
        mayhem: vector.fields.mayhem_mode ?? false,
        tokenUnits: num(vector, 'token_amount'),
        quoteUnits: num(vector, isSol ? 'sol_amount' : 'quote_amount'),
        virtualQuoteUnits: num(vector, isSol ? 'virtual_sol_reserves' : 'virtual_quote_reserves'),
        virtualTokenUnits: num(vector, 'virtual_token_reserves'),
        realTokenUnits: vector.fields.real_token_reserves === undefined ? null : num(vector, 'real_token_reserves'),
        feeUnits: vector.fields.fee === undefined ? null : num(vector, 'fee'),
        creatorFeeUnits: vector.fields.creator_fee === undefined ? null : num(vector, 'creator_fee'),
      })
      expect([base58(read.mint), base58(read.user), base58(read.creator)]).toEqual([
        vector.fields.mint,
        vector.fields.user,
        vector.fields.creator ?? null,
      ])
      expect(read.quoteMint === null).toBe(isSol)
    }
  })

  /** A trade with another quote mint and its own amounts, with zeros in the SOL fields, as on the chain. */
  const withQuote = (quote: Key, hasSolAmounts: boolean): Buffer => {
    const vector = vectorOf('TradeEvent', ({ fields }) => fields.holder_rewards !== undefined && fields.creator_fee_unclaimed === undefined)
    const bytes = Buffer.from(bytesOf(vector))
    const quoteAt = 8 + 250 + 4 + String(vector.fields.ix_name).length + 17 + 16 + 4
    toBytes(quote).copy(bytes, quoteAt)
    for (const [i, amount] of [7n, 8n, 9n].entries()) bytes.writeBigUInt64LE(amount, quoteAt + 32 + 8 * i)
    if (!hasSolAmounts) for (const at of [40, 97, 113]) bytes.writeBigUInt64LE(0n, at)
    return bytes
  }

  test('a quote other than SOL uses its own amounts, since the SOL fields are zero', () => {
    expect(trade(vectorOf('TradeEvent'), withQuote(USDC, false))).toMatchObject({
      quoteMint: USDC,
      quoteUnits: 7,
      virtualQuoteUnits: 8,
      realQuoteUnits: 9,
    })
    expect(readTrade(found(vectorOf('TradeEvent'), withQuote(USDC, false).subarray(0, 345)), someTransaction)).toMatchObject({
      ok: false,
      code: 'truncated',
    })
  })

  test('wrapped SOL as quote mint is SOL, and the SOL fields count', () => {
    const { quoteMint, quoteUnits } = trade(vectorOf('TradeEvent'), withQuote(WSOL, true))
    expect([quoteMint, quoteUnits > 9]).toEqual([null, true])
  })

  test('a trade with the mayhem agent as user is the agent’s, any other is not', () => {
    const [agent] = framesOf(open('tx/buy-mayhem-53fG8Sh9.json.gz')).flatMap((frame) => decodeFrame(frame).events)
    expect(agent).toMatchObject({ type: 'trade', isAgent: true, mayhem: true, user: MAYHEM_AGENT, feeUnits: 0 })
    expect(trade(vectorOf('TradeEvent')).isAgent).toBe(false)
  })

  test('an amount of any 64 bits is exact, and a time beyond 2^53 is refused', () => {
    const vector = vectorOf('TradeEvent')
    const read = (value: bigint, at: number) => {
      const bytes = Buffer.from(bytesOf(vector))
      bytes.writeBigUInt64LE(value, at)
      return readTrade(found(vector, bytes), someTransaction)
    }
    const [tokens, time] = [48, 89]
    for (const units of [2n ** 53n - 1n, 2n ** 53n, 2n ** 64n - 1n])
      expect(read(units, tokens)).toMatchObject({ ok: true, value: { tokenUnits: units } })
    expect(read(2n ** 53n - 2n, tokens)).toMatchObject({ ok: true, value: { tokenUnits: 2 ** 53 - 2 } })
    expect(read(2n ** 53n, time)).toMatchObject({ ok: false, code: 'amount_too_large' })
  })
})

describe('launches and later events', () => {
  test('the oldest create has its user as creator, and null for fields it lacks', () => {
    const vector = vectorOf('CreateEvent', ({ data_base64 }) => Buffer.from(data_base64, 'base64').length === 201)
    const launch = rare(vector)
    expect(launch).toMatchObject({
      type: 'launch',
      layout: 'V0',
      timestamp: null,
      supplyUnits: null,
      tokenProgram: null,
      quoteMint: null,
      mayhem: false,
      name: vector.fields.name,
      creatorIsWallet: true,
    })
    expect(launch?.type === 'launch' && launch.creator === launch.user).toBe(true)
  })

  test('a creator that is not a point of the elliptic curve is not a wallet', () => {
    const vector = vectorOf('CreateEvent', ({ fields }) => fields.creator !== undefined)
    const bytes = bytesOf(vector)
    const creatorAt = bytes.indexOf(
      toBytes(mustKey(String(vector.fields.creator))),
      bytes.indexOf(toBytes(mustKey(String(vector.fields.user)))) + 32,
    )
    const made = Buffer.concat([bytes.subarray(0, creatorAt), toBytes(MAYHEM_AGENT), bytes.subarray(creatorAt + 32)])
    expect([rare(vector), rare(vector, made)]).toMatchObject([{ creatorIsWallet: true }, { creatorIsWallet: false }])
  })

  test('a synthetic migration gives trade, completion and the part beyond the curve, in this order', () => {
    const events = sequences[0]?.events.map((vector) => (vector.event === 'TradeEvent' ? trade(vector) : rare(vector)))
    expect(events).toMatchObject([
      { type: 'trade', realTokenUnits: 0 },
      { type: 'complete' },
      { type: 'postCompleteBuy', poolTokenUnitsAfter: 206_289_153_886_363, quoteMint: null },
    ])
  })

  test('a migration and a boost have amounts, fee and virtual reserve', () => {
    const migration = vectorOf('CompletePumpAmmMigrationEvent')
    expect(rare(migration)).toMatchObject({
      type: 'migrate',
      tokenUnits: num(migration, 'mint_amount'),
      quoteUnits: num(migration, 'sol_amount'),
      feeUnits: 15_000_001,
    })
    const boost = vectorOf('InitBoostEvent')
    expect(rare(boost)).toMatchObject({ type: 'poolBoost', virtualQuoteUnits: num(boost, 'virtual_quote_reserves') })
  })

  test("a boost that buys and burns coins, in its program's layout, gives the quote after it", () => {
    const keys = [USDC, USDC, USDC, USDC].map(toBytes)
    const i64 = (value: bigint): Buffer => {
      const bytes = Buffer.alloc(8)
      bytes.writeBigInt64LE(value)
      return bytes
    }
    const virtual = [i64(-5n), i64(-1n)]
    const amounts = [900n, 800n, 700n].map(i64)
    const bytes = Buffer.concat([
      Buffer.from('3f451c16305cc2b9', 'hex'),
      i64(1_790_000_000n),
      ...keys,
      ...amounts,
      ...virtual,
      ...[60_000n, 50_000n, 40_000n].map(i64),
    ])
    const read = readRare({ program: 'pump_amm', outer: 0, inner: 1, bytes, accounts: undefined }, someTransaction)
    const boost = {
      type: 'poolBoost',
      mint: USDC,
      pool: USDC,
      timestamp: 1_790_000_000,
      virtualQuoteUnits: -5,
      realQuoteUnitsAfter: 60_000,
    }
    expect(read).toMatchObject({ ok: true, value: boost })
  })

  test('events that are not on the tape give nothing; half of one is truncated', () => {
    const vector = vectorOf('InitUserVolumeAccumulatorEvent')
    expect(readRare(found(vector), someTransaction)).toEqual({ ok: true, value: undefined })
    const boost = vectorOf('InitBoostEvent')
    expect(readRare(found(boost, bytesOf(boost).subarray(0, 60)), someTransaction)).toMatchObject({ ok: false, code: 'truncated' })
  })
})

describe('the tape of the recorded files', () => {
  const frames: RawFrame[] = namesIn('tx').flatMap((name) => framesOf(open(`tx/${name}.gz`)))

  test('every event of all files can be written with the tape’s schema, and none is refused', () => {
    const decoded = frames.map(decodeFrame)
    for (const [i, { events, launchpadTransactions, launchpadFailed }] of decoded.entries()) {
      const header = {
        type: 'batch',
        chain: 'solana',
        number: frames[i]?.number,
        hash8: '',
        sequence: 0,
        time: 0,
        gapFrom: null,
        gapTo: null,
        vouched: false,
        placed: true,
        launchpadTransactions,
        launchpadFailed,
      }
      expect(tapeBatchCodec.type().isValid({ ...header, events })).toBe(true)
    }
    expect(decoded.flatMap(({ deadLetters }) => deadLetters)).toEqual([])
    const types = decoded.flatMap(({ events }) => events.map(({ type }) => type))
    expect(types.filter((type) => type !== 'balance').length).toBe(47)
    expect(types.filter((type) => type === 'balance').length).toBe(27)
  })
})
