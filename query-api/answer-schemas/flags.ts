// Everything about flags in answers, made from what is published of each: its name, when it fires, and the fields of its evidence.
import { z } from 'zod'
import type { Flag } from '../../processors/mint/detectors/detector.ts'
import { detectors } from '../../processors/mint/detectors/index.ts'
import { DRAINED_PEAK_LAMPORTS, DRAINED_PERCENT, GRADUATION_LAMPORTS } from '../../processors/mint/thresholds.ts'
import { WATCH_EVENTS } from '../../processors/mint/watch-events.ts'
import { finality, sol } from './states.ts'
import { address, count, fields, position, share, text, unixSeconds } from './vocabulary.ts'

interface EvidenceField {
  readonly type: 'share' | 'count' | 'amount' | 'address'
  readonly unit?: string
  readonly words?: string
  readonly isNullable?: true
  readonly isOptional?: true
}

export interface PublishedFlag {
  readonly flag: string
  readonly firesWhen: string
  readonly evidence: Readonly<Record<string, EvidenceField>>
}

const VALUES = { share, count, amount: z.number().min(0), address } as const

const fieldOf = ({ type, unit, words, isNullable, isOptional }: EvidenceField): z.ZodType => {
  const value: z.ZodType = VALUES[type].meta({ ...(unit !== undefined && { unit }), ...(words !== undefined && { description: words }) })
  const nullable = isNullable ? value.nullable() : value
  return isOptional ? nullable.optional() : nullable
}

const evidenceOf = ({ flag, evidence }: PublishedFlag) =>
  fields(Object.fromEntries(Object.entries(evidence).map(([name, field]) => [name, fieldOf(field)]))).meta({ title: flag })

/** The schemas in which answers name flags. */
export const flagSchemas = (published: readonly PublishedFlag[], watchEvents: readonly string[]) => {
  const name = z.enum(published.map(({ flag }) => flag))
  const evidence = z.union(published.map(evidenceOf))
  return {
    name,
    evidence,
    /** Names of what moves a watch cursor. */
    events: z.enum(watchEvents),
    /** An object with a field for each flag. */
    each: (field: (flag: string) => z.ZodType) => fields(Object.fromEntries(published.map(({ flag }) => [flag, field(flag)]))),
    /** Flags that fired, as cards list them. */
    list: z
      .array(
        z.strictObject({
          flag: name.describe('which'),
          first_seen_at: unixSeconds.describe('block time of the causing event, unix seconds'),
          position: causedAt,
          finding_id: text.describe('stable id of the finding; a fork that takes it back never gives it to another'),
          detector_id: text.describe('which detector found it'),
          detector_version: count.describe('version of that detector'),
          finality: finalityNow,
          evidence: evidence.describe('what was measured; see rug_flags.<flag>.evidence'),
        }),
      )
      .describe('flags that fired, oldest first; see rug_flags'),
  }
}
export type FlagSchemas = ReturnType<typeof flagSchemas>

export const causedAt = position.describe('chain position of the causing event: chain:slot.transaction.outer.inner instruction')
export const finalityNow = z.enum(Object.keys(finality)).describe('see finality, when the answer was sent')

/** As `/v1/labels` explains each flag. `detected` is false where this version does not look: such a flag is null in `flags`, never false. */
export const flagLabels = (published: readonly PublishedFlag[], isDetected: (flag: string) => boolean) =>
  Object.fromEntries(
    published.map(({ flag, firesWhen, evidence }) => [
      flag,
      {
        fires_when: firesWhen,
        evidence: Object.fromEntries(Object.entries(evidence).flatMap(([name, { words }]) => (words === undefined ? [] : [[name, words]]))),
        detected: isDetected(flag),
      },
    ]),
  )

const PEAK: EvidenceField = { type: 'amount', unit: 'SOL', words: 'highest real SOL of the curve before migration' }

const MEANINGS: Readonly<Record<Flag, Omit<PublishedFlag, 'flag'>>> = {
  creator_sold: {
    firesWhen: 'the first sell by a wallet of the dev set, on the curve or in the pool',
    evidence: {
      tokens_share: { type: 'share', words: 'tokens sold / total supply' },
      sol: { type: 'amount', unit: 'SOL', isNullable: true, words: 'SOL received, without fees' },
    },
  },
  bundle_dumped: {
    firesWhen: 'the wallets that bought in the create slot (dev set apart) have sold more than half of what they bought there',
    evidence: {
      n_wallets: { type: 'count', words: 'wallets in the bundle' },
      bought_share: { type: 'share', words: 'tokens bought / total supply' },
      sold_share: { type: 'share', words: 'tokens sold again / total supply' },
    },
  },
  curve_drained: {
    firesWhen: `the curve is open, its peak was at least ${sol(DRAINED_PEAK_LAMPORTS)} SOL, and its real SOL is at most ${DRAINED_PERCENT} % of the peak`,
    evidence: { peak_rs: PEAK, rs: { type: 'amount', unit: 'SOL', words: 'real SOL of the curve when the flag fired' } },
  },
  pool_drained: {
    firesWhen: `the quote reserve (real and virtual) of the pool that the curve moved to is at most ${DRAINED_PERCENT} % of what it opened with; pools that others opened are not looked at`,
    evidence: {
      opening_quote: { type: 'amount', words: 'reserve at the opening of the pool, SOL; base units where quote_mint says another quote' },
      quote: { type: 'amount', words: 'reserve when the flag fired' },
      quote_mint: { type: 'address', isOptional: true },
    },
  },
  curve_closed_low: {
    firesWhen: `the curve completed without being witnessed at or above ${sol(GRADUATION_LAMPORTS)} SOL`,
    evidence: { peak_rs: PEAK },
  },
  migrate_below_grad: {
    firesWhen: `a pool was created for a curve never witnessed at or above ${sol(GRADUATION_LAMPORTS)} SOL`,
    evidence: { peak_rs: PEAK, pool: { type: 'address', words: 'address of the pool' } },
  },
}

export const FLAGS = Object.keys(MEANINGS)
const SHIPPED: readonly PublishedFlag[] = Object.entries(MEANINGS).map(([flag, meaning]) => ({ flag, ...meaning }))
export const shippedFlags = flagSchemas(SHIPPED, WATCH_EVENTS)
export const shippedLabels = flagLabels(SHIPPED, (flag) => detectors.some((detector) => detector.flag === flag))
