// The demo's past, straight to the tape: what the decoder would have written, without bytes that nobody would read.

import type { DecodeOutput, DecodeRows, FrameCounts } from '../../../processors/chains/decoder.ts'
import { solana } from '../../../processors/chains/solana/chain.ts'
import type { FrameHeader } from '../../../processors/contract.ts'
import { assert } from '../../../schemas/errors.ts'
import { hash8Of, tickOf } from '../../../schemas/position.ts'
import type { Topic } from '../../../schemas/topics.ts'
import type { TapeEvent } from '../../../schemas/types.ts'
import type { TaskDefinition } from '../../engine/definition.ts'
import type { FoldDefinition } from '../../engine/fold.ts'
import { DEFAULT_LIMITS } from '../../engine/limits.ts'
import { Task } from '../../engine/task.ts'
import type { LogRecord, OutRecord, SourceLog } from '../../ports/log.ts'
import type { MintTopology } from '../../topology.ts'
import { frameHead } from './bytes.ts'
import type { DemoSlot } from './market-types.ts'

export type DemoTopology = MintTopology['sources']['demo']

/** A slot with what its frame would have told. */
export interface ToldSlot {
  readonly slot: DemoSlot
  readonly events: readonly TapeEvent[]
  readonly counts: FrameCounts
}

/**
 * The decoder's own task with slots instead of frames: its row, its changelog, its records, so that it goes on from here without a gap.
 * Slots in which nothing happened on the launchpad leave no record on the tape.
 */
const definitionOf = (decode: DemoTopology['history'], partitions: number): TaskDefinition<ToldSlot, FrameHeader> => {
  const { folds, ...rest } = decode(partitions)
  const [decoded] = folds
  assert(decoded !== undefined, 'the task of the decoder has one fold')
  const { collect, ...kept } = decoded
  const fold: FoldDefinition<DecodeRows, ToldSlot, DecodeOutput, FrameHeader> = {
    ...kept,
    processor: {
      ...solana.decoder.processor,
      keyOf: () => solana.name,
      apply: (ctx, { slot, events, counts }, at) =>
        solana.decoder.tell(ctx, frameHead(slot), at.header, { events: [...events], deadLetters: [], ...counts }),
    },
    collect: (header, said, partition) => (said.some(({ output }) => isNews(output)) ? collect(header, said, partition) : []),
  }
  return { ...rest, folds: [fold], open: () => () => undefined, positionOf: (_told, header) => tickOf(header.chain, header.number) }
}

const isNews = (output: DecodeOutput): boolean => output.type !== 'header' || (output.header.launchpadTransactions ?? 0) > 0

/** Turns slots into what a commit holds. It and the decoder must not run at once: both write the decoder's row. */
export class HistoryTape {
  readonly #log: SourceLog
  readonly #task: Task<ToldSlot, FrameHeader>

  constructor(log: SourceLog, { writes, history }: DemoTopology) {
    this.#log = log
    this.#task = new Task(definitionOf(history, log.partitions(writes.tape)), 0, DEFAULT_LIMITS)
  }
  /** Puts the decoder's rows back. */
  async restore(): Promise<void> {
    for (const topic of this.#task.changelogs) this.#task.restore(topic, await this.#read(topic))
    this.#task.begin({ input: 0, exchange: 0 })
  }
  fold(told: ToldSlot, sequence: number): void {
    const { number, hash } = told.slot
    this.#task.fold({ header: { chain: 'solana', number, hash8: hash8Of(hash), sequence, time: 0, final: true }, events: [told] })
  }
  take(): readonly OutRecord[] {
    return this.#task.takeCommit().outputs
  }
  async #read(topic: Topic): Promise<LogRecord[]> {
    const records: LogRecord[] = []
    const { readRecordsMax: recordsMax, readBytesMax: bytesMax } = DEFAULT_LIMITS
    for (let offset = this.#log.start(topic, 0); ; ) {
      const batch = await this.#log.read(topic, 0, offset, { recordsMax, bytesMax })
      const last = batch.at(-1)
      if (last === undefined) return records
      records.push(...batch)
      offset = last.offset + 1
    }
  }
}
