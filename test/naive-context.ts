// The model that an engine is compared with: one processor over plain maps, every row copied before it is changed, reads frozen.
// It has no log, no commits, no changelog, no undo and no limits.

import type { Context, FrameHeader, Processor, RowKinds } from '../processors/contract.ts'
import { comparePositions, type Position, tickOf } from '../schemas/position.ts'

type Row = Record<string, unknown>
type RowsByKind = Map<string, Map<string | number, Row>>

/** An output with where it was said. */
export interface Told<Output> {
  readonly key: string
  readonly position: Position
  readonly output: Output
}

/** Place of an event in its frame. */
type Placed = { readonly tx: number; readonly outer: number; readonly inner: number }

const SINGLE = ''
const TIMERS_PER_TICK_MAX = 100_000

export class NaiveEngine<Rows extends RowKinds, Event extends Placed, Output, Header extends FrameHeader> {
  readonly told: Told<Output>[] = []
  readonly #rows = new Map<string, RowsByKind>()
  readonly #timers = new Map<string, { readonly key: string; readonly name: string; readonly due: number }>()
  readonly #processor: Processor<Rows, Event, Output, Header>

  constructor(processor: Processor<Rows, Event, Output, Header>) {
    this.#processor = processor
  }
  /** Folds a frame: its events in position order, then the timers that are due at its tick. */
  frame(header: Header, events: readonly Event[]): void {
    for (const event of [...events].sort((a, b) => comparePositions(this.#position(header, a), this.#position(header, b)))) {
      const position = this.#position(header, event)
      this.#processor.apply(this.#context(this.#processor.keyOf(event), position), event, { position, header })
    }
    const position = tickOf(header.chain, header.number)
    for (let fired = 0; fired < TIMERS_PER_TICK_MAX; fired += 1) {
      const due = this.#nextDue(header.time)
      if (due === undefined) return
      this.#timers.delete(`${due.key}\n${due.name}`)
      this.#processor.onTime(this.#context(due.key, position), due.name, { position, header })
    }
    throw new Error(`more than ${TIMERS_PER_TICK_MAX} timers fired at one tick`)
  }
  /** Rows of an aggregate by kind, as copies, in order of their ids. */
  rows<K extends keyof Rows & string>(key: string, kind: K): Rows[K][] {
    const rows = this.#rows.get(key)?.get(kind) ?? new Map<string | number, Row>()
    return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => ({ ...row }) as Rows[K])
  }
  keys(): string[] {
    return [...this.#rows].filter(([, kinds]) => [...kinds.values()].some((rows) => rows.size > 0)).map(([key]) => key)
  }
  /** Timers that wait, by name. */
  timers(key: string): Record<string, number> {
    return Object.fromEntries([...this.#timers.values()].filter((timer) => timer.key === key).map(({ name, due }) => [name, due]))
  }
  #position({ chain, number }: Header, { tx, outer, inner }: Event): Position {
    return { chain, number, tx, outer, inner }
  }
  #nextDue(time: number) {
    const text = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
    return [...this.#timers.values()]
      .filter(({ due }) => due <= time)
      .sort((a, b) => a.due - b.due || text(a.key, b.key) || text(a.name, b.name))[0]
  }
  #context(key: string, position: Position): Context<Rows, Output> {
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
        if (old === undefined && initial === undefined) throw new Error(`edit of an absent ${kind} row without an initial one`)
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
        this.told.push({ key, position, output })
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
