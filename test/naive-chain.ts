// The model of a whole chain: several processors on naive engines, messages between their keys, and forks by starting over. It has one
// task, no log, and every frame in memory; the rule when messages apply is implemented a second time, over the list of frames.
import type { FrameHeader, Processor, RowKinds } from '../processors/contract.ts'
import { comparePositions } from '../schemas/position.ts'
import type { Fact } from '../schemas/types.ts'
import { compareText, NaiveEngine, type PositionedOutput } from './naive-context.ts'

type Placed = { readonly tx: number; readonly outer: number; readonly inner: number }
type AnyProcessor<Event, Header extends FrameHeader> = Processor<RowKinds, Event, unknown, Header>
type Engine<Event extends Placed, Header extends FrameHeader> = NaiveEngine<RowKinds, Event, unknown, Header>

/** A frame with its events in order. */
export interface NaiveFrame<Event, Header> {
  readonly header: Header
  readonly events: readonly Event[]
}
/** An output with its frame and processor. */
export interface NaiveOutput extends PositionedOutput<unknown> {
  readonly processor: string
  readonly hash8: string
}

/** The processors' results for exactly these frames, without a fork in between. `framesPerEpoch` as in the repartition. */
export class NaiveChain<Event extends Placed, Header extends FrameHeader> {
  readonly outputs: NaiveOutput[] = []
  readonly engines: ReadonlyMap<string, Engine<Event, Header>>
  readonly #names: readonly string[]

  constructor(processors: readonly AnyProcessor<Event, Header>[], framesPerEpoch: number, frames: readonly NaiveFrame<Event, Header>[]) {
    this.engines = new Map(processors.map((processor) => [processor.name, new NaiveEngine(processor, frames[0]?.header.time)]))
    this.#names = [...this.engines.keys()].sort()
    /** By the index of the frame in which they apply. */
    const due = new Map<number, Fact[]>()
    for (const [i, { header, events }] of frames.entries()) {
      const sent = this.#frame(header, events, (due.get(i) ?? []).sort(compareFacts))
      const at = sent.length === 0 ? undefined : appliesIn(frames, i, framesPerEpoch)
      if (at !== undefined) due.set(at, [...(due.get(at) ?? []), ...sent])
    }
  }
  /** Messages sent in the frame. */
  #frame(header: Header, events: readonly Event[], facts: readonly Fact[]): Fact[] {
    const before = new Map([...this.engines].map(([name, { outputs, sent }]) => [name, { outputs: outputs.length, sent: sent.length }]))
    for (const event of events) for (const name of this.#names) this.#engine(name).event(header, event)
    for (const fact of facts) this.#engine(fact.to).fact(header, fact)
    this.#fireTimers(header)
    for (const [name, { outputs }] of this.engines)
      for (const one of outputs.slice(before.get(name)?.outputs)) this.outputs.push({ ...one, processor: name, hash8: header.hash8 })
    return [...this.engines].flatMap(([name, { sent }]) => sent.slice(before.get(name)?.sent))
  }
  #fireTimers(header: Header): void {
    for (;;) {
      const [first] = this.#names
        .flatMap((name) => ({ name, timer: this.#engine(name).nextDue(header.time) }))
        .flatMap(({ name, timer }) => (timer === undefined ? [] : [{ name, timer }]))
        .sort((a, b) => a.timer.due - b.timer.due || compareText(a.name, b.name))
      if (first === undefined) return
      this.#engine(first.name).fire(header, first.timer)
    }
  }
  #engine(name: string): Engine<Event, Header> {
    return this.engines.get(name) as Engine<Event, Header>
  }
}

/**
 * Index of the frame at whose tick a message applies that frame `sentIn` sent; undefined while there is no such frame. After the first
 * frame of another epoch, it is the first whose number is at least the last number of the epoch after that of `sentIn`.
 */
const appliesIn = (
  frames: readonly { readonly header: { readonly number: number } }[],
  sentIn: number,
  framesPerEpoch: number,
): number | undefined => {
  const epochOf = (i: number): number => Math.floor((frames[i]?.header.number ?? 0) / framesPerEpoch)
  const epoch = epochOf(sentIn)
  const closing = frames.findIndex((_, i) => i > sentIn && epochOf(i) !== epoch)
  if (closing < 0) return undefined
  const at = frames.findIndex(({ header }, i) => i > closing && header.number >= (epoch + 2) * framesPerEpoch - 1)
  return at < 0 ? undefined : at
}

const compareFacts = (a: Fact, b: Fact): number =>
  comparePositions(a, b) || compareText(a.from, b.from) || compareText(a.fromKey, b.fromKey) || a.n - b.n
