// Reads the records in which tasks report their progress.
import { progressCodec } from '../../schemas/codecs.ts'
import type { Progress } from '../../schemas/types.ts'
import type { LogRecord } from '../ports/log.ts'

/** Undefined for a deleted or unreadable record. */
export const progressIn = ({ value }: Pick<LogRecord, 'value'>): Progress | undefined => {
  const read = value === null ? undefined : progressCodec.decode(value)
  return read?.ok === true ? read.value : undefined
}
