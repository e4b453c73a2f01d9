// Holders of the coin: exact integer sums, in any order of the rows.
import { type Amount, add, compareAmounts, greaterOf } from '../../../schemas/amount.ts'
import type { HolderRow, LaunchRow, MintState, PoolRow } from '../../../schemas/types.ts'
import { keepLargest } from '../card/top-five.ts'
import { ROLE_BUNDLE, ROLE_DEV, ROLES_INSIDER } from '../rows.ts'
import { SquareSum } from './square-sum.ts'

/** Coins in base units, without the vaults of curve and pool. */
export interface Holdings {
  readonly holders: number
  readonly topUnits: Amount
  readonly topFiveUnits: Amount
  readonly devUnits: Amount
  readonly bundleUnits: Amount
  readonly insiderUnits: Amount
  readonly circulatingUnits: Amount
  /** Sum of the squares of all balances. */
  readonly squares: bigint
  /** Insider wallets that hold coins, largest first, ties by key. */
  readonly insiders: readonly Readonly<HolderRow>[]
}

/** Rows that identify a mint's own accounts. */
type Accounts = Pick<MintState, 'launch' | 'curve'> & { readonly pools: readonly Readonly<PoolRow>[] }
/** Rows of a mint that `holdingsOf` adds up. */
export type HoldingRows = Accounts & Pick<MintState, 'folded'> & { readonly holders: Iterable<Readonly<HolderRow>> }

/** True for the accounts of curve and pools: never holders. */
export const isVault = ({ launch, curve, pools }: Accounts, { wallet }: HolderRow): boolean =>
  wallet === launch?.bondingCurve || wallet === curve?.pool || pools.some(({ pool }) => pool === wallet)

const byUnitsThenKey = (a: Readonly<HolderRow>, b: Readonly<HolderRow>): number =>
  compareAmounts(b.units, a.units) || (a.wallet < b.wallet ? -1 : 1)

/** Adds up the holders of a mint. */
export const holdingsOf = (state: HoldingRows): Holdings => {
  const five: Amount[] = []
  const insiders: Readonly<HolderRow>[] = []
  const squares = new SquareSum()
  const sums = { devUnits: 0 as Amount, bundleUnits: 0 as Amount }
  let { insiderUnits, units: circulatingUnits } = state.folded ?? { insiderUnits: 0, units: 0 }
  let holders = 0
  for (const row of state.holders) {
    // A negative balance belongs to a wallet whose earlier coins were summed up in `folded`.
    if (row.units < 0 && state.folded !== null) circulatingUnits = greaterOf(0, add(circulatingUnits, row.units))
    if (row.units <= 0 || isVault(state, row)) continue
    holders += 1
    keepLargest(five, row.units)
    circulatingUnits = add(circulatingUnits, row.units)
    squares.add(row.units)
    if ((row.roles & ROLE_DEV) !== 0) sums.devUnits = add(sums.devUnits, row.units)
    if ((row.roles & ROLE_BUNDLE) !== 0) sums.bundleUnits = add(sums.bundleUnits, row.units)
    if ((row.roles & ROLE_DEV) !== 0 || (row.roles & ROLES_INSIDER) === 0) continue
    insiderUnits = add(insiderUnits, row.units)
    insiders.push(row)
  }
  const topFiveUnits = five.reduce(add, 0)
  return {
    holders,
    topUnits: five[0] ?? 0,
    topFiveUnits,
    ...sums,
    insiderUnits,
    circulatingUnits,
    squares: squares.value,
    insiders: insiders.sort(byUnitsThenKey),
  }
}

const HHI_SCALE = 1_000_000_000_000n

/** Why there is no hhi. */
export const NO_HOLDERS = 'nobody holds coins outside the curve and the pool'

/** Sum of squared shares of circulating coins, to 12 digits; undefined where there are no holders. */
export const hhiOf = ({ squares, circulatingUnits }: Pick<Holdings, 'squares' | 'circulatingUnits'>): number | undefined => {
  if (circulatingUnits === 0) return undefined
  const circulating = BigInt(circulatingUnits)
  return Number((squares * HHI_SCALE) / (circulating * circulating)) / Number(HHI_SCALE)
}

/** Wallets of the dev set: the caller of create, then the creator where it is another wallet. */
export const devSetOf = (launch: LaunchRow): readonly LaunchRow['user'][] =>
  launch.creatorIsWallet && launch.creator !== launch.user ? [launch.user, launch.creator] : [launch.user]
