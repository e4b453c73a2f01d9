// Ends trials: a model that did better replaces the one in force, any other is retired.
import { decideTrial } from '../../processors/odds/standing/trial.ts'
import { modelCodec } from '../../schemas/codecs.ts'
import { ownName } from '../../schemas/topics.ts'
import type { Log, TaskOwner } from '../ports/log.ts'
import type { Notice } from '../ports/notice.ts'
import type { RunningTask } from '../runtime/task-spec.ts'
import type { OddsTopology } from '../topology.ts'
import type { GradedOdds } from './graded-odds.ts'
import { LogLoop } from './log-loop.ts'
import type { ModelSet } from './model-set.ts'

/** Trials last a day: a delay of a moment does not matter. */
const REST_MS = 1_000

export interface TrialsOptions {
  readonly topology: OddsTopology
  readonly log: Log
  readonly models: ModelSet
  readonly graded: GradedOdds
  readonly notice: Notice
}

/** The only writer of changes to a model's state; publications add new models. */
export class TrialsTask implements RunningTask {
  readonly progress = 0
  readonly #options: TrialsOptions
  readonly #loop: LogLoop
  #owner: TaskOwner | undefined

  constructor(options: TrialsOptions) {
    this.#options = options
    const { topology, log, notice } = options
    const topics = Object.values(topology.sinks.trials.reads)
    this.#loop = new LogLoop({ name: 'trials', log, topics, notice, restMs: REST_MS, step: () => this.#step() })
  }
  async restore(): Promise<void> {
    const { topology, log } = this.#options
    this.#owner = await log.own(ownName(topology.chain, 'trials'))
  }
  async run(): Promise<void> {
    try {
      await this.#loop.run()
    } finally {
      await this.#owner?.release().catch(() => {})
    }
  }
  stop(): void {
    this.#loop.stop()
  }
  get isCaughtUp(): boolean {
    return this.#loop.isIdle
  }

  /** True if something was decided: more may be due. */
  async #step(): Promise<boolean> {
    const { topology, models, graded, notice } = this.#options
    await graded.start()
    await graded.caughtUp()
    const { foldedS } = graded
    const decided = foldedS === null ? [] : decideTrial(models.records(), graded.book.rows, foldedS)
    if (decided.length === 0 || this.#loop.isStopping) return false
    const topic = topology.sinks.trials.writes.models
    const outputs = decided.map((record) => ({ topic, partition: 0, key: Buffer.from(record.id), value: modelCodec.encode(record) }))
    await this.#owner?.commit({ outputs, inputs: new Map() })
    for (const { id, state, since, reason } of decided) notice('model_state', { model: id, state, since, reason })
    await models.readOn()
    return true
  }
}
