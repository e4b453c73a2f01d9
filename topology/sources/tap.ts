// Catches what a source sends, without a log behind it: for recordings of a source.
import { rawRecordCodec } from '../../schemas/codecs.ts'
import { assert } from '../../schemas/errors.ts'
import { TOPICS } from '../../schemas/topics.ts'
import type { RawFrame } from '../../schemas/types.ts'
import type { Commit, Log } from '../ports/log.ts'

/**
 * A log that keeps nothing: each commit waits until `take` has all its frames, so that a fast source is slowed to its taker. Nothing is
 * read from it and nothing was ever committed; records of other topics go nowhere.
 */
export const createTap = (take: (frame: RawFrame) => Promise<void>): Log => ({
  partitions: () => 1,
  read: async () => [],
  start: () => 0,
  end: () => 0,
  own: async (id) => ({ id, committed: () => new Map(), commit: ({ outputs }) => passOn(outputs, take) }),
  onCommit: () => () => {},
  trim: async () => {},
  close: async () => {},
})

const passOn = async (outputs: Commit['outputs'], take: (frame: RawFrame) => Promise<void>): Promise<void> => {
  for (const { topic, value } of outputs) {
    if (topic.name !== TOPICS.rawSolana.name || value === null) continue
    const read = rawRecordCodec.decode(value)
    assert(read.ok, 'a source sends raw records that can be read')
    if (read.value.body.type === 'frame') await take(read.value.body)
  }
}
