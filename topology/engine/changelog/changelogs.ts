// The changelogs of a task's stores: the records that a commit writes to them.
import type { Topic } from '../../../schemas/topics.ts'
import type { OutRecord } from '../../ports/log.ts'
import type { PageRecord } from '../rows/aggregate.ts'
import type { Store } from '../rows/store.ts'
import type { Journal } from '../undo/journal.ts'
import { copiedUndo, type TypeOfStore, undoRecords } from '../undo/undo-record.ts'

/** A store and its changelog. */
interface LoggedStore {
  readonly store: Store
  readonly changelog: Topic
}

export interface ChangelogParts {
  readonly id: string
  readonly partition: number
  readonly journal: Journal
  /** The task's own rows come first; their changelog also holds the undo. */
  readonly stores: readonly [LoggedStore, ...LoggedStore[]]
}

export class Changelogs {
  readonly #parts: ChangelogParts
  readonly #undo: PageRecord[] = []
  readonly #typeOf: TypeOfStore = (name) => {
    const { stores } = this.#parts
    return (stores.find(({ store }) => store.name === name) ?? stores[0]).store.type
  }

  constructor(parts: ChangelogParts) {
    this.#parts = parts
  }
  get topics(): readonly Topic[] {
    return this.#parts.stores.map(({ changelog }) => changelog)
  }
  /** Packs for `take` in steps, so that the caller can spread the work. No record may be folded before the last step. */
  *packing(): Iterable<void> {
    const { journal, id, stores } = this.#parts
    for (const { store } of stores) yield* store.packing()
    for (const record of undoRecords(journal, id, this.#typeOf)) yield void this.#undo.push(record)
  }
  /** The current undo, for a copy of the rows. */
  copiedUndo(): Iterable<PageRecord> {
    return copiedUndo(this.#parts.journal, this.#parts.id, this.#typeOf)
  }
  /** Appends the packed records to `outputs`; returns the pages by store. */
  take(outputs: OutRecord[]): ReadonlyMap<string, readonly PageRecord[]> {
    const { partition, stores } = this.#parts
    const written = new Map<string, readonly PageRecord[]>()
    const write = (topic: Topic, pages: readonly PageRecord[]): void => {
      for (const { key, value } of pages) outputs.push({ topic, partition, key, value })
    }
    for (const { store, changelog } of stores) {
      const pages = store.takeDirty()
      written.set(store.name, pages)
      write(changelog, pages)
    }
    write(stores[0].changelog, this.#undo.splice(0))
    return written
  }
}
