// From outputs of processors to log records: topic, partition, key and bytes.

import type { ChainDefinition } from '../../processors/chains/chain.ts'
import type { DecodedHeader, DecodeOutput } from '../../processors/chains/decoder.ts'
import type { FrameHeader, Processor } from '../../processors/contract.ts'
import type { TapeHeader } from '../../processors/tape.ts'
import { deadLetterCodec, progressCodec } from '../../schemas/codecs.ts'
import { assert, type BadData } from '../../schemas/errors.ts'
import { formatPosition, outputId, tickOf } from '../../schemas/position.ts'
import type { BatchOf, ChainEvent, ConclusionForm, TapeForm } from '../../schemas/record-forms.ts'
import type { Topic, Topics } from '../../schemas/topics.ts'
import type { Chain, Conclusion, DeadLetter, TapeFinality, TapeRevert } from '../../schemas/types.ts'
import type { DeadFrame, FinalityUpdate, TaskProgress, TopicPartition } from '../engine/definition.ts'
import type { FoldedOutput } from '../engine/fold.ts'
import type { Revert } from '../engine/undo/journal.ts'
import type { LogRecord, OutRecord } from '../ports/log.ts'

/** Binds functions to the topics they write: they receive these topics and no others. */
export const writing = <To extends Readonly<Record<string, Topic>>, Given extends readonly unknown[], Functions extends object>(
  to: To,
  make: (to: To, ...given: Given) => Functions,
  ...given: Given
): Functions & { readonly writes: readonly Topic[] } => ({ writes: Object.values(to), ...make(to, ...given) })

type DecodedTopics = Pick<Topics, 'tape' | 'deadLetters'>
type Named = Pick<Processor<never, never, never>, 'name' | 'version'>

/** One tape record per partition and frame, which holds only the tick if there are no events; plus dead letters. */
export const tapeRecords = <Event extends ChainEvent>(
  to: DecodedTopics,
  form: TapeForm<Event>,
  partitions: number,
  partitionOf: (key: string) => number,
) => ({
  collect: (header: FrameHeader, outputs: readonly FoldedOutput<DecodeOutput<Event>>[]): readonly OutRecord[] => {
    const events = Array.from({ length: partitions }, (): Event[] => [])
    const records: OutRecord[] = []
    let tape: DecodedHeader | undefined
    for (const { output } of outputs) {
      if (output.type === 'header') tape = output.header
      else if (output.type === 'event') (events[partitionOf(form.keyOf(output.event))] as Event[]).push(output.event)
      else records.push(deadLetterRecord(to.deadLetters, output.deadLetter))
    }
    assert(tape !== undefined, `frame ${header.number} was decoded without a header`)
    const key = Buffer.from(header.chain)
    for (const [partition, batch] of events.entries()) {
      const value: BatchOf<Event> = { type: 'batch', ...tape, events: batch }
      records.push({ topic: to.tape, partition, key, value: form.codec.encode(value) })
    }
    return records
  },
})

/**
 * For the decoder's task: forks and finality for every partition of the tape, dead letters for unreadable input, and retractions of the
 * dead letters of orphaned frames.
 */
export const decoderRecords = (to: DecodedTopics, { codec }: TapeForm, partitions: number, processor: Named) => {
  const inEveryPartition = (chain: Chain, record: TapeRevert | TapeFinality): OutRecord[] => {
    const value = codec.encode(record)
    return Array.from({ length: partitions }, (_, partition) => ({ topic: to.tape, partition, key: Buffer.from(chain), value }))
  }
  return {
    reject: rejectedRecord(to.deadLetters, processor),
    retract: (revert: Revert, dead: readonly DeadFrame[]): readonly OutRecord[] => {
      const { chain, sequence, number, hash8 } = revert
      const names = dead.map((frame) => ({ number: frame.number, hash8: frame.hash8 }))
      const record: TapeRevert = { type: 'revert', chain, sequence, number, hash8, dead: names }
      return [...inEveryPartition(chain, record), ...letterRetractions(to.deadLetters, processor, revert, dead)]
    },
    passOn: ({ chain, sequence, confirmed, finalized }: FinalityUpdate): readonly OutRecord[] =>
      inEveryPartition(chain, { type: 'finality', chain, sequence, confirmed, finalized }),
  }
}

/** Conclusions, in the partition of their key. */
export const conclusionRecords = <Role extends string>(to: Readonly<Record<Role, Topic>>, { codec }: ConclusionForm) => ({
  collect: (
    _header: TapeHeader,
    outputs: readonly FoldedOutput<{ readonly topic: Role; readonly conclusion: Conclusion }>[],
    partition: number,
  ): readonly OutRecord[] =>
    outputs.map(({ key, output }) => ({
      topic: to[output.topic],
      partition,
      key: Buffer.from(key, 'latin1'),
      value: codec.encode(output.conclusion),
    })),
})

/** Includes every topic whose conclusions a fork retracts. */
type FoldedTopics = Pick<Topics, 'deadLetters' | 'progress'> & Readonly<Record<string, Topic>>

/**
 * For the fold tasks: their progress, dead letters for unreadable input, and retractions of a fork, in each topic that has conclusions of
 * the frame.
 */
export const foldRecords = (
  { deadLetters, progress, ...conclusions }: FoldedTopics,
  name: string,
  processor: Named,
  { name: chain, conclusions: { codec } }: Pick<ChainDefinition, 'name' | 'conclusions'>,
) => ({
  reject: rejectedRecord(deadLetters, processor),
  /** One retraction per frame and topic. */
  retract: ({ chain, sequence }: Revert, dead: readonly DeadFrame[], partition: number): readonly OutRecord[] =>
    dead.flatMap(({ number, hash8, time, topics }) => {
      const position = tickOf(chain, number)
      const id = outputId(position, hash8, 'retraction', String(partition), sequence)
      const value = codec.encode({ id, ...position, hash8, at: time, body: { type: 'retraction', sequence } })
      return Object.values(conclusions)
        .filter(({ name }) => topics.includes(name))
        .map((topic) => ({ topic, partition, key: Buffer.from(chain), value }))
    }),
  progress: ({ cursor, standing }: TaskProgress, partition: number): OutRecord => {
    const task = `${name}-${partition}`
    const { number, hash8, time, gapFrom, gapTo } = cursor
    const value = progressCodec.encode({ task, chain, number, hash8, time, gapFrom, gapTo, ...standing })
    return { topic: progress, partition, key: Buffer.from(task), value }
  },
})

const deadLetterRecord = (topic: Topic, deadLetter: DeadLetter): OutRecord => ({
  topic,
  partition: 0,
  key: Buffer.from(deadLetter.position),
  value: deadLetterCodec.encode(deadLetter),
})

/** Retracts the dead letters of frames that a fork rolled back: one record per frame. */
const letterRetractions = (
  topic: Topic,
  { name, version }: Named,
  { chain, sequence }: Revert,
  dead: readonly DeadFrame[],
): readonly OutRecord[] =>
  dead
    .filter(({ topics }) => topics.includes(topic.name))
    .map(({ number, hash8 }) => {
      const at = tickOf(chain, number)
      const position = formatPosition(at)
      const reason = 'a fork rolled back the frame and all of its dead letters'
      const deadLetter = { position, hash8, processor: name, version, code: '', reason, signature: null, bytes: Buffer.alloc(0) }
      const id = outputId(at, hash8, 'retraction', name, sequence)
      return deadLetterRecord(topic, { id, ...deadLetter, withdrawn: WITHDRAWN.byFork, revision: 0 })
    })

/** Position of a record as text, `topic/partition/offset`. */
export const recordPosition = ({ topic, partition }: TopicPartition, offset: number): string => `${topic.name}/${partition}/${offset}`

/** Offset of a record of a partition, from the text of {@link recordPosition}; undefined for any other text. */
export const offsetAt = ({ topic, partition }: TopicPartition, position: string): number | undefined => {
  const before = `${topic.name}/${partition}/`
  return position.startsWith(before) ? Number(position.slice(before.length)) : undefined
}

/** Why a dead letter is no longer valid: a fork rolled back its frame, or a redrive could read it. */
export const WITHDRAWN = { byFork: 'fork', byRedrive: 'redrive' } as const

/** The dead letter of an input record that no reader can parse: its offset, `topic/partition/offset`, is used as its position. */
export const rejectedRecord =
  (topic: Topic, { name, version }: Named) =>
  (record: LogRecord, { code, reason }: BadData, from: TopicPartition): readonly OutRecord[] => {
    const position = recordPosition(from, record.offset)
    const deadLetter = { id: `${position}:${name}:0`, position, hash8: '', processor: name, version, code, reason, signature: null }
    return [deadLetterRecord(topic, { ...deadLetter, bytes: Buffer.from(record.value ?? []), withdrawn: null, revision: 0 })]
  }
