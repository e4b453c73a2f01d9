// The raw frames that are still kept and that a decoder has been through.
import { rawRecordCodec } from '../../schemas/codecs.ts'
import { TOPICS } from '../../schemas/topics.ts'
import type { RawFrame } from '../../schemas/types.ts'
import type { LogReader, TaskOwner } from '../ports/log.ts'
import { recordsOf } from './records-of.ts'

export interface RawRange {
  /** Offset of the first record of a frame that is there whole. */
  readonly from: number
  /** One past the last record decoded. */
  readonly to: number
  readonly sequence: number
  readonly frame: RawFrame
}

/** From the first frame with a sequence of at least `least` on; undefined when none is kept that was decoded. */
export const rawRangeOf = async (log: LogReader, decoder: TaskOwner, least: number): Promise<RawRange | undefined> => {
  const to = decoder.committed().get(`${TOPICS.rawSolana.name}/0`)
  if (to === undefined) return undefined
  for await (const { offset, value } of recordsOf(log, TOPICS.rawSolana, 0, { to })) {
    const read = value === null ? undefined : rawRecordCodec.decode(value)
    if (read?.ok !== true) continue
    const { sequence, body } = read.value
    if (body.type === 'frame' && body.part === 0 && sequence >= least) return { from: offset, to, sequence, frame: body }
  }
  return undefined
}

/** Sequence of the revert to a frame, in a range. */
export const revertTo = async (log: LogReader, range: RawRange, number: number): Promise<number | undefined> => {
  for await (const { value } of recordsOf(log, TOPICS.rawSolana, 0, range)) {
    const read = value === null ? undefined : rawRecordCodec.decode(value)
    if (read?.ok === true && read.value.body.type === 'revert' && read.value.body.number === number) return read.value.sequence
  }
  return undefined
}
