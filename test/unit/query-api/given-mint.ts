// Rows of mints for tests of the API: written by hand as a fold would.
import { detectors } from '../../../processors/mint/detectors/index.ts'
import { newCurve, newHolder, ROLE_DEV } from '../../../processors/mint/rows.ts'
import type { Key, Signature } from '../../../schemas/keys.ts'
import { keyOf, toBase58 } from '../../../schemas/keys.ts'
import { type FindingId, findingId } from '../../../schemas/position.ts'
import type { CurveRow, FlagRow, HolderRow, LaunchRow, MintState, OutcomeRow, PoolRow, PriorRow, StubRow } from '../../../schemas/types.ts'

/** Unix seconds of the tests' present. */
export const NOW_S = 1_763_000_000

/** A key whose bytes are all `byte`. */
export const key = (byte: number): Key => keyOf(new Uint8Array(32).fill(byte))
export const base58 = (byte: number): string => toBase58(key(byte))

export const CREATOR = key(200)

export const launchRow = (change: Partial<LaunchRow> = {}): LaunchRow => ({
  number: 1_000,
  tx: 3,
  outer: 2,
  inner: 1,
  hash8: 'AAAAAAAA',
  signature: 's'.repeat(64) as Signature,
  at: NOW_S - 100,
  name: 'Coin',
  symbol: 'COIN',
  uri: 'https://example.com/coin.json',
  user: CREATOR,
  creator: CREATOR,
  creatorIsWallet: true,
  bondingCurve: key(201),
  tokenProgram: null,
  mayhem: false,
  cashback: false,
  quoteMint: null,
  supplyUnits: 1_000_000_000_000_000,
  realTokenUnits: 793_100_000_000_000,
  vouched: false,
  placed: true,
  ...change,
})

export const curveRow = (change: Partial<CurveRow> = {}): CurveRow => ({
  ...newCurve(),
  lastNumber: 1_050,
  lastAt: NOW_S - 5,
  virtualQuoteUnits: 40_000_000_000,
  virtualTokenUnits: 804_750_000_000_000,
  realQuoteUnits: 10_000_000_000,
  realTokenUnits: 524_850_000_000_000,
  peakQuoteUnits: 12_000_000_000,
  peakNumber: 1_040,
  buys: 20,
  sells: 5,
  trades: 25,
  uniqueBuyers: 12,
  lastTradeAt: NOW_S - 5,
  lastBuyAt: NOW_S - 5,
  lastNewBuyerAt: NOW_S - 6,
  ...change,
})

/** A curve whose newest event was 300 s ago: visible in free answers. */
export const restedCurve = (change: Partial<CurveRow> = {}): CurveRow => {
  const at = NOW_S - 300
  return curveRow({ lastAt: at, lastTradeAt: at, lastBuyAt: at, lastNewBuyerAt: at, ...change })
}

export const poolRow = (change: Partial<PoolRow> = {}): PoolRow => ({
  pool: key(230),
  quoteMint: null,
  coinIsBase: true,
  openingQuoteUnits: 85_000_000_000,
  quoteUnits: 90_000_000_000,
  virtualQuoteUnits: 0,
  tokenUnits: 200_000_000_000_000,
  trades: 3,
  boosts: 0,
  boostQuoteUnits: 0,
  boostTokenUnits: 0,
  openedAt: NOW_S - 40,
  lastAt: NOW_S - 5,
  number: 1_020,
  tx: 1,
  outer: 0,
  inner: 4,
  hash8: 'AAAAAAAA',
  ...change,
})

export const holderRow = (wallet: Key, units: number, change: Partial<HolderRow> = {}): HolderRow => ({
  ...newHolder(wallet, 0),
  units,
  firstBuyNumber: 1_001,
  lastBuyAt: NOW_S - 50,
  ...change,
})

/** Id of the detector of a flag; for a flag without one, a name of that form. */
export const detectorOf = (flag: string): string => detectors.byFlag.get(flag)?.id ?? flag.replaceAll('_', '-')
/** A finding id as the product makes it. */
export const findingOf = (flag: string, mint: string, number = 1_040): FindingId =>
  findingId({ chain: 'solana', number, tx: 1, outer: 0, inner: 0 }, 'AAAAAAAA', detectorOf(flag), mint)

export const flagRow = (flag: string, change: Partial<FlagRow> = {}): FlagRow => ({
  flag,
  findingId: findingOf(flag, base58(1)),
  detector: detectorOf(flag),
  detectorVersion: 1,
  detectorHash: null,
  number: 1_040,
  tx: 1,
  outer: 0,
  inner: 0,
  firstSeenAt: NOW_S - 20,
  evidence: '{"tokens_share":0.05,"sol":1.5}',
  ...change,
})

export const outcomeRow = (change: Partial<OutcomeRow> = {}): OutcomeRow => ({
  settledAt: NOW_S - 10,
  cause: 'migrated',
  graduated: false,
  rugged: true,
  rugKind: 'drain',
  rugDtS: 40,
  terminalQuoteUnits: 0,
  censored: null,
  reopenedAt: null,
  peakQuoteUnits: 12_000_000_000,
  devFirstSellDtS: null,
  devBuyQuoteUnits: 0,
  trades: 20,
  buyers: 10,
  mayhem: false,
  selfGraduated: false,
  ...change,
})

export const stubRow = (change: Partial<StubRow> = {}): StubRow => ({
  reason: 'silent',
  launchAt: 1,
  lastNumber: 1,
  forgottenAt: 1,
  flags: '',
  outcome: null,
  name: 'Coin',
  symbol: 'COIN',
  creator: CREATOR,
  launcher: CREATOR,
  ...change,
})

export const priorRow = (change: Partial<PriorRow> = {}): PriorRow => ({
  launches: 3,
  resolved: 2,
  graduated: 1,
  rugged: 1,
  medianDevSellS: 40,
  observedSince: NOW_S - 9_000,
  of: CREATOR,
  waits: 0,
  ...change,
})

/** A launch of 100 s ago that trades, with full coverage. */
export const liveState = (change: Partial<MintState> = {}): MintState => ({
  launch: launchRow(),
  curve: curveRow(),
  holders: [holderRow(CREATOR, 20_000_000_000_000, { roles: ROLE_DEV }), holderRow(key(210), 30_000_000_000_000), holderRow(key(211), 0)],
  flows: [{ slot: (NOW_S - 5) % 60, second: NOW_S - 5, buys: 2, sells: 1, netQuoteUnits: 700_000_000 }],
  flags: [],
  proofs: [],
  changes: [],
  outcome: null,
  stub: null,
  prior: null,
  pools: [],
  steps: [],
  warm: null,
  waiting: [],
  folded: null,
  timers: [],
  ...change,
})
