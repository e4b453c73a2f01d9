// The API's view of the folds: follows their changelogs and conclusions, and says how far it is.

import { loadType, readSchema } from '../../schemas/avro.ts'
import type { Key } from '../../schemas/keys.ts'
import type { Topic } from '../../schemas/topics.ts'
import type { Progress, TipRow } from '../../schemas/types.ts'
import { stateTypeOf } from '../engine/rows/state-type.ts'
import { readKept } from '../logs/read-kept.ts'
import type { Log, LogRecord } from '../ports/log.ts'
import type {
  Detection,
  FlagSighting,
  MigrationSighting,
  MintSnapshot,
  MintView,
  ViewFinality,
  ViewLags,
  ViewStatus,
} from '../ports/mint-view.ts'
import type { Notice } from '../ports/notice.ts'
import type { RecordView } from '../ports/record-view.ts'
import type { SourceStatus } from '../ports/source-status.ts'
import type { MintTopology } from '../topology.ts'
import { Mints } from './mints.ts'
import { Offsets } from './offsets.ts'
import { RecordRows } from './record-view.ts'
import { Rounds } from './rounds.ts'
import { FoldedTasks } from './status/folded.ts'
import { lagsOf } from './status/lags.ts'
import { DetectionTimes } from './status/latency.ts'
import { SightingFeed } from './status/sighting-feed.ts'
import { flagOf, migrationOf } from './status/sightings.ts'
import { gapOf, lettersOf } from './status/status-parts.ts'
import { StoresWatch } from './stores-watch.ts'

/** What lists reach back to; ten times today's load has about 75,000 flags in 6 h and 10,000 migrations in 24 h. */
const FLAGS = { keepS: 21_600, keepMax: 150_000 }
const MIGRATIONS = { keepS: 86_400, keepMax: 50_000 }
const READ = { recordsMax: 1_000, bytesMax: 8 * 1024 * 1024 }

/** Follows one log. Shows only what was committed. */
export class LogMintView implements MintView {
  readonly #log: Log
  readonly #topics: MintTopology['views']['mints']['reads']
  readonly #source: SourceStatus
  #mints = new Mints()
  readonly #decode = stateTypeOf(readSchema('decode-state'), loadType('decode-state'))
  readonly #flags = new SightingFeed<FlagSighting>({ ...FLAGS, read: flagOf, idOf: ({ findingId }) => findingId })
  readonly #migrations = new SightingFeed<MigrationSighting>({ ...MIGRATIONS, read: migrationOf, idOf: ({ id }) => id })
  readonly #records = new RecordRows()
  readonly #tasks: FoldedTasks
  readonly #offsets = new Offsets()
  /** As far back as the log keeps them. */
  #deadLetters = 0
  #tip: TipRow | undefined
  #ready = false
  #isInstalling = false
  readonly #stores = new StoresWatch()
  readonly #detection: DetectionTimes
  readonly #notice: Notice
  readonly #rounds: Rounds
  #unsubscribe: (() => void) | undefined

  /** `wall` is unix milliseconds. */
  constructor(
    log: Log,
    topics: MintTopology['views']['mints']['reads'],
    source: SourceStatus,
    wall: () => number = Date.now,
    notice: Notice = () => {},
  ) {
    this.#notice = notice
    this.#rounds = new Rounds({ name: 'changelogs', notice, wall }, () => this.#readOn())
    this.#log = log
    this.#topics = topics
    this.#source = source
    this.#detection = new DetectionTimes(source, wall)
    this.#tasks = new FoldedTasks(source)
  }
  /** Reads everything there is, then follows each commit. Resolves when the rows are complete. */
  async start(): Promise<void> {
    this.#unsubscribe = this.#log.onCommit((topics) => {
      this.#detection.look()
      if (Object.values(this.#topics).some(({ name }) => topics.has(name))) void this.#rounds.ask().catch(() => {})
    })
    await this.#rounds.ask()
  }
  /** Rejects with what no further try mends; never resolves. A broker that is away is waited for. */
  get failed(): Promise<never> {
    return this.#rounds.failed
  }
  /** Resolves when every commit known by now is shown. */
  async caughtUp(): Promise<void> {
    await this.#rounds.idle()
  }
  async stop(): Promise<void> {
    this.#unsubscribe?.()
    await this.#rounds.stop()
  }
  get(mint: Key): MintSnapshot | undefined {
    return this.#mints.rows.get(mint)
  }
  launchesSince(since: number, until?: number): Iterable<MintSnapshot> {
    return this.#mints.held(this.#mints.launches.since(since, until))
  }
  launchesBy(wallet: Key): Iterable<MintSnapshot> {
    return this.#mints.held(this.#mints.launches.by(wallet))
  }
  flagsSince(since: number, until?: number): Iterable<FlagSighting> {
    return this.#flags.since(since, until)
  }
  retracted(findingId: string): FlagSighting | undefined {
    return this.#flags.retracted(findingId)
  }
  retractedFlags(): Iterable<FlagSighting> {
    return this.#flags.allRetracted()
  }
  migrationsSince(since: number, until?: number): Iterable<MigrationSighting> {
    return this.#migrations.since(since, until)
  }
  /** Of creators and wallets: complete when this view is. */
  get records(): RecordView {
    return this.#records
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
      mintsTracked: this.#mints.rows.size,
      counters: {
        frames: tip?.frames ?? 0,
        events: tip?.events ?? 0,
        flags: this.#flags.said,
        dead_letters: this.#deadLetters,
        gaps: tip?.gaps ?? 0,
        forks: this.#tasks.forks,
      },
      ready: this.#ready && !this.#isInstalling,
      ...this.#tasks.freshness(),
      rebuild: this.#stores.words,
      trouble: this.#rounds.trouble ?? this.#log.trouble?.() ?? null,
    }
  }
  lags(): ViewLags {
    return lagsOf(this.#log, Object.values(this.#topics), this.#offsets.next, this.#folded()?.time ?? null, this.#tasks.heldS())
  }
  detection(): Detection {
    return this.#detection.told()
  }
  /** How far a rebuild in this process is, in words; null for none. */
  rebuilding(words: string | null): void {
    this.#stores.here = words
  }

  /** The newest frame that every partition has folded; null until all have said one. */
  #folded(): Progress | null {
    return this.#tasks.newest(this.#log.partitions(this.#topics.progress))
  }
  /**
   * Conclusions before rows: the rows of a mint are then never older than its newest flag or step. How far the folds are is read before
   * both and shown after them, so that what counts as folded is there.
   */
  async #readOn(): Promise<void> {
    if (!this.#ready) await this.#log.refresh()
    const isInstalling = await this.#lookAtStores()
    this.#detection.look()
    await this.#follow(this.#topics.progress, (record) => this.#tasks.hold(record))
    await this.#follow(this.#topics.flags, (record, partition) => this.#flags.put(record, partition))
    await this.#follow(this.#topics.outcomes, (record, partition) => this.#migrations.put(record, partition))
    await this.#follow(this.#topics.mintChangelog, (record) => this.#mints.put(record))
    await this.#follow(this.#topics.creatorChangelog, (record) => this.#records.putCreator(record))
    await this.#follow(this.#topics.walletChangelog, (record) => this.#records.putWallet(record))
    await this.#follow(this.#topics.decodeChangelog, (record) => this.#putTip(record))
    await this.#follow(this.#topics.deadLetters, ({ value }) => {
      this.#deadLetters += lettersOf(value)
    })
    const folded = this.#tasks.show() ? this.#folded() : null
    if (folded !== null) this.#detection.shown(folded.number)
    // Everything that was installed lies before what says so, and is read now.
    if (!isInstalling && !(await this.#lookAtStores())) this.#isInstalling = false
    if (this.#ready) return
    this.#detection.begin()
    this.#ready = true
  }
  /** True while rows are of two makes: nobody is answered from then on. */
  async #lookAtStores(): Promise<boolean> {
    await this.#follow(this.#topics.stores, (record) => this.#stores.takeStores(record))
    await this.#follow(this.#topics.rebuilds, (record) => this.#stores.takeRebuild(record))
    this.#isInstalling ||= this.#stores.isInstalling
    return this.#stores.isInstalling
  }
  /** Reads a topic to its end as it was at the call, which is the edge of a commit, and shows all of it at once. */
  async #follow(topic: Topic, put: (record: LogRecord, partition: number) => void): Promise<void> {
    const { stores, rebuilds } = this.#topics
    for (let partition = 0; partition < this.#log.partitions(topic); partition++) {
      const name = `${topic.name}/${partition}`
      const end = this.#log.end(topic, partition)
      let offset = this.#offsets.begin(this.#log, topic, partition)
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
      if (topic !== stores && topic !== rebuilds && held.length > 0) await this.#lookAtStores()
      for (const record of held) put(record, partition)
      this.#offsets.next.set(name, offset)
    }
  }
  /** What was forgotten meanwhile may never be read: the topic is read anew into nothing, and nobody is answered until that is done. */
  #startAgain(topic: Topic): void {
    this.#notice('view_starts_again', { topic: topic.name })
    this.#ready = false
    this.#offsets.forget(topic)
    if (topic === this.#topics.creatorChangelog) this.#records.clearCreators()
    if (topic === this.#topics.walletChangelog) this.#records.clearWallets()
    if (topic === this.#topics.mintChangelog) this.#mints = new Mints()
  }
  #putTip(record: LogRecord): void {
    if (record.value !== null) this.#tip = (this.#decode.decode(record.value).tip as TipRow | null) ?? undefined
  }
}
