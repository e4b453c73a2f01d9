// The models of a log, from its topic: which ones score, and which one is in force.
import { type Model, readModel } from '../../processors/odds/model.ts'
import type { Scorer } from '../../processors/odds/odds-of.ts'
import { scoringAt } from '../../processors/odds/standing/model-states.ts'
import { modelCodec } from '../../schemas/codecs.ts'
import { hasCode, messageOf } from '../../schemas/errors.ts'
import type { Topic } from '../../schemas/topics.ts'
import type { ModelRecord } from '../../schemas/types.ts'
import { readKept } from '../logs/read-kept.ts'
import type { LogReader } from '../ports/log.ts'
import type { Notice } from '../ports/notice.ts'

/** A model is up to 4 MB large. */
const READ = { recordsMax: 16, bytesMax: 8 * 1024 * 1024 }

/** A model's file is dropped at the first model record this long after its retirement, seconds. Judgements stay on a log for 7 days. */
const KEEP_RETIRED_S = 8 * 86_400

const NO_FILE = new Uint8Array()

interface Known {
  readonly record: ModelRecord
  /** Null if the file does not fit this program; undefined until it is needed. */
  model?: Model | null
}

/** May be shared: concurrent reads run one after the other. */
export class ModelSet {
  readonly #log: LogReader
  readonly #topic: Topic
  readonly #notice: Notice
  readonly #known = new Map<string, Known>()
  #next = 0
  #reading: Promise<void> = Promise.resolve()
  #scoring: { readonly at: number; readonly scorers: readonly Scorer[] } | undefined

  constructor(log: LogReader, topic: Topic, notice: Notice) {
    this.#log = log
    this.#topic = topic
    this.#notice = notice
  }
  /** Reads new records of the topic. Rejects like the log's `read`; a later call continues. */
  readOn(): Promise<void> {
    this.#reading = this.#reading.catch(() => {}).then(() => this.#read())
    return this.#reading
  }
  /** Records of all models; those retired long ago have no file. */
  records(): readonly ModelRecord[] {
    return [...this.#known.values()].map(({ record }) => record)
  }
  /** The models that score judgements of a tick at this time, unix seconds. */
  scorersAt(at: number): readonly Scorer[] {
    if (this.#scoring?.at === at) return this.#scoring.scorers
    const scorers = scoringAt(this.records(), at).flatMap(({ id, shadow }): Scorer[] => {
      const model = this.#modelOf(id)
      return model === null ? [] : [{ model, shadow }]
    })
    this.#scoring = { at, scorers }
    return scorers
  }

  async #read(): Promise<void> {
    this.#next = Math.max(this.#next, this.#log.start(this.#topic, 0))
    while (this.#next < this.#log.end(this.#topic, 0)) {
      const { records, next } = await readKept(this.#log, { topic: this.#topic, partition: 0, offset: this.#next }, READ, () => {})
      for (const { value } of records) this.#put(value)
      if (next === this.#next) return
      this.#next = next
    }
  }
  #put(value: Uint8Array | null): void {
    const read = value === null ? undefined : modelCodec.decode(value)
    if (read?.ok !== true) return
    this.#known.set(read.value.id, { ...this.#known.get(read.value.id), record: read.value })
    this.#scoring = undefined
    const oldest = Math.max(...this.records().map(({ since }) => since)) - KEEP_RETIRED_S
    for (const [id, { record }] of this.#known)
      if (record.state === 'retired' && record.since < oldest) this.#known.set(id, { record: { ...record, file: NO_FILE }, model: null })
  }
  #modelOf(id: string): Model | null {
    const known = this.#known.get(id)
    if (known === undefined) return null
    if (known.model === undefined) known.model = this.#opened(known.record)
    return known.model
  }
  #opened({ id, file }: ModelRecord): Model | null {
    try {
      return readModel(file)
    } catch (failure) {
      if (!hasCode(failure, 'model_unfit')) throw failure
      this.#notice('model_unfit', { model: id, reason: messageOf(failure) })
      return null
    }
  }
}
