// Rebuilds events of the alt chain's tape from the rows of the history.
import type { Key } from '../../../../schemas/keys.ts'
import type { AltTapeEvent } from '../../../../schemas/types.ts'
import { CURVE_EVENT_TABLES } from '../../../history/rows/curve-events.ts'
import type { WireRow } from '../../../history/rows/row-reader.ts'
import { curveEvent, type EventsAgain, type EventsOfTable, fieldsOf, type PairOf } from './events-again.ts'

type Type = AltTapeEvent['type']

const CALLER = 'txFrom:tx_from txTo:tx_to route'
/** The events that have their own table. */
const FIELDS: Readonly<Partial<Record<Type, string>>> = {
  launch:
    `bondingCurve:curve creator:deployer launcher ${CALLER} quoteMint:pair_token quoteDecimals:pair_decimals ` +
    'quoteDecimalsReason:pair_decimals_reason configId:config_id thresholdUnits:threshold_units virtualQuoteUnits:virtual_quote_units supplyUnits:supply_units',
  trade:
    `bondingCurve:curve quoteMint:pair_token isBuy:is_buy user recipient wallet walletBy:wallet_by ${CALLER} tokenUnits:token_units ` +
    'quoteUnits:quote_units userQuoteUnits:user_quote_units feeUnits:fee_units creatorFeeUnits:creator_fee_units snipeTaxUnits:snipe_tax_units',
  complete:
    'bondingCurve:curve quoteMint:pair_token recipient tokenUnits:token_units quoteUnits:quote_units sweptTokenUnits:swept_token_units ' +
    'sweptQuoteUnits:swept_quote_units',
  migrate: 'bondingCurve:curve positionId:position_id poolId:pool_id tokenUnits:token_units quoteUnits:quote_units',
  refund: 'bondingCurve:curve quoteMint:pair_token user quoteUnits:quote_units',
  buyback: 'bondingCurve:curve quoteMint:pair_token tokenUnits:token_units quoteUnits:quote_units',
  tokenTransfer: 'sender recipient tokenUnits:token_units',
}

const addressOf = (text: string): string => Buffer.from(text.slice(2), 'hex').toString('latin1')
const exemptIn = (row: WireRow): object => ({ exempt: (row.value('snipe_exempt') as readonly string[]).map(addressOf) })

const FEES = 'FeesSwept'
/** Events in the table of rare events, by kind; any other kind is a rescue. */
const RARE: Readonly<Record<string, readonly [type: Type, fields: string, more?: object]>> = {
  LaunchSwept: ['sweep', 'bondingCurve:curve tokenUnits:token_units quoteUnits:quote_units', { isForced: false }],
  LaunchForceSwept: ['sweep', 'bondingCurve:curve tokenUnits:token_units quoteUnits:quote_units', { isForced: true }],
  [FEES]: ['feesSwept', 'bondingCurve:curve protocolUnits:quote_units buybackUnits:buyback_units creatorUnits:creator_units'],
  SnipeTaxExempted: ['snipeExemption', 'bondingCurve:curve account'],
  AutoGraduationFailed: ['graduationFailed', 'bondingCurve:curve gasRemaining:gas_remaining'],
}
const RESCUE =
  'bondingCurve:curve kind recipient:account creatorRecipient:creator_account quoteUnits:quote_units creatorUnits:creator_units tokenUnits:token_units'

const rareEvent = (row: WireRow, pairOf: PairOf) => {
  const [type, fields, more = {}] = RARE[String(row.value('kind'))] ?? (['rescue', RESCUE] as const)
  const token = pairAsked(row)
  return curveEvent(type, row, { ...fieldsOf(fields)(row), ...more, ...(token === undefined ? {} : { quoteMint: pairOf(token) }) })
}
/** Swept fees are in the quote token of the curve. */
const pairAsked = (row: WireRow): Key | undefined => (row.value('kind') === FEES ? (row.value('token') as Key) : undefined)

export const CURVE_EVENTS_AGAIN: EventsAgain = new Map<string, EventsOfTable>([
  ...Object.entries(FIELDS).map(([type, fields]) => {
    const own = fieldsOf(fields)
    const event = (row: WireRow) => curveEvent(type, row, { ...own(row), ...(type === 'launch' ? exemptIn(row) : {}) })
    return [CURVE_EVENT_TABLES[type as Type].name, { event }] as const
  }),
  [CURVE_EVENT_TABLES.sweep.name, { event: rareEvent, pairOf: pairAsked }] as const,
])
