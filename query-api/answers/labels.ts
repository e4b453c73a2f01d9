// `/v1/labels`: the meaning of everything that is answered.
import { meaningsIn } from '../answer-schemas/labels.ts'
import type { Answer } from '../bodies.ts'
import { cardFields, launchFields } from '../labels/card-fields.ts'
import { checkFields, coverageFields, evidenceFields, watchFields } from '../labels/check-fields.ts'
import { envelopeFields, errors, healthFields, nulls } from '../labels/envelope-fields.ts'
import { flags } from '../labels/flags.ts'
import { limitsPart } from '../labels/limits.ts'
import { graduationFields, regimeFields, rugFields } from '../labels/market-fields.ts'
import { confidence, coverage, finality, lifecycle, riskLabel, status } from '../labels/states.ts'
import { tagOf } from '../middleware/validators.ts'
import type { Ask } from '../question.ts'
import type { Service } from '../service.ts'
import { components, dataSchemas } from '../shapes/answers.ts'
import { STREAM, streamEvents } from '../stream/facts.ts'

const ofData = (answer: string) => meaningsIn(dataSchemas(answer), components)

/** Field meanings are by dotted path; `[]` stands for each item of a list. */
export const labels = {
  coverage,
  status,
  lifecycle,
  risk_label: { first_that_holds: Object.keys(riskLabel), values: riskLabel },
  confidence: {
    about: 'how much data the card rests on: high beside rug_flagged says that much was seen, not that a rug is sure',
    values: confidence,
  },
  rug_flags: flags,
  finality,
  nulls,
  fields: {
    envelope: envelopeFields,
    mint: cardFields,
    launch: launchFields,
    rug: rugFields,
    graduation: graduationFields,
    creator: ofData('CreatorAnswer'),
    wallet: ofData('WalletAnswer'),
    regime: regimeFields,
    check: checkFields,
    watch: watchFields,
    coverage: coverageFields,
    evidence: evidenceFields,
    health: healthFields,
  },
  stream: {
    path: STREAM.path,
    about: STREAM.description,
    params: { after: STREAM.params.after.schema.description },
    headers: STREAM.headers,
    events: streamEvents,
  },
  errors,
} as const

/** All meanings, with the limits of this server, as JSON text. */
export const labelsText = ({ options: { rates } }: Service): string => JSON.stringify({ ...labels, limits: limitsPart(rates) })

export const answerLabels = (_input: object, { service, look, facts }: Ask): Answer => {
  const data = labelsText(service)
  const headers = { ETag: tagOf(data + service.options.version), 'Cache-Control': 'no-cache' }
  return { status: 200, body: service.envelope(facts, look, { coverage: 'full', data }), headers }
}
