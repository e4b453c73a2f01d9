// Reads a task's input one read ahead of what is folded, because later records make frames final (undo/foreseen.ts).
import type { FrameHeader } from '../../processors/contract.ts'
import type { Log, LogRecord, ReadLimits } from '../ports/log.ts'
import type { TaskDefinition } from './definition.ts'
import { type Foreseen, foreseen } from './undo/foreseen.ts'

export class InputReads<Event, Header extends FrameHeader> {
  readonly #log: Log
  readonly #definition: Pick<TaskDefinition<Event, Header>, 'input' | 'finalityIn'>
  readonly #partition: number
  readonly #limits: ReadLimits
  /** The records after those that were returned; empty: not read yet. */
  #ahead: readonly LogRecord[] = []

  constructor(log: Log, definition: Pick<TaskDefinition<Event, Header>, 'input' | 'finalityIn'>, partition: number, limits: ReadLimits) {
    this.#log = log
    this.#definition = definition
    this.#partition = partition
    this.#limits = limits
  }
  /** The next records, of one read of the log; empty at its end. `offset`: after the last record that was returned. */
  async from(offset: number): Promise<readonly Foreseen[]> {
    const records = this.#ahead.length > 0 ? this.#ahead : await this.#read(offset)
    const next = (records.at(-1)?.offset ?? offset) + 1
    const hasMore = records.length > 0 && this.#log.end(this.#definition.input, this.#partition) > next
    this.#ahead = hasMore ? await this.#read(next) : []
    return foreseen(records, this.#definition, this.#ahead)
  }
  #read(offset: number): Promise<readonly LogRecord[]> {
    return this.#log.read(this.#definition.input, this.#partition, offset, this.#limits)
  }
}
