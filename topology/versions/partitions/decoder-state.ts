// The decoder's rows at one moment, read while it runs.

import { EngineError } from '../../../schemas/errors.ts'
import { hash8Of } from '../../../schemas/position.ts'
import type { Topic } from '../../../schemas/topics.ts'
import type { CursorRow, TaskState, TipRow } from '../../../schemas/types.ts'
import { ownKey, taskState } from '../../engine/rows/own-rows.ts'
import { pageKey, type StateType } from '../../engine/rows/state-type.ts'
import type { Log, OutRecord } from '../../ports/log.ts'
import { recordsOf } from '../../records/records-of.ts'
import type { Topology } from '../../topology.ts'
import { pause } from '../../waiting/waiting.ts'

/** The decoder commits several times a second: a few looks suffice. */
const LOOKS_MAX = 50
const LOOK_MS = 50

export interface DecoderState {
  /** Its rows, its undo and its own rows, as records of its changelogs. */
  readonly records: readonly OutRecord[]
  /** Sequence and number of the newest frame that it has decoded. */
  readonly sequence: number
  readonly number: number
}

/** The records of a compacted topic of one partition, which is read on. */
class Rows {
  readonly topic: Topic
  readonly #log: Log
  readonly #values = new Map<string, Uint8Array>()
  #next: number | undefined

  constructor(log: Log, topic: Topic) {
    this.#log = log
    this.topic = topic
  }
  async readOn(): Promise<void> {
    const to = this.#log.end(this.topic, 0)
    for await (const { key, value } of recordsOf(this.#log, this.topic, 0, { from: this.#next ?? this.#log.start(this.topic, 0), to })) {
      const name = Buffer.from(key).toString('latin1')
      if (value === null) this.#values.delete(name)
      else this.#values.set(name, value)
    }
    this.#next = to
  }
  get(key: Buffer): Uint8Array | undefined {
    return this.#values.get(key.toString('latin1'))
  }
  records(): OutRecord[] {
    return [...this.#values].map(([key, value]) => ({ topic: this.topic, partition: 0, key: Buffer.from(key, 'latin1'), value }))
  }
}

/**
 * Rows and own rows are of one commit if they name the same frame: each commit writes both. Undefined before the first frame.
 * @throws EngineError `repartition_refused` if they never do
 */
export const decoderState = async (log: Log, { chain, decode }: Topology, stop: AbortSignal): Promise<DecoderState | undefined> => {
  const { name, folds, changelog } = decode(1)
  const fold = folds[0] as (typeof folds)[number]
  const [rows, own] = [new Rows(log, fold.changelog), new Rows(log, changelog)]
  for (let look = 0; look < LOOKS_MAX && !stop.aborted; look++) {
    await log.refresh()
    await rows.readOn()
    await own.readOn()
    const tip = tipIn(fold.state, rows.get(pageKey(chain.name, 0)))
    const cursor = cursorIn(own.get(ownKey(`${name}-0`)))
    if (tip === undefined && cursor === undefined) return undefined
    if (cursor !== undefined && tip?.number === cursor.number && hash8Of(tip.hash) === cursor.hash8)
      return { records: [...rows.records(), ...own.records()], sequence: cursor.sequence, number: cursor.number }
    await pause(LOOK_MS, stop)
  }
  throw new EngineError(
    'repartition_refused',
    `the decoder of ${chain.name} has rows and a position that do not belong together: run mintfold process first`,
  )
}

const tipIn = (state: StateType, page: Uint8Array | undefined): TipRow | undefined =>
  page === undefined ? undefined : ((state.decode(page).tip as TipRow | null) ?? undefined)
const cursorIn = (page: Uint8Array | undefined): CursorRow | undefined =>
  page === undefined ? undefined : ((taskState.decode(page) as unknown as TaskState).cursor ?? undefined)
