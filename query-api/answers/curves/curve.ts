// `/v1/alt/curve/{address}`: the card of a curve, by the address of the curve or its token; always 200 for an address.
import { coverageOf } from '../../../processors/curve/card/moment.ts'
import type { Key } from '../../../schemas/keys.ts'
import type { Answer } from '../../questions/bodies.ts'
import { hexAddress } from '../../questions/params.ts'
import { withFinality } from '../cards/finality-text.ts'
import { enveloped, type RequestContext } from '../question.ts'
import { CURVE_LINKS } from './links.ts'

export const curveParams = { address: hexAddress('Address of a curve or of its token: 0x and 40 hexadecimal digits, in any case.') }
type CurveInput = { readonly address: Key }

export const answerCurve = ({ address }: CurveInput, ask: RequestContext): Answer => {
  const { curves: desk } = ask.service
  const card = desk.card(address, ask.instant.moment)
  return enveloped(ask, { coverage: card.coverage, data: withFinality(card, desk.finalityOf), next: CURVE_LINKS })
}

/** The coverage that the answer would have now. */
export const curveCoverage = ({ address }: CurveInput, { service, instant }: RequestContext): 'full' | 'thin' =>
  coverageOf(service.curves.context.view.find(address)?.head, instant.moment).coverage
