// Converts the logs of one transaction to events of the tape.
import { type Amount, subtract } from '../../../schemas/amount.ts'
import { bad, good, type Parsed } from '../../../schemas/errors.ts'
import type { Key } from '../../../schemas/keys.ts'
import type { AltComplete, AltRescue, AltTrade } from '../../../schemas/types.ts'
import type { EventName } from './abi.ts'
import { isSupplyMint, launchOf } from './launch.ts'
import { type ArgValue, sumOf } from './read-log.ts'
import type { OwnLog } from './transaction-logs.ts'
import { locationOf, type ToTape, type TransactionScope } from './transaction-scope.ts'
import { traderOf } from './wallet.ts'

const keys = (values: readonly ArgValue[]) => values as readonly [Key, Key, Key]
const amounts = (values: readonly ArgValue[]) => values as readonly [Amount, Amount, Amount, Amount]
const skip: Parsed<undefined> = good(undefined)

type OfCurve = OwnLog & { readonly contract: NonNullable<OwnLog['contract']> }
/** Common fields of a curve's events. The contract is known: logs of unknown curves are filtered out earlier. */
const curveFields = (one: OwnLog, scope: TransactionScope) => {
  const { mint, bondingCurve, quoteMint } = (one as OfCurve).contract
  return { fields: { ...locationOf(one, scope), mint, bondingCurve }, quoteMint }
}
/** Common fields of a factory's events, which name the token. The curve is null if the decoder does not know the launch. */
const tokenFields = (one: OwnLog, scope: TransactionScope) => ({
  ...locationOf(one, scope),
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
  const { fields, quoteMint } = curveFields(one, scope)
  const { tx, launchpad } = scope
  const trader = traderOf({ ...fields, isBuy, user, recipient, tokenUnits }, scope, launchpad)
  return good({
    type: 'trade',
    ...fields,
    ...{ quoteMint, isBuy, user, recipient, ...trader, txFrom: tx.from, txTo: tx.to },
    tokenUnits,
    quoteUnits: isBuy ? subtract(userQuoteUnits, fees) : sumOf([userQuoteUnits, fees]),
    ...{ userQuoteUnits, feeUnits, creatorFeeUnits },
    snipeTaxUnits: isBuy ? snipeTaxOf(one, scope) : 0,
  })
}

/** No event: `trade` adds the tax to the curve's next trade. Bad data if that trade is not a buy for the taxed recipient. */
const snipeTax: ToTape = (tax, { own }) => {
  const next = own.find(
    ({ abi, log }) => log.address === tax.log.address && log.index > tax.log.index && (abi.name === 'CurveBuy' || abi.name === 'CurveSell'),
  )
  if (next?.abi.name === 'CurveBuy' && next.indexed[1] === tax.indexed[0]) return skip
  return bad('bad_transaction', 'SnipeTaxCharged is not followed by a buy of its recipient')
}

const isOf = (token: unknown, name: EventName) => (other: OwnLog) => other.abi.name === name && other.indexed[0] === token

const complete = (one: OwnLog, scope: TransactionScope): Parsed<AltComplete> => {
  const { fields, quoteMint } = curveFields(one, scope)
  const [recipient, quoteUnits, tokenUnits] = one.nonIndexed as readonly [Key, Amount, Amount]
  const swept = scope.own.find(isOf(fields.mint, 'LaunchSwept'))
  const [sweptQuoteUnits, sweptTokenUnits] = swept ? amounts(swept.nonIndexed) : [null, null]
  return good({ type: 'complete', ...fields, quoteMint, recipient, quoteUnits, tokenUnits, sweptQuoteUnits, sweptTokenUnits })
}

/** A LaunchSwept gives no event if the transaction has a CurveCompleted of the same token: that `complete` includes the sweep. */
const sweep: ToTape = (one, scope) => {
  const isForced = one.abi.name === 'LaunchForceSwept'
  const token = one.indexed[0]
  const isInComplete = scope.own.some(({ abi, contract }) => abi.name === 'CurveCompleted' && contract?.mint === token)
  if (!isForced && isInComplete) return skip
  const [quoteUnits, tokenUnits] = isForced ? [null, null] : amounts(one.nonIndexed)
  return good({ type: 'sweep', ...tokenFields(one, scope), isForced, quoteUnits, tokenUnits })
}

const migrate: ToTape = (one, scope) => {
  const [positionId, tokenUnits, quoteUnits] = amounts(one.nonIndexed)
  const fields = tokenFields(one, scope)
  const pool = scope.own.find(({ abi, nonIndexed }) => abi.name === 'PoolRegistered' && nonIndexed[0] === fields.mint)
  const poolId = pool ? `0x${Buffer.from(pool.indexed[0] as string, 'latin1').toString('hex')}` : null
  return good({ type: 'migrate', ...fields, positionId, poolId, tokenUnits, quoteUnits })
}

const refund: ToTape = (one, scope) => {
  const { fields, quoteMint } = curveFields(one, scope)
  return good({ type: 'refund', ...fields, quoteMint, user: keys(one.indexed)[0], quoteUnits: amounts(one.nonIndexed)[0] })
}

const feesSwept: ToTape = (one, scope) => {
  const { fields, quoteMint } = curveFields(one, scope)
  const [protocolUnits, buybackUnits, creatorUnits] = amounts(one.nonIndexed)
  return good({ type: 'feesSwept', ...fields, quoteMint, protocolUnits, buybackUnits, creatorUnits })
}

const buyback: ToTape = (one, scope) => {
  const { fields, quoteMint } = curveFields(one, scope)
  const [quoteUnits, tokenUnits] = amounts(one.nonIndexed)
  return good({ type: 'buyback', ...fields, quoteMint, quoteUnits, tokenUnits })
}

const exemption: ToTape = (one, scope) => {
  const { fields } = curveFields(one, scope)
  if (scope.own.some(isOf(fields.mint, 'TokenLaunched'))) return skip
  return good({ type: 'snipeExemption', ...fields, account: keys(one.indexed)[0] })
}

const tokenTransfer: ToTape = (one, scope) => {
  if (isSupplyMint(one, scope)) return skip
  const { mint } = (one as OfCurve).contract
  const [sender, recipient] = keys(one.indexed)
  return good({ type: 'tokenTransfer', ...locationOf(one, scope), mint, sender, recipient, tokenUnits: amounts(one.nonIndexed)[0] })
}

const graduationFailed: ToTape = (one, scope) =>
  good({ type: 'graduationFailed', ...curveFields(one, scope).fields, gasRemaining: amounts(one.nonIndexed)[0] })

type Rescued = Pick<AltRescue, 'recipient' | 'creatorRecipient' | 'quoteUnits' | 'creatorUnits' | 'tokenUnits'>
const NOTHING: Rescued = { recipient: null, creatorRecipient: null, quoteUnits: 0, creatorUnits: 0, tokenUnits: 0 }
const rescue =
  (rescuedBy: (one: OwnLog) => Partial<Rescued>): ToTape =>
  (one, scope) => {
    const fields = one.abi.emitter === 'curve' ? curveFields(one, scope).fields : tokenFields(one, scope)
    return good({ type: 'rescue', ...fields, kind: one.abi.name, ...NOTHING, ...rescuedBy(one) })
  }

/** For logs whose fields are part of another event of the transaction. */
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
