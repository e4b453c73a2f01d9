// The comparator's fold as a processor of mintfold, with the rules of its README.
import type { Context, FrameHeader, Processor } from '../../../processors/contract.ts'

export interface FoldEvent {
  readonly kind: number
  readonly tx: number
  readonly ix: number
  readonly mint: string
  readonly wallet: string
  readonly tokenAmount: number
  readonly lamports: number
  readonly virtualSol: number
  readonly virtualToken: number
  readonly realSol: number
  readonly realToken: number
  readonly unixMs: number
}
export interface MintRow {
  creator: string
  createdSlot: number
  createdAt: number
  realSol: number
  peakRealSol: number
  bundleBought: number
  bundleRemaining: number
  netSol60s: number
  nBuys: number
  nSells: number
  uniqueBuyers: number
  flags: number
  buys60s: number
  sells60s: number
  bundlers: number
  windowFrom: number
  windowAt: number
  windowNext: number
}
export interface HolderRow {
  wallet: string
  n: number
  balance: number
}
export interface BundleRow {
  wallet: string
  n: number
  bought: number
  remaining: number
}
export interface TradeRow {
  n: number
  at: number
  lamports: number
  isBuy: boolean
}
export type FoldRows = { mint: MintRow; holders: HolderRow; bundle: BundleRow; window: TradeRow }

export const FLAG_NAMES = ['creator_sold', 'bundle_dumped', 'curve_drained'] as const
export interface FoldFlag {
  readonly name: (typeof FLAG_NAMES)[number]
  readonly slot: number
  readonly tx: number
}

type Fold = Context<FoldRows, FoldFlag>

const [CREATE, BUY, SELL] = [0, 1, 2]
const [CREATOR_SOLD, BUNDLE_DUMPED, CURVE_DRAINED, COMPLETED, CREATED] = [1, 2, 4, 8, 16]
const WINDOW_MS = 60_000
const DRAINABLE_LAMPORTS = 1_000_000_000

const NOBODY = '\0'.repeat(32)
const newMint = (): MintRow => ({
  creator: NOBODY,
  createdSlot: 0,
  createdAt: 0,
  realSol: 0,
  peakRealSol: 0,
  bundleBought: 0,
  bundleRemaining: 0,
  netSol60s: 0,
  nBuys: 0,
  nSells: 0,
  uniqueBuyers: 0,
  flags: 0,
  buys60s: 0,
  sells60s: 0,
  bundlers: 0,
  windowFrom: 0,
  windowAt: 0,
  windowNext: 0,
})

const bundleBuy = (ctx: Fold, mint: MintRow, { wallet, tokenAmount }: FoldEvent): void => {
  const row = ctx.edit('bundle', wallet, () => ({ wallet, n: mint.bundlers++, bought: 0, remaining: 0 }))
  row.bought += tokenAmount
  row.remaining += tokenAmount
  mint.bundleBought += tokenAmount
  mint.bundleRemaining += tokenAmount
}

const bundleSell = (ctx: Fold, mint: MintRow, { wallet, tokenAmount }: FoldEvent): void => {
  if (ctx.read('bundle', wallet) === undefined) return
  const row = ctx.edit('bundle', wallet)
  const sold = Math.min(row.remaining, tokenAmount)
  row.remaining -= sold
  mint.bundleRemaining -= sold
}

const slide = (ctx: Fold, mint: MintRow, now: number): void => {
  while (mint.windowFrom < mint.windowNext && mint.windowAt <= now - WINDOW_MS) {
    const { isBuy, lamports } = ctx.read('window', mint.windowFrom) as TradeRow
    if (isBuy) mint.buys60s--
    else mint.sells60s--
    mint.netSol60s -= isBuy ? lamports : -lamports
    ctx.remove('window', mint.windowFrom++)
    mint.windowAt = ctx.read('window', mint.windowFrom)?.at ?? 0
  }
}

const trade = (ctx: Fold, mint: MintRow, { unixMs: at, lamports, realSol }: FoldEvent, isBuy: boolean): void => {
  mint.realSol = realSol
  if (realSol > mint.peakRealSol) mint.peakRealSol = realSol
  slide(ctx, mint, at)
  if (mint.windowFrom === mint.windowNext) mint.windowAt = at
  const n = mint.windowNext++
  ctx.edit('window', n, () => ({ n, at, lamports, isBuy }))
  if (isBuy) mint.buys60s++
  else mint.sells60s++
  mint.netSol60s += isBuy ? lamports : -lamports
}

const fire = (ctx: Fold, mint: MintRow, { tx }: FoldEvent, slot: number, creatorSells: boolean): void => {
  let fired = creatorSells ? CREATOR_SOLD : 0
  if (mint.bundleRemaining * 2 < mint.bundleBought) fired |= BUNDLE_DUMPED
  if ((mint.flags & COMPLETED) === 0 && mint.peakRealSol >= DRAINABLE_LAMPORTS && mint.realSol * 5 <= mint.peakRealSol)
    fired |= CURVE_DRAINED
  fired &= ~mint.flags
  if (fired === 0) return
  mint.flags |= fired
  for (const [bit, name] of FLAG_NAMES.entries()) if ((fired & (1 << bit)) !== 0) ctx.emit({ name, slot, tx })
}

const buy = (ctx: Fold, mint: MintRow, event: FoldEvent, slot: number): void => {
  const { wallet } = event
  mint.nBuys++
  ctx.edit('holders', wallet, () => ({ wallet, n: mint.uniqueBuyers++, balance: 0 })).balance += event.tokenAmount
  if ((mint.flags & CREATED) !== 0 && slot === mint.createdSlot && wallet !== mint.creator) bundleBuy(ctx, mint, event)
  trade(ctx, mint, event, true)
  fire(ctx, mint, event, slot, false)
}

/** Ignores a wallet never seen buying; a balance does not fall below 0, and its row stays. */
const sell = (ctx: Fold, mint: MintRow, event: FoldEvent, slot: number): void => {
  const { wallet, tokenAmount } = event
  mint.nSells++
  if (ctx.read('holders', wallet) !== undefined) {
    const holder = ctx.edit('holders', wallet)
    holder.balance -= Math.min(holder.balance, tokenAmount)
  }
  if (mint.bundlers > 0) bundleSell(ctx, mint, event)
  trade(ctx, mint, event, false)
  fire(ctx, mint, event, slot, (mint.flags & CREATED) !== 0 && wallet === mint.creator)
}

export const foldProcessor: Processor<FoldRows, FoldEvent, FoldFlag, FrameHeader> = {
  name: 'fold',
  version: 1,
  sends: {},
  keyOf: ({ mint }) => mint,
  apply: (ctx, event, { header }) => {
    const mint = ctx.edit('mint', undefined, newMint)
    if (event.kind === BUY) buy(ctx, mint, event, header.number)
    else if (event.kind === SELL) sell(ctx, mint, event, header.number)
    else if (event.kind === CREATE) {
      mint.creator = event.wallet
      mint.createdSlot = header.number
      mint.createdAt = event.unixMs
      mint.flags |= CREATED
    } else mint.flags |= COMPLETED
  },
  onTime: () => {},
}
