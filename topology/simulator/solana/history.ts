// Writes the demo's past directly to the tape, as the decoder would, without encoding the chain's bytes.

import type { DecodeOutput, DecodeRows, FrameCounts } from '../../../processors/chains/decoder.ts'
import { solana } from '../../../processors/chains/solana/chain.ts'
import type { FrameHeader } from '../../../processors/contract.ts'
import { assert } from '../../../schemas/errors.ts'
import { hash8Of, tickOf } from '../../../schemas/position.ts'
import type { Topic } from '../../../schemas/topics.ts'
import type { TapeEvent } from '../../../schemas/types.ts'
import type { TaskDefinition } from '../../engine/definition.ts'
import type { FoldDefinition } from '../../engine/fold.ts'
import { DEFAULT_LIMITS, readLimitsOf } from '../../engine/limits.ts'
import { Task } from '../../engine/task.ts'
import type { LogRecord, OutRecord, SourceLog } from '../../ports/log.ts'
import type { MintTopology } from '../../topology.ts'
import { frameHead } from './bytes.ts'
import type { DemoSlot } from './market-types.ts'

export type DemoTopology = MintTopology['sources']['demo']

/** A slot with the decoded content of its frame. */
export interface EmittedSlot {
  readonly slot: DemoSlot
  readonly events: readonly TapeEvent[]
  readonly counts: FrameCounts
}

/**
 * The decoder's own task with slots instead of frames: the same row, changelog and records, so the decoder continues without a gap.
 * Slots without launchpad events write no record to the tape.
 */
const definitionOf = (decode: DemoTopology['history'], partitions: number): TaskDefinition<EmittedSlot, FrameHeader> => {
  const { folds, ...rest } = decode(partitions)
  const [decoded] = folds
  assert(decoded !== undefined, 'the task of the decoder must have one fold')
  const { collect, ...kept } = decoded
  const fold: FoldDefinition<DecodeRows, EmittedSlot, DecodeOutput, FrameHeader> = {
    ...kept,
    processor: {
      ...solana.decoder.processor,
      keyOf: () => solana.name,
      apply: (ctx, { slot, events, counts }, at) =>
        solana.decoder.emit(ctx, frameHead(slot), at.header, { events: [...events], deadLetters: [], ...counts }),
    },
    collect: (header, outputs, partition) => (outputs.some(({ output }) => isNews(output)) ? collect(header, outputs, partition) : []),
  }
  return { ...rest, folds: [fold], open: () => () => undefined, positionOf: (_slot, header) => tickOf(header.chain, header.number) }
}

const isNews = (output: DecodeOutput): boolean => output.type !== 'header' || (output.header.launchpadTransactions ?? 0) > 0

/** Converts slots to records to commit. It must not run at the same time as the decoder: both write the decoder's row. */
export class HistoryTape {
  readonly #log: SourceLog
  readonly #task: Task<EmittedSlot, FrameHeader>

  constructor(log: SourceLog, { writes, history }: DemoTopology) {
    this.#log = log
    this.#task = new Task(definitionOf(history, log.partitions(writes.tape)), 0, DEFAULT_LIMITS)
  }
  /** Restores the decoder's rows. */
  async restore(): Promise<void> {
    for (const topic of this.#task.changelogs) this.#task.restore(topic, await this.#read(topic))
    this.#task.begin({ input: 0, exchange: 0 })
  }
  fold(emitted: EmittedSlot, sequence: number): void {
    const { number, hash } = emitted.slot
    this.#task.fold({ header: { chain: 'solana', number, hash8: hash8Of(hash), sequence, time: 0, final: true }, events: [emitted] })
  }
  take(): readonly OutRecord[] {
    return this.#task.takeCommit().outputs
  }
  async #read(topic: Topic): Promise<LogRecord[]> {
    const records: LogRecord[] = []
    for (let offset = this.#log.start(topic, 0); ; ) {
      const batch = await this.#log.read(topic, 0, offset, readLimitsOf(DEFAULT_LIMITS))
      const last = batch.at(-1)
      if (last === undefined) return records
      records.push(...batch)
      offset = last.offset + 1
    }
  }
}
