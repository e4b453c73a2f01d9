// The demo as a source: a history straight to the tape, then frames at full speed, then paced; exactly once over any number of starts.
import { splitFrame } from '../../../processors/solana/frame-parts.ts'
import { rawRecordCodec } from '../../../schemas/codecs.ts'
import { assert } from '../../../schemas/errors.ts'
import { TOPICS } from '../../../schemas/topics.ts'
import type { Anchor, RawFrame } from '../../../schemas/types.ts'
import { DEFAULT_LIMITS } from '../../engine/limits.ts'
import { retried } from '../../engine/retry.ts'
import type { AccountReader } from '../../ports/accounts.ts'
import type { Log, OutRecord, TaskOwner } from '../../ports/log.ts'
import { breathe, inTurns, pause } from '../../waiting.ts'
import type { Speed } from '../recording.ts'
import type { Source } from '../source.ts'
import { demoAccounts } from './accounts.ts'
import { CoinBook } from './bytes/coins.ts'
import { frameCountsOf, frameSteps, tapeEventsOf } from './bytes.ts'
import { HistoryTape } from './history.ts'
import { fingerprintOf, type Identity, nameOf, otherSource } from './identity.ts'
import { isInGap, isLost } from './losses.ts'
import type { DemoSlot } from './market-types.ts'
import { Pacer } from './pacer.ts'

const OWNER = 'capture-solana'
const HISTORY_OWNER = 'history-solana'
/** What the owners' commits name beside the source itself. */
const COUNTS = new Set(['sequence', 'fingerprint'])
/** A commit at full speed: enough that its fsync does not count. */
const BATCH_SLOTS_MAX = 256
const BATCH_BYTES_MAX = 4 * 1024 * 1024
/** A commit of the history: some megabytes. */
const HISTORY_SLOTS_MAX = 2_048
const HISTORY_EVENTS_MAX = 20_000
/** So many slots are simulated before the rest of the process has a turn. */
const TURN_SLOTS_MAX = 32
/** At full speed the source waits while the folds are further behind than this. */
const AHEAD_SLOTS_MAX = 2_000
const AHEAD_POLL_MS = 20

export interface DemoSourceOptions extends Identity {
  /** Every slot from `startMs` on, the same at each call: the source simulates again what it has sent before. */
  readonly market: () => Iterable<DemoSlot>
  /** The slots of the first `historyS` seconds go to the tape only, those of this many more are sent at full speed. */
  readonly catchUpS: number
  readonly speed: Speed
  /** Wall time in unix milliseconds. */
  readonly wall: () => number
  readonly stop: AbortSignal
  /** Slot that every fold has seen; null before the first. */
  readonly folded: () => number | null
}

/** What a long start has done: stream time that is written or simulated again, and how much there will be, seconds. */
export type Progress = (done: { readonly atS: number; readonly ofS: number }) => void

/** Call `open`, then `prepare` before the folds start, then `run`. */
export class DemoSource implements Source {
  readonly #log: Log
  readonly #options: DemoSourceOptions
  readonly #name: string
  readonly #book = new CoinBook()
  readonly #slots: Iterator<DemoSlot>
  #owner!: TaskOwner
  #historyOwner!: TaskOwner
  /** Slots of the market that are dealt with, also those that were left out. */
  #done = 0
  #sequence = 0
  #newest: DemoSlot | undefined
  #tip: { number: number; time: number } | null = null
  #held: DemoSlot | undefined
  #frames = 0
  #ended = false
  #isPrepared = false
  readonly #pacer: Pacer
  #records: OutRecord[] = []
  #bytes = 0
  #uncommitted = 0

  constructor(log: Log, options: DemoSourceOptions) {
    this.#log = log
    this.#options = options
    this.#name = nameOf(options)
    this.#pacer = new Pacer(options.wall)
    this.#slots = options.market()[Symbol.iterator]()
  }
  /** Slots that are on the log, as tape or as frames. */
  get frames(): number {
    return this.#frames
  }
  get ended(): boolean {
    return this.#ended
  }
  /** Coins of the demo's chain as they are after the newest slot: for account reads. */
  get coins(): CoinBook {
    return this.#book
  }
  /** What a node of the demo's chain would say of an account. */
  get accounts(): AccountReader {
    return demoAccounts(this.#book, this)
  }
  tip(): { readonly number: number; readonly time: number } | null {
    return this.#tip
  }
  /** Stream time: the anchor's line while it plays at a pace, else the newest tick. */
  now(): number {
    const tickMs = (this.#tip?.time ?? 0) * 1_000
    return this.#ended ? tickMs : this.#pacer.now(tickMs)
  }
  readonly anchor = (): Anchor | undefined => this.#pacer.newest(this.#ended)
  /** Takes the raw topic over. @throws EngineError `data_dir_source` when the log holds frames of another source. */
  async open(): Promise<void> {
    this.#owner = await this.#log.own(OWNER)
    this.#historyOwner = await this.#log.own(HISTORY_OWNER)
    const committed = this.#owner.committed()
    const held = [...committed.keys()].find((name) => name !== this.#name && !COUNTS.has(name))
    if (held !== undefined) throw otherSource(held, this.#name)
    // So that no other source takes the directory while it has a history and no frames yet.
    if (committed.size === 0) await this.#owner.commit({ outputs: [], inputs: new Map([[this.#name, 0]]) })
  }
  /**
   * Simulates again what was committed, and writes the history that is missing. The decoder must not run meanwhile, because the history
   * moves its row. @throws EngineError `data_dir_source` when the market is not the one of the data directory.
   */
  async prepare(progress: Progress = () => {}): Promise<void> {
    const { startMs, historyS, stop } = this.#options
    const [newest] = [this.#owner.committed(), this.#historyOwner.committed()].sort((a, b) => this.#doneIn(b) - this.#doneIn(a))
    await this.#simulateAgain(newest ?? new Map(), progress)
    const tape = new HistoryTape(this.#log)
    await tape.restore()
    const endMs = startMs + historyS * 1_000
    let pending = 0
    for (let slot = this.#next(); slot !== undefined && !stop.aborted; slot = this.#next()) {
      if (slot.timeMs >= endMs) {
        this.#held = slot
        break
      }
      this.#book.follow(slot)
      const events = tapeEventsOf(slot, this.#isLost)
      if (!this.#isLeftOut(slot)) tape.fold({ slot, events, counts: frameCountsOf(slot, this.#isLost) }, this.#sequence++)
      this.#reach(slot)
      pending += events.length
      if (this.#uncommitted >= HISTORY_SLOTS_MAX || pending >= HISTORY_EVENTS_MAX) {
        await this.#commit(this.#historyOwner, tape.take())
        pending = 0
      }
      await this.#turn(slot, progress)
    }
    await this.#commit(this.#historyOwner, tape.take())
    this.#isPrepared = !stop.aborted
  }
  async run(): Promise<void> {
    const { startMs, historyS, catchUpS, speed, stop } = this.#options
    assert(this.#isPrepared || stop.aborted, 'prepare comes before run')
    const pacedFromMs = startMs + (historyS + catchUpS) * 1_000
    for (let slot = this.#next(); slot !== undefined && !stop.aborted; slot = this.#next()) {
      const pace = slot.timeMs < pacedFromMs ? 'max' : speed
      await this.#waitFor(slot, pace)
      if (stop.aborted) break
      const frame = await inTurns(frameSteps(slot, this.#book, this.#isLost), DEFAULT_LIMITS.sliceMs)
      if (!this.#isLeftOut(slot)) for (const part of splitFrame(frame)) this.#append(part)
      this.#reach(slot)
      if (this.#uncommitted >= BATCH_SLOTS_MAX || this.#bytes >= BATCH_BYTES_MAX) await this.#flush()
    }
    await this.#flush()
    this.#ended = !stop.aborted
  }

  #next(): DemoSlot | undefined {
    const slot = this.#held
    this.#held = undefined
    if (slot !== undefined) return slot
    const { value, done } = this.#slots.next()
    return done ? undefined : value
  }
  #doneIn(committed: ReadonlyMap<string, number>): number {
    return committed.get(this.#name) ?? 0
  }
  #isLeftOut(slot: DemoSlot): boolean {
    return isInGap(this.#options.losses, (slot.timeMs - this.#options.startMs) / 1_000)
  }
  readonly #isLost = (tx: Parameters<typeof isLost>[1]): boolean => isLost(this.#options.losses, tx)
  #reach(slot: DemoSlot): void {
    this.#done++
    this.#uncommitted++
    this.#newest = slot
    if (this.#isLeftOut(slot)) return
    this.#frames++
    this.#tip = { number: slot.number, time: Math.max(this.#tip?.time ?? 0, Math.floor(slot.timeMs / 1_000)) }
  }
  async #turn(slot: DemoSlot, progress: Progress): Promise<void> {
    if (this.#done % TURN_SLOTS_MAX !== 0) return
    const { startMs, historyS } = this.#options
    progress({ atS: (slot.timeMs - startMs) / 1_000, ofS: historyS })
    await breathe()
  }
  async #simulateAgain(committed: ReadonlyMap<string, number>, progress: Progress): Promise<void> {
    const done = this.#doneIn(committed)
    this.#sequence = committed.get('sequence') ?? 0
    while (this.#done < done && !this.#options.stop.aborted) {
      const slot = this.#next()
      if (slot === undefined) break
      this.#book.follow(slot)
      this.#reach(slot)
      await this.#turn(slot, progress)
    }
    this.#uncommitted = 0
    if (this.#options.stop.aborted || done === 0) return
    const isSame = this.#done === done && this.#newest !== undefined && fingerprintOf(this.#newest) === committed.get('fingerprint')
    if (!isSame) throw otherSource(`${this.#name} of another version`, this.#name)
  }
  #append(body: RawFrame | Anchor): void {
    const value = rawRecordCodec.encode({ sequence: this.#sequence, body })
    if (body.type === 'frame') this.#sequence++
    this.#bytes += value.length
    this.#records.push({ topic: TOPICS.rawSolana, partition: 0, key: Buffer.from('solana'), value })
  }
  async #flush(): Promise<void> {
    if (this.#uncommitted === 0) return
    const outputs = this.#records
    this.#records = []
    this.#bytes = 0
    await this.#commit(this.#owner, outputs)
  }
  async #commit(owner: TaskOwner, outputs: readonly OutRecord[]): Promise<void> {
    if (this.#uncommitted === 0 || this.#newest === undefined) return
    this.#uncommitted = 0
    const inputs = new Map([
      [this.#name, this.#done],
      ['sequence', this.#sequence],
      ['fingerprint', fingerprintOf(this.#newest)],
    ])
    await retried(
      () => owner.commit({ outputs, inputs }),
      DEFAULT_LIMITS,
      () => this.#options.stop.aborted,
    )
  }
  /** Gives way, then waits until the slot is due and the folds are near. Nothing is held back meanwhile. */
  async #waitFor(slot: DemoSlot, pace: Speed): Promise<void> {
    const { folded, stop } = this.#options
    const anchor = this.#pacer.anchor(slot.timeMs, pace)
    if (anchor !== undefined) this.#append(anchor)
    await breathe()
    if (slot.number - (folded() ?? slot.number) > AHEAD_SLOTS_MAX) await this.#flush()
    while (!stop.aborted && (this.#tip?.number ?? 0) - (folded() ?? slot.number) > AHEAD_SLOTS_MAX) await pause(AHEAD_POLL_MS, stop)
    const waitMs = this.#pacer.waitMs(slot.timeMs)
    if (waitMs <= 0) return
    await this.#flush()
    await pause(waitMs, stop)
  }
}
