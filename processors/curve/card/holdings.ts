// Holders of the token: exact integer sums, in any order of the rows.
import { type Amount, add, subtract } from '../../../schemas/amount.ts'
import type { Key } from '../../../schemas/keys.ts'
import type { CurveFiguresRow, CurveLaunchRow, CurveState } from '../../../schemas/types.ts'
import { GAP_CLEARED, ROLE_CLUSTER, ROLE_TERMINAL } from '../rows.ts'
import { HOLDER_ROWS_MAX } from '../thresholds.ts'
import { inTokens } from './amounts.ts'

/** Base units of the token. */
export interface CurveHoldings {
  readonly holders: number
  readonly topOneUnits: Amount
  readonly topFiveUnits: Amount
  readonly deployerUnits: Amount
  readonly clusterUnits: Amount
  readonly terminalUnits: Amount
  /** Sum of all balances. */
  readonly heldUnits: Amount
  /** Sum of the squares of all balances. */
  readonly squares: bigint
}

/** Keeps in `five`, descending, the largest values seen. */
const keepLargest = (five: Amount[], units: Amount): void => {
  if (five.length === 5 && units <= (five[4] as Amount)) return
  let at = five.length
  while (at > 0 && (five[at - 1] as Amount) < units) at -= 1
  five.splice(at, 0, units)
  if (five.length > 5) five.pop()
}

/** Sums up the holders. */
export const holdingsOf = ({ holders, folded }: Pick<CurveState, 'holders' | 'folded'>, deployer: Key): CurveHoldings => {
  const five: Amount[] = []
  const sums: Record<'deployer' | 'cluster' | 'terminal' | 'held', Amount> = {
    deployer: 0,
    cluster: 0,
    terminal: 0,
    held: folded?.units ?? 0,
  }
  let [n, squares] = [0, 0n]
  for (const { wallet, units, roles } of holders) {
    if (units <= 0) continue
    n += 1
    keepLargest(five, units)
    sums.held = add(sums.held, units)
    squares += BigInt(units) * BigInt(units)
    if (wallet === deployer) sums.deployer = units
    if ((roles & ROLE_CLUSTER) !== 0) sums.cluster = add(sums.cluster, units)
    if ((roles & ROLE_TERMINAL) !== 0) sums.terminal = add(sums.terminal, units)
  }
  return {
    holders: n,
    topOneUnits: five[0] ?? 0,
    topFiveUnits: five.reduce(add, 0),
    deployerUnits: sums.deployer,
    clusterUnits: sums.cluster,
    terminalUnits: sums.terminal,
    heldUnits: sums.held,
    squares,
  }
}

/**
 * While there is no pool: supply minus the curve's own reserve. Tokens locked by buybacks count, tokens reserved for the pool do not. Once
 * the pool is open: the sum of wallets' balances, because tokens then come out of the pool.
 */
export const circulatingUnits = (
  launch: CurveLaunchRow,
  { tokenUnits, graduatedNumber }: CurveFiguresRow,
  { heldUnits }: CurveHoldings,
): Amount => (graduatedNumber === -1 ? subtract(launch.supplyUnits, tokenUnits) : heldUnits)

/** Why balances are unknown; undefined where they are known. */
export const unknownHolders = (figures: CurveFiguresRow): string | undefined => {
  const { gapTrades, gapFrom, gapNumber, outUnits, inUnits, movedOutUnits, movedInUnits } = figures
  if (gapTrades === GAP_CLEARED)
    return `tokens may have moved between wallets in blocks ${gapFrom} to ${gapNumber}, which were not delivered`
  if (movedOutUnits >= outUnits && movedInUnits >= inUnits) return undefined
  const [seen, all] = [add(movedOutUnits, movedInUnits), add(outUnits, inUnits)].map(inTokens)
  return `transfers of the token are missing: ${seen} of the ${all} tokens that the curve gave and got were seen moving`
}

/** Why wallets are not tracked individually; undefined where they are. */
export const uncountedWallets = ({ folded }: Pick<CurveState, 'folded'>): string | undefined =>
  folded === null
    ? undefined
    : `more than ${HOLDER_ROWS_MAX} wallets: the smallest, ${folded.wallets} so far with ${inTokens(folded.units)} tokens, are counted together`
