// Readers of a task's input: from log records to frames.

import { joinFrames } from '../../processors/chains/frame-parts.ts'
import type { FrameHeader } from '../../processors/contract.ts'
import type { TapeHeader } from '../../processors/tape.ts'
import { rawRecordCodec } from '../../schemas/codecs.ts'
import { bad, good } from '../../schemas/errors.ts'
import { hash8Of } from '../../schemas/position.ts'
import type { ChainEvent, TapeForm, TapeRecordOf } from '../../schemas/record-forms.ts'
import type { RawFrame } from '../../schemas/types.ts'
import type { Input, InputReader } from '../engine/definition.ts'

/** Parts of one frame held until the last one arrives: 512 KB each, so at most 64 MB. */
const PARTS_MAX = 128

/** Raw records to whole frames, forks and finality; ticks are computed later, so that their time is 0. Skips anchors. */
export const rawReader = (): InputReader<RawFrame, FrameHeader> => {
  let parts: RawFrame[] = []
  return (record) => {
    const read = record.value === null ? bad('bad_encoding', 'a raw record without a value') : rawRecordCodec.decode(record.value)
    if (!read.ok) return read
    const { sequence, body } = read.value
    if (body.type === 'anchor') return undefined
    if (body.type !== 'frame' || body.part === 0) parts = []
    if (body.type === 'revert') return good({ type: 'revert', revert: { ...body, sequence, hash8: hash8Of(body.hash) } })
    if (body.type === 'finality') return good({ type: 'finality', finality: { ...body, sequence } })
    if (body.part !== parts.length || body.parts > PARTS_MAX)
      return bad('bad_frame', `part ${body.part} of ${body.parts} instead of part ${parts.length}`)
    parts.push(body)
    if (parts.length < body.parts) return undefined
    const frame = joinFrames(parts)
    parts = []
    if (!frame.ok) return frame
    const { chain, number, hash, status } = frame.value
    const header = { chain, number, hash8: hash8Of(hash), sequence, time: 0, final: status === 'finalized' }
    return good({ type: 'frame', frame: { header, events: [frame.value] } })
  }
}

/** A tape record as an input: a frame of events, a fork, or finality. */
export const tapeInput = <Event>(record: TapeRecordOf<Event>): Input<Event, TapeHeader> => {
  if (record.type === 'batch') return { type: 'frame', frame: { header: record, events: record.events } }
  return record.type === 'revert' ? { type: 'revert', revert: record } : { type: 'finality', finality: record }
}

/** Tape records to inputs. */
export const tapeReader =
  <Event extends ChainEvent>({ codec }: TapeForm<Event>) =>
  (): InputReader<Event, TapeHeader> =>
  (record) => {
    const read = record.value === null ? bad('bad_encoding', 'a tape record without a value') : codec.decode(record.value)
    return read.ok ? good(tapeInput(read.value)) : read
  }
