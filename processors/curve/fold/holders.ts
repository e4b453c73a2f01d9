// Holders of the token: balances by wallet from its transfers. The curve and the launchpad's contracts are not holders.
import { add, compareAmounts, subtract } from '../../../schemas/amount.ts'
import type { Key } from '../../../schemas/keys.ts'
import type { AltTokenTransfer, CurveHolderRow } from '../../../schemas/types.ts'
import type { TapeAt } from '../../tape.ts'
import { type CurveChain, type CurveContext, type CurveRowsView, newHolder } from '../rows.ts'
import { HOLDER_ROWS_KEPT, HOLDER_ROWS_MAX } from '../thresholds.ts'

type Launch = CurveRowsView['launch']

/** The row of a wallet, created where there is none. */
export const openHolder = (ctx: CurveContext, launch: Launch, wallet: Key): CurveHolderRow => {
  if (ctx.count('holders') >= HOLDER_ROWS_MAX && ctx.read('holders', wallet) === undefined) foldSmallest(ctx, launch)
  return ctx.edit('holders', wallet, () => newHolder(wallet))
}

const bySize = (a: Readonly<CurveHolderRow>, b: Readonly<CurveHolderRow>): number =>
  compareAmounts(a.units, b.units) || (a.wallet < b.wallet ? -1 : 1)

/**
 * Folds empty rows first, and rows of wallets that were folded before and sent tokens since: these are negative. Cards then show no figure
 * that counts wallets. The deployer keeps its row.
 */
const foldSmallest = (ctx: CurveContext, { deployer }: Launch): void => {
  const smallest = Array.from(ctx.rows('holders'))
    .filter(({ wallet }) => wallet !== deployer)
    .sort(bySize)
  const folded = ctx.edit('folded', undefined, () => ({ rows: 0, wallets: 0, units: 0 }))
  for (const { wallet, units } of smallest.slice(0, HOLDER_ROWS_MAX - HOLDER_ROWS_KEPT)) {
    folded.rows += 1
    if (units > 0) folded.wallets += 1
    folded.units = add(folded.units, units)
    if (folded.units < 0) folded.units = 0
    ctx.remove('holders', wallet)
  }
}

/** Moves tokens between wallets, and records what the deployer receives and gives away. */
export const moveTokens = (
  ctx: CurveContext,
  { launch, figures }: Pick<CurveRowsView, 'launch' | 'figures'>,
  { sender, recipient, tokenUnits }: AltTokenTransfer,
  at: TapeAt,
  { isWallet }: CurveChain,
): void => {
  figures.lastMoveAt = at.header.time
  if (sender === recipient) return
  const isHolder = (key: Key): boolean => key !== launch.curve && key !== ctx.key && isWallet(key)
  if (sender === launch.curve) figures.movedOutUnits = add(figures.movedOutUnits, tokenUnits)
  if (recipient === launch.curve) figures.movedInUnits = add(figures.movedInUnits, tokenUnits)
  if (recipient === launch.deployer) figures.deployerInUnits = add(figures.deployerInUnits, tokenUnits)
  if (sender === launch.deployer) {
    figures.deployerOutUnits = add(figures.deployerOutUnits, tokenUnits)
    if (figures.deployerSentAt === 0 && isHolder(recipient)) figures.deployerSentAt = at.header.time
  }
  if (isHolder(sender)) {
    const from = openHolder(ctx, launch, sender)
    from.units = subtract(from.units, tokenUnits)
  }
  if (isHolder(recipient)) {
    const to = openHolder(ctx, launch, recipient)
    to.units = add(to.units, tokenUnits)
  }
}
