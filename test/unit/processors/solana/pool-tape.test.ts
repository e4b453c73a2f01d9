import { readPoolTrade } from '../../../../processors/chains/solana/events/amm-trade.ts'
import { findEvents } from '../../../../processors/chains/solana/events/find-events.ts'
import type { FoundEvent } from '../../../../processors/chains/solana/events/found.ts'
import { readRare } from '../../../../processors/chains/solana/events/tape-rare.ts'
import { PUMP_AMM, WSOL } from '../../../../processors/chains/solana/programs.ts'
import { type Key, mustKey, toBase58 } from '../../../../schemas/keys.ts'
import type { FrameTransaction, PoolTrade, TapeEvent } from '../../../../schemas/types.ts'
import { bytesOf, frameTransaction, namesIn, open, type Vector, vectorOf, vectors } from './fixtures.ts'

const someTransaction = frameTransaction(open('tx/sell-V1tx-4DqvQfnU.json.gz'))
const COIN = mustKey('GGYkiUJGopoH9DZUjGFtLiKpXXW5AQovqZ7eVcjEpump')
const USDC = mustKey('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')

const found = (vector: Vector, bytes = bytesOf(vector)): FoundEvent => ({
  program: vector.program,
  outer: 0,
  inner: 1,
  bytes,
  accounts: undefined,
})
const rare = (vector: Vector): TapeEvent | undefined => {
  const read = readRare(found(vector), someTransaction)
  if (!read.ok) throw new Error(read.reason)
  return read.value
}
const num = (vector: Vector, name: string): number => Number(vector.fields[name])

/** Changed token accounts of a pool. */
const vaultsOf = (owner: Key, ...mints: Key[]) =>
  mints.map((mint) => ({ account: 0, mint, owner, tokenProgram: null, decimals: 6, before: '1', after: '2' }))

/** A pool trade whose instruction names these mints. */
const poolTrade = (vector: Vector, base: Key, quote: Key, bytes = bytesOf(vector)) => {
  const pool = mustKey(String(vector.fields.pool))
  const tx: FrameTransaction = { ...someTransaction, keys: [pool, base, quote, PUMP_AMM], tokens: vaultsOf(pool, base, quote) }
  return readPoolTrade({ ...found(vector, bytes), accounts: Uint8Array.of(0, 3, 3, 1, 2) }, tx, vector.event === 'BuyEvent')
}
const poolTradeOf = (vector: Vector, base: Key, quote: Key): PoolTrade => {
  const read = poolTrade(vector, base, quote)
  if (!read.ok) throw new Error(read.reason)
  return read.value
}

describe('pools', () => {
  const exact = vectors.filter(({ fields }) => fields.ix_name === 'buy_exact_quote_in')
  const plain = vectors.filter(({ event, fields }) => event === 'BuyEvent' && fields.ix_name !== 'buy_exact_quote_in')

  test('buy and buy_exact_quote_in, whose fields are reversed: net goes into the pool, gross is paid', () => {
    const amm = exact.filter(({ event }) => event === 'BuyEvent')
    expect([amm.length, plain.length]).toEqual([4, 5])
    for (const vector of amm) {
      expect(poolTradeOf(vector, COIN, WSOL)).toMatchObject({
        quoteUnits: num(vector, 'user_quote_amount_in'),
        userQuoteUnits: num(vector, 'quote_amount_in'),
      })
    }
    for (const vector of plain) {
      expect(poolTradeOf(vector, COIN, WSOL)).toMatchObject({
        quoteUnits: num(vector, 'quote_amount_in'),
        userQuoteUnits: num(vector, 'user_quote_amount_in'),
      })
    }
    for (const vector of [...amm, ...plain]) {
      const { quoteUnits, tokenUnits, poolQuoteUnits, poolTokenUnits, virtualQuoteUnits } = poolTradeOf(vector, COIN, WSOL)
      const quote = BigInt(poolQuoteUnits) + BigInt(virtualQuoteUnits ?? 0)
      const out = (BigInt(quoteUnits) * BigInt(poolTokenUnits)) / (quote + BigInt(quoteUnits))
      const percentOff = Number(((out - BigInt(tokenUnits)) * 10_000n) / BigInt(tokenUnits)) / 100
      expect(Math.abs(percentOff)).toBeLessThan(0.02)
    }
  })

  test('with SOL as the base, buying the base sells the coin', () => {
    const buy = vectorOf('BuyEvent')
    const sell = vectorOf('SellEvent')
    expect(poolTradeOf(buy, COIN, WSOL)).toMatchObject({
      isBuy: true,
      coinIsBase: true,
      mint: COIN,
      quoteMint: null,
      tokenUnits: num(buy, 'base_amount_out'),
    })
    expect(poolTradeOf(buy, WSOL, COIN)).toMatchObject({
      isBuy: false,
      coinIsBase: false,
      mint: COIN,
      quoteMint: null,
      quoteUnits: num(buy, 'base_amount_out'),
      poolQuoteUnits: num(buy, 'pool_base_token_reserves'),
    })
    expect(poolTradeOf(sell, WSOL, COIN)).toMatchObject({ isBuy: true, tokenUnits: num(sell, 'user_quote_amount_out') })
    expect(poolTradeOf(sell, COIN, USDC)).toMatchObject({ isBuy: false, mint: COIN, quoteMint: USDC })
  })

  test('without an instruction that names the pool, the mint is unknown', () => {
    const vector = vectorOf('BuyEvent')
    expect(readPoolTrade(found(vector), someTransaction, true)).toMatchObject({ ok: false, code: 'mint_unknown' })
    const others = { ...someTransaction, keys: [COIN, COIN, WSOL, PUMP_AMM] }
    expect(readPoolTrade({ ...found(vector), accounts: Uint8Array.of(0, 3, 3, 1, 2) }, others, true)).toMatchObject({
      ok: false,
      code: 'mint_unknown',
    })
  })

  test('without the accounts of the instruction, the balances of the pool give the same sides', () => {
    const files = namesIn('tx').filter((name) => /^amm_(buy|sell)-|exact_quote_in-/.test(name))
    const trades = files.map((name) => {
      const tx = frameTransaction(open(`tx/${name}.gz`))
      const [call] = findEvents(tx).events
      const read = (one: FoundEvent) => readPoolTrade(one, tx, name.startsWith('amm_buy'))
      return call && [read(call), read({ ...call, accounts: undefined })]
    })
    expect(trades.map((both) => both?.[1])).toEqual(trades.map((both) => both?.[0]))
    expect(trades.filter((both) => both?.[0]?.ok).length).toBe(11)
  })

  test('the virtual reserve is null before its layout, and a number since', () => {
    const of = (event: string, length: number) =>
      poolTradeOf(
        vectorOf(event, (vector) => bytesOf(vector).length === length),
        COIN,
        WSOL,
      ).virtualQuoteUnits
    const newest = vectorOf('SellEvent', (vector) => bytesOf(vector).length === 417)
    expect([of('SellEvent', 376), of('BuyEvent', 408), of('SellEvent', 417)]).toEqual([null, null, num(newest, 'virtual_quote_reserves')])
  })

  test('an invalid bool or name length in a buy is refused', () => {
    const vector = vectorOf('BuyEvent', ({ fields }) => fields.base_supply !== undefined)
    const changed = (at: number, byte: number): Buffer => {
      const bytes = Buffer.from(bytesOf(vector))
      bytes[at] = byte
      return bytes
    }
    expect(poolTrade(vector, COIN, WSOL, changed(360, 2))).toMatchObject({ code: 'bad_bool' })
    expect(poolTrade(vector, COIN, WSOL, changed(404, 1))).toMatchObject({ code: 'bad_string_length' })
    expect(poolTrade(vector, COIN, WSOL, bytesOf(vector).subarray(0, 311))).toMatchObject({ code: 'truncated' })
  })

  test("a created pool and a withdrawal are reported from the coin's side", () => {
    const create = vectorOf('CreatePoolEvent')
    const created = rare(create)
    const coin = create.fields.base_mint === toBase58(WSOL) ? 'quote' : 'base'
    expect(created).toMatchObject({ type: 'poolCreate', tokenUnits: num(create, `pool_${coin}_amount`), index: num(create, 'index') })
    const drain = vectorOf('WithdrawEvent')
    const pool = mustKey(String(drain.fields.pool))
    const tx = { ...someTransaction, keys: [pool, COIN, WSOL], tokens: vaultsOf(pool, COIN, WSOL) }
    expect(readRare({ ...found(drain), accounts: Uint8Array.of(0, 0, 0, 1, 2) }, tx)).toMatchObject({
      value: {
        type: 'poolLiquidity',
        isDeposit: false,
        tokenUnits: num(drain, 'base_amount_out'),
        poolQuoteUnits: num(drain, 'pool_quote_token_reserves'),
      },
    })
    expect(readRare(found(drain), someTransaction)).toMatchObject({ code: 'mint_unknown' })
  })
})
