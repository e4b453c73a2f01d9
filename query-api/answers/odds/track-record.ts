// `/v1/track-record`: calls of the logged odds by day, bad days included; free.
import { explain } from '../../../processors/mint/card/explain.ts'
import { type CallDay, ODDS_CALLS, type OddsCall } from '../../../topology/ports/odds-history.ts'
import type { CallData, TrackRecordData } from '../../answer-schemas/odds/track-record.ts'
import type { Answer } from '../../questions/bodies.ts'
import { NO_HISTORY } from '../cards/base-rates.ts'
import { enveloped, type RequestContext } from '../question.ts'

const PPM = 1_000_000
const MEANINGS: Readonly<Record<OddsCall, string>> = {
  rug_80: 'avoid: rugged at most 300 s after the launch',
  rug_50: 'caution: rugged at most 300 s after the launch',
  graduation_50: 'graduates',
}
const NEXT = '{"calibration":"/v1/calibration","labels":"/v1/labels"}'
const NO_CALL = 'nothing was called'
const NO_LAUNCH = 'no launch with odds has a known outcome yet'
const NO_POSITIVE = 'the predicted outcome came true for no launch'
const NO_HIT = 'no call came true'

export const answerTrackRecord = (_input: object, ask: RequestContext): Answer => {
  const known = ask.service.options.history?.trackRecord() ?? { ok: false as const, reason: NO_HISTORY }
  const calls = known.ok ? ODDS_CALLS.map((one) => callData(one, known.value[one.call])) : null
  const reason = known.ok ? '' : known.reason
  const data: TrackRecordData = {
    ...explain({ as_of: known.ok ? known.asOf : null, calls }, { as_of: reason, calls: reason }),
    ...(!known.ok && { coverage_reason: reason }),
  }
  return enveloped(ask, { coverage: known.ok ? 'full' : 'thin', data: JSON.stringify(data), next: NEXT })
}

type Figures = Omit<CallDay, 'day' | 'leadP50S'>

const callData = ({ call, head, ppmMin }: (typeof ODDS_CALLS)[number], days: readonly CallDay[]): CallData => {
  const worst = days.filter(({ calls }) => calls > 0).reduce((least, day) => (isWorse(day, least) ? day : least), null as CallDay | null)
  return {
    ...{ call, head, at_least: ppmMin / PPM, meaning: MEANINGS[call] },
    ...explain({ worst_day: worst === null ? null : dayData(worst) }, { worst_day: NO_CALL }),
    total: figuresData(days.reduce(sumOf, NOTHING)),
    days: days.map(dayData),
  }
}

/** By exact precision; on a tie, the day with more calls is worse. */
const isWorse = (day: CallDay, least: CallDay | null): boolean => {
  if (least === null) return true
  const [ofDay, ofLeast] = [day.hits * least.calls, least.hits * day.calls]
  return ofDay < ofLeast || (ofDay === ofLeast && day.calls > least.calls)
}

const NOTHING: Figures = { launches: 0, unresolved: 0, positives: 0, calls: 0, hits: 0 }
const sumOf = (sum: Figures, day: Figures): Figures => ({
  launches: sum.launches + day.launches,
  unresolved: sum.unresolved + day.unresolved,
  positives: sum.positives + day.positives,
  calls: sum.calls + day.calls,
  hits: sum.hits + day.hits,
})

const dayData = (day: CallDay): CallData['days'][number] => ({
  day: day.day,
  ...figuresData(day),
  ...explain({ lead_p50_s: day.leadP50S }, { lead_p50_s: NO_HIT }),
})

const ratio = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole)

const figuresData = ({ launches, unresolved, positives, calls, hits }: Figures): CallData['total'] =>
  explain(
    {
      ...{ launches, unresolved, positives },
      base_rate: ratio(positives, launches),
      ...{ calls, hits },
      precision: ratio(hits, calls),
      recall: ratio(hits, positives),
    },
    { base_rate: NO_LAUNCH, precision: NO_CALL, recall: NO_POSITIVE },
  )
