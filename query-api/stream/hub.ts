// Feeds all open streams from one timer; readers that are up to date share one rendered text.
import { comparePositions } from '../../schemas/position.ts'
import type { FlagFeed } from './feed.ts'
import { type Cursor, type Entry, isOnePlace } from './flag-pages.ts'
import type { StreamReader } from './reader.ts'

/** Interval between reads for flags that are now old enough. */
export const TICK_MS = 1_000
/** Entries per read: about 300 KB. */
const PAGE_ENTRIES_MAX = 400
/** A reader that resumes receives at most this many retractions from before its position: the newest. */
const RETRACTED_SENT_MAX = 1_000

export class Hub {
  readonly #feed: FlagFeed
  readonly #now: () => number
  readonly #readers = new Set<StreamReader>()
  /** Ids of retractions already sent, or already present when the first reader connected. */
  #retracted: ReadonlySet<string> = new Set()
  #cursor: Cursor | undefined
  #timer: NodeJS.Timeout | undefined

  /** @param now wall milliseconds. */
  constructor(feed: FlagFeed, now: () => number) {
    this.#feed = feed
    this.#now = now
  }
  get size(): number {
    return this.#readers.size
  }
  /** The cursor of a reader without a start; null while the stores are not ready. */
  begin(): Cursor | null {
    if (this.#readers.size > 0 && this.#cursor !== undefined) return this.#cursor
    const newest = this.#feed.newest()
    if (newest === null) return null
    this.#cursor = newest
    this.#retracted = new Set(Array.from(this.#feed.retractedUpTo(newest), ({ findingId }) => findingId))
    return newest
  }
  add(reader: StreamReader): void {
    this.#readers.add(reader)
    this.#timer ??= setInterval(() => this.tick(), TICK_MS)
    this.#timer.unref()
    this.#catchUp(reader, this.#now())
  }
  remove(reader: StreamReader): void {
    this.#readers.delete(reader)
    if (this.#readers.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
  /** Ends every stream gracefully. */
  close(): void {
    for (const reader of this.#readers) reader.end()
  }
  /** Retractions up to a position, as text, for a reader that resumes there. */
  retractedText(position: Cursor): string {
    const entries = Array.from(this.#feed.retractedUpTo(position), (record) => ({ isRetracted: true, record }))
    return entries
      .slice(-RETRACTED_SENT_MAX)
      .map((entry) => this.#feed.textOf(entry, false))
      .join('')
  }
  /** Sends the flags that are now old enough, and retractions since the last tick. */
  tick(): void {
    const before = this.#cursor
    if (before === undefined) return
    const nowMs = this.#now()
    const { entries, cursor } = this.#feed.after(before, PAGE_ENTRIES_MAX)
    this.#cursor = cursor
    const changed = this.#changed(before, cursor)
    const fresh = textOf(this.#feed, entries)
    for (const reader of this.#readers) {
      this.#sendChanged(reader, changed, nowMs)
      if (isSame(reader.cursor, before) && !reader.isStalled) {
        if (fresh !== '') reader.send(fresh, nowMs)
        reader.cursor = cursor
      } else this.#catchUp(reader, nowMs)
      reader.tick(nowMs)
    }
  }

  /** Retractions since the last tick, of flags up to `before`. Those of later flags are part of the next entries, in order. */
  #changed(before: Cursor, cursor: Cursor): readonly Entry[] {
    const now = Array.from(this.#feed.retractedUpTo(cursor), (record) => ({ isRetracted: true, record }))
    const known = this.#retracted
    this.#retracted = new Set(now.map(({ record }) => record.findingId))
    return now.filter(({ record }) => !known.has(record.findingId) && comparePositions(record, before) <= 0)
  }
  #sendChanged(reader: StreamReader, changed: readonly Entry[], nowMs: number): void {
    const seen = changed.filter(({ record }) => comparePositions(record, reader.cursor) <= 0)
    if (seen.length > 0) reader.send(seen.map((entry) => this.#feed.textOf(entry, false)).join(''), nowMs)
  }
  /** Sends a page to a reader that is behind the others; a reader ahead of them waits until they reach it. */
  #catchUp(reader: StreamReader, nowMs: number): void {
    const here = this.#cursor
    if (reader.isStalled || here === undefined || comparePositions(reader.cursor, here) >= 0) return
    const page = this.#feed.after(reader.cursor, PAGE_ENTRIES_MAX)
    const upTo = page.entries.filter(({ record }) => comparePositions(record, here) <= 0)
    if (upTo.length > 0) reader.send(textOf(this.#feed, upTo), nowMs)
    reader.cursor = upTo.length < page.entries.length || upTo.length === 0 ? here : page.cursor
  }
}

const isSame = (one: Cursor, other: Cursor): boolean => comparePositions(one, other) === 0

const textOf = (feed: FlagFeed, entries: readonly Entry[]): string =>
  entries.map((entry, index) => feed.textOf(entry, !isOnePlace(entry, entries[index + 1]))).join('')
