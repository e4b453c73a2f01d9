// A curve that behaves like the launchpad's: integer formula, reserves after the trade. Produces the tape events of one mint for tests.
import type { DecodedHeader } from '../../../../processors/chains/decoder.ts'
import type { InLong } from '../../../../schemas/amount.ts'
import { type Key, keyOf, type Signature } from '../../../../schemas/keys.ts'
import { TILDE } from '../../../../schemas/position.ts'
import type {
  Balance,
  Complete,
  CreatorChange,
  Launch,
  Migrate,
  MissingEvent,
  PoolBoost,
  PoolCreate,
  PoolLiquidity,
  PoolTrade,
  TapeEvent,
  Trade,
} from '../../../../schemas/types.ts'
import type { GivenFrame } from '../../../given.ts'

/** A key whose bytes are all `byte`. */
export const key = (byte: number): Key => keyOf(new Uint8Array(32).fill(byte))
export const MINT = key(1)
export const CURVE = key(2)
export const POOL = key(3)
export const CREATOR = key(10)
export const USER = key(11)
export const AGENT = key(12)
export const USDC = key(13)
export const wallet = (n: number): Key => key(100 + n)
export const SOL = 1_000_000_000
/** A million coins in base units. */
export const MILLION = 1_000_000_000_000
/** Unix seconds of the launch. */
export const T0 = 1_763_000_000
export const SLOT0 = 1_000

type Frame = GivenFrame<TapeEvent, DecodedHeader>

/** A frame `after` slots and as many seconds after the launch. */
export const frame = (after: number, events: readonly TapeEvent[] = [], change: Partial<DecodedHeader> = {}): Frame => ({
  header: {
    chain: 'solana',
    number: SLOT0 + after,
    hash8: 'Hash0000',
    sequence: after,
    time: T0 + after,
    gapFrom: null,
    gapTo: null,
    vouched: false,
    placed: true,
    launchpadTransactions: null,
    launchpadFailed: null,
    final: false,
    ...change,
  },
  events,
})

/** Events of one mint: every call makes the next one, in the next transaction; only `at` moves the clock. */
export class Market {
  virtualQuote = 30n * BigInt(SOL)
  virtualToken = 1_073_000_000_000_000n
  /** By how much the stated real reserve differs from that of the formula. */
  #stated = 0
  #tx = 0
  #second = T0
  readonly #quoteMint: Key | null
  readonly #mayhem: boolean

  constructor(options: { readonly quoteMint?: Key; readonly mayhem?: boolean } = {}) {
    this.#quoteMint = options.quoteMint ?? null
    this.#mayhem = options.mayhem ?? false
  }
  /** The same curve, for another continuation. */
  copy(): Market {
    const copy = new Market({ mayhem: this.#mayhem, ...(this.#quoteMint === null ? {} : { quoteMint: this.#quoteMint }) })
    Object.assign(copy, { virtualQuote: this.virtualQuote, virtualToken: this.virtualToken })
    copy.#stated = this.#stated
    return copy
  }
  /** Moves the clock to `seconds` after the launch. */
  at(seconds: number): this {
    this.#second = T0 + seconds
    return this
  }
  /** Stays in the transaction of the previous event. */
  sameTx(): this {
    this.#tx -= 1
    return this
  }
  #inner = 0
  #head() {
    this.#tx += 1
    this.#inner += 1
    return { tx: this.#tx, outer: 2, inner: this.#inner, signature: 's'.repeat(64) as Signature, mint: MINT, timestamp: this.#second }
  }
  launch(change: Partial<InLong<Launch>> = {}): InLong<Launch> {
    return {
      type: 'launch',
      ...this.#head(),
      bondingCurve: CURVE,
      user: CREATOR,
      creator: CREATOR,
      creatorIsWallet: true,
      name: 'Coin',
      symbol: 'COIN',
      uri: 'https://example.com',
      tokenProgram: null,
      mayhem: this.#mayhem,
      cashback: false,
      quoteMint: this.#quoteMint,
      virtualTokenUnits: Number(this.virtualToken),
      virtualQuoteUnits: Number(this.virtualQuote),
      realTokenUnits: 793_100_000_000_000,
      supplyUnits: 1_000_000_000_000_000,
      layout: 'V3',
      ...change,
    }
  }
  buy(user: Key, tokenUnits: number, change: Partial<InLong<Trade>> = {}): InLong<Trade> {
    const tokens = BigInt(tokenUnits)
    const quote = (tokens * this.virtualQuote) / (this.virtualToken - tokens) + 1n
    this.virtualQuote += quote
    this.virtualToken -= tokens
    return this.#trade(user, true, tokenUnits, Number(quote), change)
  }
  sell(user: Key, tokenUnits: number, change: Partial<InLong<Trade>> = {}): InLong<Trade> {
    const tokens = BigInt(tokenUnits)
    const quote = (tokens * this.virtualQuote) / (this.virtualToken + tokens)
    this.virtualQuote -= quote
    this.virtualToken += tokens
    return this.#trade(user, false, tokenUnits, Number(quote), change)
  }
  #trade(user: Key, isBuy: boolean, tokenUnits: number, quoteUnits: number, change: Partial<InLong<Trade>>): InLong<Trade> {
    return {
      type: 'trade',
      ...this.#head(),
      user,
      isBuy,
      isAgent: false,
      mayhem: this.#mayhem,
      quoteMint: this.#quoteMint,
      tokenUnits,
      quoteUnits,
      feeUnits: 0,
      creatorFeeUnits: 0,
      virtualQuoteUnits: Number(this.virtualQuote),
      virtualTokenUnits: Number(this.virtualToken),
      realQuoteUnits: Number(this.virtualQuote) - 30 * SOL + this.#stated,
      realTokenUnits: Number(this.virtualToken) - 279_900_000_000_000,
      creator: CREATOR,
      layout: 'G6',
      ...change,
    }
  }
  /** A trade of 1 SOL that states another real reserve: a shortcut for tests, not by the formula. */
  level(user: Key, isBuy: boolean, realQuoteUnits: number, tokenUnits = MILLION): InLong<Trade> {
    this.virtualQuote += BigInt(isBuy ? SOL : -SOL)
    this.virtualToken += BigInt(isBuy ? -tokenUnits : tokenUnits)
    this.#stated = realQuoteUnits - (Number(this.virtualQuote) - 30 * SOL)
    return this.#trade(user, isBuy, tokenUnits, SOL, { realQuoteUnits })
  }
  complete(user: Key = wallet(1)): Complete {
    return { type: 'complete', ...this.#head(), user, bondingCurve: CURVE, quoteMint: this.#quoteMint }
  }
  migrate(): InLong<Migrate> {
    return {
      type: 'migrate',
      ...this.#head(),
      user: wallet(1),
      bondingCurve: CURVE,
      pool: POOL,
      quoteMint: this.#quoteMint,
      tokenUnits: 206_900_000_000_000,
      quoteUnits: 85 * SOL,
      feeUnits: 15_000_001,
    }
  }
  /** The pool of the migration, opened with 85 SOL by default. */
  poolCreate(change: Partial<PoolCreate> = {}): PoolCreate {
    return {
      type: 'poolCreate',
      ...this.#head(),
      pool: POOL,
      creator: wallet(1),
      index: 0,
      coinIsBase: true,
      quoteMint: this.#quoteMint,
      tokenUnits: 206_900_000_000_000,
      quoteUnits: 85 * SOL,
      mayhem: this.#mayhem,
      ...change,
    }
  }
  poolBoost(virtualQuoteUnits: number, realQuoteUnitsAfter: number): InLong<PoolBoost> {
    return { type: 'poolBoost', ...this.#head(), pool: POOL, virtualQuoteUnits, realQuoteUnitsAfter }
  }
  /** A call without its event: a trade that the tape does not have. */
  missingEvent(call = 'buy'): MissingEvent {
    return { type: 'missingEvent', ...this.#head(), timestamp: null, call }
  }
  poolTrade(user: Key, isBuy: boolean, tokenUnits: number, change: Partial<PoolTrade> = {}): PoolTrade {
    return {
      type: 'poolTrade',
      ...this.#head(),
      pool: POOL,
      user,
      isBuy,
      isAgent: false,
      coinIsBase: true,
      quoteMint: this.#quoteMint,
      tokenUnits,
      quoteUnits: SOL,
      userQuoteUnits: SOL,
      poolTokenUnits: 200 * MILLION,
      poolQuoteUnits: 85 * SOL,
      virtualQuoteUnits: null,
      poolFeeUnits: 0,
      ...change,
    }
  }
  deposit(user: Key, tokenUnits: number): InLong<PoolLiquidity> {
    const fixed = { pool: POOL, isDeposit: true, coinIsBase: true, quoteMint: this.#quoteMint, poolTokenUnits: 0, poolQuoteUnits: 0 }
    return { type: 'poolLiquidity', ...this.#head(), ...fixed, user, tokenUnits, quoteUnits: SOL }
  }
  creatorChange(creator: Key): CreatorChange {
    return { type: 'creatorChange', ...this.#head(), creator, kind: 'SetCreatorEvent' }
  }
}

/** Key of the `n`th of many wallets. */
export const numbered = (n: number): Key => {
  const bytes = Buffer.alloc(32, 7)
  bytes.writeUInt32BE(n)
  return keyOf(bytes)
}

/** Coins sent by a program: their receiver does not become an insider. */
export const handedOut = (owner: Key, units: number, tx = 9): InLong<Balance> => ({
  type: 'balance',
  ...{ tx, outer: TILDE, inner: 0, signature: 's'.repeat(64) as Signature, mint: MINT, timestamp: null },
  ...{ owner, units, traded: false, isWallet: units > 0, fromWallets: false, sender: null },
})
