// The chain itself as a source: blocks become frames, forks and finality on the raw topic, exactly once over all starts. The checkpoint is
// the log: its newest frames are the blocks that a fork is looked for among.
import { splitFrame } from '../../../processors/chains/frame-parts.ts'
import { rawRecordCodec } from '../../../schemas/codecs.ts'
import { EngineError } from '../../../schemas/errors.ts'
import type { Anchor, RawFrame, RawRecord } from '../../../schemas/types.ts'
import { DEFAULT_LIMITS } from '../../engine/limits.ts'
import type { OutRecord, SourceLog, TaskOwner } from '../../ports/log.ts'
import type { Notice } from '../../ports/notice.ts'
import type { LiveCapture } from '../../topology.ts'
import { retryCommit } from '../../waiting/retry.ts'
import { pause } from '../../waiting/waiting.ts'
import { lostCheck, Verdicts } from '../checks/verdicts.ts'
import { type Line, otherSource, type Source } from '../source.ts'
import { readCheckpoint } from './checkpoint.ts'
import { type AltCheck, CHECKS_MAX } from './cross-check.ts'
import { Follower } from './follower.ts'
import type { LaunchpadLogs } from './launchpad-logs.ts'
import { type EvmNode, NodeFailure, type NodeLog } from './node.ts'
import type { Checkpoint, Step } from './step.ts'
import { CapturedTokens } from './tokens.ts'
import { WINDOW_BLOCKS } from './window.ts'

const OWNER = 'capture-alt'
const NAME = 'live:alt'
/** A node that contradicts what it had called final is asked again so often. */
const FINALITY_MS = 15_000
const CHAIN_ID_MS = 1_000

/** Time of a chain that is played. */
export interface PlayedClock {
  /** The pace begins: on the line of another source of the stream, or at the time of the newest frame that is there, unix ms. */
  begin(newestMs: number | null, line: Line | undefined): void
  /** Unix ms; never before the newest tick. */
  now(tickMs: number): number
  anchor(): Anchor | undefined
}

export interface AltOptions {
  /** What a data directory knows the chain by; absent: the live one. */
  readonly name?: string
  /** Absent: the wall's. */
  readonly clock?: PlayedClock
  /** See the follower's. */
  readonly firstBlock?: number
  readonly node: EvmNode
  /** A node of any other chain is refused. */
  readonly chainId: number
  readonly launchpad: LaunchpadLogs
  /** A second node that every block is held against; absent: none. */
  readonly check?: AltCheck
  /** Each frame waits for its own check, and carries it: for recordings, which may end with any frame. Absent: no frame waits. */
  readonly waitsForChecks?: boolean
  /** It ends after so many frames, over all starts; absent: never. */
  readonly framesMax?: number
  /** Wall time in unix milliseconds. */
  readonly wall: () => number
  readonly notice: Notice
  readonly stop: AbortSignal
  /** The intervals of this folder unless a test has less time. */
  readonly finalityMs?: number
  readonly tagsEveryMs?: number
  readonly silentMsMax?: number
}

/** Goes on from its last committed frame after any outage. Its clock is the wall. */
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
  now(): number {
    const { clock, wall } = this.#options
    return clock === undefined ? wall() : clock.now((this.#tip?.time ?? 0) * 1_000)
  }
  anchor(): Anchor | undefined {
    const { clock } = this.#options
    const anchor = clock === undefined ? this.#anchor : clock.anchor()
    return clock !== undefined && anchor !== undefined && this.#ended ? { ...anchor, speed: 0 } : anchor
  }
  /** @throws EngineError `data_dir_source`; `wrong_chain` for a node that answers with another chain's id, while one that is away is not waited for */
  async open(): Promise<void> {
    const { node, launchpad, stop, notice, tagsEveryMs, silentMsMax, firstBlock } = this.#options
    this.#owner = await this.#log.own(OWNER)
    const committed = this.#owner.committed()
    const other = [...committed.keys()].find((name) => name !== 'sequence' && name !== this.#name)
    if (other !== undefined) throw otherSource(other, this.#name)
    this.#frames = committed.get(this.#name) ?? 0
    this.#sequence = committed.get('sequence') ?? 0
    await this.#tokens.restore(this.#log)
    const checkpoint = await readCheckpoint(this.#log, this.#topics.raw)
    this.#tip = checkpoint.blocks.at(-1) ?? null
    if (this.#options.check !== undefined) this.#verdicts.add(lostChecks(checkpoint))
    const times = { ...(tagsEveryMs === undefined ? {} : { tagsEveryMs }), ...(silentMsMax === undefined ? {} : { silentMsMax }) }
    const begin = firstBlock === undefined ? {} : { firstBlock }
    this.#follower = new Follower(
      { node, topics: launchpad.topics, keep: (block, logs) => this.#keep(block, logs), notice, ...times, ...begin },
      checkpoint,
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

  /** Also where the block comes to nothing: what it launched stays known. */
  #keep(block: number, logs: readonly NodeLog[]): readonly NodeLog[] {
    const kept = this.#options.launchpad.kept(logs, (address) => this.#tokens.has(address))
    this.#tokens.note(block, kept)
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
  /** Until the end. `moved` is called for each step that goes on. */
  async #follow(framesMax: number, moved: () => void): Promise<void> {
    for await (const step of this.#follower.steps(this.#options.stop)) {
      await this.#write(step, framesMax)
      if (step.frames.length > 0) moved()
      if (this.#options.stop.aborted || this.#frames >= framesMax) break
    }
  }
  /** One commit for one step: after a crash all of it is there, or none. */
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
  /** With what is known by now of it and of those before it. After the last frame none could carry what comes later: it is waited for. */
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

/** As frames have it: hex without 0x. */
const bareHash = (hash: string): string => hash.slice(2)

/** Of the newest frames of earlier starts, whose checks may have ended with their process. */
const lostChecks = ({ blocks }: Checkpoint) =>
  blocks
    .slice(-CHECKS_MAX)
    .map(({ number, hash }, n, newest) => lostCheck({ from: (newest[n - 1]?.number ?? number - 1) + 1, number, hash: bareHash(hash) }))

const BROKEN_WORDS =
  'nothing of it is sent, and the node is asked again: compare it with another node; if the chain itself went back, start with a fresh data directory'

const wrongChain = (expected: number, answered: number): EngineError =>
  new EngineError(
    'wrong_chain',
    `the node is of chain ${answered}, not of chain ${expected}: set ALT_RPC_URL to a node of chain ${expected}`,
    {
      facts: { expected, answered },
    },
  )
