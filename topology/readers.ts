// From log records to frames: what a task's reader does with the bytes of its input topic.
import type { FrameHeader } from '../processors/contract.ts'
import type { TapeHeader } from '../processors/mint/mint.ts'
import { joinFrames } from '../processors/solana/frame-parts.ts'
import { rawRecordCodec, tapeRecordCodec } from '../schemas/codecs.ts'
import { bad, good } from '../schemas/errors.ts'
import { hash8Of } from '../schemas/position.ts'
import type { RawFrame, TapeEvent } from '../schemas/types.ts'
import type { FrameReader } from './engine/task.ts'

/** Parts of one frame that are held until the last is there: 512 KB each, so at most 64 MB. */
const PARTS_MAX = 128

/** Raw records to whole frames; ticks are made of them later, so their time is 0. Anchors say nothing of the chain and are passed over. */
export const rawReader = (): FrameReader<RawFrame, FrameHeader> => {
  let parts: RawFrame[] = []
  return (record) => {
    const read = record.value === null ? bad('bad_encoding', 'a raw record without a value') : rawRecordCodec.decode(record.value)
    if (!read.ok) return read
    const { sequence, body } = read.value
    if (body.type !== 'frame') return undefined
    if (body.part === 0) parts = []
    if (body.part !== parts.length || body.parts > PARTS_MAX)
      return bad('bad_frame', `part ${body.part} of ${body.parts} where part ${parts.length} was due`)
    parts.push(body)
    if (parts.length < body.parts) return undefined
    const frame = joinFrames(parts)
    parts = []
    if (!frame.ok) return frame
    const { chain, number, hash } = frame.value
    return good({
      header: { chain, number, hash8: hash8Of(hash), sequence, time: 0, final: frame.value.status === 'finalized' },
      events: [frame.value],
    })
  }
}

/** Tape records to events. */
export const tapeReader = (): FrameReader<TapeEvent, TapeHeader> => (record) => {
  const read = record.value === null ? bad('bad_encoding', 'a tape record without a value') : tapeRecordCodec.decode(record.value)
  if (!read.ok) return read
  return read.value.type === 'batch' ? good({ header: read.value, events: read.value.events }) : undefined
}
