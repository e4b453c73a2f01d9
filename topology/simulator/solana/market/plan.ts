// Draws the plan of a launch before it starts; the curve's story then follows it.
import { type Key, mustKey } from '../../../../schemas/keys.ts'
import type { Random } from '../../random.ts'
import type { Archetype } from '../market-types.ts'
import { ARCHETYPES, type ArchetypeShape } from './archetypes.ts'

/** The demo's second quote currency, 6 decimals. */
export const USDC: Key = mustKey('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')
const SOL = 1_000_000_000

/** How the curve ends: it stays open, its creator buys it out at once, the crowd buys it out, or it completes far below 84 SOL. */
type Ending = 'open' | 'self' | 'organic' | 'low'

export interface LaunchPlan {
  readonly archetype: Archetype
  readonly ending: Ending
  /** True if the pool fills the rest of the curve's last buy. */
  readonly isSynthetic: boolean
  readonly mayhem: boolean
  readonly cashback: boolean
  /** Null for SOL. The amounts below are in lamports for any quote. */
  readonly quoteMint: Key | null
  readonly trades: number
  readonly peakLamports: number
  /** Part of the trades before the peak, and share of the peak that is left at the end. */
  readonly rise: number
  readonly endShare: number
  /** True if the launch must meet the outcome rule for a drain; false if it must not, unless it is a rug anyway: its creator sells all. */
  readonly drains: boolean
  readonly durationMs: number
  /** How long the crowd's first trades come at their full rate. */
  readonly rushMs: number
  /** When the holders start to leave, infinity if they stay: not before the peak. */
  readonly leavesAfterMs: number
  /** Share of the crowd's trades at the same time as the trade before. */
  readonly joinsShare: number
  /** Bots that buy dust. */
  readonly dustBuyers: number
  /** 0 for none. */
  readonly devBuyLamports: number
  readonly devSells: 'none' | 'part' | 'all'
  readonly devSellsAfterMs: number
  readonly bundleWallets: number
  readonly bundleLamports: number
  /** Number of bundle wallets that buy within the create transaction. */
  readonly bundleInCreate: number
  readonly bundleSellsAfterMs: number
  readonly snipers: number
  readonly insiders: number
}

/** Peak limit of curves that do not graduate, except near misses. These figures are fitted to recorded markets. */
const FADING_PEAK_SOL_MAX = 60
const TRADES_MAX = 12_000
/** At most 2.5 trades a second of one coin, averaged over its curve; the first hundred of `curve-heads` are slower still. */
const MS_PER_TRADE_MIN = 400
/**
 * Median duration of fifteen trades of the crowd. The sheet has 200 s; then the first hundred trades come several times faster than in the
 * table `curve-heads`, and tracked curves have too many buyers after a minute.
 */
const DURATION_MS = 700_000
const DURATION_MS_MAX = 6 * 3_600_000
/** Rank correlation of trades and peak. */
const TRADES_PEAK_RANK = 0.45
/** From this peak on a curve can be drained by the outcome rule. */
const DRAIN_PEAK_SOL = 5
const DRAINS_OF_RUGS = 0.85
const LOW_CLOSES_OF_MAYHEM = 0.012
/** Of the curves that the crowd completes, the share with a synthetic migration: recorded on their first day, 1/5 to 1/3 of graduations. */
const SYNTHETIC_SHARE = 0.45
/** Of the curves with a lower peak or whose creator sells all, the share that the crowd empties; fitted to the table `curve-tracks`. */
const EMPTIED_SHARE = 0.85
/** A curve that ends with a smaller share of its peak is emptied. */
const LEFT_SHARE_MAX = 0.2
/** `[median, sigma]` of the time at which holders start to leave an emptied curve: half of the tracked ones are empty after 2 minutes. */
const LEAVES_MS = [45_000, 0.9] as const
/** Duration of a coin's first rush; longer if it fills its curve: then the first hundred trades take minutes (table `curve-heads`). */
const RUSH_MS = 15_000
const FILLING_RUSH_MS = 300_000
/** Peak from which a coin counts as filling its curve: half of the curve's coins are sold. */
const FILLING_SOL = 32
export const FILLING_LAMPORTS = FILLING_SOL * SOL
/**
 * Share of the crowd's trades at the same time as the trade before. In `curve-heads` a quarter of gaps is 0 s, half of curves that fill.
 * Mayhem has what is left of the 35 % of whole markets (2025-10).
 */
const JOINS_SHARE = 0.08
const FILLING_JOINS_SHARE = 0.3
const MAYHEM_JOINS_SHARE = 0.5
/** Dust bots of a launch, least and most: tracked curves that nobody else trades get 1 to 6 more buyers from minute 1 to 5. */
const DUST_BUYERS: readonly [number, number] = [1, 4]
const CASHBACK_SHARE = 0.03
const OTHER_QUOTE_SHARE = 0.05
/** Of the launches whose creator does not sell, the share without a dev buy: 17 % of all launches. */
const NO_DEV_BUY_OF_KEEPERS = 0.46

const shapeAt = (point: number, isAfterChange: boolean): ArchetypeShape => {
  const total = ARCHETYPES.reduce((sum, { share, shareAfter }) => sum + (isAfterChange ? shareAfter : share), 0)
  let left = point * total
  for (const shape of ARCHETYPES) {
    left -= isAfterChange ? shape.shareAfter : shape.share
    if (left < 0) return shape
  }
  return ARCHETYPES[0] as ArchetypeShape
}

/** A peak between 40 and 84 SOL with density x^-2. */
const nearMissPeak = (random: Random): number => 1 / (1 / 40 - random.next() * (1 / 40 - 1 / 84))

interface Sizes {
  readonly trades: number
  readonly peakSol: number
  /** The peak as a normal deviate: bigger launches have bigger dev buys. */
  readonly rank: number
}

const sizesOf = ({ archetype, trades, peakSol }: ArchetypeShape, random: Random): Sizes => {
  const a = random.normal()
  const b = TRADES_PEAK_RANK * a + Math.sqrt(1 - TRADES_PEAK_RANK ** 2) * random.normal()
  const count = Math.min(TRADES_MAX, Math.max(1, Math.round(trades[0] * Math.exp(trades[1] * a))))
  if (archetype === 'near_miss') return { trades: count, peakSol: nearMissPeak(random), rank: 1.5 }
  const sol = peakSol[0] * Math.exp(peakSol[1] * b)
  const isFading = archetype !== 'self_graduation' && archetype !== 'organic_graduate'
  return { trades: count, peakSol: isFading ? Math.min(FADING_PEAK_SOL_MAX - random.between(1, 20), sol) : sol, rank: b }
}

interface Fate {
  readonly drains: boolean
  readonly devSells: LaunchPlan['devSells']
}

/** A rug is a drain, or a dev that sells at least half. Below 5 SOL only the second exists; above, rugs usually have both. */
const fateOf = ({ rugShare, devSoldShare, archetype }: ArchetypeShape, peakSol: number, random: Random): Fate => {
  const isRug = random.chance(rugShare)
  const canDrain = peakSol >= DRAIN_PEAK_SOL && !isCompleting(archetype)
  const drains = isRug && canDrain && random.chance(DRAINS_OF_RUGS)
  if (isRug) {
    const isSeller = !drains || random.chance(Math.min(1, devSoldShare / rugShare))
    return { drains, devSells: isSeller ? 'all' : 'none' }
  }
  return { drains, devSells: random.chance(Math.max(0, devSoldShare - rugShare) / (1 - rugShare)) ? 'part' : 'none' }
}
const isCompleting = (archetype: Archetype): boolean => archetype === 'self_graduation' || archetype === 'organic_graduate'

const endingOf = (archetype: Archetype, random: Random): Ending => {
  if (archetype === 'self_graduation') return 'self'
  if (archetype === 'organic_graduate') return 'organic'
  return archetype === 'mayhem' && random.chance(LOW_CLOSES_OF_MAYHEM) ? 'low' : 'open'
}

/** Tracked curves end empty, but for dust, in 19 of 30 cases (2025-06). */
const endShareOf = ({ drains, devSells }: Fate, peakSol: number, random: Random): number => {
  if (drains) return random.between(0.005, 0.12)
  return (peakSol < DRAIN_PEAK_SOL || devSells === 'all') && random.chance(EMPTIED_SHARE)
    ? random.logUniform(0.0005, 0.02)
    : random.between(0.45, 1)
}

/** Milliseconds from the launch to the crowd's last trade. */
const durationOf = (shape: ArchetypeShape, ending: Ending, trades: number, random: Random): number =>
  Math.max(trades * MS_PER_TRADE_MIN, drawDuration(shape, ending, trades, random))

const drawDuration = ({ pace }: ArchetypeShape, ending: Ending, trades: number, random: Random): number => {
  if (ending === 'organic' || ending === 'low')
    return random.chance(0.15) ? random.between(30_000, 180_000) : Math.max(60_000, random.logNormal(25 * 60_000, 1.1))
  return Math.min(DURATION_MS_MAX, random.logNormal(DURATION_MS * pace, 1.5) * Math.max(1, trades / 15) ** 0.8)
}

const devBuyOf = (shape: ArchetypeShape, { peakSol, rank }: Sizes, { devSells }: Fate, random: Random): number => {
  if (devSells === 'none' && random.chance(NO_DEV_BUY_OF_KEEPERS)) return 0
  const drawn = 0.75 * Math.exp(1.25 * (0.5 * rank + 0.85 * random.normal()))
  const most = peakSol * (shape.archetype === 'dead_on_arrival' ? random.between(0.7, 1) : random.between(0.15, 0.75))
  return Math.max(0.0005, Math.min(drawn, most))
}

const bundleCount = ({ bundleNone, bundleMany }: ArchetypeShape, random: Random): number => {
  const point = random.next()
  if (point < bundleNone) return 0
  return point < bundleNone + bundleMany ? 5 + random.int(6) : 1 + random.int(4)
}

const quoteOf = (archetype: Archetype, random: Random): Key | null => {
  const isPossible = archetype === 'organic_fade' || archetype === 'slow_drain' || archetype === 'dead_on_arrival'
  return isPossible && random.chance(OTHER_QUOTE_SHARE / 0.43) ? USDC : null
}

/** Draws a launch, with the shares before or after the change of regime. */
export const drawPlan = (random: Random, isAfterChange: boolean): LaunchPlan => {
  const shape = shapeAt(random.next(), isAfterChange)
  const { archetype } = shape
  const sizes = sizesOf(shape, random)
  const ending = endingOf(archetype, random)
  const isOpen = ending === 'open'
  const fate = isOpen ? fateOf(shape, sizes.peakSol, random) : { ...fateOf(shape, 0, random), drains: false }
  const trades = ending === 'low' ? 60 + random.int(200) : sizes.trades
  const bundleWallets = Math.min(bundleCount(shape, random), Math.max(1, trades - 1))
  const isTeam = archetype === 'bundle_and_dump' || archetype === 'serial_rugger' || archetype === 'funded_insiders'
  const endShare = endShareOf(fate, sizes.peakSol, random)
  const durationMs = durationOf(shape, ending, trades, random)
  const devBuySol = devBuyOf(shape, sizes, fate, random)
  const bundleSol = Math.max(0, sizes.peakSol * 0.95 - devBuySol) * (isTeam ? random.between(0.25, 0.65) : random.between(0.02, 0.2))
  return {
    archetype,
    ending,
    isSynthetic: ending === 'organic' && random.chance(SYNTHETIC_SHARE),
    mayhem: archetype === 'mayhem',
    cashback: archetype !== 'mayhem' && random.chance(CASHBACK_SHARE),
    quoteMint: isOpen ? quoteOf(archetype, random) : null,
    trades,
    peakLamports: Math.max(200_000, Math.round(sizes.peakSol * SOL)),
    rise: isOpen ? random.between(...shape.rise) : 1,
    endShare,
    ...fate,
    durationMs,
    leavesAfterMs: isOpen && endShare < LEFT_SHARE_MAX ? random.logNormal(...LEAVES_MS) : Number.POSITIVE_INFINITY,
    rushMs: sizes.peakSol >= FILLING_SOL ? FILLING_RUSH_MS : RUSH_MS,
    joinsShare: archetype === 'mayhem' ? MAYHEM_JOINS_SHARE : sizes.peakSol >= FILLING_SOL ? FILLING_JOINS_SHARE : JOINS_SHARE,
    dustBuyers: ending === 'self' ? 0 : DUST_BUYERS[0] + random.int(DUST_BUYERS[1] - DUST_BUYERS[0] + 1),
    devBuyLamports: Math.round(devBuySol * SOL),
    devSellsAfterMs: Math.min(durationMs, random.logNormal(12_000, 1.7)),
    bundleWallets,
    bundleLamports: Math.round(bundleSol * SOL),
    bundleInCreate: isTeam && random.chance(0.4) ? Math.min(bundleWallets, 1 + random.int(3)) : 0,
    bundleSellsAfterMs: Math.min(durationMs, random.logNormal(isTeam ? 25_000 : 15_000, 1)),
    snipers: archetype === 'dead_on_arrival' ? 0 : Math.min(random.int(4), Math.floor(trades / 8)),
    insiders: archetype === 'funded_insiders' ? 3 + random.int(6) : 0,
  }
}
