// Converts the logs of one transaction to events of the tape.
import { type Amount, subtract } from '../../../schemas/amount.ts'
import { bad, good, type Parsed } from '../../../schemas/errors.ts'
import type { Key } from '../../../schemas/keys.ts'
import type { AltComplete, AltRescue, AltTrade } from '../../../schemas/types.ts'
import type { EventName } from './abi.ts'
import { isSupplyMint, launchOf } from './launch.ts'
import { type ArgValue, sumOf } from './read-log.ts'
import type { OwnLog } from './transaction-logs.ts'
import { placeOf, type ToTape, type TransactionScope } from './transaction-scope.ts'
import { traderOf } from './wallet.ts'

const keys = (values: readonly ArgValue[]) => values as readonly [Key, Key, Key]
const amounts = (values: readonly ArgValue[]) => values as readonly [Amount, Amount, Amount, Amount]
const skip: Parsed<undefined> = good(undefined)

type OfCurve = OwnLog & { readonly contract: NonNullable<OwnLog['contract']> }
/** Fields of a curve's event. Its contract is known: unknown contracts are filtered out earlier. */
const onCurve = (one: OwnLog, scope: TransactionScope) => {
  const { mint, bondingCurve, quoteMint } = (one as OfCurve).contract
  return { place: { ...placeOf(one, scope), mint, bondingCurve }, quoteMint }
}
/** Fields of a factory's event: it names the token, whose launch may precede all known frames. */
const onToken = (one: OwnLog, scope: TransactionScope) => ({
  ...placeOf(one, scope),
  mint: one.indexed[0] as Key,
  bondingCurve: one.contract?.bondingCurve ?? null,
})

/** The taxes of this buy's recipient, charged between the curve's previous trade and this one. */
const snipeTaxOf = (buy: OwnLog, { own }: TransactionScope): Amount => {
  const ofCurve = own.filter(({ log }) => log.address === buy.log.address && log.index < buy.log.index)
  const last = ofCurve.findLastIndex(({ abi }) => abi.name === 'CurveBuy' || abi.name === 'CurveSell')
  const charged = ofCurve.slice(last + 1).filter(({ abi, indexed }) => abi.name === 'SnipeTaxCharged' && indexed[0] === buy.indexed[1])
  return sumOf(charged.map(({ nonIndexed }) => amounts(nonIndexed)[0]))
}

const trade = (one: OwnLog, scope: TransactionScope): Parsed<AltTrade> => {
  const isBuy = one.abi.name === 'CurveBuy'
  const [user, recipient] = keys(one.indexed)
  const [given, got, feeUnits, creatorFeeUnits] = amounts(one.nonIndexed)
  const [tokenUnits, userQuoteUnits] = isBuy ? [got, given] : [given, got]
  const fees = sumOf([feeUnits, creatorFeeUnits])
  if (isBuy && fees > userQuoteUnits) return bad('bad_transaction', `CurveBuy has fees of ${fees}, more than the ${userQuoteUnits} paid`)
  const { place, quoteMint } = onCurve(one, scope)
  const { tx, launchpad } = scope
  const trader = traderOf({ ...place, isBuy, user, recipient, tokenUnits }, scope, launchpad)
  return good({
    type: 'trade',
    ...place,
    ...{ quoteMint, isBuy, user, recipient, ...trader, txFrom: tx.from, txTo: tx.to },
    tokenUnits,
    quoteUnits: isBuy ? subtract(userQuoteUnits, fees) : sumOf([userQuoteUnits, fees]),
    ...{ userQuoteUnits, feeUnits, creatorFeeUnits },
    snipeTaxUnits: isBuy ? snipeTaxOf(one, scope) : 0,
  })
}

/** A tax belongs to the next trade of the curve; a tax without such a buy is bad data. */
const snipeTax: ToTape = (tax, { own }) => {
  const next = own.find(
    ({ abi, log }) => log.address === tax.log.address && log.index > tax.log.index && (abi.name === 'CurveBuy' || abi.name === 'CurveSell'),
  )
  if (next?.abi.name === 'CurveBuy' && next.indexed[1] === tax.indexed[0]) return skip
  return bad('bad_transaction', 'no buy of its recipient follows SnipeTaxCharged')
}

const isOf = (token: unknown, name: EventName) => (other: OwnLog) => other.abi.name === name && other.indexed[0] === token

const complete = (one: OwnLog, scope: TransactionScope): Parsed<AltComplete> => {
  const { place, quoteMint } = onCurve(one, scope)
  const [recipient, quoteUnits, tokenUnits] = one.nonIndexed as readonly [Key, Amount, Amount]
  const swept = scope.own.find(isOf(place.mint, 'LaunchSwept'))
  const [sweptQuoteUnits, sweptTokenUnits] = swept ? amounts(swept.nonIndexed) : [null, null]
  return good({ type: 'complete', ...place, quoteMint, recipient, quoteUnits, tokenUnits, sweptQuoteUnits, sweptTokenUnits })
}

/** Without an event where a CurveCompleted of the same token reports the sweep: `complete` includes it. */
const sweep: ToTape = (one, scope) => {
  const isForced = one.abi.name === 'LaunchForceSwept'
  const token = one.indexed[0]
  const isReported = scope.own.some(({ abi, contract }) => abi.name === 'CurveCompleted' && contract?.mint === token)
  if (!isForced && isReported) return skip
  const [quoteUnits, tokenUnits] = isForced ? [null, null] : amounts(one.nonIndexed)
  return good({ type: 'sweep', ...onToken(one, scope), isForced, quoteUnits, tokenUnits })
}

const migrate: ToTape = (one, scope) => {
  const [positionId, tokenUnits, quoteUnits] = amounts(one.nonIndexed)
  const place = onToken(one, scope)
  const pool = scope.own.find(({ abi, nonIndexed }) => abi.name === 'PoolRegistered' && nonIndexed[0] === place.mint)
  const poolId = pool ? `0x${Buffer.from(pool.indexed[0] as string, 'latin1').toString('hex')}` : null
  return good({ type: 'migrate', ...place, positionId, poolId, tokenUnits, quoteUnits })
}

const refund: ToTape = (one, scope) => {
  const { place, quoteMint } = onCurve(one, scope)
  return good({ type: 'refund', ...place, quoteMint, user: keys(one.indexed)[0], quoteUnits: amounts(one.nonIndexed)[0] })
}

const feesSwept: ToTape = (one, scope) => {
  const { place, quoteMint } = onCurve(one, scope)
  const [protocolUnits, buybackUnits, creatorUnits] = amounts(one.nonIndexed)
  return good({ type: 'feesSwept', ...place, quoteMint, protocolUnits, buybackUnits, creatorUnits })
}

const buyback: ToTape = (one, scope) => {
  const { place, quoteMint } = onCurve(one, scope)
  const [quoteUnits, tokenUnits] = amounts(one.nonIndexed)
  return good({ type: 'buyback', ...place, quoteMint, quoteUnits, tokenUnits })
}

const exemption: ToTape = (one, scope) => {
  const { place } = onCurve(one, scope)
  if (scope.own.some(isOf(place.mint, 'TokenLaunched'))) return skip
  return good({ type: 'snipeExemption', ...place, account: keys(one.indexed)[0] })
}

const tokenTransfer: ToTape = (one, scope) => {
  if (isSupplyMint(one, scope)) return skip
  const { mint } = (one as OfCurve).contract
  const [sender, recipient] = keys(one.indexed)
  return good({ type: 'tokenTransfer', ...placeOf(one, scope), mint, sender, recipient, tokenUnits: amounts(one.nonIndexed)[0] })
}

const graduationFailed: ToTape = (one, scope) =>
  good({ type: 'graduationFailed', ...onCurve(one, scope).place, gasRemaining: amounts(one.nonIndexed)[0] })

type Rescued = Pick<AltRescue, 'recipient' | 'creatorRecipient' | 'quoteUnits' | 'creatorUnits' | 'tokenUnits'>
const NOTHING: Rescued = { recipient: null, creatorRecipient: null, quoteUnits: 0, creatorUnits: 0, tokenUnits: 0 }
const rescue =
  (rescuedBy: (one: OwnLog) => Partial<Rescued>): ToTape =>
  (one, scope) => {
    const place = one.abi.emitter === 'curve' ? onCurve(one, scope).place : onToken(one, scope)
    return good({ type: 'rescue', ...place, kind: one.abi.name, ...NOTHING, ...rescuedBy(one) })
  }

/** Logs that belong to another event of their transaction. */
const partOfAnother: ToTape = () => skip

/** The conversion of each event. */
export const TO_TAPE: Readonly<Record<EventName, ToTape>> = {
  TokenLaunched: launchOf,
  CurveBuy: trade,
  CurveSell: trade,
  SnipeTaxCharged: snipeTax,
  SnipeTaxExempted: exemption,
  CurveBuyRefunded: refund,
  CurveCompleted: complete,
  LaunchSwept: sweep,
  LaunchForceSwept: sweep,
  PoolGraduated: migrate,
  FeesSwept: feesSwept,
  BuybackLocked: buyback,
  AutoGraduationFailed: graduationFailed,
  Transfer: tokenTransfer,
  GraduationTokensPermanentlyLocked: rescue(({ nonIndexed }) => ({ tokenUnits: amounts(nonIndexed)[0] })),
  LaunchGraduationRescued: rescue(({ indexed, nonIndexed }) => ({
    recipient: keys(indexed)[1],
    ...{ quoteUnits: amounts(nonIndexed)[0], tokenUnits: amounts(nonIndexed)[1] },
  })),
  FeesRescued: rescue(({ indexed, nonIndexed }) => ({
    ...{ recipient: keys(indexed)[0], creatorRecipient: keys(indexed)[1] },
    ...{ quoteUnits: amounts(nonIndexed)[0], creatorUnits: amounts(nonIndexed)[1] },
  })),
  Initialized: partOfAnother,
  Launched: partOfAnother,
  PoolRegistered: partOfAnother,
}
