// The claims of a bundle about the events of a finding.
import { type Amount, printAmount } from '../../../schemas/amount.ts'
import { type Key, keyText, type Signature, signatureText } from '../../../schemas/keys.ts'
import { formatPosition } from '../../../schemas/position.ts'
import type { Claim } from '../../ports/proof.ts'
import type { MintEvent } from '../explain/recompute.ts'

interface EventFields {
  readonly signature: Signature
  readonly mint: Key
  readonly user?: Key
  readonly creator?: Key
  readonly bondingCurve?: Key | null
  readonly isBuy?: boolean
  readonly tokenUnits?: Amount
  readonly quoteUnits?: Amount
  readonly userQuoteUnits?: Amount
  readonly supplyUnits?: Amount | null
}

const units = (amount: Amount | null | undefined): string | null => (amount == null ? null : String(printAmount(amount)))

export const claimOf = (id: string, { frame, event }: MintEvent): Claim => {
  const fields = event as typeof event & EventFields
  const { tx, outer, inner, type, signature, mint, user, creator, bondingCurve } = fields
  const who = user ?? (type === 'launch' ? creator : undefined)
  return {
    event_id: id,
    position: formatPosition({ ...frame, tx, outer, inner }),
    type,
    signature: signatureText(signature),
    mint: keyText(mint),
    user: who === undefined ? null : keyText(who),
    curve: bondingCurve == null ? null : keyText(bondingCurve),
    is_buy: fields.isBuy ?? null,
    token_units: units(fields.tokenUnits),
    quote_units: units(fields.userQuoteUnits ?? fields.quoteUnits),
    supply_units: units(fields.supplyUnits),
  }
}
