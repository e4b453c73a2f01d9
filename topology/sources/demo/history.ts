// The demo's past, straight to the tape: what the decoder would have written, without bytes that nobody would read.
import type { FrameHeader } from '../../../processors/contract.ts'
import { type DecodeOutput, type DecodeRows, decodeProcessor, tell } from '../../../processors/solana/decode-processor.ts'
import { hash8Of, tickOf } from '../../../schemas/position.ts'
import { TOPICS } from '../../../schemas/topics.ts'
import type { TapeEvent } from '../../../schemas/types.ts'
import { DEFAULT_LIMITS } from '../../engine/limits.ts'
import { Task, type TaskDefinition } from '../../engine/task.ts'
import { decodeTask } from '../../launch-risk.ts'
import type { Log, LogRecord, OutRecord } from '../../ports/log.ts'
import { frameHead } from './bytes.ts'
import type { DemoSlot } from './market-types.ts'

/** A slot with the events that its frame would have told. */
export interface ToldSlot {
  readonly slot: DemoSlot
  readonly events: readonly TapeEvent[]
}

/**
 * The decoder's own task with slots instead of frames: its row, its changelog, its records, so that it goes on from here without a gap.
 * Slots without events leave no record on the tape.
 */
const definitionOf = (partitions: number): TaskDefinition<DecodeRows, ToldSlot, DecodeOutput, FrameHeader> => {
  const { processor: _decoder, collect, ...rest } = decodeTask(partitions)
  return {
    ...rest,
    open: () => () => undefined,
    positionOf: (_told, header) => tickOf(header.chain, header.number),
    processor: {
      ...decodeProcessor,
      keyOf: () => 'solana',
      apply: (ctx, { slot, events }, at) => tell(ctx, frameHead(slot), at.header, { events: [...events], deadLetters: [] }),
    },
    collect: (header, said, partition) => (said.some(({ output }) => output.type === 'event') ? collect(header, said, partition) : []),
  }
}

/** Turns slots into what a commit holds. It and the decoder must not run at once: both write the decoder's row. */
export class HistoryTape {
  readonly #log: Log
  readonly #task: Task<DecodeRows, ToldSlot, DecodeOutput, FrameHeader>

  constructor(log: Log) {
    this.#log = log
    this.#task = new Task(definitionOf(log.partitions(TOPICS.tapeSolana)), 0, DEFAULT_LIMITS)
  }
  /** Puts the decoder's row back. */
  async restore(): Promise<void> {
    this.#task.restore(await this.#changelog())
    this.#task.begin(0)
  }
  fold(told: ToldSlot, sequence: number): void {
    const { number, hash } = told.slot
    this.#task.fold({ header: { chain: 'solana', number, hash8: hash8Of(hash), sequence, time: 0, final: true }, events: [told] })
  }
  take(): readonly OutRecord[] {
    return this.#task.takeCommit().outputs
  }
  async #changelog(): Promise<LogRecord[]> {
    const records: LogRecord[] = []
    const { readRecordsMax: recordsMax, readBytesMax: bytesMax } = DEFAULT_LIMITS
    for (let offset = this.#log.start(TOPICS.decodeChangelog, 0); ; ) {
      const batch = await this.#log.read(TOPICS.decodeChangelog, 0, offset, { recordsMax, bytesMax })
      const last = batch.at(-1)
      if (last === undefined) return records
      records.push(...batch)
      offset = last.offset + 1
    }
  }
}
