// The copies of a task's rows on the log, and their contents.
import { baseCodec } from '../../../schemas/codecs.ts'
import type { Topic, Topics } from '../../../schemas/topics.ts'
import type { BaseMark, BaseRecord } from '../../../schemas/types.ts'
import type { LogReader, LogRecord } from '../../ports/log.ts'
import { recordsOf } from '../../records/records-of.ts'

/** A complete copy: its range of records. */
export interface Base {
  readonly partition: number
  readonly from: number
  readonly to: number
  readonly mark: BaseMark
}

/** Offset at which reading of a topic continues after a copy. */
export const offsetIn = ({ partition, mark }: Base, { name }: Topic): number =>
  mark.inputs.find((input) => input.name === `${name}/${partition}`)?.offset ?? 0

const baseIn = ({ value }: LogRecord): BaseRecord | undefined => {
  const read = value === null ? undefined : baseCodec.decode(value)
  return read?.ok === true ? read.value : undefined
}

/** Complete copies of a partition from which tape and exchange can still be read, oldest first. */
export const basesOf = async (log: LogReader, topics: Pick<Topics, 'bases' | 'tape' | 'exchange'>, partition: number): Promise<Base[]> => {
  let bases: Base[] = []
  let from: number | undefined
  for await (const record of recordsOf(log, topics.bases, partition)) {
    const read = baseIn(record)
    if (read === undefined) continue
    const { begins, mark, cut } = read
    if (cut !== null) {
      bases = bases.filter((base) => base.mark.sequence <= cut)
      from = undefined
    }
    if (begins) from = record.offset
    if (mark === null || from === undefined) continue
    bases.push({ partition, from, to: record.offset + 1, mark })
    from = undefined
  }
  return bases.filter((base) => [topics.tape, topics.exchange].every((topic) => offsetIn(base, topic) >= log.start(topic, partition)))
}

/** Pages of one key, by number. */
export type Pages = (Uint8Array | undefined)[]
/** Pages of a store by key. */
export type StorePages = Map<string, Pages>

/** All pages of a copy, by store. References the copy's bytes. */
export const pagesOf = async (
  log: LogReader,
  topic: Topics['bases'],
  { partition, from, to }: Base,
): Promise<ReadonlyMap<string, StorePages>> => {
  const stores = new Map<string, StorePages>()
  for await (const record of recordsOf(log, topic, partition, { from, to }))
    for (const { store, key, page, value } of baseIn(record)?.pages ?? []) {
      const pages = stores.get(store) ?? new Map<string, Pages>()
      stores.set(store, pages)
      put(pages, Buffer.from(key).toString('latin1'), page, value)
    }
  return stores
}

const put = (store: StorePages, key: string, page: number, value: Uint8Array | null): void => {
  const pages = store.get(key) ?? []
  store.set(key, pages)
  pages[page] = value ?? undefined
}
