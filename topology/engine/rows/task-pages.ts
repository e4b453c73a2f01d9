// The pages of one task, so that they are closed with it: partitions come and go, and the store of the process stays.
import type { KeyedPages, PageStore } from '../../ports/keyed-pages.ts'

export class TaskPages implements PageStore {
  readonly #store: PageStore
  readonly #opened: KeyedPages[] = []

  constructor(store: PageStore) {
    this.#store = store
  }
  open(): KeyedPages {
    const pages = this.#store.open()
    this.#opened.push(pages)
    return pages
  }
  /** Call once the task has ended. */
  close(): void {
    for (const pages of this.#opened.splice(0)) pages.close()
  }
}
