// `/v1/creator/{address}`: the launches of a wallet with their outcomes; always 200 for an address.

import { fundedRecentlyPart, newestPayment } from '../../../processors/creator/funded-recently.ts'
import { observedSinceOf } from '../../../processors/creator/horizon.ts'
import { creatorEvidence } from '../../../processors/creator/record.ts'
import { isOpen } from '../../../processors/mint/rows.ts'
import { SILENT_S } from '../../../processors/mint/thresholds.ts'
import { FUNDING_S } from '../../../processors/wallet/wallet.ts'
import { type Key, keyText } from '../../../schemas/keys.ts'
import type { MintState } from '../../../schemas/types.ts'
import type { Creator } from '../../answer-schemas/creator.ts'
import type { Answer } from '../../questions/bodies.ts'
import { address } from '../../questions/params.ts'
import { missingOf } from '../market/missing.ts'
import { enveloped, type RequestContext } from '../question.ts'
import type { Instant, Service } from '../service.ts'

export const creatorParams = { address: address('Wallet address: base58, 32 bytes.') }

export const answerCreator = ({ address: wallet }: { readonly address: Key }, ask: RequestContext): Answer => {
  const { service, instant } = ask
  const { view, records, chain } = service.options
  const { asOf } = instant.moment
  const since = instant.status.observedSince
  const live = [...view.launchesBy(wallet)].filter(({ head }) => isLive(head, asOf)).map(({ mint }) => mint)
  const missing = missingOf(instant, since === null ? asOf : observedSinceOf(since, asOf), 'launches and outcomes')
  const data: Creator = {
    ...creatorEvidence(wallet, records.creator(wallet)?.state, { asOf, since, live, chain }),
    ...fundedRecently(wallet, service, instant),
    ...(missing ?? {}),
  }
  const coverage = missing === null ? 'full' : 'thin'
  return enveloped(ask, { coverage, data: JSON.stringify(data), next: nextOf(wallet) })
}

const nextOf = (wallet: Key): string => JSON.stringify({ mint: '/v1/mint/{mint}', wallet: `/v1/wallet/${keyText(wallet)}` })

/** The curve is open and had an event in the last 2 h. */
const isLive = ({ curve }: Pick<MintState, 'curve'>, asOf: number): boolean =>
  curve !== null && isOpen(curve) && asOf - curve.lastAt <= SILENT_S

const fundedRecently = (wallet: Key, { options: { records, chain } }: Service, instant: Instant) => {
  const { asOf } = instant.moment
  const payment = newestPayment(records.wallet(wallet)?.state, asOf)
  const funder = payment && records.creator(payment.funder)?.state
  const unseen = missingOf(instant, asOf - FUNDING_S, 'payments')?.coverage_reason ?? null
  return fundedRecentlyPart(payment, funder, asOf, unseen, chain)
}
