// Building blocks of the answer schemas: values with units, and objects in which each nullable field has a field for its reason.
import * as z from 'zod'
import { PUBLISHED, PUBLISHED_ALT } from './published-chain.ts'

export const text = z.string()
export const boolean = z.boolean()
export const count = z.int().min(0)
export const address = z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/)
/** Chain position: `chain:slot.transaction.outer.inner`; `chain:slot.~` is the tick that ends the slot. */
export const position = z.string().regex(new RegExp(`^${PUBLISHED.chain}:[0-9]+\\.([0-9]+|~)`))
/** A position on the alt chain: `chain:block.transaction.log`. */
export const altPosition = z.string().regex(new RegExp(`^${PUBLISHED_ALT.chain}:[0-9]+\\.([0-9]+|~)`))
/** An address of the alt chain, with the checksum of EIP-55. */
export const evmAddress = z.string().regex(/^0x[0-9a-fA-F]{40}$/)
/** An integer of up to 256 bits. */
export const digits = z.string().regex(/^-?[0-9]+$/)
export const dateTime = z.string().meta({ format: 'date-time' })
export const path = z.string().regex(/^\//)
export const anyObject = z.record(z.string(), z.unknown())

const amount = z.number().min(0)
export const unixSeconds = amount.meta({ unit: 'unix seconds' })
export const seconds = amount.meta({ unit: 's' })
export const wholeSeconds = count.meta({ unit: 's' })
/** Below 0 if the times of two blocks are not in order. */
export const signedSeconds = z.number().meta({ unit: 's' })
export const milliseconds = amount.meta({ unit: 'ms' })
export const days = count.meta({ unit: 'd' })
export const sol = amount.meta({ unit: 'SOL' })
export const signedSol = z.number().meta({ unit: 'SOL' })
export const eth = amount.meta({ unit: 'ETH' })
export const usd = amount.meta({ unit: 'USD' })
export const tokens = amount.meta({ unit: 'tokens' })
export const share = z.number().min(0).max(1).meta({ unit: '1' })
export const ratio = z.number().meta({ unit: '1' })

type Shape = Readonly<Record<string, z.ZodType>>
type ReasonsOf<S extends Shape> = {
  [K in keyof S & string as null extends z.output<S[K]> ? Exclude<`${K}_reason`, keyof S> : never]: z.ZodOptional<z.ZodString>
}
const mayBeNull = (schema: z.ZodType): boolean =>
  schema instanceof z.ZodOptional ? mayBeNull(schema.unwrap() as z.ZodType) : schema instanceof z.ZodNullable

/** Every generated `_reason` field. */
export const reason = text.describe('why the field with this name, without _reason, is null')

/** A strict object. Adds `<field>_reason` after each nullable field, unless the shape has it. */
export const fields = <S extends Shape>(shape: S): z.ZodObject<S & ReasonsOf<S>, z.core.$strict> => {
  const explained: Record<string, z.ZodType> = {}
  for (const [name, schema] of Object.entries(shape)) {
    explained[name] = schema
    const why = `${name}_reason`
    if (mayBeNull(schema) && !(why in shape)) explained[why] = reason.optional()
  }
  return z.strictObject(explained) as z.ZodObject<S & ReasonsOf<S>, z.core.$strict>
}
