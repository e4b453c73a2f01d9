// Events, frames and conclusions for tests of the figures, with only the fields that each needs.
import { inShadow } from '../../processors/mint/fold/finding.ts'
import type { Key, Signature } from '../../schemas/keys.ts'
import type { Conclusion, Launch, PoolTrade, TapeBatch, Trade } from '../../schemas/types.ts'
import type { HistoryClient } from '../../topology/history/client.ts'
import { MINT_TABLES } from '../../topology/history/rows/mint-tables.ts'
import { RowBatch } from '../../topology/history/rows/row-batch.ts'
import { refreshView } from '../../topology/history/tables/refresh-view.ts'
import type { REFRESHED } from '../../topology/sinks/refresh-views.ts'
import { key } from '../unit/processors/mint/market.ts'

export const T0 = 1_789_999_980
export const DAY = 86_400
export const SOL = 1_000_000_000
const signature = 's'.repeat(64) as Signature
export const place = (tx: number) => ({ tx, outer: 0, inner: 1, signature })

export const launch = (tx: number, mint: Key, mayhem = false): Launch => ({
  type: 'launch',
  ...place(tx),
  mint,
  timestamp: T0,
  bondingCurve: key(50),
  user: key(51),
  creator: key(51),
  creatorIsWallet: true,
  name: 'a',
  symbol: 'A',
  uri: '',
  tokenProgram: null,
  mayhem,
  cashback: false,
  quoteMint: null,
  virtualTokenUnits: null,
  virtualQuoteUnits: null,
  realTokenUnits: null,
  supplyUnits: null,
  layout: 'V6',
})
export const trade = (
  tx: number,
  mint: Key,
  user: Key,
  quoteUnits: number,
  realQuoteUnits: number,
  changes: Partial<Trade> = {},
): Trade => ({
  type: 'trade',
  ...place(tx),
  mint,
  timestamp: T0,
  user,
  isBuy: true,
  isAgent: false,
  mayhem: false,
  quoteMint: null,
  tokenUnits: 1,
  quoteUnits,
  feeUnits: null,
  creatorFeeUnits: null,
  virtualQuoteUnits: realQuoteUnits + 30 * SOL,
  virtualTokenUnits: 1_000,
  realQuoteUnits,
  realTokenUnits: 1,
  creator: null,
  layout: 'G8',
  ...changes,
})
export const poolTrade = (tx: number, mint: Key, quoteUnits: number): PoolTrade => ({
  type: 'poolTrade',
  ...place(tx),
  mint,
  timestamp: T0,
  pool: key(60),
  user: key(61),
  isBuy: false,
  isAgent: false,
  coinIsBase: true,
  quoteMint: null,
  tokenUnits: 1,
  quoteUnits,
  userQuoteUnits: quoteUnits,
  poolTokenUnits: 1,
  poolQuoteUnits: 1,
  virtualQuoteUnits: null,
  poolFeeUnits: 0,
})
export const frame = (number: number, time: number, events: TapeBatch['events'], changes: Partial<TapeBatch> = {}): TapeBatch => ({
  type: 'batch',
  chain: 'solana',
  number,
  hash8: `h${number}`,
  sequence: number,
  time,
  gapFrom: null,
  gapTo: null,
  vouched: false,
  final: true,
  placed: true,
  launchpadTransactions: null,
  launchpadFailed: null,
  events,
  ...changes,
})
export type OutcomeBody = Extract<Conclusion['body'], { type: 'outcome' }>
export const outcome = (n: number, t0: number, at: number, changes: Partial<OutcomeBody>): Conclusion => ({
  id: `outcome ${n}`,
  chain: 'solana',
  number: n,
  tx: 0,
  outer: 0,
  inner: 0,
  hash8: 'hhhhhhhh',
  at,
  body: {
    type: 'outcome',
    mint: key(n),
    creator: key(51),
    t0,
    slot0: 1,
    graduated: false,
    rugged: false,
    rugKind: null,
    rugDtS: null,
    peakQuoteUnits: SOL,
    terminalQuoteUnits: 0,
    quoteMint: null,
    devFirstSellDtS: null,
    devBuyQuoteUnits: 0,
    trades: 1,
    buyers: 1,
    mayhem: false,
    selfGraduated: false,
    censored: null,
    ...changes,
  },
})
export const shape = (n: number, t0: number, changes: Partial<Extract<Conclusion['body'], { type: 'shape' }>> = {}): Conclusion => ({
  ...outcome(n, t0, t0 + 4, {}),
  id: `shape ${n}`,
  body: {
    type: 'shape',
    mint: key(n),
    t0,
    slot0: 1,
    mayhem: false,
    quoteMint: null,
    devBuyQuoteUnits: SOL,
    bundleWallets: 0,
    priorOf: key(51),
    ...{ priorLaunches: 0, priorResolved: 0, priorGraduated: 0, priorRugged: 0 },
    priorObservedSince: t0 - DAY,
    ...changes,
  },
})
/** Every field has a distinct value, so a mix-up is detected. */
const INPUTS = {
  ...{ realQuoteUnits: 101, peakQuoteUnits: 102, buys: 103, sells: 104, uniqueBuyers: 105, buys60: 106, sells60: 107 },
  ...{ net60QuoteUnits: -108, uniqueBuyers60: 109, lastBuyAgeS: 110, lastNewBuyerAgeS: 111, holders: 112, top1Units: 113, top5Units: 114 },
  ...{ hhiPpm: 115, devUnits: 116, bundleUnits: 117, insiderUnits: 118, circulatingUnits: 119, supplyUnits: 120, devBuyQuoteUnits: 121 },
  ...{ devBoughtUnits: 122, devSoldUnits: 123, bundleWallets: 124, bundleBoughtUnits: 125, bundleSoldUnits: 126, flagBits: 127 },
  ...{ mayhem: false, priorLaunches: 128, priorResolved: 129, priorGraduated: 130, priorRugged: 131, warmQuoteUnits: 132 },
  ...{ warmBeforeS: 133, funderLaunches: 134, funderResolved: 135, funderRugged: 136 },
}
export type JudgementBody = Extract<Conclusion['body'], { type: 'judgement' }>
export const judgement = (n: number, at: number, changes: Partial<JudgementBody> = {}): Conclusion => ({
  ...outcome(n, 0, at, {}),
  id: `judgement ${n}`,
  body: { type: 'judgement', mint: key(n), t0: at - 30, slot0: 1, ageS: 30, ...INPUTS, ...changes },
})
export type OddsBody = Extract<Conclusion['body'], { type: 'odds' }>
export const odds = (n: number, at: number, changes: Partial<OddsBody> = {}): Conclusion => ({
  ...outcome(n, 0, at, {}),
  id: `odds ${n}`,
  body: {
    ...{ type: 'odds', mint: key(n), t0: at - 30, ageS: 30, head: 'rug_within_300s', ppm: 123_456, model: 'model-1' },
    ...{ judgement: `judgement ${n}`, inputsHash: 'ab'.repeat(32), shadow: false },
    ...changes,
  },
})
export const flag = (n: number, at: number, name: string): Conclusion => ({
  ...outcome(n, 0, at, {}),
  id: `flag ${n} ${name}`,
  body: {
    type: 'finding',
    mint: key(n),
    creator: null,
    flag: name,
    detector: name,
    detectorVersion: 1,
    detectorHash: null,
    mintAgeS: 1,
    evidence: '{}',
    events: [],
  },
})

/** The same from a shadow detector. */
export const shadow = (...args: Parameters<typeof flag>): Conclusion => inShadow(flag(...args))

/** The rows of `put`, with the history complete up to then and these views computed: each takes the engine up to half a second. */
export const fillFigures = async (
  client: HistoryClient,
  upTo: number,
  views: readonly (typeof REFRESHED)[number][],
  put: (batch: RowBatch) => void,
): Promise<void> => {
  const batch = new RowBatch(MINT_TABLES)
  put(batch)
  batch.progress({ sink: 'test', upTo })
  for (const { table, columns, body } of batch.take()) await client.insert({ table, columns, format: 'RowBinary', body })
  for (const view of views) await refreshView(client, view)
}
