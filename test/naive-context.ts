// The reference model of an engine: one processor over plain maps, every row copied before it is changed, reads frozen. It has no log,
// commits, changelog, rollback or limits; its messages are not delivered (test/naive-chain.ts delivers them).

import type { At, Context, FactBody, FactType, FrameHeader, Processor, RowKinds } from '../processors/contract.ts'
import type { Key } from '../schemas/keys.ts'
import { comparePositions, type Position, tickOf } from '../schemas/position.ts'
import type { Fact } from '../schemas/types.ts'

type Row = Record<string, unknown>
type RowsByKind = Map<string, Map<string | number, Row>>

/** An output with its position. */
export interface PositionedOutput<Output> {
  readonly key: string
  readonly position: Position
  readonly output: Output
}

/** A pending timer. */
export interface Due {
  readonly key: string
  readonly name: string
  readonly due: number
}

/** Position of an event in its frame. */
type Placed = { readonly tx: number; readonly outer: number; readonly inner: number }

const SINGLE = ''
const TIMERS_PER_TICK_MAX = 100_000

export class NaiveEngine<Rows extends RowKinds, Event extends Placed, Output, Header extends FrameHeader> {
  readonly outputs: PositionedOutput<Output>[] = []
  /** Messages to other keys, in sending order. */
  readonly sent: Fact[] = []
  /** Number of messages by position and sender. */
  readonly #sentFrom = new Map<string, number>()
  readonly #rows = new Map<string, RowsByKind>()
  readonly #timers = new Map<string, Due>()
  readonly #processor: Processor<Rows, Event, Output, Header>
  readonly #sends: Readonly<Partial<Record<FactType, string>>>
  #since: number | undefined

  /** `since` is the tick time of the first frame, if this engine may not be the first to see one. */
  constructor(processor: Processor<Rows, Event, Output, Header>, since?: number) {
    this.#processor = processor
    this.#sends = processor.sends
    this.#since = since
  }
  /** Folds a frame: its events in position order, then the timers that are due at its tick. */
  frame(header: Header, events: readonly Event[]): void {
    for (const event of [...events].sort((a, b) => comparePositions({ ...header, ...a }, { ...header, ...b }))) this.event(header, event)
    for (let fired = 0; fired < TIMERS_PER_TICK_MAX; fired += 1) {
      const due = this.nextDue(header.time)
      if (due === undefined) return
      this.fire(header, due)
    }
    throw new Error(`more than ${TIMERS_PER_TICK_MAX} timers fired at one tick`)
  }
  event(header: Header, event: Event): void {
    const key = this.#processor.keyOf?.(event)
    const position = { chain: header.chain, number: header.number, tx: event.tx, outer: event.outer, inner: event.inner }
    if (key !== undefined) this.#processor.apply?.(this.#context(key, position), event, this.#at(position, header))
  }
  fact(header: Header, fact: Fact): void {
    const position = tickOf(header.chain, header.number)
    this.#processor.onFact?.(this.#context(fact.toKey, position), fact, this.#at(position, header))
  }
  fire(header: Header, due: Due): void {
    const position = tickOf(header.chain, header.number)
    this.#timers.delete(`${due.key}\n${due.name}`)
    this.#processor.onTime(this.#context(due.key, position), due.name, this.#at(position, header))
  }
  /** Rows of an aggregate by kind, as copies, in order of their ids. */
  rows<K extends keyof Rows & string>(key: string, kind: K): Rows[K][] {
    const rows = this.#rows.get(key)?.get(kind) ?? new Map<string | number, Row>()
    return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => ({ ...row }) as Rows[K])
  }
  keys(): string[] {
    return [...this.#rows].filter(([, kinds]) => [...kinds.values()].some((rows) => rows.size > 0)).map(([key]) => key)
  }
  /** Pending timers, by name. */
  timers(key: string): Record<string, number> {
    return Object.fromEntries([...this.#timers.values()].filter((timer) => timer.key === key).map(({ name, due }) => [name, due]))
  }
  nextDue(time: number): Due | undefined {
    let next: Due | undefined
    for (const timer of this.#timers.values()) if (timer.due <= time && (next === undefined || compareDue(timer, next) < 0)) next = timer
    return next
  }
  #at(position: Position, header: Header): At<Header> {
    this.#since ??= header.time
    return { position, header, since: this.#since }
  }
  #send(fact: Omit<Fact, 'n' | 'from'>): void {
    const { fromKey, number, tx, outer, inner } = fact
    const place = `${[number, tx, outer, inner]} ${fromKey}`
    const n = this.#sentFrom.get(place) ?? 0
    this.#sentFrom.set(place, n + 1)
    this.sent.push({ ...fact, from: this.#processor.name, n })
  }
  #context(key: string, position: Position): Context<Rows, Output, FactType> {
    const kinds = this.#rows.get(key) ?? new Map<string, Map<string | number, Row>>()
    this.#rows.set(key, kinds)
    const open = new Set<Row>()
    const of = (kind: string): Map<string | number, Row> => {
      const rows = kinds.get(kind) ?? new Map<string | number, Row>()
      kinds.set(kind, rows)
      return rows
    }
    const frozen = <K extends keyof Rows>(row: Row): Readonly<Rows[K]> => Object.freeze({ ...row }) as unknown as Readonly<Rows[K]>
    return {
      key,
      read: (kind, id = SINGLE) => {
        const row = of(kind).get(id)
        return row && frozen(row)
      },
      edit: (kind, id = SINGLE, initial) => {
        const rows = of(kind)
        const old = rows.get(id)
        if (old === undefined && initial === undefined) throw new Error(`edit of an absent ${kind} row without an initial value`)
        if (old !== undefined && open.has(old)) return old as Rows[typeof kind]
        const row = { ...(old ?? initial?.()) } as Row
        rows.set(id, row)
        open.add(row)
        return row as Rows[typeof kind]
      },
      remove: (kind, id = SINGLE) => {
        of(kind).delete(id)
      },
      *rows(kind) {
        for (const row of of(kind).values()) yield frozen(row)
      },
      count: (kind) => of(kind).size,
      emit: (output) => {
        this.outputs.push({ key, position, output })
      },
      send: (toKey, body: FactBody) => {
        const to = this.#sends[body.type]
        if (to === undefined) throw new Error(`${this.#processor.name} does not name the receiver of its ${body.type}`)
        const { number, tx, outer, inner } = position
        this.#send({ number, tx, outer, inner, fromKey: key as Key, to, toKey: toKey as Key, body })
      },
      schedule: (name, due) => {
        if (!Number.isSafeInteger(due)) throw new Error(`timer ${name}: due is whole unix seconds, got ${due}`)
        this.#timers.set(`${key}\n${name}`, { key, name, due })
      },
      forget: (keep = []) => {
        for (const kind of kinds.keys()) if (!keep.includes(kind)) kinds.delete(kind)
        for (const [id, timer] of this.#timers) if (timer.key === key) this.#timers.delete(id)
      },
    }
  }
}

const compareDue = (a: Due, b: Due): number => a.due - b.due || compareText(a.key, b.key) || compareText(a.name, b.name)

/** Text order of the engine. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
