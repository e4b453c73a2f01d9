// Topics, writers and readers shared by the suites of the log.
import type { EngineErrorCode } from '../../schemas/errors.ts'
import type { Topic } from '../../schemas/topics.ts'
import type { Log, LogRecord, OutRecord, TaskOwner } from '../../topology/ports/log.ts'

export interface OpenLog {
  readonly log: Log
  /** Closes and opens the same log again; absent where nothing survives the process. */
  reopen?(): Promise<Log>
  /** Opens a transaction that writes to the partition; returns a function that aborts it. Absent where a commit has no duration. */
  openTransaction?(topic: Topic, partition: number): Promise<() => Promise<void>>
  close(): Promise<void>
}
export interface LogSetup {
  readonly partitions: number
  readonly tombstoneRecordsKept: number
}
export const SETUP: LogSetup = { partitions: 3, tombstoneRecordsKept: 20 }

const topic = (name: string, cleanup: 'delete' | 'compact', partitions: 'one' | 'many' = 'many'): Topic => ({
  name,
  schema: 'raw',
  partitions,
  cleanup,
  retentionHours: 1,
  doc: 'made by the contract suite',
})
export const EVENTS = topic('contract.events', 'delete')
export const SINGLE = topic('contract.single', 'delete', 'one')
export const ROWS = topic('contract.rows', 'compact')

export const text = (bytes: Uint8Array | null): string | null => (bytes === null ? null : Buffer.from(bytes).toString('utf8'))
export const out = (to: Topic, partition: number, key: string, value: string | null): OutRecord => ({
  topic: to,
  partition,
  key: Buffer.from(key),
  value: value === null ? null : Buffer.from(value),
})
export const write = (owner: TaskOwner, outputs: readonly OutRecord[], inputs: Record<string, number> = {}): Promise<void> =>
  owner.commit({ outputs, inputs: new Map(Object.entries(inputs)) })
export const readAll = async (log: Log, from: Topic, partition: number, offset = log.start(from, partition)): Promise<LogRecord[]> => {
  const all: LogRecord[] = []
  for (let next = offset; ; ) {
    const batch = await log.read(from, partition, next, { recordsMax: 7, bytesMax: 10_000 })
    const last = batch.at(-1)
    if (last === undefined) return all
    all.push(...batch)
    next = last.offset + 1
  }
}
export const values = async (log: Log, from: Topic, partition: number): Promise<(string | null)[]> =>
  (await readAll(log, from, partition)).map(({ value }) => text(value))
/** The final state of a consumer that reads from the start. */
export const folded = async (log: Log, from: Topic, partition: number): Promise<Record<string, string>> => {
  const rows: Record<string, string> = {}
  for (const { key, value } of await readAll(log, from, partition)) {
    const name = text(key) ?? ''
    if (value === null) delete rows[name]
    else rows[name] = text(value) ?? ''
  }
  return rows
}
export const expectGrowing = (records: readonly LogRecord[]): void => {
  const offsets = records.map(({ offset }) => offset)
  expect(offsets).toEqual([...new Set(offsets)].sort((a, b) => a - b))
}
export const code = (expected: EngineErrorCode) => expect.objectContaining({ name: 'EngineError', code: expected })
