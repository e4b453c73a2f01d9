// Concentration by entity: wallets joined by a common funder, one transaction or a transfer of coins. Its figures are additional: those by
// wallet stay the same.
import { type Amount, add, compareAmounts } from '../../../schemas/amount.ts'
import { type Key, keyText } from '../../../schemas/keys.ts'
import type { HolderRow, LaunchRow, MintState } from '../../../schemas/types.ts'
import { shareOf } from '../card/amounts.ts'
import { explain } from '../card/explain.ts'
import { keepLargest } from '../card/top-five.ts'
import { ENTITIES_SHOWN_MAX, ENTITY_WALLETS_SHOWN_MAX } from '../thresholds.ts'
import { hhiOf, isVault, NO_HOLDERS } from './holdings.ts'

/** Why two wallets count as one entity. */
type Join = { readonly wallets: readonly [Key, Key] } & (
  | { readonly by: 'funder'; readonly funder: Key }
  | { readonly by: 'transaction'; readonly slot: number; readonly tx: number }
  | { readonly by: 'handed_over' }
)

/** Union-find: wallets by the entity they belong to. */
class Forest {
  readonly #parents = new Map<Key, Key>()

  root(wallet: Key): Key {
    let root = wallet
    for (let up = this.#parents.get(root); up !== undefined; up = this.#parents.get(root)) root = up
    for (let at = wallet; at !== root; ) {
      const up = this.#parents.get(at) as Key
      this.#parents.set(at, root)
      at = up
    }
    return root
  }
  /** False where the two were joined before. The lesser key becomes the root, so results do not depend on the order of joins. */
  join(a: Key, b: Key): boolean {
    const [root, other] = [this.root(a), this.root(b)].sort() as [Key, Key]
    if (root === other) return false
    this.#parents.set(other, root)
    return true
  }
}

const byKey = (a: Pick<HolderRow, 'wallet'>, b: Pick<HolderRow, 'wallet'>): number => (a.wallet < b.wallet ? -1 : 1)

/**
 * Joins in the order of the wallets. A wallet joins the first wallet with the same funder, the first with the same transaction of its first
 * buy, its funder, and the wallet that gave it coins.
 */
const joinsOf = (holders: readonly HolderRow[]): Join[] => {
  const wallets = new Set(holders.map(({ wallet }) => wallet))
  const firsts = new Map<string, Key>()
  const joins: Join[] = []
  const meet = (sign: string, wallet: Key, join: (first: Key) => Join): void => {
    const first = firsts.get(sign)
    if (first === undefined) firsts.set(sign, wallet)
    else joins.push(join(first))
  }
  for (const { wallet, funder, givenBy, firstBuyNumber: slot, firstBuyTx: tx } of holders) {
    if (funder !== null) {
      if (wallets.has(funder)) joins.push({ by: 'funder', funder, wallets: [funder, wallet] })
      meet(`funder ${funder}`, wallet, (first) => ({ by: 'funder', funder, wallets: [first, wallet] }))
    }
    if (slot >= 0) meet(`buy ${slot}.${tx}`, wallet, (first) => ({ by: 'transaction', slot, tx, wallets: [first, wallet] }))
    if (givenBy !== null && wallets.has(givenBy)) joins.push({ by: 'handed_over', wallets: [givenBy, wallet] })
  }
  return joins
}

interface Entity {
  readonly root: Key
  readonly holders: HolderRow[]
  readonly joins: Join[]
  units: Amount
}

const entitiesOf = (holders: readonly HolderRow[]): Entity[] => {
  const forest = new Forest()
  const joins = joinsOf(holders).filter(({ wallets: [a, b] }) => forest.join(a, b))
  const entities = new Map<Key, Entity>()
  for (const holder of holders) {
    if (holder.units <= 0) continue
    const root = forest.root(holder.wallet)
    let entity = entities.get(root)
    if (entity === undefined) {
      entity = { root, holders: [], joins: [], units: 0 }
      entities.set(root, entity)
    }
    entity.holders.push(holder)
    entity.units = add(entity.units, holder.units)
  }
  for (const join of joins) entities.get(forest.root(join.wallets[0]))?.joins.push(join)
  return [...entities.values()].sort((a, b) => compareAmounts(b.units, a.units) || (a.root < b.root ? -1 : 1))
}

const joinItem = (join: Join) => {
  const wallets = join.wallets.map(keyText)
  if (join.by === 'funder') return { by: join.by, wallets, funder: keyText(join.funder) }
  return join.by === 'transaction' ? { by: join.by, wallets, slot: join.slot, tx_index: join.tx } : { by: join.by, wallets }
}

/** Shares of total supply; hhi of circulating coins, to 12 digits. The largest entities of several wallets, each with its joins. */
export const entitiesPart = (launch: LaunchRow, state: MintState, circulatingUnits: Amount) => {
  const holders = state.holders.filter((row) => !isVault(state, row)).sort(byKey)
  const entities = entitiesOf(holders)
  const five: Amount[] = []
  for (const { units } of entities) keepLargest(five, units)
  const share = (units: Amount): number => shareOf(units, launch.supplyUnits)
  const squares = entities.reduce((sum, { units }) => sum + BigInt(units) * BigInt(units), 0n)
  const several = entities.filter((entity) => entity.holders.length > 1)
  return {
    n_entities: entities.length,
    n_joined_wallets: several.reduce((sum, entity) => sum + entity.holders.length, 0),
    top1_share: share(five[0] ?? 0),
    top5_share: share(five.reduce(add, 0)),
    ...explain({ hhi: hhiOf({ squares, circulatingUnits }) ?? null }, { hhi: NO_HOLDERS }),
    largest: several.slice(0, ENTITIES_SHOWN_MAX).map((entity) => ({
      n_wallets: entity.holders.length,
      tokens_share: share(entity.units),
      wallets: entity.holders
        .sort((a, b) => compareAmounts(b.units, a.units) || byKey(a, b))
        .slice(0, ENTITY_WALLETS_SHOWN_MAX)
        .map(({ wallet }) => keyText(wallet)),
      joins: entity.joins.slice(0, ENTITY_WALLETS_SHOWN_MAX).map(joinItem),
    })),
  }
}
