// `/v1/labels`: the meaning of every label, flag, field and error in answers.
import * as z from 'zod'
import { curveDetectors } from '../../processors/curve/detectors/index.ts'
import { alertLabels } from '../alerts/labels.ts'
import { componentsOf } from '../answer-schemas/answers.ts'
import { envelope } from '../answer-schemas/envelope.ts'
import { flagLabels } from '../answer-schemas/flags.ts'
import { jsonSchemas } from '../answer-schemas/json-schema.ts'
import { meaningsIn } from '../answer-schemas/meanings.ts'
import { perDetectors } from '../answer-schemas/per-detectors.ts'
import { rowFlags, verdicts } from '../answer-schemas/ranked.ts'
import { errors } from '../answer-schemas/refusals.ts'
import { confidence, coverage, finality, lifecycle, nulls, riskLabel, status } from '../answer-schemas/states.ts'
import { streamEvents } from '../answer-schemas/stream.ts'
import type { TimelessContext } from '../answers/question.ts'
import type { Service } from '../answers/service.ts'
import { tagOf } from '../middleware/validators.ts'
import type { Answer } from '../questions/bodies.ts'
import { STREAM } from '../stream/facts.ts'
import { HOW_TO_READ, publishedFields } from './label-fields.ts'
import { limitsPart } from './limits.ts'

const { around } = jsonSchemas({ around: envelope('full', z.unknown()) })

/** Meanings of fields by dotted path; `[]` stands for each item of a list. */
const fieldsIn = (components: ReturnType<typeof componentsOf>) => {
  const ofWhole = (...names: readonly string[]) => meaningsIn(components, names)
  const ofData = (name: string) => meaningsIn(components, [name], 'data')
  return {
    envelope: meaningsIn({ around }, ['around']),
    mint: ofWhole('FullMintCard', 'ThinMintCard'),
    launch: ofWhole('FullLaunch', 'ThinLaunch'),
    rug: ofWhole('Rug'),
    graduation: ofWhole('Graduation'),
    launch_since: beyond(ofWhole('SinceLaunch'), ofWhole('FullLaunch')),
    launches_since: ofData('LaunchesSinceAnswer'),
    radar: ofData('PreviewAnswer'),
    creator: ofData('CreatorAnswer'),
    curve: ofWhole('FullAltCurve', 'ThinAltCurve'),
    curve_launch: ofWhole('AltLaunch', 'ThinAltLaunch'),
    curve_regime: ofData('AltRegimeAnswer'),
    wallet: ofData('WalletAnswer'),
    cohort: ofData('CohortAnswer'),
    alert_receipt: ofData('AlertAnswer'),
    alert: ofWhole('AlertMessage'),
    regime: ofData('RegimeAnswer'),
    calibration: ofData('CalibrationAnswer'),
    track_record: ofData('TrackRecordAnswer'),
    outcomes: ofData('OutcomesAnswer'),
    odds_proof: ofData('OddsProofAnswer'),
    check: ofData('CheckAnswer'),
    watch: ofData('WatchAnswer'),
    coverage: ofData('CheckCoverageAnswer'),
    evidence: ofData('EvidenceAnswer'),
    health: ofWhole('HealthAnswer'),
  }
}

/** The meanings whose field is not in `others`. */
const beyond = (meanings: Readonly<Record<string, string>>, others: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(meanings).filter(([field]) => !(field in others)))

export const labelsOf = perDetectors((detectors) => ({
  coverage,
  status,
  lifecycle,
  risk_label: { first_that_holds: Object.keys(riskLabel), values: riskLabel },
  confidence: {
    about: 'how much data the card is based on: high with rug_flagged means that much was observed, not that a rug is certain',
    values: confidence,
  },
  rug_flags: flagLabels(detectors),
  alt_flags: flagLabels(curveDetectors),
  row_flags: rowFlags,
  verdict: { first_that_holds: Object.keys(verdicts), values: verdicts },
  finality,
  nulls,
  fields: fieldsIn(componentsOf(detectors)),
  stream: {
    path: STREAM.path,
    about: STREAM.description,
    params: { after: STREAM.params.after.schema.description },
    headers: STREAM.headers,
    events: streamEvents,
  },
  alerts: alertLabels,
  errors,
}))

const published = perDetectors((detectors) => {
  const labels = labelsOf(detectors)
  return { ...labels, how_to_read: HOW_TO_READ, fields: publishedFields(labels.fields) }
})

/** All meanings and the limits of this server, as JSON text. */
export const labelsText = ({ options: { rates, detectors } }: Service): string =>
  JSON.stringify({ ...published(detectors), limits: limitsPart(rates) })

export const answerLabels = (_input: object, { service, instant, facts }: TimelessContext): Answer => {
  const data = labelsText(service)
  const headers = { ETag: tagOf(data + service.options.version), 'Cache-Control': 'no-cache' }
  return { status: 200, body: service.envelope(facts, instant, { coverage: 'full', data }), headers }
}
