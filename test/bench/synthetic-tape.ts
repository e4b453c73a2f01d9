// A seeded tape for benches: launches and trades with the curve's own arithmetic, many mints at once, a few wallets each.
import type { Key, Signature } from '../../schemas/keys.ts'
import type { Launch, TapeBatch, TapeEvent, Trade } from '../../schemas/types.ts'

/** Shape of a tape; the defaults give about 15 holders and 31 events a mint, 20 events a frame. */
export interface TapeShape {
  readonly events: number
  readonly eventsPerFrame: number
  readonly eventsPerMint: number
  readonly seed: number
}
export const DEFAULT_SHAPE: TapeShape = { events: 500_000, eventsPerFrame: 20, eventsPerMint: 31, seed: 42 }

const VIRTUAL_QUOTE = 30_000_000_000
const VIRTUAL_TOKEN = 1_073_000_000_000_000
const REAL_TOKEN = 793_100_000_000_000
const FIRST_SLOT = 300_000_000
const FIRST_TIME = 1_790_000_000
const LIVE_MINTS = 400

/** mulberry32: small, seeded, good enough for loads. */
export const randomOf = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

interface Mint {
  readonly key: Key
  readonly creator: Key
  readonly holders: { readonly wallet: Key; units: number }[]
  virtualQuote: number
  virtualToken: number
}

const keyFrom = (random: () => number): Key =>
  Buffer.from(Array.from({ length: 32 }, () => Math.floor(random() * 256))).toString('latin1') as Key

/** Frames of the tape; the same shape gives the same tape. */
export function* syntheticTape(shape: TapeShape = DEFAULT_SHAPE): Iterable<TapeBatch> {
  const random = randomOf(shape.seed)
  const signature = 's'.repeat(64) as Signature
  const live: Mint[] = []
  let made = 0
  for (let frame = 0; made < shape.events; frame++) {
    const time = FIRST_TIME + Math.floor(frame * 0.4)
    const events: TapeEvent[] = []
    for (let tx = 0; tx < shape.eventsPerFrame && made < shape.events; tx++, made++) {
      const starts = live.length < LIVE_MINTS || random() < 1 / shape.eventsPerMint
      if (starts) events.push(launch(open(live, random), tx, time, signature))
      else events.push(trade(live, random, tx, time, signature))
    }
    const number = FIRST_SLOT + frame
    yield {
      type: 'batch',
      chain: 'solana',
      number,
      hash8: `b${number}`.slice(-8),
      sequence: frame,
      time,
      gapFrom: null,
      gapTo: null,
      vouched: false,
      final: true,
      placed: true,
      launchpadTransactions: null,
      launchpadFailed: null,
      events,
    }
  }
}

const open = (live: Mint[], random: () => number): Mint => {
  const key = keyFrom(random)
  const mint = { key, creator: keyFrom(random), holders: [], virtualQuote: VIRTUAL_QUOTE, virtualToken: VIRTUAL_TOKEN }
  if (live.length >= LIVE_MINTS) live[Math.floor(random() * live.length)] = mint
  else live.push(mint)
  return mint
}

const launch = (mint: Mint, tx: number, time: number, signature: Signature): Launch => ({
  type: 'launch',
  tx,
  outer: 0,
  inner: 1,
  signature,
  mint: mint.key,
  timestamp: time,
  bondingCurve: mint.creator,
  user: mint.creator,
  creator: mint.creator,
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

const trade = (live: readonly Mint[], random: () => number, tx: number, time: number, signature: Signature): Trade => {
  const mint = live[Math.floor(random() ** 2 * live.length)] as Mint
  const held = mint.holders.filter(({ units }) => units > 0)
  const sells = held.length > 0 && random() < 0.45
  const [holder, quoteUnits, tokenUnits] = sells ? sell(mint, held, random) : buy(mint, random)
  return {
    type: 'trade',
    tx,
    outer: 2,
    inner: 1,
    signature,
    mint: mint.key,
    timestamp: time,
    user: holder,
    isBuy: !sells,
    isAgent: false,
    mayhem: false,
    quoteMint: null,
    tokenUnits,
    quoteUnits,
    feeUnits: Math.ceil(quoteUnits * 0.0095),
    creatorFeeUnits: Math.ceil(quoteUnits * 0.003),
    virtualQuoteUnits: mint.virtualQuote,
    virtualTokenUnits: mint.virtualToken,
    realQuoteUnits: mint.virtualQuote - VIRTUAL_QUOTE,
    realTokenUnits: mint.virtualToken - (VIRTUAL_TOKEN - REAL_TOKEN),
    creator: mint.creator,
    layout: 'G8',
  }
}

const buy = (mint: Mint, random: () => number): [Key, number, number] => {
  const amount = Math.floor(mint.virtualToken * 0.002 * (0.1 + random()))
  const cost = Number((BigInt(amount) * BigInt(mint.virtualQuote)) / BigInt(mint.virtualToken - amount)) + 1
  const known = mint.holders.length > 0 && random() < 0.3
  const holder = known
    ? (mint.holders[Math.floor(random() * mint.holders.length)] as Mint['holders'][number])
    : { wallet: mint.holders.length === 0 ? mint.creator : keyFrom(random), units: 0 }
  if (!known) mint.holders.push(holder)
  holder.units += amount
  mint.virtualToken -= amount
  mint.virtualQuote += cost
  return [holder.wallet, cost, amount]
}

const sell = (mint: Mint, held: readonly Mint['holders'][number][], random: () => number): [Key, number, number] => {
  const holder = held[Math.floor(random() * held.length)] as Mint['holders'][number]
  const amount = random() < 0.8 ? holder.units : Math.ceil(holder.units / 2)
  const out = Number((BigInt(amount) * BigInt(mint.virtualQuote)) / BigInt(mint.virtualToken + amount))
  holder.units -= amount
  mint.virtualToken += amount
  mint.virtualQuote -= out
  return [holder.wallet, out, amount]
}
