// The live source of the alt chain: writes blocks, forks and finality to the raw topic, exactly once over all starts. The checkpoint is
// the log: its newest frames are the blocks among which a fork point is searched.
import { splitFrame } from '../../../processors/chains/frame-parts.ts'
import { rawRecordCodec } from '../../../schemas/codecs.ts'
import { EngineError } from '../../../schemas/errors.ts'
import type { Anchor, RawFrame, RawRecord } from '../../../schemas/types.ts'
import { DEFAULT_LIMITS } from '../../engine/limits.ts'
import type { OutRecord, SourceLog, TaskOwner } from '../../ports/log.ts'
import type { Notice } from '../../ports/notice.ts'
import { captureOwner } from '../../ports/source-owners.ts'
import { sourceNowMs } from '../../records/stream-time.ts'
import type { LiveCapture } from '../../topology.ts'
import { retryCommit } from '../../waiting/retry.ts'
import { pause } from '../../waiting/waiting.ts'
import { lostCheck, Verdicts } from '../checks/verdicts.ts'
import { type Line, ownRaw, type Source } from '../source.ts'
import { readCheckpoint } from './checkpoint.ts'
import { type AltCheck, CHECKS_MAX } from './cross-check.ts'
import { Follower } from './follower.ts'
import type { LaunchpadLogs } from './launchpad-logs.ts'
import { type EvmNode, NodeFailure, type NodeLog } from './node.ts'
import type { Checkpoint, Step } from './step.ts'
import { CapturedTokens } from './tokens.ts'
import { WINDOW_BLOCKS } from './window.ts'

const OWNER = captureOwner('alt')
const NAME = 'live:alt'
/** Retry interval while a node contradicts its own finality. */
const FINALITY_MS = 15_000
const CHAIN_ID_MS = 1_000

/** The clock of a simulated chain. */
export interface PlayedClock {
  /** Starts the pace: from `line`, the anchor of another source of the stream, else from `newestMs`, the newest frame's time (unix ms). */
  begin(newestMs: number | null, line: Line | undefined): void
  anchor(): Anchor | undefined
}

export interface AltOptions {
  /** The chain's name in the data directory; absent: the live one. */
  readonly name?: string
  /** Absent: wall time. */
  readonly clock?: PlayedClock
  /** First block to send; a log that ends before it has a gap up to it. Absent: as in FollowerOptions, and no gap. */
  readonly firstBlock?: number
  readonly node: EvmNode
  /** Nodes of other chains are refused. */
  readonly chainId: number
  readonly launchpad: LaunchpadLogs
  /** A second node to compare every block with; absent: none. */
  readonly check?: AltCheck
  /**
   * Each frame waits for its own check and carries its result: for recordings, which may end with any frame. Absent: only the last of
   * `framesMax` frames waits.
   */
  readonly waitsForChecks?: boolean
  /** Ends after this many frames, over all starts; absent: never. */
  readonly framesMax?: number
  /** Wall time in unix milliseconds. */
  readonly wall: () => number
  readonly notice: Notice
  readonly stop: AbortSignal
  /** Defaults: the intervals of this folder; tests pass less. */
  readonly finalityMs?: number
  readonly tagsEveryMs?: number
  readonly silentMsMax?: number
}

/** Resumes from its last committed frame after any outage. Its clock is wall time, unless `clock` is given. */
export class AltSource implements Source {
  readonly #log: SourceLog
  readonly #topics: LiveCapture['writes']
  readonly #options: AltOptions
  readonly #tokens: CapturedTokens
  readonly #verdicts = new Verdicts(WINDOW_BLOCKS)
  readonly #anchor: Anchor
  #owner!: TaskOwner
  #follower!: Follower
  #isChainKnown = false
  #frames = 0
  #sequence = 0
  #tip: { number: number; time: number } | null = null
  #ended = false

  constructor(log: SourceLog, { writes }: LiveCapture, options: AltOptions) {
    this.#log = log
    this.#topics = writes
    this.#options = options
    this.#tokens = new CapturedTokens(writes.captureChangelog)
    const wallMs = options.wall()
    this.#anchor = { type: 'anchor', streamMs: wallMs, wallMs, speed: 1 }
  }
  get #name(): string {
    return this.#options.name ?? NAME
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
  now(): number | null {
    const { clock, wall } = this.#options
    return clock === undefined ? wall() : sourceNowMs(this, wall())
  }
  anchor(): Anchor | undefined {
    const { clock } = this.#options
    const anchor = clock === undefined ? this.#anchor : clock.anchor()
    return clock !== undefined && anchor !== undefined && this.#ended ? { ...anchor, speed: 0 } : anchor
  }
  /** @throws EngineError `data_dir_source`; `wrong_chain` for a node of another chain. Does not wait for an unreachable node. */
  async open(): Promise<void> {
    const { node, launchpad, stop, notice, tagsEveryMs, silentMsMax, firstBlock } = this.#options
    this.#owner = await ownRaw(this.#log, OWNER, this.#name)
    const committed = this.#owner.committed()
    this.#frames = committed.get(this.#name) ?? 0
    this.#sequence = committed.get('sequence') ?? 0
    await this.#tokens.restore(this.#log)
    const checkpoint = await readCheckpoint(this.#log, this.#topics.raw)
    this.#tip = checkpoint.blocks.at(-1) ?? null
    const isGap = firstBlock !== undefined && this.#tip !== null && this.#tip.number + 1 < firstBlock
    if (this.#options.check !== undefined) this.#verdicts.add(lostChecks(checkpoint))
    const times = { ...(tagsEveryMs === undefined ? {} : { tagsEveryMs }), ...(silentMsMax === undefined ? {} : { silentMsMax }) }
    const begin = firstBlock === undefined ? {} : { firstBlock }
    this.#follower = new Follower(
      { node, topics: launchpad.topics, keep: (block, logs) => this.#keep(block, logs), notice, ...times, ...begin },
      isGap ? { ...checkpoint, blocks: [] } : checkpoint,
    )
    await this.#askChain(stop)
  }
  async run(line?: Line): Promise<void> {
    this.#options.clock?.begin(this.#tip === null ? null : this.#tip.time * 1_000, line)
    const { stop, notice, finalityMs = FINALITY_MS, framesMax = Number.POSITIVE_INFINITY } = this.#options
    while (!this.#isChainKnown && !stop.aborted) {
      await this.#askChain(stop)
      if (!this.#isChainKnown) await pause(CHAIN_ID_MS, stop)
    }
    for (let isBroken = false; !stop.aborted && this.#frames < framesMax; await pause(finalityMs, stop))
      try {
        await this.#follow(framesMax, () => {
          if (isBroken) notice('finality_holds', {})
          isBroken = false
        })
        break
      } catch (failure) {
        if (!(failure instanceof EngineError && failure.code === 'finality_broken')) throw failure
        if (!isBroken) notice('finality_broken', { ...failure.facts, words: `${failure.message}; ${BROKEN_WORDS}` })
        isBroken = true
      }
    this.#ended = !stop.aborted
  }

  /** Also called for blocks that are orphaned later: their tokens stay known. */
  #keep(block: number, logs: readonly NodeLog[]): readonly NodeLog[] {
    const kept = this.#options.launchpad.kept(logs, (address) => this.#tokens.has(address))
    this.#tokens.add(block, kept)
    return kept.logs
  }
  async #askChain(stop: AbortSignal): Promise<void> {
    const { node, chainId } = this.#options
    const answered = await node.chainId(stop).catch((failure: unknown) => {
      if (failure instanceof NodeFailure) return null
      throw failure
    })
    this.#isChainKnown = answered === chainId
    if (answered !== null && answered !== chainId) throw wrongChain(chainId, answered)
  }
  /** Runs until the end, and calls `moved` after each step with frames. */
  async #follow(framesMax: number, moved: () => void): Promise<void> {
    for await (const step of this.#follower.steps(this.#options.stop)) {
      await this.#write(step, framesMax)
      if (step.frames.length > 0) moved()
      if (this.#options.stop.aborted || this.#frames >= framesMax) break
    }
  }
  /** Commits one step atomically. */
  async #write({ revertTo, frames, sure }: Step, framesMax: number): Promise<void> {
    const records: OutRecord[] = []
    if (revertTo !== null)
      records.push(this.#record({ type: 'revert', chain: 'alt', number: revertTo.number, hash: bareHash(revertTo.hash) }))
    const { check, launchpad, stop } = this.#options
    const sent = frames.slice(0, framesMax - this.#frames)
    for (const one of sent) check?.begin(one, (token) => this.#tokens.has(token), stop)
    for (const one of sent) {
      const frame = await this.#checked(launchpad.frameOf(one), this.#frames + 1 === framesMax)
      for (const part of splitFrame(frame)) records.push(this.#record(part))
      this.#frames++
      this.#tip = { number: one.block.number, time: one.block.time }
    }
    if (sure !== null) records.push(this.#record({ type: 'finality', chain: 'alt', ...sure }))
    records.push(...this.#tokens.takeRecords())
    if (records.length === 0) return
    const inputs = new Map([
      [this.#name, this.#frames],
      ['sequence', this.#sequence],
    ])
    await retryCommit(this.#owner, { outputs: records, inputs }, DEFAULT_LIMITS, () => this.#options.stop.aborted)
  }
  /** Adds the verdicts known by now. Before the last frame it waits for all checks, because no later frame could carry them. */
  async #checked(frame: RawFrame, isLast: boolean): Promise<RawFrame> {
    const { check, waitsForChecks = false } = this.#options
    if (check === undefined) return frame
    if (isLast || waitsForChecks) await check.idle()
    this.#verdicts.add(check.settled())
    return this.#verdicts.carriedBy(frame, ({ number, hash }) => this.#follower.has({ number, hash: `0x${hash}` }))
  }
  #record(body: RawRecord['body']): OutRecord {
    const value = rawRecordCodec.encode({ sequence: this.#sequence++, body })
    return { topic: this.#topics.raw, partition: 0, key: Buffer.from('alt'), value }
  }
}

/** Hex without 0x, as in frames. */
const bareHash = (hash: string): string => hash.slice(2)

/** Verdicts for the newest frames of earlier starts, whose checks may have been lost with the process. */
const lostChecks = ({ blocks }: Checkpoint) =>
  blocks
    .slice(-CHECKS_MAX)
    .map(({ number, hash }, n, newest) => lostCheck({ from: (newest[n - 1]?.number ?? number - 1) + 1, number, hash: bareHash(hash) }))

const BROKEN_WORDS =
  'nothing of that branch is sent; retrying. Compare the node with another one; if the chain itself was rolled back, start with a new data directory'

const wrongChain = (expected: number, answered: number): EngineError =>
  new EngineError(
    'wrong_chain',
    `the node is of chain ${answered}, not of chain ${expected}: set ALT_RPC_URL to a node of chain ${expected}`,
    {
      facts: { expected, answered },
    },
  )
