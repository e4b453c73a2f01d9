// Rows that the history never got, because retention deleted their records first: the range of the chain that they covered, for `gaps`.
import type { TapeForm } from '../../schemas/record-forms.ts'
import type { Topic } from '../../schemas/topics.ts'
import type { HistoryClient } from '../history/client.ts'
import type { HistoryTables } from '../history/rows/history-tables.ts'
import type { LostRows } from '../history/rows/progress-table.ts'
import type { LogReader } from '../ports/log.ts'

/** Limit of skipped records without a position, such as rollbacks. */
const SILENT_MAX = 64
/** Later than every tick, and still a DateTime64. */
const FOREVER_S = 9_000_000_000

export interface Loss {
  readonly topic: Topic
  readonly partition: number
  /** First deleted offset, and the first one still available. */
  readonly from: number
  readonly to: number
}

/**
 * Null if unknown: for topics other than the tape, and if nothing was written before, because the history then starts here.
 * @param upTo unix seconds of the newest tick whose rows are all written; null if unknown. @throws EngineError
 */
export const lostRowsOf = async (
  log: LogReader,
  { database, rows }: Pick<HistoryClient, 'database' | 'rows'>,
  { codec }: TapeForm,
  { ticks, number: column }: Pick<HistoryTables, 'ticks' | 'number'>,
  { topic, partition, from, to }: Loss,
  upTo: number | null,
): Promise<LostRows | null> => {
  for (const { value } of await log.read(topic, partition, to, { recordsMax: SILENT_MAX, bytesMax: Number.MAX_SAFE_INTEGER })) {
    const read = value === null ? undefined : codec.decode(value)
    if (read?.ok !== true || read.value.type !== 'batch') continue
    const { number, hash8, time } = read.value
    const [written] = await rows<{ last: number }>(
      `SELECT max(${column}) AS last FROM ${database}.${ticks.name} WHERE tick_at <= toDateTime64({upTo:UInt64}, 3, 'UTC') AND ${column} < {number:UInt64}`,
      { upTo: upTo ?? FOREVER_S, number },
    )
    const last = written?.last ?? 0
    const fromSlot = last + 1
    return last === 0 || fromSlot > number - 1
      ? null
      : { topic: topic.name, partition, from, to, fromSlot, toSlot: number - 1, hash8, time }
  }
  return null
}
