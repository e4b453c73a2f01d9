// Holders of the coin, each wallet in one class: exact integer sums, in any order of the rows.
import { type Amount, add, compareAmounts, greaterOf, subtract } from '../../../schemas/amount.ts'
import type { HolderRow, MintState } from '../../../schemas/types.ts'
import { isVault } from '../fold/holdings.ts'
import { ROLE_BUNDLE, ROLE_DEV, ROLES_INSIDER } from '../rows.ts'

/**
 * A wallet belongs to the first class that fits: the dev set, the create-slot bundle, insiders, the five largest of the rest, everybody
 * else.
 */
export const HOLDER_CLASSES = ['dev', 'bundle', 'insider', 'top', 'crowd'] as const
export type HolderClass = (typeof HOLDER_CLASSES)[number]

/** Coins in base units, of wallets that hold some; `wallets` is null where the smallest wallets are no longer tracked individually. */
export interface ClassHolding {
  readonly wallets: number | null
  readonly units: Amount
}

const TOP = 5

const roleOf = ({ roles }: HolderRow): 'dev' | 'bundle' | 'insider' | undefined => {
  if ((roles & ROLE_DEV) !== 0) return 'dev'
  if ((roles & ROLE_BUNDLE) !== 0) return 'bundle'
  return (roles & ROLES_INSIDER) !== 0 ? 'insider' : undefined
}

/** Requires a mint whose holders are known. All classes together are the coins that circulate outside curve and pools. */
export const holderClassesOf = (state: MintState): Readonly<Record<HolderClass, ClassHolding>> => {
  const { folded } = state
  const sums = Object.fromEntries(HOLDER_CLASSES.map((name) => [name, { wallets: 0, units: 0 as Amount }])) as Record<
    HolderClass,
    { wallets: number; units: Amount }
  >
  const rest: Amount[] = []
  const take = (name: HolderClass, units: Amount): void => {
    sums[name].wallets += 1
    sums[name].units = add(sums[name].units, units)
  }
  // A negative balance belongs to a wallet whose earlier coins were summed up in `folded`.
  let foldedUnits = folded === null ? 0 : subtract(folded.units, folded.insiderUnits)
  for (const row of state.holders) {
    if (row.units < 0 && folded !== null) foldedUnits = greaterOf(0, add(foldedUnits, row.units))
    if (row.units <= 0 || isVault(state, row)) continue
    const role = roleOf(row)
    if (role === undefined) rest.push(row.units)
    else take(role, row.units)
  }
  rest.sort((a, b) => compareAmounts(b, a))
  for (const [n, units] of rest.entries()) take(n < TOP ? 'top' : 'crowd', units)
  sums.crowd.units = add(sums.crowd.units, foldedUnits)
  sums.insider.units = add(sums.insider.units, folded?.insiderUnits ?? 0)
  const { dev, bundle, insider, top, crowd } = sums
  const counted = (holding: ClassHolding): ClassHolding => (folded === null ? holding : { ...holding, wallets: null })
  return { dev, bundle, insider: counted(insider), top, crowd: counted(crowd) }
}
