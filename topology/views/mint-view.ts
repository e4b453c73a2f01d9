// The API's view of the folds: follows their changelogs and conclusions, and says how far it is.
import { loadType, readSchema } from '../../schemas/avro.ts'
import { deadLetterCodec, storesCodec } from '../../schemas/codecs.ts'
import type { Key } from '../../schemas/keys.ts'
import { TOPICS, type Topic } from '../../schemas/topics.ts'
import type { Progress, StoresStanding, TipRow } from '../../schemas/types.ts'
import { parsePageKey, stateTypeOf } from '../engine/state-type.ts'
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
import type { RecordView } from '../ports/record-view.ts'
import { WITHDRAWN } from '../records.ts'
import { FoldedTasks } from './folded.ts'
import { lagsOf } from './lags.ts'
import { DetectionTimes } from './latency.ts'
import { LaunchIndex } from './launch-index.ts'
import { hasLaunch, isSameLaunch } from './launch-page.ts'
import { MintRowsByKey } from './mint-rows.ts'
import { RecordRows } from './record-view.ts'
import { SightingFeed } from './sighting-feed.ts'
import { flagOf, migrationOf } from './sightings.ts'
import { gapOf } from './status-parts.ts'

const FOLLOWED = [
  TOPICS.stores,
  TOPICS.flags,
  TOPICS.outcomes,
  TOPICS.mintChangelog,
  TOPICS.creatorChangelog,
  TOPICS.walletChangelog,
  TOPICS.progress,
  TOPICS.decodeChangelog,
  TOPICS.deadLetters,
]
/** What lists reach back to; ten times today's load has about 75,000 flags in 6 h and 10,000 migrations in 24 h. */
const FLAGS = { keepS: 21_600, keepMax: 150_000 }
const MIGRATIONS = { keepS: 86_400, keepMax: 50_000 }
const READ = { recordsMax: 1_000, bytesMax: 8 * 1024 * 1024 }

/** What the source of frames tells of itself. */
export interface SourceStatus {
  /** Number and time (unix s) of the newest frame it sent, and when that came (wall, unix ms) where it knows; null before the first. */
  tip(): { readonly number: number; readonly time: number; readonly cameMs?: number } | null
  /** Its line of stream time against the wall: speed 0 plays as fast as it can. Absent or undefined where it has none. */
  anchor?(): { readonly streamMs: number; readonly wallMs: number; readonly speed: number } | undefined
}

/** Follows one log. Shows only what was committed. */
export class LogMintView implements MintView {
  readonly #log: Log
  readonly #source: SourceStatus
  readonly #rows = new MintRowsByKey(stateTypeOf(readSchema('mint-state'), loadType('mint-state')))
  readonly #decode = stateTypeOf(readSchema('decode-state'), loadType('decode-state'))
  readonly #launches = new LaunchIndex()
  readonly #flags = new SightingFeed<FlagSighting>({ ...FLAGS, read: flagOf, idOf: ({ findingId }) => findingId })
  readonly #migrations = new SightingFeed<MigrationSighting>({ ...MIGRATIONS, read: migrationOf, idOf: ({ id }) => id })
  readonly #records = new RecordRows()
  readonly #tasks = new FoldedTasks()
  readonly #offsets = new Map<string, number>()
  /** As far back as the log keeps them. */
  #deadLetters = 0
  #tip: TipRow | undefined
  #ready = false
  #state: StoresStanding['state'] = 'whole'
  #isInstalling = false
  #rebuild: string | null = null
  readonly #detection: DetectionTimes
  #following: Promise<void> = Promise.resolve()
  #isAsked = false
  #unsubscribe: (() => void) | undefined

  /** `wall` is unix milliseconds. */
  constructor(log: Log, source: SourceStatus, wall: () => number = Date.now) {
    this.#log = log
    this.#source = source
    this.#detection = new DetectionTimes(source, wall)
  }
  /** Reads everything there is, then follows each commit. Resolves when the rows are complete. */
  async start(): Promise<void> {
    this.#unsubscribe = this.#log.onCommit((topics) => {
      this.#detection.look()
      if (FOLLOWED.some(({ name }) => topics.has(name))) this.#readSoon()
    })
    this.#following = this.#log.refresh()
    this.#readSoon()
    await this.#following
    this.#detection.begin()
    this.#ready = true
  }
  /** Resolves when every commit known by now is shown. */
  async caughtUp(): Promise<void> {
    await this.#following
  }
  async stop(): Promise<void> {
    this.#unsubscribe?.()
    await this.#following
  }
  get(mint: Key): MintSnapshot | undefined {
    return this.#rows.get(mint)
  }
  *launchesSince(since: number, until?: number): Iterable<MintSnapshot> {
    for (const mint of this.#launches.since(since, until)) {
      const snapshot = this.#rows.get(mint)
      if (snapshot !== undefined) yield snapshot
    }
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
      mintsTracked: this.#rows.size,
      counters: {
        frames: tip?.frames ?? 0,
        events: tip?.events ?? 0,
        flags: this.#flags.said,
        dead_letters: this.#deadLetters,
        gaps: tip?.gaps ?? 0,
        forks: this.#tasks.forks,
      },
      ready: this.#ready && !this.#isInstalling,
      rebuild: this.#rebuild,
    }
  }
  lags(): ViewLags {
    return lagsOf(this.#log, FOLLOWED, this.#offsets, this.#folded()?.time ?? null, this.#tasks.heldS())
  }
  detection(): Detection {
    return this.#detection.told()
  }
  /** How far a rebuild in this process is, in words; null for none. */
  rebuilding(words: string | null): void {
    this.#rebuild = words
  }

  /** The newest frame that every partition has folded; null until all have said one. */
  #folded(): Progress | null {
    return this.#tasks.newest(this.#log.partitions(TOPICS.progress))
  }
  /** Once for all commits that became durable together. */
  #readSoon(): void {
    if (this.#isAsked) return
    this.#isAsked = true
    this.#following = this.#following.then(() => {
      this.#isAsked = false
      return this.#readOn()
    })
  }
  /**
   * Conclusions before rows: the rows of a mint are then never older than its newest flag or step. How far the folds are is read before
   * both and shown after them, so that what counts as folded is there.
   */
  async #readOn(): Promise<void> {
    const isInstalling = await this.#lookAtStores()
    this.#detection.look()
    await this.#follow(TOPICS.progress, (record) => this.#tasks.hold(record))
    await this.#follow(TOPICS.flags, (record, partition) => this.#flags.put(record, partition))
    await this.#follow(TOPICS.outcomes, (record, partition) => this.#migrations.put(record, partition))
    await this.#follow(TOPICS.mintChangelog, (record) => this.#putMint(record))
    await this.#follow(TOPICS.creatorChangelog, (record) => this.#records.putCreator(record))
    await this.#follow(TOPICS.walletChangelog, (record) => this.#records.putWallet(record))
    await this.#follow(TOPICS.decodeChangelog, (record) => this.#putTip(record))
    await this.#follow(TOPICS.deadLetters, (record) => this.#putLetter(record))
    const folded = this.#tasks.show() ? this.#folded() : null
    if (folded !== null) this.#detection.shown(folded.number)
    // Everything that was installed lies before what says so, and is read now.
    if (!isInstalling && !(await this.#lookAtStores())) this.#isInstalling = false
  }
  /** True while rows are of two makes: nobody is answered from then on. */
  async #lookAtStores(): Promise<boolean> {
    await this.#follow(TOPICS.stores, ({ value }) => {
      const read = value === null ? undefined : storesCodec.decode(value)
      if (read?.ok === true) this.#state = read.value.state
    })
    const isInstalling = this.#state === 'installing'
    if (isInstalling) this.#isInstalling = true
    return isInstalling
  }
  /** Reads a topic to its end as it was at the call, which is the edge of a commit, and shows all of it at once. */
  async #follow(topic: Topic, put: (record: LogRecord, partition: number) => void): Promise<void> {
    for (let partition = 0; partition < this.#log.partitions(topic); partition++) {
      const name = `${topic.name}/${partition}`
      const end = this.#log.end(topic, partition)
      let offset = this.#offsets.get(name) ?? this.#log.start(topic, partition)
      const held: LogRecord[] = []
      while (offset < end) {
        const records = await this.#log.read(topic, partition, offset, READ)
        const last = records.at(-1)
        if (last === undefined) break
        offset = last.offset + 1
        held.push(...records)
        if (this.#ready) continue
        for (const record of held.splice(0)) put(record, partition)
        this.#offsets.set(name, offset)
      }
      if (topic !== TOPICS.stores && held.length > 0) await this.#lookAtStores()
      for (const record of held) put(record, partition)
      this.#offsets.set(name, offset)
    }
  }
  #putMint(record: LogRecord): void {
    const { key, page } = parsePageKey(record.key)
    const mint = key as Key
    const before = this.#rows.firstPage(mint)
    const snapshot = this.#rows.put(mint, page, record.value, record.offset)
    if (page !== 0) return
    if (before !== undefined && record.value !== null && isSameLaunch(before, record.value)) return
    this.#launches.remove(mint)
    if (record.value !== null && hasLaunch(record.value) && snapshot?.head.launch) this.#launches.add(mint, snapshot.head.launch)
  }
  #putLetter({ value }: LogRecord): void {
    const read = value === null ? undefined : deadLetterCodec.decode(value)
    // One record of a fork stands for all letters of a frame: how many those were is not known here.
    if (read?.ok === true && read.value.withdrawn !== null) this.#deadLetters -= read.value.withdrawn === WITHDRAWN.byRedrive ? 1 : 0
    else this.#deadLetters += 1
  }
  #putTip(record: LogRecord): void {
    if (record.value !== null) this.#tip = (this.#decode.decode(record.value).tip as TipRow | null) ?? undefined
  }
}
