// Captures a source's output without a log, for recordings.
import { rawRecordCodec } from '../../../schemas/codecs.ts'
import { assert } from '../../../schemas/errors.ts'
import type { BatchOf, ChainEvent, TapeForm } from '../../../schemas/record-forms.ts'
import type { Topics } from '../../../schemas/topics.ts'
import type { RawFrame } from '../../../schemas/types.ts'
import type { Commit, Log } from '../../ports/log.ts'
import { CanonicalBranch } from './canonical-branch.ts'

export interface Tap {
  /**
   * Stores nothing: reads return nothing, owners have no committed offsets, and records of other topics are dropped. Each commit waits
   * until its frames are consumed, or buffered because a fork may still roll them back: so a fast source is slowed to its consumer.
   */
  readonly log: Log
  /** Called when the source has ended: the buffered frames are canonical. */
  end(): Promise<void>
}

/** `take` receives only frames of the canonical branch. */
export const createTap = (topic: Topics['raw'], take: (frame: RawFrame) => Promise<void>): Tap => {
  const branch = new CanonicalBranch(take)
  return { log: tapOf((outputs) => passOn(topic, outputs, branch)), end: () => branch.end() }
}

/** As createTap, for tape records that a source writes directly: a history, which no fork rolls back. */
export const tapeTap = (
  topic: Topics['tape'],
  { codec }: Pick<TapeForm, 'codec'>,
  take: (batch: BatchOf<ChainEvent>) => Promise<void>,
): Log =>
  tapOf(async (outputs) => {
    for (const { topic: of, value } of outputs) {
      if (of.name !== topic.name || value === null) continue
      const read = codec.decode(value)
      assert(read.ok, 'a source writes tape records that can be read')
      if (read.value.type === 'batch') await take(read.value)
    }
  })

const tapOf = (take: (outputs: Commit['outputs']) => Promise<void>): Log => ({
  partitions: () => 1,
  read: async () => [],
  start: () => 0,
  end: () => 0,
  own: async (id) => ({ id, committed: () => new Map(), commit: ({ outputs }) => take(outputs), release: async () => {} }),
  decidedEnd: async () => 0,
  tombstoneFloor: () => 0,
  refresh: async () => {},
  onCommit: () => () => {},
  trim: async () => {},
  close: async () => {},
})

const passOn = async (raw: Topics['raw'], outputs: Commit['outputs'], branch: CanonicalBranch): Promise<void> => {
  for (const { topic, value } of outputs) {
    if (topic.name !== raw.name || value === null) continue
    const read = rawRecordCodec.decode(value)
    assert(read.ok, 'a source sends raw records that can be read')
    const { body } = read.value
    if (body.type === 'frame') await branch.frame(body)
    else if (body.type === 'revert') branch.revert(body)
    else if (body.type === 'finality') await branch.finality(body)
  }
}
