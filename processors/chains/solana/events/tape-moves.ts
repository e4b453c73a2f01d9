// Derives transfers that no launchpad event reports: coins between owners, from their balances, and SOL between wallets.
import { type Amount, add, amountOfDigits, subtract } from '../../../../schemas/amount.ts'
import { asBuffer } from '../../../../schemas/bytes.ts'
import { compareText, type Key, type Signature } from '../../../../schemas/keys.ts'
import { TILDE } from '../../../../schemas/position.ts'
import type { Balance, FrameBody, FrameTransaction, SolTransfer, TapeEvent, TokenChange, Transfer } from '../../../../schemas/types.ts'
import { isKeptTransfer } from '../normal-form.ts'
import { MAYHEM_AGENT, WSOL, ZERO_KEY } from '../programs.ts'
import { isWallet } from '../wallet-key.ts'
import { readAmount } from './tape-read.ts'

type Change = Pick<TokenChange, 'mint' | 'owner' | 'before' | 'after'>

/** One coin in one transaction. */
interface CoinMoves {
  /** Net gain of each owner's accounts. */
  readonly gained: Map<Key, Amount>
  /** The part of `gained` that trades and liquidity explain. */
  readonly traded: Map<Key, Amount>
  /** Owners of vaults, which are not holders. */
  readonly vaults: Set<Key>
  /** Sum of what users received from the curve. */
  fromCurve: Amount
  /** Supply of the coin where this transaction launches it, otherwise 0. */
  launchedSupply: Amount
}

const addTo = (sums: Map<Key, Amount>, key: Key, units: Amount): void => {
  sums.set(key, add(sums.get(key) ?? 0, units))
}
const takeFrom = (sums: Map<Key, Amount>, key: Key, units: Amount): void => {
  sums.set(key, subtract(sums.get(key) ?? 0, units))
}

const changeOf = (beforeDigits: string, afterDigits: string): Amount | undefined => {
  const [before, after] = [amountOfDigits(beforeDigits), amountOfDigits(afterDigits)]
  return before === undefined || after === undefined ? undefined : subtract(after, before)
}

/** Changes by coin. Skips wrapped SOL, and coins with a change whose owner or amount is unknown (old data). */
const gains = (changes: readonly Change[]): Map<Key, CoinMoves> => {
  const coins = new Map<Key, CoinMoves>()
  const unknown = new Set([WSOL])
  for (const { mint, owner, before, after } of changes) {
    const units = changeOf(before, after)
    if (owner === null || units === undefined) unknown.add(mint)
    if (owner === null || units === undefined || unknown.has(mint)) continue
    let coin = coins.get(mint)
    if (coin === undefined) {
      coin = { gained: new Map(), traded: new Map(), vaults: new Set([MAYHEM_AGENT]), fromCurve: 0, launchedSupply: 0 }
      coins.set(mint, coin)
    }
    addTo(coin.gained, owner, units)
  }
  for (const mint of unknown) coins.delete(mint)
  return coins
}

/** Subtracts what an event explains from the gains of its coin. */
const explain = (coins: Map<Key, CoinMoves>, event: TapeEvent): void => {
  if (event.type === 'transfer' || event.type === 'balance') return
  if ('quoteMint' in event && event.quoteMint !== null) coins.delete(event.quoteMint)
  if (event.type === 'missingEvent') coins.delete(event.mint)
  const coin = coins.get(event.mint)
  if (coin === undefined) return
  if ('bondingCurve' in event) coin.vaults.add(event.bondingCurve)
  if ('pool' in event) coin.vaults.add(event.pool)
  if ('isAgent' in event && event.isAgent) coin.vaults.add(event.user)
  if (event.type === 'launch') coin.launchedSupply = add(coin.launchedSupply, event.supplyUnits ?? 0)
  else if (event.type === 'trade' || event.type === 'postCompleteBuy') {
    const isSale = event.type === 'trade' && !event.isBuy
    ;(isSale ? takeFrom : addTo)(coin.traded, event.user, event.tokenUnits)
    coin.fromCurve = (isSale ? subtract : add)(coin.fromCurve, event.tokenUnits)
  } else if (event.type === 'poolTrade' || event.type === 'poolLiquidity') {
    const isGain = event.type === 'poolTrade' ? event.isBuy : !event.isDeposit
    ;(isGain ? addTo : takeFrom)(coin.traded, event.user, event.tokenUnits)
  }
}

/**
 * A trade does not name its curve. The curve is the owner that lost exactly what the users received; if several did, the first that is not
 * a wallet.
 */
const addCurve = ({ gained, traded, vaults, fromCurve }: CoinMoves): void => {
  if (fromCurve === 0) return
  const lost = subtract(0, fromCurve)
  const candidates = [...gained].filter(([owner, units]) => units === lost && !traded.has(owner) && !vaults.has(owner))
  const curve = candidates.length > 1 ? candidates.find(([owner]) => !isWallet(owner)) : candidates[0]
  if (curve !== undefined) vaults.add(curve[0])
}

/** A movement before it is numbered within its transaction. */
type Unnumbered = Omit<Balance, 'inner'>

/** Amount minted to the agent (negative: burnt by it): the sum of all gains, less the launched supply. 0 where the agent only trades. */
const mintedToAgent = ({ gained, launchedSupply }: CoinMoves): Amount => {
  if (!gained.has(MAYHEM_AGENT)) return 0
  let units = subtract(0, launchedSupply)
  for (const gain of gained.values()) units = add(units, gain)
  return units
}

const movesOf = (mint: Key, coin: CoinMoves, tx: number, signature: Signature): Unnumbered[] => {
  addCurve(coin)
  const owners = new Set([...coin.gained.keys(), ...coin.traded.keys()])
  const moved = [...owners].flatMap((owner) => {
    const units = subtract(coin.gained.get(owner) ?? 0, coin.traded.get(owner) ?? 0)
    return units === 0 || coin.vaults.has(owner) ? [] : [{ owner, units }]
  })
  const minted = mintedToAgent(coin)
  const senders = moved.filter(({ units }) => units < 0)
  const fromWallets = senders.length > 0 && senders.length < moved.length && senders.every(({ owner }) => isWallet(owner))
  const sender = senders.length === 1 ? (senders[0]?.owner ?? null) : null
  const reported = minted === 0 ? moved : [...moved, { owner: MAYHEM_AGENT, units: minted }]
  return reported.map(({ owner, units }) => {
    const head = { type: 'balance' as const, tx, outer: TILDE, signature, mint, timestamp: null, owner, units }
    const traded = coin.traded.has(owner)
    return units < 0
      ? { ...head, traded, isWallet: false, fromWallets: false, sender: null }
      : { ...head, traded, isWallet: isWallet(owner), fromWallets, sender }
  })
}

const numbered = (moves: Unnumbered[]): Balance[] =>
  moves.sort((a, b) => compareText(a.owner, b.owner) || compareText(a.mint, b.mint)).map((move, inner) => ({ ...move, inner }))

const balancesOf = (coins: ReadonlyMap<Key, CoinMoves>, tx: number, signature: Signature): Balance[] =>
  numbered([...coins].flatMap(([mint, coin]) => movesOf(mint, coin, tx, signature)))

/**
 * Coins that moved in a transaction of the launchpad and that its `events` do not explain: none in most transactions, which only trade. The
 * counterparty of a trade, curve or pool, is a vault, never a holder.
 */
export const balanceEvents = ({ index, signature, failed, tokens }: FrameTransaction, events: readonly TapeEvent[]): readonly Balance[] => {
  if (failed || tokens.length === 0) return []
  const coins = gains(tokens)
  for (const event of events) explain(coins, event)
  return balancesOf(coins, index, signature)
}

/** Coins that moved in the transactions that do not involve the launchpad, in their order. */
export const otherBalanceEvents = ({ balances }: FrameBody): Balance[] => {
  const events: Balance[] = []
  for (let from = 0; from < balances.length; ) {
    const first = balances[from] as FrameBody['balances'][number]
    let to = from
    while (balances[to]?.index === first.index) to++
    events.push(...balancesOf(gains(balances.slice(from, to)), first.index, first.signature))
    from = to
  }
  return events
}

const transferTo = (
  funder: Key,
  wallet: Key,
  amountLamports: Amount | undefined,
  at: Pick<Transfer, 'tx' | 'outer' | 'inner' | 'signature'>,
): Transfer[] =>
  funder === wallet || amountLamports === undefined || !isWallet(wallet)
    ? []
    : [{ type: 'transfer', ...at, timestamp: null, funder, wallet, amountLamports }]

/** SOL paid to wallets in the transactions that do not involve the launchpad, in their order. */
export const transferEvents = ({ transfers }: FrameBody): Transfer[] =>
  transfers.flatMap(({ index, outer, inner, signature, source, target, amountLamports }: SolTransfer) =>
    transferTo(source, target, amountOfDigits(amountLamports), { tx: index, outer, inner, signature }),
  )

/** SOL paid to wallets by top-level instructions of a launchpad transaction: inner payments are fees and the price of coins. */
export const ownTransferEvents = ({ index, signature, failed, keys, instructions }: FrameTransaction): readonly Transfer[] => {
  if (failed) return []
  return instructions.flatMap(({ program, accounts, data }, outer) => {
    if (keys[program] !== ZERO_KEY) return []
    const bytes = asBuffer(data)
    const [from, to] = [keys[accounts[0] ?? -1], keys[accounts[1] ?? -1]]
    if (!isKeptTransfer(bytes) || from === undefined || to === undefined) return []
    return transferTo(from, to, readAmount(bytes, 4), { tx: index, outer, inner: 0, signature })
  })
}
