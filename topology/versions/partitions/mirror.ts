// Copies what capture writes to another log, with the positions of capture: it can be started there at any time, and continues.
import { EngineError } from '../../../schemas/errors.ts'
import type { Topic } from '../../../schemas/topics.ts'
import type { Log, OutRecord, TaskOwner } from '../../ports/log.ts'
import { captureOwner } from '../../ports/source-owners.ts'
import { recordsOf } from '../../records/records-of.ts'
import type { Topology } from '../../topology.ts'
import { offsetAfter } from '../decoding/raw-range.ts'
import { newestRawPlace, rawPlaceOf } from './raw-records.ts'

/** A round with more bytes needs several commits, between which capture must not be started. */
const ROUND_BYTES_MAX = 4 * 1024 * 1024
/** After so many rounds without anything new it commits nothing: only a commit shows that capture has taken over. */
const IDLE_ROUNDS = 20

export interface MirrorOptions {
  readonly from: Log
  readonly to: Log
  readonly topology: Topology
  /** Newest committed inputs of an owner of `from`. Does not take it over. */
  readonly committed: (id: string) => Promise<ReadonlyMap<string, number>>
  /** Declares that the target may not be used for now, or may again. */
  readonly halfMade: (isHalf: boolean) => Promise<void>
}

/** The compacted topics that sources write. */
export const capturedTopics = ({ sources }: Topology): readonly Topic[] =>
  [...new Set(Object.values(sources).flatMap(({ writes }) => Object.values<Topic>(writes)))].filter(({ cleanup }) => cleanup === 'compact')

export class Mirror {
  readonly #options: MirrorOptions
  /** The capture's own topics, besides the raw frames. */
  readonly #others: readonly Topic[]
  readonly #next = new Map<string, number>()
  #owner!: TaskOwner
  #rawNext = 0
  /** Sequence of the newest frame, fork or finality that was copied. */
  #copied = -1
  #pending: OutRecord[] = []
  #pendingBytes = 0
  #isHalf = false
  /** Rounds without anything new. */
  #idle = 0

  constructor(options: MirrorOptions) {
    this.#options = options
    this.#others = capturedTopics(options.topology)
  }
  /** Takes capture's place in the target. @throws EngineError `repartition_refused` if frames after the target's newest one are gone */
  async open(): Promise<void> {
    const { from, to, topology } = this.#options
    const { raw } = topology.operations.rebuild.reads
    this.#owner = await to.own(captureOwner(topology.chain.name))
    const newest = await newestRawPlace(to, raw)
    if (newest !== undefined) this.#copied = newest.isAnchor ? newest.sequence - 1 : newest.sequence
    this.#rawNext = await offsetAfter(from, raw, this.#copied)
    if (newest === undefined || this.#rawNext > from.start(raw, 0) || from.start(raw, 0) === 0) return
    const [first] = await from.read(raw, 0, this.#rawNext, { recordsMax: 1, bytesMax: 1 })
    const place = first && rawPlaceOf(first)
    if (place !== undefined && place.sequence > this.#copied + 1) throw framesGone(topology, this.#copied, place.sequence)
  }
  /**
   * Copies what is new, in one commit with capture's positions. Returns true if everything was copied that it had committed at the call.
   * @throws EngineError `fenced` once capture runs on the target
   */
  async round(): Promise<boolean> {
    const { topology, committed } = this.#options
    const inputs = await committed(captureOwner(topology.chain.name))
    const sequence = inputs.get('sequence')
    if (sequence === undefined) return this.#options.from.end(topology.operations.rebuild.reads.raw, 0) === 0
    await this.#addOthers()
    const isWhole = await this.#addRaw(sequence)
    this.#idle = this.#pending.length > 0 ? 0 : this.#idle + 1
    if (isWhole && (this.#pending.length > 0 || this.#idle % IDLE_ROUNDS === 0)) await this.#commit(inputs)
    if (isWhole && this.#isHalf) await this.#setHalf(false)
    return isWhole
  }

  async #addOthers(): Promise<void> {
    const { from } = this.#options
    for (const topic of this.#others) {
      const to = from.end(topic, 0)
      for await (const { key, value } of recordsOf(from, topic, 0, { from: this.#next.get(topic.name) ?? from.start(topic, 0), to }))
        await this.#add({ topic, partition: 0, key, value })
      this.#next.set(topic.name, to)
    }
  }
  /** Adds the records before the number that capture assigns next. Returns true if all of them could be read. */
  async #addRaw(sequence: number): Promise<boolean> {
    const { from, topology } = this.#options
    const topic = topology.operations.rebuild.reads.raw
    for await (const record of recordsOf(from, topic, 0, { from: this.#rawNext })) {
      const place = rawPlaceOf(record)
      if (place !== undefined && place.sequence >= (place.isAnchor ? sequence + 1 : sequence)) break
      await this.#add({ topic, partition: 0, key: record.key, value: record.value })
      this.#rawNext = record.offset + 1
      if (place?.isAnchor === false) this.#copied = place.sequence
    }
    return this.#copied === sequence - 1
  }
  async #add(record: OutRecord): Promise<void> {
    this.#pending.push(record)
    this.#pendingBytes += record.key.length + (record.value?.length ?? 0)
    if (this.#pendingBytes < ROUND_BYTES_MAX) return
    if (!this.#isHalf) await this.#setHalf(true)
    await this.#commit(new Map())
  }
  async #commit(inputs: ReadonlyMap<string, number>): Promise<void> {
    const outputs = this.#pending
    this.#pending = []
    this.#pendingBytes = 0
    await this.#owner.commit({ outputs, inputs })
  }
  async #setHalf(isHalf: boolean): Promise<void> {
    await this.#options.halfMade(isHalf)
    this.#isHalf = isHalf
  }
}

const framesGone = ({ chain: { name } }: Topology, copied: number, first: number): EngineError =>
  new EngineError(
    'repartition_refused',
    `${name}: the other log has frames up to capture's number ${copied}, and this one only from ${first} on (MINTFOLD_RAW_HOURS): ` +
      'fill topics with another prefix',
    { facts: { chain: name, copied, first } },
  )
