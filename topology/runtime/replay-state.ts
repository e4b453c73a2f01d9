// State of a replay's folds as plain values, from which another replay of the same program continues.
import type { FrameHeader } from '../../processors/contract.ts'
import type { Batch } from '../engine/exchange/exchange-record.ts'
import type { Task } from '../engine/task.ts'

/** Rows of one processor, or of the task itself under the empty name. */
interface StoreState {
  readonly name: string
  readonly records: readonly { readonly key: Uint8Array; readonly value: Uint8Array | null }[]
}
export interface TaskStanding {
  readonly stores: readonly StoreState[]
  /** Exchange batches received that may still be needed. */
  readonly batches: readonly Batch[]
}

/** Keeps the batches delivered to a task for as long as they may be needed. */
export class HandedOver<Event, Header extends FrameHeader> {
  readonly #batches: Batch[] = []
  readonly #task: () => Task<Event, Header> | undefined

  constructor(task: () => Task<Event, Header> | undefined) {
    this.#task = task
  }
  offer(batch: Batch): void {
    const task = this.#task()
    const oldest = task?.exchange?.oldestNeeded ?? 0
    while ((this.#batches[0]?.closedBy ?? oldest) < oldest) this.#batches.shift()
    this.#batches.push(batch)
    task?.exchange?.offer(batch)
  }
  get batches(): readonly Batch[] {
    return this.#batches
  }
}

export const standingOf = <Event, Header extends FrameHeader>(
  task: Task<Event, Header>,
  { batches }: HandedOver<Event, Header>,
): TaskStanding => {
  const names = ['', ...task.definition.folds.map(({ processor }) => processor.name)]
  const recordsOf = (name: string) =>
    task
      .store(name)
      .snapshot()
      .map(({ key, value }) => ({ key: new Uint8Array(key), value: value && new Uint8Array(value) }))
  return { stores: names.map((name) => ({ name, records: recordsOf(name) })), batches: [...batches] }
}

/** For a task that has folded nothing. */
export const standAt = <Event, Header extends FrameHeader>(
  task: Task<Event, Header>,
  handed: HandedOver<Event, Header>,
  { stores, batches }: TaskStanding,
): void => {
  for (const { name, records } of stores) {
    const topic = task.definition.folds.find(({ processor }) => processor.name === name)?.changelog ?? task.definition.changelog
    task.restore(
      topic,
      records.map(({ key, value }) => ({ key: Buffer.from(key), value: value && Buffer.from(value) })),
    )
  }
  task.begin({ input: 0, exchange: 0 })
  for (const batch of batches) handed.offer(batch)
}
