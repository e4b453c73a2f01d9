// Determines the wallet that trades: terminals call curves for their users, so the curve's event names only the router.
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
export type Dealt = Pick<AltTrade, 'mint' | 'bondingCurve' | 'isBuy' | 'user' | 'recipient' | 'tokenUnits' | 'outer'>

/** The rest of the trade's transaction. */
export interface Beside {
  readonly tx: Pick<AltTransaction, 'from' | 'to'>
  readonly moves: readonly Move[]
  readonly fills: readonly Fill[]
}

export type Trader = Pick<AltTrade, 'wallet' | 'walletBy' | 'route'>

const OTHER = 'other'
const DIRECT = 'direct'
/** Maximum number of hops that tokens are followed through in one transaction. */
const HANDS_MAX = 4

/**
 * True where the wallet itself called the curve. Where the file does not name the called contract, any caller that is not a known router
 * counts.
 */
const isDirect = ({ user, recipient, bondingCurve }: Dealt, { from, to }: Beside['tx'], { routers }: Launchpad): boolean =>
  user === recipient && !routers.has(user) && (from === null || to === bondingCurve)

/** Among these moves, the one of exactly this many tokens, else the largest; undefined where two are equal and have different parties. */
const chosen = (moves: readonly Move[], units: Amount, handOf: (move: Move) => Key): Key | undefined => {
  const exact = moves.filter((move) => move.units === units)
  const most = moves.reduce((max: Amount, move) => (move.units > max ? move.units : max), 0)
  const best = new Set((exact.length > 0 ? exact : moves.filter((move) => move.units === most)).map(handOf))
  return best.size === 1 ? [...best][0] : undefined
}

/** The last recipient (or first sender) of a trade's tokens; undefined where they stayed with the first one. */
const lastHand = (trade: Dealt, first: Key, moves: readonly Move[]): Key | undefined => {
  const { isBuy, mint, bondingCurve, tokenUnits, outer } = trade
  const handOf = (move: Move): Key => (isBuy ? move.to : move.from)
  const seen = new Set([first, bondingCurve, ZERO])
  let hand = first
  for (let i = 0; i < HANDS_MAX; i++) {
    const next = moves.filter((move) => {
      const isOnItsWay = move.token === mint && (isBuy ? move.from === hand && move.index > outer : move.to === hand && move.index < outer)
      return isOnItsWay && !seen.has(handOf(move))
    })
    const found = chosen(next, tokenUnits, handOf)
    if (found === undefined) break
    seen.add(found)
    hand = found
  }
  return hand === first ? undefined : hand
}

/** The single wallet that the trade's router names for its token. */
const filled = ({ user, mint }: Dealt, { tx, fills }: Beside): Key | undefined => {
  const named = fills.filter(({ router, token }) => (router === user || router === tx.to) && (token === null || token === mint))
  const wallets = new Set(named.map(({ wallet }) => wallet))
  return wallets.size === 1 ? [...wallets][0] : undefined
}

const walletOf = (trade: Dealt, beside: Beside, { routers }: Launchpad): Pick<Trader, 'wallet' | 'walletBy'> => {
  const { isBuy, user, recipient } = trade
  const isWallet = (key: Key | null | undefined): key is Key => key != null && !routers.has(key)
  const hand = lastHand(trade, isBuy ? recipient : user, beside.moves)
  if (isWallet(hand)) return { wallet: hand, walletBy: 'transfer' }
  if (isBuy && recipient !== user && isWallet(recipient)) return { wallet: recipient, walletBy: 'recipient' }
  const fill = filled(trade, beside)
  if (isWallet(fill)) return { wallet: fill, walletBy: 'fill' }
  return beside.tx.from === null ? { wallet: null, walletBy: null } : { wallet: beside.tx.from, walletBy: 'sender' }
}

/**
 * The wallet behind a trade, and the route. In this order: a direct caller; the one that the tokens went to (or came from) in the
 * transaction, also through several hops; the one that the event names besides its router; the one that the router's own event names; the
 * sender of the transaction.
 */
export const traderOf = (trade: Dealt, beside: Beside, launchpad: Launchpad): Trader => {
  const { tx } = beside
  if (isDirect(trade, tx, launchpad)) return { wallet: trade.user, walletBy: 'direct', route: DIRECT }
  const { routers } = launchpad
  const route = routers.get(trade.user) ?? (tx.to === null ? undefined : routers.get(tx.to)) ?? OTHER
  return { ...walletOf(trade, beside, launchpad), route }
}
