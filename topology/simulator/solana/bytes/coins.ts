// Tracks the state of each coin on the demo's chain: curve, pool, balances. It follows the events, so bytes and account reads agree.
import { MAYHEM_AGENT, PUMP, PUMP_AMM, WSOL } from '../../../../processors/chains/solana/programs.ts'
import type { Key } from '../../../../schemas/keys.ts'
import type { DemoEvent, DemoSlot, DemoTransaction } from '../market-types.ts'
import { derived, FIXED } from './addresses.ts'

export interface Coin {
  readonly mint: Key
  readonly bondingCurve: Key
  readonly tokenProgram: Key
  /** Null for SOL. */
  readonly quoteMint: Key | null
  readonly mayhem: boolean
  readonly cashback: boolean
  creator: Key
  pool: Key
  supplyUnits: number
  /** What the launchpad bought and burnt. */
  burntUnits: number
  virtualTokenUnits: number
  virtualQuoteUnits: number
  realTokenUnits: number
  realQuoteUnits: number
  complete: boolean
  /** Base units by owner, including the curve and the pool. Zero balances are not stored. */
  readonly balances: Map<Key, number>
}

/** Limit of remembered coins: the least recently used are forgotten, and account reads no longer find them. */
export const COINS_MAX = 10_000

/** A transfer of coin units caused by an event. */
export interface CoinMove {
  readonly source: Key
  /** Null if they are burnt. */
  readonly target: Key | null
  readonly units: number
}

const move = (isToUser: boolean, user: Key, holder: Key, units: number): CoinMove[] => [
  { source: isToUser ? holder : user, target: isToUser ? user : holder, units },
]

/** The transfers of an event; none for events that only set or report values. */
export const coinMoves = (event: DemoEvent, { bondingCurve }: Coin): readonly CoinMove[] => {
  switch (event.type) {
    case 'trade':
      return move(event.isBuy, event.user, bondingCurve, event.tokenUnits)
    case 'postCompleteBuy':
      return move(true, event.user, bondingCurve, event.tokenUnits)
    case 'poolTrade':
      // What the launchpad buys in a pool it burns.
      if (event.isAgent) return [{ source: event.pool, target: null, units: event.tokenUnits }]
      return move(event.isBuy, event.user, event.pool, event.tokenUnits)
    case 'poolLiquidity':
      return move(!event.isDeposit, event.user, event.pool, event.tokenUnits)
    case 'migrate':
      return move(false, bondingCurve, event.pool, event.tokenUnits)
    default:
      return []
  }
}

const poolOf = (mint: Key, quoteMint: Key | null): Key => {
  const authority = derived(PUMP, 'pool-authority', mint)
  return derived(PUMP_AMM, 'pool', '\0\0', authority, mint, quoteMint ?? WSOL)
}

const unseen = (mint: Key): Coin => ({
  mint,
  bondingCurve: derived(PUMP, 'bonding-curve', mint),
  tokenProgram: FIXED.token2022,
  quoteMint: null,
  mayhem: false,
  cashback: false,
  creator: FIXED.system,
  pool: poolOf(mint, null),
  supplyUnits: 0,
  burntUnits: 0,
  virtualTokenUnits: 0,
  virtualQuoteUnits: 0,
  realTokenUnits: 0,
  realQuoteUnits: 0,
  complete: false,
  balances: new Map(),
})

/** The coin right after its launch. */
export const launched = (event: Extract<DemoEvent, { type: 'launch' }>): Coin => {
  const { mint, bondingCurve, creator, quoteMint, mayhem, cashback } = event
  const supplyUnits = event.supplyUnits ?? 0
  const balances = new Map([[bondingCurve, supplyUnits]])
  // A mayhem coin has the same amount again, minted to the agent.
  if (mayhem) balances.set(MAYHEM_AGENT, supplyUnits)
  return {
    ...unseen(mint),
    bondingCurve,
    tokenProgram: event.tokenProgram ?? FIXED.token,
    quoteMint,
    mayhem,
    cashback,
    creator,
    pool: poolOf(mint, quoteMint),
    supplyUnits,
    virtualTokenUnits: event.virtualTokenUnits ?? 0,
    virtualQuoteUnits: event.virtualQuoteUnits ?? 0,
    realTokenUnits: event.realTokenUnits ?? 0,
    balances,
  }
}

const setReserves = (coin: Coin, event: DemoEvent): void => {
  if (event.type === 'trade' || event.type === 'mayhemReserves') {
    coin.virtualTokenUnits = event.virtualTokenUnits
    coin.virtualQuoteUnits = event.virtualQuoteUnits
    coin.realTokenUnits = event.realTokenUnits ?? coin.realTokenUnits
    coin.realQuoteUnits = event.realQuoteUnits ?? coin.realQuoteUnits
  } else if (event.type === 'complete') coin.complete = true
  else if (event.type === 'migrate' || event.type === 'poolCreate') coin.pool = event.pool
  else if (event.type === 'creatorChange') coin.creator = event.creator
  else if (event.type === 'poolTrade' && event.isAgent) coin.burntUnits += event.tokenUnits
  // After the migration the chain's curve account has no reserves left.
  if (event.type === 'migrate') coin.virtualTokenUnits = coin.virtualQuoteUnits = coin.realTokenUnits = coin.realQuoteUnits = 0
}

/** The COINS_MAX coins with the newest events. A function of the slots alone, so the same stream gives the same bytes. */
export class CoinBook {
  readonly #coins = new Map<Key, Coin>()
  readonly #base: CoinBook | undefined

  constructor(base?: CoinBook) {
    this.#base = base
  }
  /** A copy-on-write book that starts with the state of this one, which must not change while the copy is in use. */
  branch(): CoinBook {
    return new CoinBook(this)
  }
  get size(): number {
    return this.#coins.size
  }
  /** Undefined for mints that were never launched here, or were forgotten. */
  find(mint: Key): Coin | undefined {
    return this.#coins.get(mint) ?? this.#base?.find(mint)
  }
  /** The coin; a placeholder if it is unknown. */
  at(mint: Key): Coin {
    return this.#coins.get(mint) ?? this.#copied(mint) ?? unseen(mint)
  }
  /** Applies all events of a slot. */
  follow(slot: DemoSlot): void {
    for (const tx of slot.transactions) this.followTransaction(tx)
  }
  followTransaction(tx: DemoTransaction): void {
    if (tx.failed !== null) return
    for (const instruction of tx.instructions) {
      if (instruction.kind === 'tokenTransfer') this.transfer(instruction)
      if (instruction.kind === 'launchpad') for (const event of instruction.events) this.apply(event)
    }
  }
  apply(event: DemoEvent): void {
    if (event.type === 'launch') this.#put(launched(event))
    else {
      const coin = this.#touch(event.mint)
      for (const one of coinMoves(event, coin)) this.#move(coin, one)
      setReserves(coin, event)
    }
  }
  /** Applies a transfer between wallets. */
  transfer({ mint, ...one }: CoinMove & { readonly mint: Key }): void {
    this.#move(this.#touch(mint), one)
  }
  /** A source may have fewer units than it sends: the earlier balances of a forgotten coin are unknown. */
  #move({ balances }: Coin, { source, target, units }: CoinMove): void {
    const left = (balances.get(source) ?? 0) - units
    if (left > 0) balances.set(source, left)
    else balances.delete(source)
    if (units > 0 && target !== null) balances.set(target, (balances.get(target) ?? 0) + units)
  }
  /** Coins change in place, so the base's coin is copied into the branch on first access. */
  #copied(mint: Key): Coin | undefined {
    const coin = this.#base?.find(mint)
    if (coin === undefined) return undefined
    const own = { ...coin, balances: new Map(coin.balances) }
    this.#coins.set(mint, own)
    return own
  }
  #touch(mint: Key): Coin {
    const coin = this.at(mint)
    this.#put(coin)
    return coin
  }
  #put(coin: Coin): void {
    this.#coins.delete(coin.mint)
    this.#coins.set(coin.mint, coin)
    if (this.#coins.size <= COINS_MAX) return
    const [oldest] = this.#coins.keys()
    if (oldest !== undefined) this.#coins.delete(oldest)
  }
}
