// The production folds and the API's view over a tape, at full speed, with rollback data, finality, commits and the exchange as when live.
import type { TapeHeader } from '../../../processors/tape.ts'
import { type Key, toBase58 } from '../../../schemas/keys.ts'
import { tapeKeyOf } from '../../../schemas/tape-key.ts'
import type { TapeBatch, TapeEvent } from '../../../schemas/types.ts'
import { readExchange } from '../../../topology/engine/exchange/exchange-record.ts'
import { DEFAULT_LIMITS } from '../../../topology/engine/limits.ts'
import { createPartitioner } from '../../../topology/engine/partition.ts'
import { Task } from '../../../topology/engine/task.ts'
import { LAUNCH_RISK } from '../../../topology/launch-risk.ts'
import type { OutRecord } from '../../../topology/ports/log.ts'
import { LogMintView } from '../../../topology/views/mint-view.ts'
import { TOPICS } from '../../fixtures/topics.ts'
import { PassingLog } from './passing-log.ts'

const PARTITIONS = 2
/** Slots until a frame is final: 32 frames of the tape, the maximal depth of a fork on the chain. */
const FINAL_AFTER_SLOTS = 160
/** The view reads several commits at once, as it does in real time. */
const VIEW_EVERY_FRAMES = 4

/** Number of keys in the folds, cached or evicted. */
export interface LiveKeys {
  readonly creators: number
  readonly mints: number
  readonly wallets: number
}

export class MonthChain {
  readonly #tasks: readonly Task<TapeEvent, TapeHeader>[]
  readonly #partitionOf = createPartitioner(PARTITIONS, (key) => toBase58(key as Key))
  readonly #log = new PassingLog(PARTITIONS)
  readonly #exchanged = new Array<number>(PARTITIONS).fill(0)
  readonly view = new LogMintView(this.#log, LAUNCH_RISK, { tip: () => null })
  #pending: OutRecord[] = []
  #frames = 0

  constructor() {
    const tasks: Task<TapeEvent, TapeHeader>[] = Array.from(
      { length: PARTITIONS },
      (_, partition) =>
        new Task(LAUNCH_RISK.folds(PARTITIONS), partition, DEFAULT_LIMITS, { handOver: (batch, to) => tasks[to]?.exchange?.offer(batch) }),
    )
    for (const task of tasks) task.begin({ input: 0, exchange: 0 })
    this.#tasks = tasks
  }
  start(): Promise<void> {
    return this.view.start()
  }
  async take(tape: TapeBatch): Promise<void> {
    const { chain, number, sequence } = tape
    const parts: TapeEvent[][] = this.#tasks.map(() => [])
    for (const event of tape.events) parts[this.#partitionOf(tapeKeyOf(event))]?.push(event)
    for (const [partition, task] of this.#tasks.entries()) {
      task.take({ type: 'frame', frame: { header: tape, events: parts[partition] ?? [] } })
      const finalized = number - FINAL_AFTER_SLOTS
      task.take({ type: 'finality', finality: { chain, sequence, confirmed: number, finalized } })
      this.#commit(task)
    }
    this.#frames += 1
    if (this.#frames % VIEW_EVERY_FRAMES !== 0) return
    this.#log.append(this.#pending)
    this.#pending = []
    await this.view.caughtUp()
  }
  keys(): LiveKeys {
    const sizeOf = (name: string): number => this.#tasks.reduce((size, task) => size + task.store(name).size, 0)
    return { creators: sizeOf('creator'), mints: sizeOf('mint'), wallets: sizeOf('wallet') }
  }

  #commit(task: Task<TapeEvent, TapeHeader>): void {
    for (const record of task.takeCommit().outputs)
      if (record.topic === TOPICS.exchange) this.#exchange(record)
      else if (record.topic !== TOPICS.taskChangelog) this.#pending.push(record)
  }
  #exchange({ partition, key, value }: OutRecord): void {
    const offset = this.#exchanged[partition] as number
    this.#exchanged[partition] = offset + 1
    const read = readExchange(partition, { offset, key, value })
    for (const task of this.#tasks) task.stepExchange(read)
  }
}
