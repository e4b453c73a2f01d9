// The Context of a task. The task has one, which is pointed at an aggregate before each call of the processor.
import type { Context, FactBody, FactType, RowKinds } from '../../processors/contract.ts'
import { assert } from '../../schemas/errors.ts'
import type { Aggregate } from './rows/aggregate.ts'
import type { Row } from './rows/row.ts'
import type { Kind } from './rows/state-type.ts'
import type { Store } from './rows/store.ts'
import type { TimerHeap } from './timers.ts'

/** Reused for every call: processors must not keep it. */
export class TaskContext<Rows extends RowKinds, Output> implements Context<Rows, Output, FactType> {
  readonly #store: Store
  readonly #timers: TimerHeap
  readonly #emit: (key: string, output: Output) => void
  readonly #send: (key: string, toKey: string, body: FactBody) => void
  #aggregate: Aggregate | undefined
  key = ''

  constructor(
    store: Store,
    timers: TimerHeap,
    emit: (key: string, output: Output) => void,
    send: (key: string, toKey: string, body: FactBody) => void,
  ) {
    this.#store = store
    this.#timers = timers
    this.#emit = emit
    this.#send = send
  }
  point(key: string): this {
    this.key = key
    this.#aggregate = this.#store.find(key)
    return this
  }
  read<K extends keyof Rows & string>(kind: K, id?: string | number): Readonly<Rows[K]> | undefined {
    return this.#aggregate && (this.#store.read(this.#aggregate, this.#kind(kind), id) as Rows[K] | undefined)
  }
  edit<K extends keyof Rows & string>(kind: K, id?: string | number, initial?: () => Rows[K]): Rows[K] {
    return this.#store.edit(this.#own(), this.#kind(kind), id, initial as (() => Row) | undefined) as Rows[K]
  }
  remove<K extends keyof Rows & string>(kind: K, id?: string | number): void {
    if (this.#aggregate) this.#store.remove(this.#aggregate, this.#kind(kind), id)
  }
  rows<K extends keyof Rows & string>(kind: K): Iterable<Readonly<Rows[K]>> {
    return this.#aggregate ? (this.#store.rows(this.#aggregate, this.#kind(kind)) as Iterable<Rows[K]>) : []
  }
  count<K extends keyof Rows & string>(kind: K): number {
    return this.#aggregate ? this.#store.count(this.#aggregate, this.#kind(kind)) : 0
  }
  emit(output: Output): void {
    this.#emit(this.key, output)
  }
  send(toKey: string, body: FactBody): void {
    this.#send(this.key, toKey, body)
  }
  schedule(name: string, due: number): void {
    assert(Number.isSafeInteger(due), `timer ${name}: due is whole unix seconds`)
    const row = this.#store.edit(this.#own(), this.#store.type.timers, name, () => ({ name, due }))
    row.due = due
    this.#timers.push({ due, store: this.#store.name, key: this.key, name })
  }
  forget(keep: readonly (keyof Rows & string)[] = []): void {
    const aggregate = this.#aggregate
    if (aggregate === undefined) return
    const kept = new Set<string>(keep)
    for (const kind of this.#store.type.kinds) {
      if (kept.has(kind.name)) continue
      if (kind.idField === undefined) this.#store.remove(aggregate, kind, undefined)
      else
        for (const row of [...this.#store.rows(aggregate, kind)]) this.#store.remove(aggregate, kind, row[kind.idField] as string | number)
    }
  }
  #own(): Aggregate {
    this.#aggregate ??= this.#store.aggregate(this.key)
    return this.#aggregate
  }
  #kind(name: string): Kind {
    const kind = this.#store.type.byName.get(name)
    assert(kind !== undefined, `no kind of row is called ${name}`)
    return kind
  }
}
