// Replay: the production tasks over frames or tapes in memory, without a log. The code is the same as live.

import type { ChainDefinition } from '../../processors/chains/chain.ts'
import type { FrameHeader } from '../../processors/contract.ts'
import { type CardContext, mintEvidence } from '../../processors/mint/card/card.ts'
import { MINT } from '../../processors/mint/rows.ts'
import type { TapeHeader } from '../../processors/tape.ts'
import { rawRecordCodec } from '../../schemas/codecs.ts'
import { assert } from '../../schemas/errors.ts'
import { type Key, keyText } from '../../schemas/keys.ts'
import { comparePositions } from '../../schemas/position.ts'
import type { BatchOf, ChainEvent, TapeRecordOf } from '../../schemas/record-forms.ts'
import type { Topic } from '../../schemas/topics.ts'
import type { Conclusion, Finality, RawFrame, RawRecord, Revert, TapeEvent, TipRow } from '../../schemas/types.ts'
import type { Input, TaskDefinition } from '../engine/definition.ts'
import { DEFAULT_LIMITS, type EngineLimits } from '../engine/limits.ts'
import { createPartitioner } from '../engine/partition.ts'
import { parsePageKey, type StateType } from '../engine/rows/state-type.ts'
import type { Store } from '../engine/rows/store.ts'
import { Task } from '../engine/task.ts'
import type { OutRecord } from '../ports/log.ts'
import type { MintSnapshot } from '../ports/mint-view.ts'
import { tapeInput } from '../records/readers.ts'
import { inputsOf, type MintTopology, type Topology } from '../topology.ts'
import { MintRowsByKey } from '../views/mint-rows.ts'
import type { Rows, RowsByKey } from '../views/rows-by-key.ts'
import { HandedOver, standAt, standingOf, type TaskStanding } from './replay-state.ts'

/** A recording has no forks, so that no undo is needed. */
const WITHOUT_UNDO: EngineLimits = { ...DEFAULT_LIMITS, undoFramesMax: 0 }

/** Results of one frame, in position order. */
export interface ReplayedFrame<Event extends ChainEvent = TapeEvent> {
  readonly tape: BatchOf<Event>
  readonly conclusions: readonly Conclusion[]
}

/** The newest frame, and its tick time, unix seconds. */
type Tick = Pick<TapeHeader, 'number' | 'time'>

/** A topology whose tape has these events. */
interface Replayed<Event extends ChainEvent> extends Topology {
  readonly chain: ChainDefinition<Event>
  folds(partitions: number): ReturnType<Topology['folds']> & TaskDefinition<Event, TapeHeader>
}

/** The folds of a replay. Feed it frames or tape batches in order; read the rows between any two. */
export class ChainReplay<Event extends ChainEvent> {
  readonly #topics: { readonly tape: Topic; readonly deadLetters: Topic }
  readonly #chain: ChainDefinition<Event>
  readonly #decode: Task<RawFrame, FrameHeader>
  readonly #folds: readonly Task<Event, TapeHeader>[]
  readonly #handed: readonly HandedOver<Event, TapeHeader>[]
  readonly #partitionOf: (key: string) => number
  #offset = 0
  #deadLetters = 0
  #tape: BatchOf<Event> | undefined

  /** Pass limits with undo if frames may be rolled back. */
  constructor(topology: Replayed<Event>, partitions = 1, limits: EngineLimits = WITHOUT_UNDO) {
    this.#chain = topology.chain
    this.#topics = { ...inputsOf(topology), ...topology.operations.letters.reads }
    this.#decode = new Task(topology.decode(1), 0, limits)
    const folds: Task<Event, TapeHeader>[] = Array.from(
      { length: partitions },
      (_, partition) =>
        new Task<Event, TapeHeader>(topology.folds(partitions), partition, limits, {
          handOver: (batch, to) => this.#handed[to]?.offer(batch),
        }),
    )
    this.#folds = folds
    this.#handed = folds.map((_, partition) => new HandedOver(() => folds[partition]))
    this.#partitionOf = createPartitioner(partitions, (key) => topology.chain.keys.print(key as Key))
  }
  /** Dead letters so far. */
  get deadLetters(): number {
    return this.#deadLetters
  }
  /** The newest folded frame. */
  get tape(): BatchOf<Event> | undefined {
    return this.#tape
  }
  /** State of the folds; read it between two frames. */
  get standing(): readonly TaskStanding[] {
    return this.#folds.map((task, partition) => standingOf(task, this.#handed[partition] as HandedOver<Event, TapeHeader>))
  }
  /** Continues from the state of another replay; call it before anything is folded. */
  restore(standing: readonly TaskStanding[]): void {
    for (const [partition, task] of this.#folds.entries())
      standAt(task, this.#handed[partition] as HandedOver<Event, TapeHeader>, standing[partition] as TaskStanding)
  }
  /** Rows of a processor, in each partition. */
  stores(processor: string): readonly Store[] {
    return this.#folds.map((task) => task.store(processor))
  }
  /** Context of cards at the newest tick; undefined before the first. */
  get moment():
    | {
        readonly asOf: number
        readonly tip: Tick
        readonly gap: { readonly from: number; readonly to: number } | null
        readonly callsUnseenAt: number | null
      }
    | undefined {
    if (this.#tape === undefined) return undefined
    const { number, time, gapFrom, gapTo } = this.#tape
    const gap = gapFrom === null || gapTo === null ? null : { from: gapFrom, to: gapTo }
    return { asOf: time, tip: { number, time }, gap, callsUnseenAt: this.#callsUnseenAt }
  }
  get #callsUnseenAt(): number | null {
    const store = this.#decode.store(this.#chain.decoder.processor.name)
    const [rows, kind] = [store.find(this.#chain.name), store.type.byName.get('tip')]
    if (rows === undefined || kind === undefined) return null
    return (store.read(rows, kind, undefined) as TipRow | undefined)?.callsUnseenAt ?? null
  }
  /** Current rows of all keys of a processor, by key. */
  rowsOf<State, One extends Rows<State>>(processor: string, create: (type: StateType) => RowsByKey<State, One>): readonly One[] {
    const stores = this.stores(processor)
    const rows = create((stores[0] as Store).type)
    const keys = new Set<Key>()
    for (const store of stores)
      for (const record of store.snapshot()) {
        const { key, page } = parsePageKey(record.key)
        rows.put(key as Key, page, record.value, 0)
        keys.add(key as Key)
      }
    return [...keys].sort().map((key) => rows.get(key) as One)
  }
  /** Folds a raw frame, or a part of one: undefined until the last part. */
  frame(body: RawFrame): ReplayedFrame<Event> | undefined {
    const tape = this.decode(body)
    return tape && this.batch(tape)
  }
  /** Decodes a raw frame, or a part of one (undefined until the last part), without folding it. */
  decode(body: RawFrame): BatchOf<Event> | undefined {
    const tape = this.#decoded(body)
    return tape?.type === 'batch' ? tape : undefined
  }
  /** Folds a fork or a finality update; returns the retractions. */
  control(body: Revert | Finality): readonly Conclusion[] {
    const tape = this.#decoded(body)
    assert(tape !== undefined, 'a decoder forwards every control record')
    return this.#fold(this.#folds.map(() => tapeInput(tape)))
  }
  /** Folds one frame of the tape. */
  batch(tape: BatchOf<Event>): ReplayedFrame<Event> {
    this.#tape = tape
    const parts: Event[][] = this.#folds.length === 1 ? [tape.events] : this.#folds.map(() => [])
    if (this.#folds.length > 1)
      for (const event of tape.events) (parts[this.#partitionOf(this.#chain.tape.keyOf(event))] as Event[]).push(event)
    return { tape, conclusions: this.#fold(parts.map((events) => ({ type: 'frame', frame: { header: tape, events } }))) }
  }
  #decoded(body: RawRecord['body']): TapeRecordOf<Event> | undefined {
    const value = rawRecordCodec.encode({ sequence: this.#offset, body })
    this.#decode.step({ offset: this.#offset++, key: Buffer.alloc(0), value })
    const outputs = this.#decode.takeOutputs()
    this.#deadLetters += outputs.filter((record) => record.topic === this.#topics.deadLetters).length
    const tape = outputs.find((record) => record.topic === this.#topics.tape)
    if (tape?.value == null) return undefined
    const read = this.#chain.tape.codec.decode(tape.value)
    assert(read.ok, 'own tape records are readable')
    return read.value
  }
  /** Folds one input in every partition. Tasks may run one after the other: facts that they send in a frame apply at a later frame. */
  #fold(inputs: readonly Input<Event, TapeHeader>[]): readonly Conclusion[] {
    const outputs: Conclusion[] = []
    for (const [partition, task] of this.#folds.entries()) {
      task.take(inputs[partition] as Input<Event, TapeHeader>)
      outputs.push(...task.takeOutputs().map((record) => conclusionOf(record, this.#chain)))
    }
    return outputs.sort(compareConclusions)
  }
}

/** For a chain whose launchpad creates mints. */
export class Replay extends ChainReplay<TapeEvent> {
  readonly #context: CardContext

  constructor(topology: MintTopology, partitions?: number, limits?: EngineLimits) {
    super(topology, partitions, limits)
    this.#context = topology
  }
  /** Current rows of every mint, by mint. */
  mints(): readonly MintSnapshot[] {
    return this.rowsOf(MINT, (type) => new MintRowsByKey(type))
  }
  /** Card evidence of every mint at the newest tick, by mint. */
  cards(): readonly { readonly mint: string; readonly evidence: ReturnType<typeof mintEvidence> }[] {
    const { moment } = this
    if (moment === undefined) return []
    return this.mints().map(({ mint, state }) => ({ mint: keyText(mint), evidence: mintEvidence(mint, state, moment, this.#context) }))
  }
}

const conclusionOf = (record: OutRecord, { conclusions }: Pick<ChainDefinition, 'conclusions'>): Conclusion => {
  const read = conclusions.codec.decode(record.value as Uint8Array)
  assert(read.ok, 'own conclusions are readable')
  return read.value
}
const compareConclusions = (a: Conclusion, b: Conclusion): number => comparePositions(a, b) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
