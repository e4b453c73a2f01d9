// From what processors say to log records: which topic, partition, key and bytes.

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
import type { DeadFrame, Finality, TaskProgress, TopicPartition } from '../engine/definition.ts'
import type { Said } from '../engine/fold.ts'
import type { Revert } from '../engine/undo/journal.ts'
import type { LogRecord, OutRecord } from '../ports/log.ts'

/** What is written, and the functions that write it: they get these topics and no others. */
export const writing = <To extends Readonly<Record<string, Topic>>, Given extends readonly unknown[], Functions extends object>(
  to: To,
  make: (to: To, ...given: Given) => Functions,
  ...given: Given
): Functions & { readonly writes: readonly Topic[] } => ({ writes: Object.values(to), ...make(to, ...given) })

type DecodedTopics = Pick<Topics, 'tape' | 'deadLetters'>
type Named = Pick<Processor<never, never, never>, 'name' | 'version'>

/** One tape record per partition and frame, the tick in those without events; dead letters beside. */
export const tapeRecords = <Event extends ChainEvent>(
  to: DecodedTopics,
  form: TapeForm<Event>,
  partitions: number,
  partitionOf: (key: string) => number,
) => ({
  collect: (header: FrameHeader, said: readonly Said<DecodeOutput<Event>>[]): readonly OutRecord[] => {
    const events = Array.from({ length: partitions }, (): Event[] => [])
    const records: OutRecord[] = []
    let tape: DecodedHeader | undefined
    for (const { output } of said) {
      if (output.type === 'header') tape = output.header
      else if (output.type === 'event') (events[partitionOf(form.keyOf(output.event))] as Event[]).push(output.event)
      else records.push(letterRecord(to.deadLetters, output.letter))
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

/** Of the decoder's task: forks and finality, to every partition of the tape; letters of what it cannot read, and of dead frames. */
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
    passOn: ({ chain, sequence, confirmed, finalized }: Finality): readonly OutRecord[] =>
      inEveryPartition(chain, { type: 'finality', chain, sequence, confirmed, finalized }),
  }
}

/** What was found or concluded, in the partition of what it is about. */
export const conclusionRecords = <Role extends string>(to: Readonly<Record<Role, Topic>>, { codec }: ConclusionForm) => ({
  collect: (
    _header: TapeHeader,
    said: readonly Said<{ readonly topic: Role; readonly conclusion: Conclusion }>[],
    partition: number,
  ): readonly OutRecord[] =>
    said.map(({ key, output }) => ({
      topic: to[output.topic],
      partition,
      key: Buffer.from(key, 'latin1'),
      value: codec.encode(output.conclusion),
    })),
})

/** With every topic that a fork takes conclusions back on. */
type FoldedTopics = Pick<Topics, 'deadLetters' | 'progress'> & Readonly<Record<string, Topic>>

/**
 * Of the fold tasks of a name: how far they are, letters of what they cannot read, and what a fork took back, in each topic that has some
 * of it.
 */
export const foldRecords = (
  { deadLetters, progress, ...conclusions }: FoldedTopics,
  name: string,
  processor: Named,
  { name: chain, conclusions: { codec } }: Pick<ChainDefinition, 'name' | 'conclusions'>,
) => ({
  reject: rejectedRecord(deadLetters, processor),
  /** One record a frame. */
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

const letterRecord = (topic: Topic, letter: DeadLetter): OutRecord => ({
  topic,
  partition: 0,
  key: Buffer.from(letter.position),
  value: deadLetterCodec.encode(letter),
})

/** Dead letters of frames that a fork took back: one record a frame. */
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
      const reason = 'a fork took the frame back, and with it every letter of it'
      const letter = { position, hash8, processor: name, version, code: '', reason, signature: null, bytes: Buffer.alloc(0) }
      const id = outputId(at, hash8, 'retraction', name, sequence)
      return letterRecord(topic, { id, ...letter, withdrawn: WITHDRAWN.byFork, revision: 0 })
    })

/** Where a record lies, as text. */
export const recordPosition = ({ topic, partition }: TopicPartition, offset: number): string => `${topic.name}/${partition}/${offset}`

/** Offset of a record of a partition, from what {@link recordPosition} gave; undefined for any other text. */
export const offsetAt = ({ topic, partition }: TopicPartition, position: string): number | undefined => {
  const before = `${topic.name}/${partition}/`
  return position.startsWith(before) ? Number(position.slice(before.length)) : undefined
}

/** Why a dead letter no longer stands: a fork took its whole frame back; a redrive could read this one. */
export const WITHDRAWN = { byFork: 'fork', byRedrive: 'redrive' } as const

/** An input record that no reader understands: where it lies in the log, `topic/partition/offset`, stands for its position. */
export const rejectedRecord =
  (topic: Topic, { name, version }: Named) =>
  (record: LogRecord, { code, reason }: BadData, from: TopicPartition): readonly OutRecord[] => {
    const position = recordPosition(from, record.offset)
    const letter = { id: `${position}:${name}:0`, position, hash8: '', processor: name, version, code, reason, signature: null }
    return [letterRecord(topic, { ...letter, bytes: Buffer.from(record.value ?? []), withdrawn: null, revision: 0 })]
  }
