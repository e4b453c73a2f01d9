// Every null is followed by its reason.
import { assert } from '../../../schemas/errors.ts'

/** T with `<field>_reason` after each nullable field; present when the field is null. */
export type Explained<T> = T & { readonly [K in keyof T & string as null extends T[K] ? `${K}_reason` : never]?: string }

type Reasons<T> = { readonly [K in keyof T as null extends T[K] ? K : never]: string }

/** The values in their order, each null followed by its reason. */
export const explain = <T extends object>(values: T, reasons: Reasons<T>): Explained<T> => {
  const known: Readonly<Record<string, string | undefined>> = reasons
  const explained: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(values)) {
    explained[field] = value
    if (value !== null) continue
    const reason = known[field]
    assert(reason !== undefined, `a null needs a reason: ${field}`)
    explained[`${field}_reason`] = reason
  }
  return explained as Explained<T>
}
