// `/v1/graduations/recent`: curves that migrated to their pools, newest first.

import { solOf } from '../../../processors/mint/card/amounts.ts'
import { explain } from '../../../processors/mint/card/explain.ts'
import { CENSORED } from '../../../processors/mint/card/history.ts'
import { holdersInShort } from '../../../processors/mint/card/holders-part.ts'
import { coverageOf, type Moment } from '../../../processors/mint/card/moment.ts'
import { noPriorAtLaunch, priorAtLaunchPart } from '../../../processors/mint/fold/prior.ts'
import { NAME_CHARS_MAX, SYMBOL_CHARS_MAX } from '../../../processors/mint/thresholds.ts'
import { cleanText } from '../../../processors/text.ts'
import { keyText } from '../../../schemas/keys.ts'
import { formatPosition } from '../../../schemas/position.ts'
import type { MintState } from '../../../schemas/types.ts'
import type { MigrationRecord } from '../../../topology/ports/mint-view.ts'
import type { Graduation } from '../../answer-schemas/market.ts'
import type { Answer } from '../../questions/bodies.ts'
import type { InputOf } from '../../questions/params.ts'
import { integer, number } from '../../questions/params.ts'
import type { RequestContext } from '../question.ts'
import type { Service } from '../service.ts'
import { first, listed } from './missing.ts'

export const graduationsParams = {
  limit: integer({ min: 1, max: 100, fallback: 50, doc: 'Maximum number of migrations.' }),
  window_s: number({ min: 60, max: 86_400, fallback: 21_600, doc: 'Maximum age of the migrations, seconds.' }),
}

export const answerGraduations = ({ limit, window_s }: InputOf<typeof graduationsParams>, ask: RequestContext): Answer => {
  const { service, instant } = ask
  const since = instant.moment.asOf - window_s
  const shown = first(service.options.view.migrationsSince(since, instant.moment.asOf), limit)
  const items = shown.map((record) => JSON.stringify(graduationItem(service, record, instant.moment)))
  return listed(ask, { items, since, what: 'migrations' })
}

const FORGOTTEN = 'the rows of the mint were evicted; only the migration is kept'

/**
 * Name, symbol, `creator_is_wallet`, holders and prior are from the rows of the mint. If these were evicted, `creator_is_wallet` is derived
 * from the address and the others are null. All other fields are from the migration.
 */
const graduationItem = (service: Service, record: MigrationRecord, moment: Moment): Graduation => {
  const state = service.options.view.get(record.mint)?.state
  const launch = state?.launch
  const item = explain(
    {
      mint: keyText(record.mint),
      name: launch ? cleanText(launch.name, NAME_CHARS_MAX) : null,
      symbol: launch ? cleanText(launch.symbol, SYMBOL_CHARS_MAX) : null,
      creator: keyText(record.creator),
      creator_is_wallet: launch?.creatorIsWallet ?? service.options.chain.isWallet(record.creator),
      migrate_t: record.at,
      graduated: record.graduated,
      curve: curveOf(record),
      position: formatPosition(record),
      finality: service.finalityOf(record.number),
    },
    { name: FORGOTTEN, symbol: FORGOTTEN, graduated: record.quoteMint === null ? CENSORED_BY_GAP : CENSORED_BY_QUOTE },
  )
  const prior = state === undefined ? noPriorAtLaunch(FORGOTTEN) : priorAtLaunchPart(state)
  return { ...item, ...holdersOf(state, moment), ...prior }
}

const { gap: CENSORED_BY_GAP = '', quote_not_sol: CENSORED_BY_QUOTE = '' } = CENSORED

const curveOf = ({ peakQuoteUnits, quoteMint, pool }: MigrationRecord) =>
  explain(
    { peak_rs_sol: quoteMint === null ? solOf(peakQuoteUnits) : null, pool: keyText(pool) },
    { peak_rs_sol: 'the curve is not paired with SOL' },
  )

/** As of the mint's newest event: silence since then does not make coverage thin. */
const holdersOf = (state: MintState | undefined, moment: Moment) => {
  const { launch = null, curve = null } = state ?? {}
  if (state === undefined || launch === null || curve === null) return { holders: null, holders_reason: FORGOTTEN }
  const { reason } = coverageOf(state, { asOf: curve.lastAt, gap: moment.gap })
  return reason === null ? { holders: holdersInShort(launch, curve, state, moment) } : { holders: null, holders_reason: reason }
}
