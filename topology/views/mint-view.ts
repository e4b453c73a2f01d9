// The API's view of the folds: follows their changelog, and says how far it is.
import { loadType, readSchema } from '../../schemas/avro.ts'
import { conclusionCodec, progressCodec } from '../../schemas/codecs.ts'
import type { Key } from '../../schemas/keys.ts'
import { TOPICS, type Topic } from '../../schemas/topics.ts'
import type { Progress, TipRow } from '../../schemas/types.ts'
import { parsePageKey, stateTypeOf } from '../engine/state-type.ts'
import type { Log, LogRecord } from '../ports/log.ts'
import type { FlagSighting, MintSnapshot, MintView, ViewStatus } from '../ports/mint-view.ts'
import { FlagIndex } from './flag-index.ts'
import { LaunchIndex } from './launch-index.ts'
import { MintRowsByKey } from './mint-rows.ts'

/** First byte of a page without a launch: `launch` is the first field of MintState, a union, and null its first branch. */
const NO_LAUNCH = 0
const READ = { recordsMax: 1_000, bytesMax: 8 * 1024 * 1024 }

/** What the source of frames tells of itself. */
export interface SourceStatus {
  /** Number and time (unix s) of the newest frame it sent; null before the first. */
  tip(): { readonly number: number; readonly time: number } | null
}

/** Follows flags, mint.changelog, progress and decode.changelog of one log. Shows only what was committed. */
export class LogMintView implements MintView {
  readonly #log: Log
  readonly #source: SourceStatus
  readonly #rows = new MintRowsByKey(stateTypeOf(readSchema('mint-state'), loadType('mint-state')))
  readonly #decode = stateTypeOf(readSchema('decode-state'), loadType('decode-state'))
  readonly #launches = new LaunchIndex()
  readonly #flags = new FlagIndex()
  readonly #progress = new Map<string, Progress>()
  readonly #offsets = new Map<string, number>()
  #tip: TipRow | undefined
  #ready = false
  #following: Promise<void> = Promise.resolve()
  #unsubscribe: (() => void) | undefined

  constructor(log: Log, source: SourceStatus) {
    this.#log = log
    this.#source = source
  }
  /** Reads everything there is, then follows each commit. Resolves when the rows are complete. */
  async start(): Promise<void> {
    this.#unsubscribe = this.#log.onCommit(() => {
      this.#following = this.#following.then(() => this.#readOn())
    })
    this.#following = this.#following.then(() => this.#readOn())
    await this.#following
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
        flags: this.#flagsSaid(),
        dead_letters: this.#log.end(TOPICS.deadLetters, 0),
        gaps: tip?.gaps ?? 0,
        forks: 0,
      },
      ready: this.#ready,
    }
  }

  /** The newest frame that every partition has folded; null until all have said one. */
  #folded(): Progress | null {
    const all = [...this.#progress.values()]
    if (all.length < this.#log.partitions(TOPICS.progress)) return null
    return all.reduce((least, progress) => (progress.number < least.number ? progress : least))
  }
  #flagsSaid(): number {
    let flags = 0
    for (let partition = 0; partition < this.#log.partitions(TOPICS.flags); partition++) flags += this.#log.end(TOPICS.flags, partition)
    return flags
  }
  /** Flags first: the rows of a mint are then never older than its newest flag. */
  async #readOn(): Promise<void> {
    await this.#follow(TOPICS.flags, (record) => this.#putFlag(record))
    await this.#follow(TOPICS.mintChangelog, (record) => this.#putMint(record))
    await this.#follow(TOPICS.progress, (record) => this.#putProgress(record))
    await this.#follow(TOPICS.decodeChangelog, (record) => this.#putTip(record))
  }
  /** Reads a topic to its end as it was at the call, which is the edge of a commit, and shows all of it at once. */
  async #follow(topic: Topic, put: (record: LogRecord) => void): Promise<void> {
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
        if (!this.#ready) for (const record of held.splice(0)) put(record)
      }
      for (const record of held) put(record)
      this.#offsets.set(name, offset)
    }
  }
  #putMint(record: LogRecord): void {
    const { key, page } = parsePageKey(record.key)
    const mint = key as Key
    const snapshot = this.#rows.put(mint, page, record.value, record.offset)
    if (page !== 0) return
    const hasLaunch = record.value !== null && record.value[0] !== NO_LAUNCH
    if (!hasLaunch) this.#launches.remove(mint)
    else if (!this.#launches.has(mint) && snapshot?.state.launch) this.#launches.add(mint, snapshot.state.launch)
  }
  #putFlag(record: LogRecord): void {
    const read = conclusionCodec.decode(record.value ?? new Uint8Array())
    if (!read.ok || read.value.body.type !== 'finding') return
    const { id, chain, number, tx, outer, inner, at, body } = read.value
    const { mint, creator, flag, mintAgeS, evidence } = body
    this.#flags.add({ mint, creator, flag, findingId: id, at, mintAgeS, evidence, chain, number, tx, outer, inner })
  }
  #putProgress(record: LogRecord): void {
    if (record.value === null) return
    const read = progressCodec.decode(record.value)
    if (read.ok) this.#progress.set(read.value.task, read.value)
  }
  #putTip(record: LogRecord): void {
    if (record.value !== null) this.#tip = (this.#decode.decode(record.value).tip as TipRow | null) ?? undefined
  }
}

const gapOf = (folded: Progress | null, tip: TipRow | undefined): ViewStatus['gap'] => {
  if (folded === null || folded.gapFrom === null || folded.gapTo === null) return null
  const until = tip?.gapTo === folded.gapTo ? tip.gapUntil : null
  return { from: folded.gapFrom, to: folded.gapTo, until: until ?? folded.time }
}
