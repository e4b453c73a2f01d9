// Determines the wallet behind a trade: where a router calls the curve for a wallet, the curve's event may name only the router.
import type { Amount } from '../../../schemas/amount.ts'
import type { Key } from '../../../schemas/keys.ts'
import type { AltTrade, AltTransaction } from '../../../schemas/types.ts'
import { type Launchpad, ZERO } from './launchpad.ts'
import type { Fill } from './transaction-logs.ts'

/** A transfer of tokens. */
export interface Move {
  /** Index of the log. */
  readonly index: number
  readonly token: Key
  readonly from: Key
  readonly to: Key
  readonly units: Amount
}

/** The fields of a trade that determine its wallet. */
export type TradeParties = Pick<AltTrade, 'mint' | 'bondingCurve' | 'isBuy' | 'user' | 'recipient' | 'tokenUnits' | 'outer'>

/** The rest of the trade's transaction: sender, called contract, token transfers, and the routers' events. */
export interface TradeContext {
  readonly tx: Pick<AltTransaction, 'from' | 'to'>
  readonly moves: readonly Move[]
  readonly fills: readonly Fill[]
}

export type Trader = Pick<AltTrade, 'wallet' | 'walletBy' | 'route'>

const OTHER = 'other'
const DIRECT = 'direct'
/** Maximum number of transfers through which a trade's tokens are followed within its transaction. */
const HOPS_MAX = 4

/**
 * True where the curve's caller is also the recipient and is no known router, and the transaction called the curve itself. Where the file
 * does not name the called contract, that last condition is not checked.
 */
const isDirect = ({ user, recipient, bondingCurve }: TradeParties, { from, to }: TradeContext['tx'], { routers }: Launchpad): boolean =>
  user === recipient && !routers.has(user) && (from === null || to === bondingCurve)

/**
 * The counterparty of the moves of exactly `units`; without such moves, of those with the most units. Undefined if there are no moves, or
 * if the chosen ones have several counterparties.
 */
const likelyCounterparty = (moves: readonly Move[], units: Amount, counterpartyOf: (move: Move) => Key): Key | undefined => {
  const exact = moves.filter((move) => move.units === units)
  const most = moves.reduce((max: Amount, move) => (move.units > max ? move.units : max), 0)
  const best = new Set((exact.length > 0 ? exact : moves.filter((move) => move.units === most)).map(counterpartyOf))
  return best.size === 1 ? [...best][0] : undefined
}

/**
 * Follows the transfers of a buy's tokens forward to their last recipient, those of a sale's tokens back to their first sender. The search
 * starts at `first`, the address that the curve's event names; undefined if it finds no other address.
 */
const lastHolder = (trade: TradeParties, first: Key, moves: readonly Move[]): Key | undefined => {
  const { isBuy, mint, bondingCurve, tokenUnits, outer } = trade
  const counterpartyOf = (move: Move): Key => (isBuy ? move.to : move.from)
  const seen = new Set([first, bondingCurve, ZERO])
  let holder = first
  for (let i = 0; i < HOPS_MAX; i++) {
    const next = moves.filter((move) => {
      const isNext = move.token === mint && (isBuy ? move.from === holder && move.index > outer : move.to === holder && move.index < outer)
      return isNext && !seen.has(counterpartyOf(move))
    })
    const found = likelyCounterparty(next, tokenUnits, counterpartyOf)
    if (found === undefined) break
    seen.add(found)
    holder = found
  }
  return holder === first ? undefined : holder
}

/**
 * The wallet that the trade's router names in its own events (fills) for this token or without a token; undefined where they name none or
 * several.
 */
const walletOfFill = ({ user, mint }: TradeParties, { tx, fills }: TradeContext): Key | undefined => {
  const named = fills.filter(({ router, token }) => (router === user || router === tx.to) && (token === null || token === mint))
  const wallets = new Set(named.map(({ wallet }) => wallet))
  return wallets.size === 1 ? [...wallets][0] : undefined
}

const walletOf = (trade: TradeParties, context: TradeContext, { routers }: Launchpad): Pick<Trader, 'wallet' | 'walletBy'> => {
  const { isBuy, user, recipient } = trade
  const isWallet = (key: Key | null | undefined): key is Key => key != null && !routers.has(key)
  const holder = lastHolder(trade, isBuy ? recipient : user, context.moves)
  if (isWallet(holder)) return { wallet: holder, walletBy: 'transfer' }
  if (isBuy && recipient !== user && isWallet(recipient)) return { wallet: recipient, walletBy: 'recipient' }
  const fill = walletOfFill(trade, context)
  if (isWallet(fill)) return { wallet: fill, walletBy: 'fill' }
  return context.tx.from === null ? { wallet: null, walletBy: null } : { wallet: context.tx.from, walletBy: 'sender' }
}

/**
 * The wallet behind a trade, and the route. The wallet is the first of these that is known and is no router: the direct caller of the
 * curve; the last recipient of a buy's tokens in the transaction, or the first sender of a sale's; the recipient that a buy's event names
 * besides the caller; the wallet in the router's own event; the sender of the transaction.
 */
export const traderOf = (trade: TradeParties, context: TradeContext, launchpad: Launchpad): Trader => {
  const { tx } = context
  if (isDirect(trade, tx, launchpad)) return { wallet: trade.user, walletBy: 'direct', route: DIRECT }
  const { routers } = launchpad
  const route = routers.get(trade.user) ?? (tx.to === null ? undefined : routers.get(tx.to)) ?? OTHER
  return { ...walletOf(trade, context, launchpad), route }
}
