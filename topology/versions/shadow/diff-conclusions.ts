// Compares the conclusions of a shadow with those of the running version.
import { keyText } from '../../../schemas/keys.ts'
import { formatPosition } from '../../../schemas/position.ts'
import { printFields } from '../../../schemas/print.ts'
import type { Topic } from '../../../schemas/topics.ts'
import type { Conclusion } from '../../../schemas/types.ts'
import type { LogReader } from '../../ports/log.ts'
import { recordsOf } from '../../records/records-of.ts'
import { conclusionsOf } from '../../topology.ts'
import { bytesAt, conclusionEffects, type EffectsOf, type LiveRecord, type LiveRecords, liveRecordsOf } from '../live-records.ts'
import { isJudgedBy } from '../rebuild/put-in-place.ts'
import { commonFrame, TaskPosition } from './common-frame.ts'
import { changeOf, type Differences, type Flat, fieldsThatDiffer } from './differences.ts'
import type { Sides } from './sides.ts'

/** What a comparison needs of a conclusion that is the same on both sides. */
interface Known {
  readonly kind: string
  readonly number: number
  /** True if the shadow would have made it. */
  readonly isJudged: boolean
}

/** Compares one partition. Returns the number of the newest compared frame; undefined if one side has folded none. */
export const diffConclusions = async (sides: Sides, found: Differences): Promise<number | undefined> => {
  const { log, made, topology, partition } = sides
  const { tape, progress } = topology.operations.rebuild.reads
  await log.refresh()
  const positions = [await new TaskPosition(log, progress, partition).newest(), await new TaskPosition(made, progress, partition).newest()]
  const both = positions.filter((position) => position !== undefined)
  if (both.length < positions.length) return undefined
  const all: TopicSides[] = []
  for (const topic of conclusionsOf(topology)) {
    const known = new Map<string, Known>()
    const effectsOf = knowing(sides, known)
    const running = await liveRecordsOf(log, topic, partition, effectsOf)
    all.push({ topic, known, running, shadow: await liveRecordsOf(made, topic, partition, effectsOf) })
  }
  await log.refresh()
  const upTo = await commonFrame(log, tape, topology.chain.tape, partition, both)
  for (const one of all) await compareTopic(sides, one, upTo, found)
  return upTo
}

interface TopicSides {
  readonly topic: Topic
  readonly running: LiveRecords
  readonly shadow: LiveRecords
  /** By id, of both. */
  readonly known: ReadonlyMap<string, Known>
}

/** The effects of records, while what is known about their conclusions is added to `known`. */
const knowing = ({ topology, partition, folded }: Sides, known: Map<string, Known>): EffectsOf => {
  const form = topology.chain.conclusions
  const effectsOf = conclusionEffects(form)
  const isJudged = isJudgedBy(folded, folded.starts[partition]?.number ?? 0)
  return (value) => {
    const effects = effectsOf(value)
    for (const effect of effects) {
      const read = effect.type === 'publishes' ? form.codec.decode(effect.bytes) : undefined
      if (read?.ok === true)
        known.set(read.value.id, { kind: kindOf(read.value), number: read.value.number, isJudged: isJudged(read.value) })
    }
    return effects
  }
}

const compareTopic = async (sides: Sides, { topic, running, shadow, known }: TopicSides, upTo: number, found: Differences) => {
  const keptFrom = await keptAfter(sides, topic)
  for (const [id, { kind, number, isJudged }] of known) {
    if (number > upTo || number <= keptFrom || !isJudged) continue
    const [of, beside] = [running.get(id), shadow.get(id)]
    if (of === undefined && beside === undefined) continue
    if (of?.digest === beside?.digest) found.same(kind)
    else await differs(sides, topic, id, [of, beside], found)
  }
}

/** Number of the last frame whose conclusions the log may have deleted in part; -1 if it has all. */
const keptAfter = async ({ log, topology, partition }: Sides, topic: Topic): Promise<number> => {
  if (log.start(topic, partition) === 0) return -1
  for await (const { value } of recordsOf(log, topic, partition)) {
    const read = value === null ? undefined : topology.chain.conclusions.codec.decode(value)
    if (read?.ok === true && read.value.body.type !== 'revision') return read.value.number
  }
  return -1
}

const differs = async (
  sides: Sides,
  topic: Topic,
  id: string,
  [running, shadow]: readonly [LiveRecord | undefined, LiveRecord | undefined],
  found: Differences,
): Promise<void> => {
  const of = await conclusionAt(sides, sides.log, topic, id, running)
  const beside = await conclusionAt(sides, sides.made, topic, id, shadow)
  const one = beside ?? of
  if (one === undefined) return
  found.differs({ kind: kindOf(one), change: changeOf(of, beside), id: idText(one), fields: fieldsThatDiffer(flat(of), flat(beside)) })
}

const conclusionAt = async (
  sides: Sides,
  log: LogReader,
  topic: Topic,
  id: string,
  live: LiveRecord | undefined,
): Promise<Conclusion | undefined> => {
  if (live === undefined) return undefined
  const { partition, topology } = sides
  const bytes = await bytesAt(log, { topic, partition }, id, live, conclusionEffects(topology.chain.conclusions))
  const read = bytes && topology.chain.conclusions.codec.decode(bytes)
  return read?.ok === true ? read.value : undefined
}

const kindOf = ({ body }: Conclusion): string => {
  if (body.type === 'finding') return `flag ${body.flag}`
  return body.type === 'shadowFinding' ? `shadow flag ${body.flag}` : body.type
}

/** Position, branch and mint; the rest of an id contains the bytes of keys. */
const idText = (conclusion: Conclusion): string => {
  const { body, hash8 } = conclusion
  const mint = 'mint' in body ? ` ${keyText(body.mint)}` : ''
  return `${formatPosition(conclusion)}@${hash8}${mint}`
}

const flat = (conclusion: Conclusion | undefined): Flat => {
  if (conclusion === undefined) return new Map()
  const { body, at } = conclusion
  const { type: _type, ...fields } = printFields(body)
  return new Map([['at', at], ...Object.entries(fields)])
}
