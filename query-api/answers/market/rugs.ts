// `/v1/rugs/recent`: rug flags, newest first.

import { explain } from '../../../processors/mint/card/explain.ts'
import { noPrior, priorPart } from '../../../processors/mint/fold/prior.ts'
import { NAME_CHARS_MAX, SYMBOL_CHARS_MAX } from '../../../processors/mint/thresholds.ts'
import { cleanText } from '../../../processors/text.ts'
import { keyText } from '../../../schemas/keys.ts'
import { formatPosition } from '../../../schemas/position.ts'
import type { FlagRecord } from '../../../topology/ports/chain-view.ts'
import type { Rug } from '../../answer-schemas/market.ts'
import type { Answer } from '../../questions/bodies.ts'
import type { InputOf } from '../../questions/params.ts'
import { integer, number } from '../../questions/params.ts'
import type { RequestContext } from '../question.ts'
import type { Service } from '../service.ts'
import { first, listed } from './missing.ts'

export const rugsParams = {
  limit: integer({ min: 1, max: 200, fallback: 50, doc: 'Maximum number of flags.' }),
  window_s: number({ min: 60, max: 21_600, fallback: 3_600, doc: 'Maximum age of the flags, seconds.' }),
}

export const answerRugs = ({ limit, window_s }: InputOf<typeof rugsParams>, ask: RequestContext): Answer => {
  const { service, instant } = ask
  const since = instant.moment.asOf - window_s
  const shown = first(service.options.view.flagsSince(since, instant.moment.asOf), limit)
  return listed(ask, { items: shown.map((record) => JSON.stringify(rugItem(service, record))), since, what: 'flags' })
}

const NO_LAUNCH = 'its launch is not stored'
const FORGOTTEN = 'the rows of the mint were evicted; only the flag is kept'

/** An item of the list. The name is from the rows of the mint, which may have been evicted. */
export const rugItem = (service: Service, record: FlagRecord): Rug => {
  const state = service.options.view.get(record.mint)?.state
  const launch = state?.launch
  const item = explain(
    {
      t: record.at,
      mint: keyText(record.mint),
      name: launch ? cleanText(launch.name, NAME_CHARS_MAX) : null,
      symbol: launch ? cleanText(launch.symbol, SYMBOL_CHARS_MAX) : null,
      creator: record.creator && keyText(record.creator),
      creator_is_wallet: launch?.creatorIsWallet ?? (record.creator && service.options.chain.isWallet(record.creator)),
      flag: record.flag,
      detail: JSON.parse(record.evidence) as Readonly<Record<string, unknown>>,
      mint_age_at_flag_s: record.mintAgeS,
      position: formatPosition(record),
      finding_id: record.findingId,
      finality: service.finalityOf(record.number),
    },
    { name: FORGOTTEN, symbol: FORGOTTEN, creator: NO_LAUNCH, creator_is_wallet: NO_LAUNCH, mint_age_at_flag_s: NO_LAUNCH },
  )
  return { ...item, ...(state === undefined ? noPrior(FORGOTTEN) : priorPart(state)) }
}
