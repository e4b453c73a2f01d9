// The coverage that an answer would have now, for 402s. Cheap: makes no answer and reads no store.
import { observedSinceOf } from '../../processors/creator/horizon.ts'
import { coverageOf } from '../../processors/mint/card/moment.ts'
import type { Key } from '../../schemas/keys.ts'
import { resultsMissing } from './cards/wallet.ts'
import { missingOf } from './market/missing.ts'
import type { RequestContext } from './question.ts'

type Coverage = 'full' | 'thin'

const since = (ask: RequestContext, atS: number): Coverage => (missingOf(ask.instant, atS, '') === null ? 'full' : 'thin')

export const mintCoverage = ({ mint }: { readonly mint: Key }, { service, instant }: RequestContext): Coverage => {
  const head = service.options.view.get(mint)?.head
  return head === undefined ? 'thin' : coverageOf(head, instant.moment).coverage
}

export const launchesCoverage = ({ max_age_s }: { readonly max_age_s: number }, ask: RequestContext): Coverage =>
  since(ask, ask.instant.moment.asOf - max_age_s)

export const windowCoverage = ({ window_s }: { readonly window_s: number }, ask: RequestContext): Coverage =>
  since(ask, ask.instant.moment.asOf - window_s)

export const creatorCoverage = (_input: object, ask: RequestContext): Coverage => {
  const { moment, status } = ask.instant
  return since(ask, status.observedSince === null ? moment.asOf : observedSinceOf(status.observedSince, moment.asOf))
}

export const walletCoverage = (_input: object, { service, instant }: RequestContext): Coverage =>
  resultsMissing(service.options.history?.ranks() ?? { asOf: null, since: null }, instant) === null ? 'full' : 'thin'

/** For routes that refuse unless coverage is full, and for those that are not about a mint or a time window. */
export const alwaysFull = (): Coverage => 'full'
