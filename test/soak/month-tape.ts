// A seeded tape of many days for measuring memory: launches with a few trades each, and payments between wallets. No pools, no forks.
import type { InLong } from '../../schemas/amount.ts'
import type { Key, Signature } from '../../schemas/keys.ts'
import type { Launch, TapeBatch, TapeEvent, Trade, Transfer } from '../../schemas/types.ts'
import { randomOf } from '../bench/synthetic-tape.ts'

/** Load of a simulated day. */
export interface MonthLoad {
  readonly seed: number
  readonly launchesPerDay: number
  readonly paymentsPerFrame: number
}

const DAY_S = 86_400
/** A frame represents five slots, of which four are skipped: a day takes a fifth of the frames. */
const FRAME_S = 2
const SLOTS_PER_FRAME = 5
export const FRAMES_PER_DAY = DAY_S / FRAME_S

const FIRST_SLOT = 300_000_000
/** Midnight UTC. */
const FIRST_TIME = 1_789_948_800
/** Share of launches by a wallet that never launched before. */
const NEW_CREATOR_SHARE = 0.6
/** How many frames after the launch another wallet buys; `SELLS_AFTER`: how many frames after it the creator sells everything. */
const BUYS_AFTER = [2, 10]
const SELLS_AFTER = 40
const BUY_LAMPORTS = 500_000_000
const VIRTUAL_QUOTE = 30_000_000_000
const VIRTUAL_TOKEN = 1_073_000_000_000_000
const REAL_TOKEN = 793_100_000_000_000
const SIGNATURE = 's'.repeat(64) as Signature

interface Coin {
  readonly mint: Key
  readonly creator: Key
  readonly frame: number
  virtualQuote: number
  virtualToken: number
  devUnits: number
}

/** The nth key of a kind: 32 bytes of a hash, so that no key has to be stored. */
const keyOf = (kind: number, n: number): Key => {
  const random = randomOf(Math.imul(kind, 0x9e3779b1) ^ n)
  const bytes = Buffer.allocUnsafe(32)
  for (let at = 0; at < 32; at += 4) bytes.writeUInt32LE(Math.floor(random() * 4_294_967_296), at)
  return bytes.toString('latin1') as Key
}
const MINT = 1
const CREATOR = 2
const WALLET = 3

/** Consecutive frames; the same load gives the same tape. */
export class MonthTape {
  readonly #load: MonthLoad
  readonly #random: () => number
  #frame = 0
  #creators = 0
  #wallets = 0
  #trading: Coin[] = []
  launches = 0

  constructor(load: MonthLoad) {
    this.#load = load
    this.#random = randomOf(load.seed)
  }
  next(): TapeBatch {
    const frame = this.#frame++
    const time = FIRST_TIME + frame * FRAME_S
    const number = FIRST_SLOT + frame * SLOTS_PER_FRAME
    const events: TapeEvent[] = []
    this.#pay(events, time)
    this.#trade(events, frame, time)
    for (const due = Math.floor(((frame + 1) * this.#load.launchesPerDay) / FRAMES_PER_DAY); this.launches < due; )
      this.#launch(events, frame, time)
    return {
      type: 'batch',
      chain: 'solana',
      number,
      hash8: String(number).slice(-8),
      sequence: frame,
      time,
      gapFrom: null,
      gapTo: null,
      vouched: false,
      final: false,
      placed: true,
      launchpadTransactions: null,
      launchpadFailed: null,
      events,
    }
  }

  #pay(events: TapeEvent[], time: number): void {
    for (let n = 0; n < this.#load.paymentsPerFrame; n++) {
      const head = { type: 'transfer' as const, tx: events.length, outer: 0, inner: 0, signature: SIGNATURE, timestamp: time }
      const payment: Transfer = { ...head, funder: keyOf(WALLET, n), wallet: keyOf(WALLET, this.#wallets++), amountLamports: 1_000_000_000 }
      events.push(payment)
    }
  }
  #trade(events: TapeEvent[], frame: number, time: number): void {
    for (const coin of this.#trading) {
      const age = frame - coin.frame
      if (BUYS_AFTER.includes(age)) events.push(this.#buy(coin, this.#recentlyPaid(), events.length, 0, time))
      if (age >= SELLS_AFTER) events.push(sell(coin, events.length, time))
    }
    this.#trading = this.#trading.filter((coin) => frame - coin.frame < SELLS_AFTER)
  }
  #launch(events: TapeEvent[], frame: number, time: number): void {
    const isNew = this.#creators === 0 || this.#random() < NEW_CREATOR_SHARE
    const creator = keyOf(CREATOR, isNew ? this.#creators++ : Math.floor(this.#random() * this.#creators))
    const mint = keyOf(MINT, this.launches++)
    const coin = { mint, creator, frame, virtualQuote: VIRTUAL_QUOTE, virtualToken: VIRTUAL_TOKEN, devUnits: 0 }
    this.#trading.push(coin)
    const tx = events.length
    events.push(launchOf(coin, tx, time))
    const buy = this.#buy(coin, creator, tx, 2, time)
    coin.devUnits = buy.tokenUnits
    events.push(buy)
  }
  #buy(coin: Coin, user: Key, tx: number, outer: number, time: number): InLong<Trade> {
    const quoteUnits = Math.floor(BUY_LAMPORTS * (0.5 + this.#random()))
    const tokenUnits = Math.floor(coin.virtualToken * (quoteUnits / (coin.virtualQuote + quoteUnits)))
    coin.virtualQuote += quoteUnits
    coin.virtualToken -= tokenUnits
    return { ...tradeOf(coin, tx, outer, time), user, isBuy: true, tokenUnits, quoteUnits }
  }
  #recentlyPaid(): Key {
    return keyOf(WALLET, Math.max(0, this.#wallets - 1 - Math.floor(this.#random() * 16)))
  }
}

const sell = (coin: Coin, tx: number, time: number): Trade => {
  const tokenUnits = coin.devUnits
  const quoteUnits = Math.floor(coin.virtualQuote * (tokenUnits / (coin.virtualToken + tokenUnits)))
  coin.virtualQuote -= quoteUnits
  coin.virtualToken += tokenUnits
  return { ...tradeOf(coin, tx, 0, time), user: coin.creator, isBuy: false, tokenUnits, quoteUnits }
}

const tradeOf = (
  coin: Coin,
  tx: number,
  outer: number,
  time: number,
): Omit<InLong<Trade>, 'user' | 'isBuy' | 'tokenUnits' | 'quoteUnits'> => ({
  type: 'trade',
  tx,
  outer,
  inner: 1,
  signature: SIGNATURE,
  mint: coin.mint,
  timestamp: time,
  isAgent: false,
  mayhem: false,
  quoteMint: null,
  feeUnits: 0,
  creatorFeeUnits: 0,
  virtualQuoteUnits: coin.virtualQuote,
  virtualTokenUnits: coin.virtualToken,
  realQuoteUnits: coin.virtualQuote - VIRTUAL_QUOTE,
  realTokenUnits: coin.virtualToken - (VIRTUAL_TOKEN - REAL_TOKEN),
  creator: coin.creator,
  layout: 'G8',
})

const launchOf = ({ mint, creator }: Coin, tx: number, time: number): Launch => ({
  type: 'launch',
  tx,
  outer: 0,
  inner: 1,
  signature: SIGNATURE,
  mint,
  timestamp: time,
  bondingCurve: mint,
  user: creator,
  creator,
  creatorIsWallet: true,
  name: 'a coin',
  symbol: 'COIN',
  uri: 'https://example.invalid/a',
  tokenProgram: null,
  mayhem: false,
  cashback: false,
  quoteMint: null,
  virtualTokenUnits: VIRTUAL_TOKEN,
  virtualQuoteUnits: VIRTUAL_QUOTE,
  realTokenUnits: REAL_TOKEN,
  supplyUnits: 1_000_000_000_000_000,
  layout: 'V6',
})
