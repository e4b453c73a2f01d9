// Copies of all rows of a task, made while it folds: a rebuild starts from one, and then needs the tape only from there on.
//
// A copy is spread over many commits. Each adds the state of some keys after that commit, and every page that the commit itself wrote: once
// all keys were visited, the copy equals the rows after the last of these commits, and includes the undo of that moment.
import { baseCodec } from '../../../schemas/codecs.ts'
import type { Topic } from '../../../schemas/topics.ts'
import type { BaseMark, BasePage, CursorRow } from '../../../schemas/types.ts'
import type { OutRecord } from '../../ports/log.ts'
import { type EngineLimits, UNDO_PAGE_BYTES_MAX } from '../limits.ts'
import type { PageRecord } from '../rows/aggregate.ts'
import { parsePageKey } from '../rows/state-type.ts'
import type { Store } from '../rows/store.ts'

/** A store with the version of its processor. */
export interface VersionedStore {
  readonly store: Store
  readonly version: number
}

/** A commit, as input of a copy. */
export interface CopiedCommit {
  readonly cursor: Readonly<CursorRow>
  /** Next offset of each input; the turn of the newest copy is stored with them. */
  readonly inputs: Map<string, number>
  /** The undo after the commit. */
  readonly undo: () => Iterable<PageRecord>
  /** Pages that the commit writes, by store. */
  readonly written: ReadonlyMap<string, readonly PageRecord[]>
}

interface Copy {
  readonly time: number
  /** Keys not visited yet, beginning with `next`. */
  readonly left: Iterator<readonly [Store, string]>
  next: IteratorResult<readonly [Store, string]>
}

/** The name under which the turn of the newest copy is stored with the input offsets. */
export const baseTurnName = ({ name }: Topic, partition: number): string => `${name}/${partition}`

export class Bases {
  readonly #topic: Topic
  readonly #id: string
  readonly #partition: number
  readonly #stores: readonly VersionedStore[]
  readonly #limits: Pick<EngineLimits, 'baseIntervalS' | 'basePagesMax'>
  #copy: Copy | undefined
  /** Turn of the newest complete copy: tick time / interval. */
  #turn = -1

  constructor(
    topic: Topic,
    { id, partition }: { readonly id: string; readonly partition: number },
    stores: readonly VersionedStore[],
    limits: Pick<EngineLimits, 'baseIntervalS' | 'basePagesMax'>,
  ) {
    this.#topic = topic
    this.#id = id
    this.#partition = partition
    this.#stores = stores
    this.#limits = limits
  }
  /** Continues after a restore; an unfinished copy starts over. */
  begin(turn: number): void {
    this.#turn = turn
  }
  /** Appends the commit's part of a copy to `outputs`, if a copy is due or under way. Call it once all rows of the commit are packed. */
  take(commit: CopiedCommit, outputs: OutRecord[]): void {
    const isUnderWay = this.#copy !== undefined
    if (isUnderWay || this.#isDue(commit.cursor)) this.#continue(commit, isUnderWay, outputs)
    if (this.#turn >= 0) commit.inputs.set(baseTurnName(this.#topic, this.#partition), this.#turn)
  }

  #continue(commit: CopiedCommit, isUnderWay: boolean, outputs: OutRecord[]): void {
    const pages: BasePage[] = []
    this.#copy ??= this.#begin(commit.cursor.time)
    if (isUnderWay) for (const [store, written] of commit.written) for (const page of written) pages.push(basePage(store, page))
    const copy = this.#copy
    for (let room = this.#limits.basePagesMax; room > 0 && !copy.next.done; copy.next = copy.left.next()) {
      const [store, key] = copy.next.value
      const visited = store.pagesOf(key)
      for (const page of visited) pages.push(basePage(store.name, page))
      room -= Math.max(1, visited.length)
    }
    const isComplete = copy.next.done === true
    if (isComplete) for (const page of commit.undo()) pages.push(basePage('', page))
    outputs.push(...this.#records(copy, pages, !isUnderWay, isComplete ? this.#end(copy, commit) : null))
  }
  #begin(time: number): Copy {
    const left = keysOf(this.#stores)
    return { time, left, next: left.next() }
  }
  /** True at the first frame of a turn; rows that began within this turn need no copy, because the tape covers them. */
  #isDue({ time, since }: Readonly<CursorRow>): boolean {
    return this.#turnOf(time) > Math.max(this.#turn, this.#turnOf(since))
  }
  #turnOf(time: number): number {
    return Math.floor(time / this.#limits.baseIntervalS)
  }
  #end(copy: Copy, { cursor: { sequence, number, time }, inputs }: CopiedCommit): BaseMark {
    this.#turn = this.#turnOf(copy.time)
    this.#copy = undefined
    const stores = this.#stores.map(({ store: { name, type }, version }) => ({ name, version, schema: type.schema }))
    return { sequence, number, time, inputs: [...inputs].map(([name, offset]) => ({ name, offset })), stores }
  }
  #records({ time }: Copy, pages: readonly BasePage[], begins: boolean, mark: BaseMark | null): OutRecord[] {
    const groups: BasePage[][] = [[]]
    let bytes = 0
    for (const page of pages) {
      bytes += page.key.length + (page.value?.length ?? 0)
      if (bytes > UNDO_PAGE_BYTES_MAX) {
        groups.push([])
        bytes = 0
      }
      groups.at(-1)?.push(page)
    }
    const key = Buffer.from(this.#id)
    return groups.map((group, i) => {
      const ends = i === groups.length - 1 ? mark : null
      const value = baseCodec.encode({ time, begins: begins && i === 0, pages: group, mark: ends, cut: null })
      return { topic: this.#topic, partition: this.#partition, key, value }
    })
  }
}

function* keysOf(stores: readonly VersionedStore[]): Generator<readonly [Store, string], undefined> {
  for (const { store } of stores) for (const key of store.keys()) yield [store, key]
}

const basePage = (store: string, { key: bytes, value }: PageRecord): BasePage => {
  const { key, page } = parsePageKey(bytes)
  return { store, key: Buffer.from(key, 'latin1'), page, value }
}
