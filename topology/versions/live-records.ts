// The valid conclusions or dead letters of a partition by id, without those that a fork or a rebuild retracted.
import { createHash } from 'node:crypto'
import { deadLetterCodec } from '../../schemas/codecs.ts'
import { numberIn } from '../../schemas/position.ts'
import type { ConclusionForm } from '../../schemas/record-forms.ts'
import type { Topic } from '../../schemas/topics.ts'
import type { Conclusion } from '../../schemas/types.ts'
import type { LogReader, LogRecord } from '../ports/log.ts'
import { WITHDRAWN } from '../records/records.ts'
import { recordsOf } from '../records/records-of.ts'

/** Effect of one record on the valid set. */
export type RecordEffect =
  | { readonly type: 'publishes'; readonly id: string; readonly frame: string; readonly bytes: Uint8Array }
  | { readonly type: 'withdraws'; readonly id: string }
  | { readonly type: 'frame-gone'; readonly frame: string }

/** The effects of a topic's record, in order; none for invalid bytes. */
export type EffectsOf = (value: Uint8Array) => readonly RecordEffect[]

/** A valid entry: its offset, and a digest of its bytes. About 200 bytes of memory. */
export interface LiveRecord {
  readonly offset: number
  readonly digest: string
  readonly frame: string
}

const frameOf = (number: number, hash8: string): string => `${number}@${hash8}`
const isPresent = (bytes: Uint8Array | null): bytes is Uint8Array => bytes !== null

const publication = (conclusion: Conclusion, bytes: Uint8Array): RecordEffect => ({
  type: 'publishes',
  id: conclusion.id,
  frame: frameOf(conclusion.number, conclusion.hash8),
  bytes,
})

/** Decodes a conclusion. */
const conclusionIn = ({ codec }: ConclusionForm, bytes: Uint8Array): Conclusion | undefined => {
  const read = codec.decode(bytes)
  return read.ok ? read.value : undefined
}

export const conclusionEffects =
  (form: ConclusionForm): EffectsOf =>
  (value) => {
    const read = conclusionIn(form, value)
    if (read === undefined) return []
    const { body } = read
    if (body.type === 'retraction') return [{ type: 'frame-gone', frame: frameOf(read.number, read.hash8) }]
    if (body.type !== 'revision') return [publication(read, value)]
    const gone = [body.withdrawn].filter(isPresent).flatMap((bytes): RecordEffect[] => {
      const one = conclusionIn(form, bytes)
      return one === undefined ? [] : [{ type: 'withdraws', id: one.id }]
    })
    const published = [body.said].filter(isPresent).flatMap((bytes) => {
      const one = conclusionIn(form, bytes)
      return one === undefined ? [] : [publication(one, bytes)]
    })
    return [...gone, ...published]
  }

export const deadLetterEffects: EffectsOf = (value) => {
  const read = deadLetterCodec.decode(value)
  if (!read.ok) return []
  const { id, position, hash8, withdrawn } = read.value
  const frame = frameOf(numberIn(position) ?? -1, hash8)
  if (withdrawn === WITHDRAWN.byFork) return [{ type: 'frame-gone', frame }]
  if (withdrawn !== null) return [{ type: 'withdraws', id }]
  // The number of the rebuild is not part of a dead letter's content.
  return [
    { type: 'publishes', id, frame, bytes: read.value.revision === 0 ? value : deadLetterCodec.encode({ ...read.value, revision: 0 }) },
  ]
}

/** The valid entries, in publication order. */
export class LiveRecords {
  readonly #byId = new Map<string, LiveRecord>()
  readonly #byFrame = new Map<string, Set<string>>()

  /** Applies the effects of the record at an offset. */
  take(effects: readonly RecordEffect[], offset: number): void {
    for (const effect of effects)
      if (effect.type === 'publishes') this.#publish(effect, offset)
      else if (effect.type === 'withdraws') this.#drop(effect.id)
      else for (const id of this.#byFrame.get(effect.frame) ?? []) this.#drop(id)
  }
  get(id: string): LiveRecord | undefined {
    return this.#byId.get(id)
  }
  entries(): Iterable<[string, LiveRecord]> {
    return this.#byId
  }
  get size(): number {
    return this.#byId.size
  }
  #publish({ id, frame, bytes }: Extract<RecordEffect, { type: 'publishes' }>, offset: number): void {
    this.#drop(id)
    this.#byId.set(id, { offset, frame, digest: digestOf(bytes) })
    const ids = this.#byFrame.get(frame) ?? new Set()
    this.#byFrame.set(frame, ids.add(id))
  }
  #drop(id: string): void {
    const live = this.#byId.get(id)
    if (live === undefined) return
    this.#byId.delete(id)
    const ids = this.#byFrame.get(live.frame)
    ids?.delete(id)
    if (ids?.size === 0) this.#byFrame.delete(live.frame)
  }
}

/** 16 bytes suffice to distinguish contents. */
export const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest().toString('latin1', 0, 16)

/** Reads a partition from its start to its current end. */
export const liveRecordsOf = async (log: LogReader, topic: Topic, partition: number, effectsOf: EffectsOf): Promise<LiveRecords> => {
  const liveRecords = new LiveRecords()
  for await (const { value, offset } of recordsOf(log, topic, partition)) if (value !== null) liveRecords.take(effectsOf(value), offset)
  return liveRecords
}

/** The valid entries of a partition as they were published, in this order. Holds about 200 bytes of memory for each. */
export async function* livePublications(
  log: LogReader,
  topic: Topic,
  partition: number,
  effectsOf: EffectsOf,
): AsyncGenerator<{ readonly key: Uint8Array; readonly bytes: Uint8Array }> {
  const live = await liveRecordsOf(log, topic, partition, effectsOf)
  for await (const { key, value, offset } of recordsOf(log, topic, partition))
    for (const effect of value === null ? [] : effectsOf(value))
      if (effect.type === 'publishes' && live.get(effect.id)?.offset === offset) yield { key, bytes: effect.bytes }
}

/** The bytes of the entry with an id at an offset. */
export const bytesAt = async (
  log: LogReader,
  { topic, partition }: { readonly topic: Topic; readonly partition: number },
  id: string,
  { offset }: LiveRecord,
  effectsOf: EffectsOf,
): Promise<Uint8Array | undefined> => {
  const [record]: readonly LogRecord[] = await log.read(topic, partition, offset, { recordsMax: 1, bytesMax: 1 })
  const effects = record?.offset === offset && record.value !== null ? effectsOf(record.value) : []
  return effects.flatMap((effect) => (effect.type === 'publishes' && effect.id === id ? [effect.bytes] : []))[0]
}
