// What a record of a tape states about finality, mostly without decoding it.
import { assert } from '../../schemas/errors.ts'
import type { ChainEvent, TapeForm } from '../../schemas/record-forms.ts'
import type { LogRecord } from '../ports/log.ts'

interface Branch {
  readonly fields: readonly { readonly type: { readonly symbols?: readonly string[] } }[]
}

/** First byte of the records of a type: the index of its branch in the union, zigzag-encoded. */
const firstByteOf = (branches: readonly Branch[], type: string): number => {
  const index = branches.findIndex(({ fields }) => fields[0]?.type.symbols?.[0] === type)
  assert(index >= 0, `a tape has no records of type ${type}`)
  return 2 * index
}

/** See `TaskDefinition.finalityIn`. Decodes only records of finality. Undefined for a tape whose records are no union of Avro records. */
export const finalityIn = <Event extends ChainEvent>({
  codec,
}: Pick<TapeForm<Event>, 'codec'>): ((record: LogRecord) => number | null) | undefined => {
  const schema = codec.type().schema() as unknown
  if (!Array.isArray(schema)) return undefined
  const [batch, finality] = [firstByteOf(schema, 'batch'), firstByteOf(schema, 'finality')]
  return ({ value, fault }) => {
    const first = fault === undefined ? value?.[0] : undefined
    if (first === batch) return -1
    const read = first === finality && value ? codec.decode(value) : undefined
    return read?.ok === true && read.value.type === 'finality' ? read.value.finalized : null
  }
}
