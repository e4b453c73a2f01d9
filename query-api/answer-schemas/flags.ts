// Schemas and meanings of flags, generated from the detectors' declarations: name, condition and evidence fields.
import * as z from 'zod'
import type { DetectorFacts, EvidenceField } from '../../processors/mint/detectors/detector.ts'
import type { DetectorSet } from '../../processors/mint/detectors/set.ts'
import { WatchEvents } from '../../processors/mint/watch-events.ts'
import { finality } from './states.ts'
import { address, boolean, count, fields, position, share, text, unixSeconds } from './vocabulary.ts'

const VALUES = { share, count, amount: z.number().min(0), number: z.number(), address, text } as const

const meaningOf = ({ words, unit }: EvidenceField): string => (unit === undefined ? words : `${words} (${unit})`)

const fieldOf = (field: EvidenceField): z.ZodType => {
  const { type, unit, isNullable, isOptional } = field
  const value: z.ZodType = VALUES[type].meta({ ...(unit !== undefined && { unit }), description: meaningOf(field) })
  const nullable = isNullable ? value.nullable() : value
  return isOptional ? nullable.optional() : nullable
}

const evidenceOf = ({ flag, evidence }: DetectorFacts) =>
  fields(Object.fromEntries(Object.entries(evidence).map(([name, field]) => [name, fieldOf(field)]))).meta({ title: flag })

/** Schemas of the flags of mints or curves. @param label the part of `/v1/labels` that explains them. */
export const findingSchemas = ({ published, flags }: DetectorSet<DetectorFacts>, label: string, at: z.ZodType) => {
  const name = z.enum(flags)
  const evidence = z.union(published.map(evidenceOf))
  const each = (field: (flag: string) => z.ZodType) => fields(Object.fromEntries(flags.map((flag) => [flag, field(flag)])))
  return {
    name,
    evidence,
    /** Whether each fired. */
    fired: each((flag) => boolean.nullable().describe(`see ${label}.${flag}`)),
    /** How often each fired. */
    counts: each((flag) => count.describe(`number of times it fired; see ${label}.${flag}`)),
    /** Flags that fired, as cards list them. */
    list: z
      .array(
        fields({
          flag: name.describe('mechanism'),
          first_seen_at: unixSeconds.describe('block time of the causing event, unix seconds'),
          position: at,
          finding_id: text.describe('stable id of the finding; never reused, even if a reorg retracts the finding'),
          detector_id: text.describe('detector of the finding'),
          detector_version: count.describe('version of that detector'),
          detector_hash: text.nullable().describe(DETECTOR_HASH),
          finality: finalityNow,
          evidence: evidence.describe(`what was measured; see ${label}.<flag>.evidence`),
        }),
      )
      .describe(`flags that fired, oldest first; see ${label}`),
  }
}

/** The meaning of every `detector_hash`. */
export const DETECTOR_HASH = 'SHA-256 over the code and constants of that version of the detector, hex; see rug_flags and alt_flags'

export const causedAt = position.describe('chain position of the causing event: chain:slot.transaction.outer.inner instruction')
export const finalityNow = z.enum(Object.keys(finality)).describe('finality when the answer was sent; see finality')

/** Schemas of mint flags, with the watch events. */
export const flagSchemas = (detectors: DetectorSet) => ({
  ...findingSchemas(detectors, 'rug_flags', causedAt),
  /** Names of the events that a watch cursor reports. */
  events: z.enum(new WatchEvents(detectors).names),
})
export type FlagSchemas = ReturnType<typeof flagSchemas>

/** The meaning of each flag for `/v1/labels`; `detected` is always true: every flag is checked. */
export const flagLabels = ({ published }: DetectorSet<DetectorFacts>) =>
  Object.fromEntries(
    published.map(({ id, version, tier, hash, flag, firesWhen, evidence }) => [
      flag,
      {
        detector_id: id,
        detector_version: version,
        ...(hash !== undefined && { detector_hash: hash }),
        tier,
        fires_when: firesWhen,
        evidence: Object.fromEntries(Object.entries(evidence).map(([name, field]) => [name, meaningOf(field)])),
        detected: true,
      },
    ]),
  )
