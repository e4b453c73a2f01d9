// From what processors say to log records: which topic, partition, key and bytes.
import type { FrameHeader } from '../processors/contract.ts'
import type { MintOutput, TapeHeader } from '../processors/mint/mint.ts'
import type { DecodedHeader, DecodeOutput } from '../processors/solana/decode-processor.ts'
import { conclusionCodec, deadLetterCodec, progressCodec, tapeRecordCodec } from '../schemas/codecs.ts'
import { assert, type BadData } from '../schemas/errors.ts'
import { type Chain, formatPosition, outputId, tickOf } from '../schemas/position.ts'
import { tapeKeyOf } from '../schemas/tape-key.ts'
import { TOPICS } from '../schemas/topics.ts'
import type { TapeBatch, TapeEvent, TapeFinality, TapeRevert } from '../schemas/types.ts'
import type { DeadFrame, Finality, Revert, TaskProgress, TopicPartition } from './engine/definition.ts'
import type { Said } from './engine/fold.ts'
import type { LogRecord, OutRecord } from './ports/log.ts'

/** One tape record per partition and frame, the tick in those without events; dead letters beside. */
export const tapeRecords =
  (partitions: number, partitionOf: (key: string) => number) =>
  (header: FrameHeader, said: readonly Said<DecodeOutput>[]): readonly OutRecord[] => {
    const events = Array.from({ length: partitions }, (): TapeEvent[] => [])
    const records: OutRecord[] = []
    let tape: DecodedHeader | undefined
    for (const { output } of said) {
      if (output.type === 'header') tape = output.header
      else if (output.type === 'event') (events[partitionOf(tapeKeyOf(output.event))] as TapeEvent[]).push(output.event)
      else
        records.push({
          topic: TOPICS.deadLetters,
          partition: 0,
          key: Buffer.from(output.letter.position),
          value: deadLetterCodec.encode(output.letter),
        })
    }
    assert(tape !== undefined, `frame ${header.number} was decoded without a header`)
    const key = Buffer.from(header.chain)
    for (const [partition, batch] of events.entries()) {
      const value: TapeBatch = { type: 'batch', ...tape, events: batch }
      records.push({ topic: TOPICS.tapeSolana, partition, key, value: tapeRecordCodec.encode(value) })
    }
    return records
  }

const inEveryPartition = (partitions: number, chain: Chain, record: TapeRevert | TapeFinality): OutRecord[] => {
  const value = tapeRecordCodec.encode(record)
  return Array.from({ length: partitions }, (_, partition) => ({ topic: TOPICS.tapeSolana, partition, key: Buffer.from(chain), value }))
}

/** A fork, told to every partition of the tape. */
export const tapeReverts =
  (partitions: number) =>
  ({ chain, sequence, number, hash8 }: Revert, dead: readonly DeadFrame[]): readonly OutRecord[] => {
    const names = dead.map((frame) => ({ number: frame.number, hash8: frame.hash8 }))
    return inEveryPartition(partitions, chain, { type: 'revert', chain, sequence, number, hash8, dead: names })
  }

/** Finality, told to every partition of the tape. */
export const tapeFinality =
  (partitions: number) =>
  ({ chain, sequence, confirmed, finalized }: Finality): readonly OutRecord[] =>
    inEveryPartition(partitions, chain, { type: 'finality', chain, sequence, confirmed, finalized })

/** Findings and outcomes, in the partition of their mint. */
export const conclusionRecords = (_header: TapeHeader, said: readonly Said<MintOutput>[], partition: number): readonly OutRecord[] =>
  said.map(({ key, output }) => ({
    topic: output.topic === 'flags' ? TOPICS.flags : TOPICS.outcomes,
    partition,
    key: Buffer.from(key, 'latin1'),
    value: conclusionCodec.encode(output.conclusion),
  }))

/** What a fork took back, in each topic where something was said of it: one record a frame. */
export const retractionRecords = ({ chain, sequence }: Revert, dead: readonly DeadFrame[], partition: number): readonly OutRecord[] =>
  dead.flatMap(({ number, hash8, time, topics }) => {
    const position = tickOf(chain, number)
    const id = outputId(position, hash8, 'retraction', String(partition), sequence)
    const value = conclusionCodec.encode({ id, ...position, hash8, at: time, body: { type: 'retraction', sequence } })
    return [TOPICS.flags, TOPICS.outcomes]
      .filter(({ name }) => topics.includes(name))
      .map((topic) => ({ topic, partition, key: Buffer.from(chain), value }))
  })

/** How far a fold task is. */
export const progressRecord =
  (name: string, chain: Chain) =>
  ({ cursor, standing }: TaskProgress, partition: number): OutRecord => {
    const task = `${name}-${partition}`
    const { number, hash8, time, gapFrom, gapTo } = cursor
    const value = progressCodec.encode({ task, chain, number, hash8, time, gapFrom, gapTo, ...standing })
    return { topic: TOPICS.progress, partition, key: Buffer.from(task), value }
  }

/** Dead letters of frames that a fork took back: one record a frame. */
export const letterRetractions =
  ({ name, version }: { readonly name: string; readonly version: number }) =>
  ({ chain, sequence }: Revert, dead: readonly DeadFrame[]): readonly OutRecord[] =>
    dead
      .filter(({ topics }) => topics.includes(TOPICS.deadLetters.name))
      .map(({ number, hash8 }) => {
        const at = tickOf(chain, number)
        const position = formatPosition(at)
        const reason = 'a fork took the frame back, and with it every letter of it'
        const letter = { position, hash8, processor: name, version, code: '', reason, signature: null, bytes: Buffer.alloc(0) }
        const id = outputId(at, hash8, 'retraction', name, sequence)
        const value = deadLetterCodec.encode({ id, ...letter, withdrawn: WITHDRAWN.byFork, revision: 0 })
        return { topic: TOPICS.deadLetters, partition: 0, key: Buffer.from(position), value }
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
  ({ name, version }: { readonly name: string; readonly version: number }) =>
  (record: LogRecord, { code, reason }: BadData, from: TopicPartition): readonly OutRecord[] => {
    const position = recordPosition(from, record.offset)
    const letter = {
      id: `${position}:${name}:0`,
      position,
      hash8: '',
      processor: name,
      version,
      code,
      reason,
      signature: null,
      bytes: Buffer.from(record.value ?? []),
      withdrawn: null,
      revision: 0,
    }
    return [{ topic: TOPICS.deadLetters, partition: 0, key: Buffer.from(position), value: deadLetterCodec.encode(letter) }]
  }
