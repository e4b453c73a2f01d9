// `/v1/labels`: the meaning of everything that is answered.
import type { Answer } from '../bodies.ts'
import { cardFields, launchFields } from '../labels/card-fields.ts'
import { creatorRecordFields } from '../labels/creator-fields.ts'
import { envelopeFields, errors, healthFields, nulls } from '../labels/envelope-fields.ts'
import { flags } from '../labels/flags.ts'
import { graduationFields, regimeFields, rugFields } from '../labels/market-fields.ts'
import { confidence, coverage, finality, lifecycle, riskLabel, status } from '../labels/states.ts'
import { walletFields } from '../labels/wallet-fields.ts'
import type { Ask } from '../question.ts'

/** Field meanings are by dotted path; `[]` stands for each item of a list. */
export const labels = {
  coverage,
  status,
  lifecycle,
  risk_label: { first_that_holds: Object.keys(riskLabel), values: riskLabel },
  confidence: { about: 'how much data the label rests on, not how accurate it is', values: confidence },
  rug_flags: flags,
  finality,
  nulls,
  fields: {
    envelope: envelopeFields,
    mint: cardFields,
    launch: launchFields,
    rug: rugFields,
    graduation: graduationFields,
    creator: creatorRecordFields,
    wallet: walletFields,
    regime: regimeFields,
    health: healthFields,
  },
  errors,
} as const

const DATA = JSON.stringify(labels)

export const answerLabels = (_input: object, { service, look, facts }: Ask): Answer => ({
  status: 200,
  body: service.envelope(facts, look, { coverage: 'full', data: DATA }),
})
