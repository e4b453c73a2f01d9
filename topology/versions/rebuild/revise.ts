// Differences between the results of a rebuild and the valid conclusions and dead letters, by id.
import { deadLetterCodec } from '../../../schemas/codecs.ts'
import { assert } from '../../../schemas/errors.ts'
import type { ConclusionForm } from '../../../schemas/record-forms.ts'
import type { Topic } from '../../../schemas/topics.ts'
import type { Conclusion, DeadLetter } from '../../../schemas/types.ts'
import type { LogReader } from '../../ports/log.ts'
import { WITHDRAWN } from '../../records/records.ts'
import type { Chunks } from '../chunks.ts'
import { bytesAt, conclusionEffects, deadLetterEffects, type EffectsOf, type LiveRecord } from '../live-records.ts'
import type { BothSides } from './install.ts'

/** The partition to compare. */
export interface ComparedPartition {
  readonly log: LogReader
  readonly sides: BothSides
  readonly topic: Topic
  readonly partition: number
  /** Number of the rebuild. */
  readonly revision: number
}

interface Difference {
  readonly id: string
  readonly withdrawn: Uint8Array | null
  readonly published: Uint8Array | null
}

/** Ids that are valid on one side only, or on both with different bytes; first those that the rebuild does not have. */
async function* differences({ log, sides, topic, partition }: ComparedPartition, effectsOf: EffectsOf): AsyncGenerator<Difference> {
  const current = await sides.log.live(topic, partition, effectsOf)
  const wanted = await sides.made.live(topic, partition, effectsOf)
  const made = sides.staging
  const bytesIn = async (from: LogReader, id: string, live: LiveRecord | undefined): Promise<Uint8Array | null> =>
    live === undefined ? null : ((await bytesAt(from, { topic, partition }, id, live, effectsOf)) ?? null)
  for (const [id, live] of current.entries())
    if (wanted.get(id) === undefined) yield { id, withdrawn: await bytesIn(log, id, live), published: null }
  for (const [id, rebuilt] of wanted.entries()) {
    const before = current.get(id)
    if (before?.digest !== rebuilt.digest)
      yield { id, withdrawn: await bytesIn(log, id, before), published: await bytesIn(made, id, rebuilt) }
  }
}

/** Writes revisions of conclusions. `isJudged`: true for a valid conclusion that the rebuild would have produced if it still held. */
export const reviseConclusions = async (
  compared: ComparedPartition,
  form: ConclusionForm,
  isJudged: (conclusion: Conclusion) => boolean,
  into: Chunks,
): Promise<void> => {
  const { topic, partition, revision } = compared
  for await (const { id, withdrawn, published } of differences(compared, conclusionEffects(form))) {
    const about = conclusionIn(form, published ?? withdrawn)
    if (about === undefined || (published === null && !isJudged(about))) continue
    const { chain, number, tx, outer, inner, hash8, at } = about
    const [gone, stands] = [withdrawn, published].map((bytes) => bytes && Buffer.from(bytes))
    const body = { type: 'revision' as const, revision, withdrawn: gone ?? null, said: stands ?? null }
    const value = form.codec.encode({ id: `${id}:revision:${revision}`, chain, number, tx, outer, inner, hash8, at, body })
    await into.push({ topic, partition, key: Buffer.from('mint' in about.body ? about.body.mint : chain, 'latin1'), value })
  }
}

const conclusionIn = ({ codec }: ConclusionForm, bytes: Uint8Array | null): Conclusion | undefined => {
  const read = bytes === null ? undefined : codec.decode(bytes)
  return read?.ok === true ? read.value : undefined
}

/**
 * Writes revisions of dead letters. `isJudged`: true for a valid dead letter that the rebuild would have produced if it still held.
 * Returns the numbers of removed and of new ones.
 */
export const reviseDeadLetters = async (
  compared: ComparedPartition,
  isJudged: (deadLetter: DeadLetter) => boolean,
  into: Chunks,
): Promise<{ readonly read: number; readonly dead: number }> => {
  const { topic, partition, revision } = compared
  let [read, dead] = [0, 0]
  for await (const { withdrawn, published } of differences(compared, deadLetterEffects)) {
    const deadLetter = deadLetterIn(published ?? withdrawn)
    if (published === null && !isJudged(deadLetter)) continue
    if (published === null) read++
    else if (withdrawn === null) dead++
    const gone = published === null ? { withdrawn: WITHDRAWN.byRedrive, bytes: Buffer.alloc(0) } : {}
    const value = deadLetterCodec.encode({ ...deadLetter, ...gone, revision })
    await into.push({ topic, partition, key: Buffer.from(deadLetter.position), value })
  }
  return { read, dead }
}

const deadLetterIn = (bytes: Uint8Array | null): DeadLetter => {
  const read = bytes === null ? undefined : deadLetterCodec.decode(bytes)
  assert(read?.ok === true, 'a valid dead letter is readable')
  return read.value
}
