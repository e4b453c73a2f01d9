// Common part of the API's views of all chains: follows the topics of the folds, and reports its progress.

import type { ConclusionForm } from '../../schemas/record-forms.ts'
import type { Topic, Topics } from '../../schemas/topics.ts'
import type { Progress, TipRow } from '../../schemas/types.ts'
import { parsePageKey, type StateType } from '../engine/rows/state-type.ts'
import { readKept } from '../logs/read-kept.ts'
import type { ChainView, Detection, FlagRecord, ViewFinality, ViewLags, ViewStatus } from '../ports/chain-view.ts'
import type { Log, LogRecord } from '../ports/log.ts'
import type { Notice } from '../ports/notice.ts'
import type { SourceStatus } from '../ports/source-status.ts'
import { Offsets } from './offsets.ts'
import { Rounds } from './rounds.ts'
import { FoldedTasks } from './status/folded.ts'
import { lagsOf } from './status/lags.ts'
import { DetectionTimes } from './status/latency.ts'
import { FlagRecordFeed } from './status/sighting-feed.ts'
import { flagOf } from './status/sightings.ts'
import { countersOf, gapOf, lettersOf, tipStatus } from './status/status-parts.ts'
import { Together } from './status/together.ts'
import { StoresWatch } from './stores-watch.ts'

/** Limits of the list of flags. At ten times the current load there are about 75,000 flags in 6 h. */
const FLAGS = { keepS: 21_600, keepMax: 150_000 }
const READ = { recordsMax: 1_000, bytesMax: 8 * 1024 * 1024 }

/** Topics that every view reads. */
type ViewTopics = Pick<Topics, 'stores' | 'rebuilds' | 'flags' | 'progress' | 'decodeChangelog' | 'deadLetters'>

/** An additional topic of a view. */
interface Followed {
  readonly topic: Topic
  /** Receives each record once, in partition order. */
  put(record: LogRecord, partition: number): void
  /** Clears everything before the topic is read again from the start. */
  clear(): void
  /** Called when the whole topic was read for the first time. */
  check?(): void
}

export interface LogViewOptions {
  readonly log: Log
  readonly topics: ViewTopics
  readonly source: SourceStatus
  /** Unix milliseconds. */
  readonly wall: () => number
  readonly notice: Notice
  readonly conclusions: ConclusionForm
  /** Row shape of the decoder. */
  readonly decode: StateType
  /** In reading order: conclusions before the rows they refer to. */
  readonly followed: readonly Followed[]
  /** Mints or curves with rows. */
  readonly tracked: () => number
}

/** Follows one log. Shows only committed records. */
export class LogView implements ChainView {
  readonly #options: LogViewOptions
  readonly #log: Log
  readonly #topics: ViewTopics
  readonly #all: readonly Topic[]
  readonly #source: SourceStatus
  readonly #flags: FlagRecordFeed<FlagRecord>
  readonly #tasks: FoldedTasks
  readonly #offsets = new Offsets()
  /** Number of dead letters, as far back as the log keeps them. */
  #deadLetters = 0
  #tip: TipRow | undefined
  #ready = false
  /** True if the view began while rows were being swapped in, and has not read all of them. */
  #isMixed = false
  readonly #together = new Together()
  readonly #stores = new StoresWatch()
  readonly #detection: DetectionTimes
  readonly #notice: Notice
  readonly #rounds: Rounds
  #unsubscribe: (() => void) | undefined

  constructor(options: LogViewOptions) {
    const { log, topics, source, wall, notice, conclusions, followed } = options
    this.#options = options
    this.#notice = notice
    this.#rounds = new Rounds({ name: 'changelogs', notice, wall }, () => this.#readOn())
    this.#log = log
    this.#topics = topics
    this.#all = [...new Set([...Object.values(topics), ...followed.map(({ topic }) => topic)])]
    this.#source = source
    this.#flags = new FlagRecordFeed({ ...FLAGS, form: conclusions, read: flagOf, idOf: ({ findingId }) => findingId })
    this.#detection = new DetectionTimes(source, wall)
    this.#tasks = new FoldedTasks(source)
  }
  /** Reads everything that is there, then follows each commit. Resolves when the rows are complete. */
  async start(): Promise<void> {
    this.#unsubscribe = this.#log.onCommit((topics) => {
      this.#detection.look()
      if (this.#all.some(({ name }) => topics.has(name))) void this.#rounds.ask().catch(() => {})
    })
    await this.#rounds.ask()
  }
  /** Rejects with a failure that no retry can fix; never resolves. Unreachable brokers are waited for. */
  get failed(): Promise<never> {
    return this.#rounds.failed
  }
  /** Resolves when every commit known at the call is shown. */
  async caughtUp(): Promise<void> {
    await this.#rounds.idle()
  }
  async stop(): Promise<void> {
    this.#unsubscribe?.()
    await this.#rounds.stop()
  }
  flagsSince(since: number, until?: number): Iterable<FlagRecord> {
    return this.#flags.since(since, until)
  }
  retracted(findingId: string): FlagRecord | undefined {
    return this.#flags.retracted(findingId)
  }
  retractedFlags(): Iterable<FlagRecord> {
    return this.#flags.allRetracted()
  }
  finality(): ViewFinality | null {
    return this.#tasks.finality()
  }
  status(): ViewStatus {
    const tip = this.#tip
    const folded = this.#folded()
    return {
      folded: folded && { number: folded.number, time: folded.time },
      tip: this.#source.tip() ?? (folded && { number: folded.number, time: folded.time }),
      gap: gapOf(folded, tip),
      observedSince: tip === undefined || folded === null ? null : tip.firstTime,
      tracked: this.#options.tracked(),
      ...tipStatus(tip),
      counters: { ...countersOf(tip), flags: this.#flags.published, dead_letters: this.#deadLetters, forks: this.#tasks.forks },
      ready: this.#ready && !this.#isMixed,
      ...this.#tasks.freshness(),
      rebuild: this.#stores.text,
      trouble: this.#rounds.trouble ?? this.#log.trouble?.() ?? null,
    }
  }
  lags(): ViewLags {
    return lagsOf(this.#log, this.#all, this.#offsets.next, this.#folded()?.time ?? null, this.#tasks.heldS())
  }
  detection(): Detection {
    return this.#detection.current()
  }
  /** Progress of a rebuild in this process, as text; null if there is none. */
  rebuilding(words: string | null): void {
    this.#stores.here = words
  }

  /** The newest frame that every partition has folded; null until all have reported one. */
  #folded(): Progress | null {
    return this.#tasks.newest(this.#log.partitions(this.#topics.progress))
  }
  /**
   * Reads conclusions before rows, so that a mint's rows are never older than its newest flag or outcome. Reads the progress of the folds
   * before both and shows it after them, so that everything up to the reported frame is visible. While a rebuild swaps rows in, a complete
   * view shows nothing new: it answers from the former rows, and then shows all rows of the swap at once.
   */
  async #readOn(): Promise<void> {
    if (!this.#ready) await this.#log.refresh()
    const isInstalling = await this.#lookAtStores()
    if (this.#isHeld) return this.#together.hold()
    this.#detection.look()
    await this.#follow(this.#topics.progress, (record) => this.#tasks.hold(record))
    await this.#follow(this.#topics.flags, (record, partition) => this.#flags.put(record, partition))
    for (const { topic, put } of this.#options.followed) await this.#follow(topic, put)
    await this.#follow(this.#topics.decodeChangelog, (record) => this.#putTip(record))
    await this.#follow(this.#topics.deadLetters, ({ value }) => {
      this.#deadLetters += lettersOf(value)
    })
    if (this.#isHeld) return this.#together.hold()
    this.#together.show()
    const folded = this.#tasks.show() ? this.#folded() : null
    if (folded !== null) this.#detection.shown(folded.number)
    // All installed records precede the record that reports the installation, and are read by now.
    if (!(await this.#lookAtStores()) && !isInstalling) this.#isMixed = false
    if (this.#ready) return
    for (const { check } of this.#options.followed) check?.()
    this.#detection.begin()
    this.#ready = true
  }
  /** True while rows are being swapped in, for a view that has complete rows to show meanwhile. */
  get #isHeld(): boolean {
    return this.#ready && !this.#isMixed && this.#stores.isInstalling
  }
  /** Resolves with true while the rows on the log are of two versions. */
  async #lookAtStores(): Promise<boolean> {
    await this.#follow(this.#topics.stores, (record) => this.#stores.takeStores(record))
    await this.#follow(this.#topics.rebuilds, (record) => this.#stores.takeRebuild(record))
    this.#isMixed ||= !this.#ready && this.#stores.isInstalling
    return this.#stores.isInstalling
  }
  /** Reads a topic to its end as of the call, which is a commit boundary, and then shows all of it at once. */
  async #follow(topic: Topic, put: (record: LogRecord, partition: number) => void): Promise<void> {
    const isOfStores = topic === this.#topics.stores || topic === this.#topics.rebuilds
    for (let partition = 0; partition < this.#log.partitions(topic); partition++) {
      const name = `${topic.name}/${partition}`
      const end = this.#log.end(topic, partition)
      const start = this.#offsets.begin(this.#log, topic, partition)
      let offset = (this.#offsets.next.has(name) ? undefined : await this.#putBeginning(topic, partition, put)) ?? start
      const held: LogRecord[] = []
      while (offset < end) {
        const { records, next } = await readKept(this.#log, { topic, partition, offset }, READ, (from, to) =>
          this.#notice('view_records_lost', { topic: name, from, to }),
        )
        if (this.#offsets.isBehind(this.#log, topic, partition, offset)) {
          this.#startAgain(topic)
          return this.#follow(topic, put)
        }
        offset = next
        if (records.length === 0) break
        held.push(...records)
        if (this.#ready) continue
        for (const record of held.splice(0)) put(record, partition)
        this.#offsets.next.set(name, offset)
      }
      if (!isOfStores && held.length > 0) await this.#lookAtStores()
      if (!isOfStores && this.#isHeld) return
      const show = (): void => {
        for (const record of held) put(record, partition)
        this.#offsets.next.set(name, offset)
      }
      if (isOfStores) show()
      else this.#together.add(show)
    }
  }
  /** Puts the records of a local copy, if the log has one. Returns the offset at which the log continues. */
  async #putBeginning(topic: Topic, partition: number, put: Followed['put']): Promise<number | undefined> {
    const beginning = await this.#log.beginning?.(topic, partition)
    for await (const batch of beginning?.batches() ?? []) for (const record of batch) put(record, partition)
    return beginning?.next
  }
  /** Tombstones may have been missed: reads the topic again from the start, and answers no request until that is done. */
  #startAgain(topic: Topic): void {
    this.#notice('view_starts_again', { topic: topic.name })
    this.#ready = false
    this.#together.show()
    this.#offsets.forget(topic)
    for (const one of this.#options.followed) if (one.topic === topic) one.clear()
  }
  #putTip(record: LogRecord): void {
    // Later pages have only rows of the paged kind.
    if (record.value === null || parsePageKey(record.key).page !== 0) return
    this.#tip = (this.#options.decode.decode(record.value).tip as TipRow | null) ?? undefined
  }
}
