// The demo as a source: history written directly to the tape, then frames at full speed, then paced; exactly once across restarts.
import { splitFrame } from '../../../processors/chains/frame-parts.ts'
import { assert } from '../../../schemas/errors.ts'
import type { Anchor } from '../../../schemas/types.ts'
import { DEFAULT_LIMITS } from '../../engine/limits.ts'
import type { AccountReader } from '../../ports/accounts.ts'
import type { OutRecord, SourceLog, TaskOwner } from '../../ports/log.ts'
import { captureOwner, historyOwner } from '../../ports/source-owners.ts'
import { sourceNowMs } from '../../records/stream-time.ts'
import type { Speed } from '../../sources/recording/recording.ts'
import { type Line, otherSource, ownRaw, type Source, type StartProgress } from '../../sources/source.ts'
import { retryCommit } from '../../waiting/retry.ts'
import { pause, runInSlices, yieldToEventLoop } from '../../waiting/waiting.ts'
import { demoAccounts } from './accounts.ts'
import { CoinBook } from './bytes/coins.ts'
import { frameCountsOf, tapeEventsOf } from './bytes.ts'
import { ForkFrames } from './forks/fork-frames.ts'
import type { DemoStep } from './forks/forks.ts'
import { type DemoTopology, HistoryTape } from './history.ts'
import { fingerprintOf, nameOf } from './identity.ts'
import { isInGap, isLost } from './losses.ts'
import type { DemoSlot } from './market-types.ts'
import { Missed } from './missed.ts'
import { Outbox } from './outbox.ts'
import { Pacer } from './pacer.ts'
import { type DemoSourceOptions, followsWall } from './source-options.ts'
import { demoSteps, historyEndMs } from './steps.ts'

const OWNERS = { frames: captureOwner('solana'), history: historyOwner('solana') }
/** Further inputs in the owners' commits, in addition to the source itself. */
const COUNTS = ['sequence', 'fingerprint']
/** Steps of a commit at full speed: enough to make the cost of its fsync negligible. */
const BATCH_STEPS_MAX = 256
const BATCH_BYTES_MAX = 4 * 1024 * 1024
/** Steps of a commit of the history: some megabytes. */
const HISTORY_STEPS_MAX = 2_048
const HISTORY_EVENTS_MAX = 20_000
/** Steps simulated between yields to the event loop. */
const TURN_STEPS_MAX = 32
/** At full speed the source waits while the folds are more than this far behind. */
const AHEAD_SLOTS_MAX = 2_000
const AHEAD_POLL_MS = 20

/** Call `open`, then `prepare` before the folds start, then `run`. */
export class DemoSource implements Source {
  readonly #log: SourceLog
  readonly #topology: DemoTopology
  readonly #options: DemoSourceOptions
  readonly #name: string
  readonly #book = new CoinBook()
  readonly #bodies: ForkFrames
  readonly #steps: Iterator<DemoStep>
  readonly #outbox: Outbox
  readonly #missed: Missed
  readonly #pacer: Pacer
  #owner!: TaskOwner
  #historyOwner!: TaskOwner
  /** Number of processed steps, including slots that are left out. */
  #done = 0
  /** The newest slot, on any branch. */
  #newest: DemoSlot | undefined
  #tip: { number: number; time: number } | null = null
  /** Slot whose state the coins have. It may be ahead of the tip, because a body is built before its slot is due. */
  #coinsAt: number | null = null
  #held: DemoStep | undefined
  #frames = 0
  #ended = false
  #isPrepared = false
  #uncommitted = 0

  constructor(log: SourceLog, topology: DemoTopology, options: DemoSourceOptions) {
    this.#log = log
    this.#topology = topology
    this.#outbox = new Outbox(topology.writes.raw)
    this.#options = options
    this.#name = nameOf(options)
    this.#pacer = new Pacer(options.wall)
    this.#missed = new Missed(options)
    this.#bodies = new ForkFrames(this.#book, this.#isLost)
    this.#steps = demoSteps(options, this.#isLeftOut)
  }
  /** Canonical slots on the log, on the tape or as frames. */
  get frames(): number {
    return this.#frames
  }
  get ended(): boolean {
    return this.#ended
  }
  /** Account reads, answered as by a node of the demo's chain. */
  get accounts(): AccountReader {
    return demoAccounts(this.#book, () => this.#coinsAt ?? this.#tip?.number ?? 0)
  }
  tip(): { readonly number: number; readonly time: number } | null {
    return this.#tip
  }
  now(): number | null {
    return sourceNowMs(this, this.#options.wall())
  }
  readonly anchor = (): Anchor | undefined => this.#pacer.newest(this.#ended)
  /** Takes ownership of the raw topic. @throws EngineError `data_dir_source` if the log has frames of another source. */
  async open(): Promise<void> {
    this.#owner = await ownRaw(this.#log, OWNERS.frames, this.#name, COUNTS)
    this.#historyOwner = await this.#log.own(OWNERS.history)
    this.#missed.restore(this.#historyOwner.committed())
    const committed = this.#owner.committed()
    // Prevents another source from using the directory before the first history or frames are committed.
    if (committed.size === 0) await this.#owner.commit({ outputs: [], inputs: new Map([[this.#name, 0]]) })
  }
  /**
   * Simulates the committed steps again, and writes the missing history. The decoder must not run meanwhile, because writing the history
   * changes the decoder's row. @throws EngineError `data_dir_source` if the market is not that of the data directory.
   */
  async prepare(progress: StartProgress = () => {}): Promise<void> {
    const { stop } = this.#options
    const [newest] = [this.#owner.committed(), this.#historyOwner.committed()].sort((a, b) => this.#doneIn(b) - this.#doneIn(a))
    await this.#simulateAgain(newest ?? new Map(), progress)
    if (this.#newest !== undefined && !stop.aborted) await this.#missed.leaveOut(this.#historyOwner, this.#newest.timeMs)
    const tape = new HistoryTape(this.#log, this.#topology)
    await tape.restore()
    const endMs = historyEndMs(this.#options)
    let pending = 0
    for (let step = this.#next(); step !== undefined && !stop.aborted; step = this.#next()) {
      if (step.type !== 'slot' || step.slot.timeMs >= endMs) {
        this.#held = step
        break
      }
      const { slot } = step
      this.#bodies.follow(step)
      if (!this.#isLeftOut(slot)) {
        const events = tapeEventsOf(slot, this.#isLost)
        tape.fold({ slot, events, counts: frameCountsOf(slot, this.#isLost) }, this.#outbox.number())
        pending += events.length
      }
      this.#reach(step)
      if (this.#uncommitted >= HISTORY_STEPS_MAX || pending >= HISTORY_EVENTS_MAX) {
        await this.#commit(this.#historyOwner, tape.take())
        pending = 0
      }
      await this.#turn(progress, true)
    }
    await this.#commit(this.#historyOwner, tape.take())
    this.#isPrepared = !stop.aborted
  }
  async run(line?: Line): Promise<void> {
    const { catchUpS, speed, stop, wall } = this.#options
    assert(this.#isPrepared || stop.aborted, 'prepare must be called before run')
    const wallMs = wall()
    // A demo on wall time is late until it has caught up; one that was played faster before may be ahead of the wall.
    const [pacedFromMs, ownLine] = followsWall(this.#options)
      ? [Number.NEGATIVE_INFINITY, { streamMs: Math.max(wallMs, this.#newest?.timeMs ?? 0), wallMs }]
      : [historyEndMs(this.#options) + catchUpS * 1_000, undefined]
    this.#pacer.keep(line ?? ownLine)
    for (let step = this.#next(); step !== undefined && !stop.aborted; step = this.#next()) {
      // The body is built before the slot is due, so that the slot is not late.
      const body = this.#isUnsent(step)
        ? this.#bodies.follow(step)
        : await runInSlices(this.#bodies.bodySteps(step), DEFAULT_LIMITS.sliceMs)
      let isOnTime = false
      if (step.type === 'slot') {
        if (step.branch === 0) this.#coinsAt = step.slot.number
        isOnTime = await this.#waitFor(step.slot, step.slot.timeMs < pacedFromMs ? 'max' : speed)
      }
      if (stop.aborted) break
      if (body?.type === 'frame') for (const part of splitFrame(body)) this.#outbox.add(part)
      else if (body !== undefined) this.#outbox.add(body)
      this.#reach(step)
      if (isOnTime || this.#uncommitted >= BATCH_STEPS_MAX || this.#outbox.bytes >= BATCH_BYTES_MAX) await this.#flush()
    }
    await this.#flush()
    this.#ended = !stop.aborted
  }

  #next(): DemoStep | undefined {
    const step = this.#held
    this.#held = undefined
    if (step !== undefined) return step
    const { value, done } = this.#steps.next()
    return done ? undefined : value
  }
  #doneIn(committed: ReadonlyMap<string, number>): number {
    return committed.get(this.#name) ?? 0
  }
  #isUnsent(step: DemoStep): boolean {
    return step.type === 'slot' && this.#isLeftOut(step.slot)
  }
  readonly #isLeftOut = ({ timeMs }: DemoSlot): boolean => {
    const { losses, startMs } = this.#options
    const atS = (timeMs - startMs) / 1_000
    return isInGap(losses, atS) || this.#missed.has(atS)
  }
  readonly #isLost = (tx: Parameters<typeof isLost>[1]): boolean => isLost(this.#options.losses, tx)
  #reach(step: DemoStep): void {
    this.#done++
    this.#uncommitted++
    if (step.type !== 'slot') return
    this.#newest = step.slot
    if (this.#isUnsent(step)) return
    const { number, timeMs } = step.slot
    if (step.branch === 0) this.#frames++
    this.#tip = { number, time: Math.max(this.#tip?.time ?? 0, Math.floor(timeMs / 1_000)) }
  }
  async #turn(progress: StartProgress, isNew: boolean): Promise<void> {
    if (this.#done % TURN_STEPS_MAX !== 0) return
    const { startMs, historyS } = this.#options
    progress({ atS: ((this.#newest?.timeMs ?? startMs) - startMs) / 1_000, ofS: historyS, isNew })
    await yieldToEventLoop()
  }
  async #simulateAgain(committed: ReadonlyMap<string, number>, progress: StartProgress): Promise<void> {
    const done = this.#doneIn(committed)
    this.#outbox.startAt(committed.get('sequence') ?? 0)
    while (this.#done < done && !this.#options.stop.aborted) {
      const step = this.#next()
      if (step === undefined) break
      this.#bodies.follow(step)
      this.#reach(step)
      await this.#turn(progress, false)
    }
    this.#uncommitted = 0
    if (this.#options.stop.aborted || done === 0) return
    const isSame = this.#done === done && this.#newest !== undefined && fingerprintOf(this.#newest) === committed.get('fingerprint')
    if (!isSame) throw otherSource(`${this.#name} of another version`, this.#name)
  }
  async #flush(): Promise<void> {
    if (this.#uncommitted > 0) await this.#commit(this.#owner, this.#outbox.take())
  }
  async #commit(owner: TaskOwner, outputs: readonly OutRecord[]): Promise<void> {
    if (this.#uncommitted === 0 || this.#newest === undefined) return
    this.#uncommitted = 0
    const inputs = new Map([
      [this.#name, this.#done],
      ['sequence', this.#outbox.sequence],
      ['fingerprint', fingerprintOf(this.#newest)],
    ])
    await retryCommit(owner, { outputs, inputs }, DEFAULT_LIMITS, () => this.#options.stop.aborted)
  }
  /** Yields, then waits until the slot is due and the folds are close behind the sent ones; commits before waiting. False if it is late. */
  async #waitFor(slot: DemoSlot, pace: Speed): Promise<boolean> {
    const { folded, stop } = this.#options
    const anchor = this.#pacer.anchor(slot.timeMs, pace)
    if (anchor !== undefined) this.#outbox.add(anchor)
    await yieldToEventLoop()
    const isAhead = (): boolean => (this.#tip?.number ?? 0) - (folded() ?? slot.number) > AHEAD_SLOTS_MAX
    if (isAhead()) await this.#flush()
    while (!stop.aborted && isAhead()) await pause(AHEAD_POLL_MS, stop)
    const waitMs = this.#pacer.waitMs(slot.timeMs)
    if (waitMs <= 0) return false
    await this.#flush()
    await pause(waitMs, stop)
    return true
  }
}
