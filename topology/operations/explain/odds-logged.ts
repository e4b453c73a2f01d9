// Reads the odds of one mint from a log: the logged values, and the judgements that they score.
import { type Key, keyText } from '../../../schemas/keys.ts'
import type { ConclusionForm } from '../../../schemas/record-forms.ts'
import type { Topic } from '../../../schemas/topics.ts'
import type { Conclusion } from '../../../schemas/types.ts'
import type { LogReader } from '../../ports/log.ts'
import { recordsOf } from '../../records/records-of.ts'
import { conclusionEffects, type RecordEffect } from '../../versions/live-records.ts'

/** A conclusion by its id. */
export interface KeptConclusion {
  /** Versions under the id, oldest first: more than one if a rebuild revised it. The last one is valid. */
  readonly versions: readonly Conclusion[]
  /** A fork or a rebuild retracted it, and it was not published again. */
  readonly isRetracted: boolean
}

interface Kept {
  readonly frame: string
  readonly versions: Map<string, Conclusion>
  isRetracted: boolean
}

/** The conclusions in one partition whose ids contain the mint's address, by id, in order of first appearance. */
export const conclusionsOnLog = async (
  log: LogReader,
  topic: Topic,
  partition: number,
  form: ConclusionForm,
  mint: Key,
): Promise<ReadonlyMap<string, KeptConclusion>> => {
  const effectsOf = conclusionEffects(form)
  const kept = new Map<string, Kept>()
  const ofMint = `:${keyText(mint)}:`
  for await (const { value } of recordsOf(log, topic, partition))
    for (const effect of value === null ? [] : effectsOf(value)) {
      if (effect.type !== 'publishes') retract(kept, effect)
      else if (effect.id.includes(ofMint)) keep(kept, form, effect)
    }
  return new Map([...kept].map(([id, { versions, isRetracted }]) => [id, { versions: [...versions.values()], isRetracted }]))
}

const keep = (
  kept: Map<string, Kept>,
  { codec }: ConclusionForm,
  { id, frame, bytes }: Extract<RecordEffect, { type: 'publishes' }>,
): void => {
  const read = codec.decode(bytes)
  if (!read.ok) return
  const one = kept.get(id) ?? { frame, versions: new Map<string, Conclusion>(), isRetracted: false }
  const text = Buffer.from(bytes).toString('latin1')
  one.versions.delete(text)
  one.versions.set(text, read.value)
  one.isRetracted = false
  kept.set(id, one)
}

const retract = (kept: ReadonlyMap<string, Kept>, effect: Exclude<RecordEffect, { type: 'publishes' }>): void => {
  for (const [id, one] of kept) if (effect.type === 'withdraws' ? effect.id === id : effect.frame === one.frame) one.isRetracted = true
}
