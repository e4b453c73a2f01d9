// The format of a model file: JSON that mintfold train writes, validated before it is used for scoring.
import { hash } from 'node:crypto'
import * as z from 'zod'
import { ODDS_HEADS } from './heads.ts'

/** Raised when older files can no longer be used for scoring. */
export const MODEL_FORMAT = 1
/** 13 cards of 40 features take about 150 KB. */
export const MODEL_BYTES_MAX = 4 * 1024 * 1024

const whole = z.int()
const ppm = z.int().min(0).max(1_000_000)
const count = z.int().min(0)
/** Unix seconds; the end is excluded. */
const window = z.object({ fromS: whole, toS: whole, launches: count, rows: count })

/**
 * A feature of a card: `points[0]` for an unknown value, `points[i]` from `edges[i - 2]` on, below `edges[i - 1]`. Millionths of a logit.
 */
const part = z.object({ feature: z.string().max(64), edges: z.array(whole).max(64), points: z.array(whole).min(2).max(66) })
/** The card of one age: base and points add up to a score, which is interpolated between knots [score, probability in millionths]. */
const card = z.object({
  ageS: count,
  base: whole,
  parts: z.array(part).max(256),
  knots: z
    .array(z.tuple([whole, ppm]))
    .min(1)
    .max(1_024),
})
const figures = z.record(z.string(), z.union([z.number(), z.string(), z.null()]))
const head = z.object({ cards: z.array(card).min(1).max(16), metrics: z.record(z.string(), figures) })

const bodySchema = z.strictObject({
  format: z.literal(MODEL_FORMAT),
  features: z.strictObject({ names: z.array(z.string()), hash: z.string() }),
  data: z.strictObject({ train: window, calibration: window, test: window, left: z.record(z.string(), count) }),
  heads: z.strictObject(Object.fromEntries(ODDS_HEADS.map((name) => [name, head])) as Record<(typeof ODDS_HEADS)[number], typeof head>),
})
export const modelSchema = bodySchema.extend({ sha256: z.string() })

/** The content of a model file, without its own hash. */
export type ModelBody = z.infer<typeof bodySchema>
export type HeadBody = ModelBody['heads'][(typeof ODDS_HEADS)[number]]
export type Card = HeadBody['cards'][number]
export type CardPart = Card['parts'][number]

/** Hash over the text of everything but the hash itself. */
export const bodyHashOf = (body: ModelBody): string => hash('sha256', JSON.stringify(body))

/** The bytes of a model file: its own hash comes last. */
export const modelFileOf = (body: ModelBody): Uint8Array => Buffer.from(`${JSON.stringify({ ...body, sha256: bodyHashOf(body) })}\n`)
