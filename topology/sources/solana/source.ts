// The live source of the Solana chain: writes a feed's blocks, forks and finality to the raw topic, exactly once over all starts.
import { splitFrame } from '../../../processors/chains/frame-parts.ts'
import { rawRecordCodec } from '../../../schemas/codecs.ts'
import { hasCode } from '../../../schemas/errors.ts'
import type { Topics } from '../../../schemas/topics.ts'
import type { Anchor, RawFrame, RawRecord } from '../../../schemas/types.ts'
import { DEFAULT_LIMITS } from '../../engine/limits.ts'
import type { OutRecord, SourceLog, TaskOwner } from '../../ports/log.ts'
import type { Notice } from '../../ports/notice.ts'
import { captureOwner } from '../../ports/source-owners.ts'
import type { MintTopology } from '../../topology.ts'
import { retryCommit } from '../../waiting/retry.ts'
import { pause } from '../../waiting/waiting.ts'
import { lostCheck, Verdicts } from '../checks/verdicts.ts'
import { ownRaw, type Source } from '../source.ts'
import { BRANCH_FRAMES_MAX } from './branch.ts'
import { type ChainStep, LiveChain } from './chain.ts'
import { CHECKS_MAX, type CrossCheck } from './cross-check.ts'
import type { BlockReader, Feed, FeedStep, LiveFrame, PlacedBlock } from './feed.ts'
import { addMints, frameOfLive } from './frames.ts'
import { CapturedMints } from './launchpad-mints.ts'
import { NodeRecord } from './node-record.ts'

const OWNER = captureOwner('solana')
/** The name is the same for every kind of feed, because all feeds give the same frames. */
const NAME = 'live:solana'
/** Records of the raw topic restored at a start: about 100 seconds of frames, more than a fork can reach. */
const TAIL_RECORDS_MAX = 512
const READ = { recordsMax: 64, bytesMax: 8 * 1024 * 1024 }
/** Retry interval while a node contradicts its own finality. */
const FINALITY_MS = 15_000

export interface LiveOptions {
  readonly feed: Feed
  /** Fetches blocks that the feed left out; null: they are missing. */
  readonly reader: BlockReader | null
  /** A second source to compare every block with; null for none. */
  readonly check: CrossCheck | null
  /** Each frame waits for its own check and carries its result: for recordings, which may end with any frame. Absent: no frame waits. */
  readonly waitsForChecks?: boolean
  /** Ends after this many frames, over all starts; absent: never. */
  readonly framesMax?: number
  /** Wall time in unix milliseconds. */
  readonly wall: () => number
  readonly notice: Notice
  /** Hash of a block whose branch is followed even below final blocks; null: none. */
  readonly acceptedFork: string | null
  readonly finalityMs?: number
  readonly stop: AbortSignal
}

/** Resumes from its last committed frame after any outage. Its clock is wall time. */
export class LiveSource implements Source {
  readonly #log: SourceLog
  readonly #raw: Topics['raw']
  readonly #options: LiveOptions
  readonly #mints: CapturedMints
  readonly #chain: LiveChain
  readonly #verdicts = new Verdicts(BRANCH_FRAMES_MAX)
  readonly #anchor: Anchor
  #owner!: TaskOwner
  /** The newest frames of earlier starts, whose checks may have been lost with the process. */
  #restored: readonly RawFrame[] = []
  #frames = 0
  #sequence = 0
  #tip: { number: number; time: number } | null = null
  #ended = false
  readonly #nodeRecord: NodeRecord

  constructor(log: SourceLog, { reads, writes }: MintTopology['sources']['live'], options: LiveOptions) {
    this.#log = log
    this.#raw = writes.raw
    this.#mints = new CapturedMints(reads.captureChangelog)
    this.#options = options
    const { feed, reader, stop, wall, notice, acceptedFork: hash } = options
    this.#nodeRecord = new NodeRecord(notice)
    this.#chain = new LiveChain(feed.level, reader && ((slot) => this.#ask(reader, slot, stop)), { hash, notice })
    const wallMs = wall()
    this.#anchor = { type: 'anchor', streamMs: wallMs, wallMs, speed: 1 }
  }
  get frames(): number {
    return this.#frames
  }
  get ended(): boolean {
    return this.#ended
  }
  tip(): { readonly number: number; readonly time: number } | null {
    return this.#tip
  }
  now(): number {
    return this.#options.wall()
  }
  anchor(): Anchor {
    return this.#anchor
  }
  async open(): Promise<void> {
    this.#owner = await ownRaw(this.#log, OWNER, NAME)
    const committed = this.#owner.committed()
    this.#frames = committed.get(NAME) ?? 0
    this.#sequence = committed.get('sequence') ?? 0
    await this.#mints.restore(this.#log)
    await this.#restoreBranch()
    this.#verdicts.add(this.#restored.map(({ number, hash }) => lostCheck({ from: number, number, hash })))
  }
  async run(): Promise<void> {
    const { stop, notice, finalityMs = FINALITY_MS, framesMax = Number.POSITIVE_INFINITY } = this.#options
    for (let isBroken = false; !stop.aborted && this.#frames < framesMax; await pause(finalityMs, stop))
      try {
        await this.#follow(framesMax, () => {
          if (isBroken) notice('finality_holds', {})
          isBroken = false
        })
        break
      } catch (failure) {
        if (!hasCode(failure, 'finality_broken')) throw failure
        if (!isBroken) notice('finality_broken', { ...failure.facts, words: `${failure.message}; ${brokenWords(failure.facts.branch)}` })
        isBroken = true
      }
    this.#ended = !stop.aborted
  }

  /** Runs until the feed ends. Calls `moved` for each step with frames. */
  async #follow(framesMax: number, moved: () => void): Promise<void> {
    const { feed, stop } = this.#options
    for await (const step of feed.steps(() => this.#chain.head, stop)) {
      const steps = await this.#take(step)
      await this.#write(steps, framesMax)
      if (steps.some(({ type }) => type === 'frame')) moved()
      if (stop.aborted || this.#frames >= framesMax) break
    }
  }

  async #take(step: FeedStep): Promise<readonly ChainStep[]> {
    if (step.type !== 'block') return this.#chain.feedNotice(step)
    return this.#chain.frame(this.#frameOf(step.block))
  }
  #frameOf(block: PlacedBlock): LiveFrame {
    const { feed, check, stop } = this.#options
    this.#nodeRecord.check(block)
    check?.begin(block, this.#mints, stop)
    return frameOfLive(block, feed.level, this.#mints)
  }
  async #ask(reader: BlockReader, slot: number, stop: AbortSignal): Promise<LiveFrame | string> {
    const answer = await reader.block(slot, stop)
    return answer.ok ? this.#frameOf(answer.block) : answer.reason
  }
  /** Commits the records of one step atomically. */
  async #write(steps: readonly ChainStep[], framesMax: number): Promise<void> {
    const records: OutRecord[] = []
    for (const body of steps) {
      if (body.type !== 'frame') {
        records.push(this.#record(body))
        continue
      }
      if (this.#frames >= framesMax) break
      for (const part of splitFrame(await this.#checked(body, this.#frames + 1 === framesMax))) records.push(this.#record(part))
      records.push(...addMints(body, this.#mints))
      this.#frames++
      this.#tip = { number: body.number, time: Math.max(this.#tip?.time ?? 0, body.blockTime ?? 0) }
    }
    if (records.length === 0) return
    const inputs = new Map([
      [NAME, this.#frames],
      ['sequence', this.#sequence],
    ])
    await retryCommit(this.#owner, { outputs: records, inputs }, DEFAULT_LIMITS, () => this.#options.stop.aborted)
  }
  /** Adds the verdicts known by now. Before the last frame it waits for all checks, because no later frame could carry them. */
  async #checked(frame: LiveFrame, isLast: boolean): Promise<LiveFrame> {
    const { check, waitsForChecks } = this.#options
    if (check === null) return frame
    if (isLast || waitsForChecks) await check.idle()
    this.#verdicts.add(check.settled())
    return this.#verdicts.carriedBy(frame, ({ hash }) => this.#chain.has(hash))
  }
  #record(body: RawRecord['body']): OutRecord {
    const value = rawRecordCodec.encode({ sequence: this.#sequence++, body })
    return { topic: this.#raw, partition: 0, key: Buffer.from('solana'), value }
  }
  /** Restores our branch from the end of the raw topic, including rollbacks there. */
  async #restoreBranch(): Promise<void> {
    const topic = this.#raw
    const end = this.#log.end(topic, 0)
    for (let offset = Math.max(this.#log.start(topic, 0), end - TAIL_RECORDS_MAX); offset < end; ) {
      const records = await this.#log.read(topic, 0, offset, READ)
      for (const { value } of records) {
        const read = value === null ? undefined : rawRecordCodec.decode(value)
        if (read?.ok && read.value.body.type !== 'anchor') this.#restore(read.value.body)
      }
      offset = (records.at(-1)?.offset ?? end) + 1
    }
  }
  #restore(body: Exclude<RawRecord['body'], Anchor>): void {
    if (body.type === 'frame' && body.part > 0) return
    this.#chain.restore(body)
    if (body.type === 'frame' && this.#options.check !== null) this.#restored = [...this.#restored, body].slice(-CHECKS_MAX)
    if (body.type === 'frame') this.#tip = { number: body.number, time: Math.max(this.#tip?.time ?? 0, body.blockTime ?? 0) }
  }
}

const brokenWords = (branch: unknown): string =>
  `nothing of that branch is sent; retrying. Compare the node with another one; if the chain itself was rolled back, set SOLANA_ACCEPT_FORK=${branch} and start again`
