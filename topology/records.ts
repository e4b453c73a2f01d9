// From what processors say to log records: which topic, partition, key and bytes.
import type { FrameHeader } from '../processors/contract.ts'
import type { MintOutput, TapeHeader } from '../processors/mint/mint.ts'
import type { DecodeOutput } from '../processors/solana/decode-processor.ts'
import { conclusionCodec, deadLetterCodec, progressCodec, tapeRecordCodec } from '../schemas/codecs.ts'
import { assert } from '../schemas/errors.ts'
import { TOPICS } from '../schemas/topics.ts'
import type { TapeBatch, TapeEvent } from '../schemas/types.ts'
import type { Said } from './engine/task.ts'
import type { LogRecord, OutRecord } from './ports/log.ts'

/** One tape record per partition and frame, the tick in those without events; dead letters beside. */
export const tapeRecords =
  (partitions: number, partitionOf: (key: string) => number) =>
  (header: FrameHeader, said: readonly Said<DecodeOutput>[]): readonly OutRecord[] => {
    const events = Array.from({ length: partitions }, (): TapeEvent[] => [])
    const records: OutRecord[] = []
    let tape: TapeHeader | undefined
    for (const { output } of said) {
      if (output.type === 'header') tape = output.header
      else if (output.type === 'event') (events[partitionOf(output.event.mint)] as TapeEvent[]).push(output.event)
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

/** Findings and outcomes, in the partition of their mint. */
export const conclusionRecords = (_header: TapeHeader, said: readonly Said<MintOutput>[], partition: number): readonly OutRecord[] =>
  said.map(({ key, output }) => ({
    topic: output.topic === 'flags' ? TOPICS.flags : TOPICS.outcomes,
    partition,
    key: Buffer.from(key, 'latin1'),
    value: conclusionCodec.encode(output.conclusion),
  }))

/** How far a fold task is. */
export const progressRecord =
  (task: string) =>
  ({ chain, number, hash8, time, gapFrom, gapTo }: TapeHeader, partition: number): OutRecord => ({
    topic: TOPICS.progress,
    partition,
    key: Buffer.from(`${task}-${partition}`),
    value: progressCodec.encode({
      task: `${task}-${partition}`,
      chain,
      number,
      hash8,
      time,
      gapFrom,
      gapTo,
      confirmed: null,
      finalized: null,
      forks: 0,
    }),
  })

/** An input record that no reader understands: where it lies in the log stands for its position. */
export const rejectedRecord =
  ({ name, version }: { readonly name: string; readonly version: number }) =>
  (record: LogRecord, code: string, reason: string): readonly OutRecord[] => {
    const position = `${name}/${record.offset}`
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
    }
    return [{ topic: TOPICS.deadLetters, partition: 0, key: Buffer.from(position), value: deadLetterCodec.encode(letter) }]
  }
