// The newest records of a compacted partition, merged with its former snapshot into the next one.
import { asBuffer } from '../../schemas/bytes.ts'
import type { Topic } from '../../schemas/topics.ts'
import type { LogReader, LogRecord } from '../ports/log.ts'
import type { PartitionSnapshot } from '../ports/partition-snapshots.ts'
import { yieldToEventLoop } from '../waiting/waiting.ts'

const READ = { recordsMax: 1_000, bytesMax: 1024 * 1024 }
const BATCH_RECORDS = 1_000
/** Memory of an entry besides its value: its key as a string, objects, and its place in the map. */
const ENTRY_BYTES = 256

const nameOf = (key: Uint8Array): string => asBuffer(key).toString('latin1')

/** The newest record of each key, tombstones included, in offset order. */
export class Tail {
  readonly #newest = new Map<string, LogRecord>()
  /** Estimated memory of the tail. */
  bytes = 0

  /** Call in offset order. Copies the value. @throws if the record is invalid */
  add({ offset, key, value, fault }: LogRecord): void {
    if (fault !== undefined) throw new Error(`the record at offset ${offset} is invalid: ${fault}`)
    const name = nameOf(key)
    const former = this.#newest.get(name)
    if (former !== undefined) this.bytes -= ENTRY_BYTES + (former.value?.length ?? 0)
    this.bytes += ENTRY_BYTES + (value?.length ?? 0)
    // A map keeps the place of a key that is set again.
    this.#newest.delete(name)
    this.#newest.set(name, { offset, key: former?.key ?? new Uint8Array(key), value: value && new Uint8Array(value) })
  }
  /** Live records in offset order: those of `snapshot` that this tail does not replace, then its own. @throws once `stop` fires */
  async *after(snapshot: PartitionSnapshot | undefined, stop: AbortSignal): AsyncGenerator<readonly LogRecord[]> {
    if (snapshot !== undefined)
      for await (const batch of snapshot.batches()) {
        stop.throwIfAborted()
        yield batch.filter(({ key }) => !this.#newest.has(nameOf(key)))
      }
    let live: LogRecord[] = []
    for (const record of this.#newest.values()) {
      if (record.value !== null) live.push(record)
      if (live.length < BATCH_RECORDS) continue
      yield live
      live = []
      stop.throwIfAborted()
    }
    yield live
  }
}

/** Reads from an offset on up to `end`, or until the tail takes `bytesMax`. `next`: the offset at which the next read continues. */
export const readTail = async (
  log: LogReader,
  { topic, partition }: { readonly topic: Topic; readonly partition: number },
  { from, end, bytesMax }: { readonly from: number; readonly end: number; readonly bytesMax: number },
  stop: AbortSignal,
): Promise<{ readonly tail: Tail; readonly next: number }> => {
  const tail = new Tail()
  let next = from
  while (next < end && tail.bytes < bytesMax) {
    stop.throwIfAborted()
    const records = await log.read(topic, partition, next, READ)
    for (const record of records) tail.add(record)
    next = (records.at(-1)?.offset ?? end - 1) + 1
    await yieldToEventLoop()
  }
  return { tail, next }
}
