// The start of a rebuild, stored in its staging log: written once all its initial rows are there.
import type { Topics } from '../../../schemas/topics.ts'
import type { Log, LogReader } from '../../ports/log.ts'
import { recordsOf } from '../../records/records-of.ts'

const OWNER = 'note'

/** Undefined in a staging log in which nothing was started. */
export const readNote = async <Note>(scratch: LogReader, topic: Topics['stores']): Promise<Note | undefined> => {
  let note: Note | undefined
  for await (const { value } of recordsOf(scratch, topic, 0))
    if (value !== null) note = JSON.parse(Buffer.from(value).toString('utf8')) as Note
  return note
}

export const writeNote = async (scratch: Log, topic: Topics['stores'], note: object): Promise<void> => {
  const record = { topic, partition: 0, key: Buffer.from(OWNER), value: Buffer.from(JSON.stringify(note)) }
  await (await scratch.own(OWNER)).commit({ outputs: [record], inputs: new Map() })
}
