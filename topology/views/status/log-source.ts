// The source as seen in the log, for processes without one: its tip from the raw topic, its clock from capture's records.

import { rawRecordCodec, sourceCodec } from '../../../schemas/codecs.ts'
import type { Chain, SourceClock } from '../../../schemas/types.ts'
import { readKept } from '../../logs/read-kept.ts'
import type { StreamClock } from '../../ports/chain-view.ts'
import type { Log } from '../../ports/log.ts'
import type { Notice } from '../../ports/notice.ts'
import type { SourceStatus } from '../../ports/source-status.ts'
import { streamMsAt } from '../../records/stream-time.ts'
import type { Topology } from '../../topology.ts'
import { Rounds } from '../rounds.ts'

/** At a backlog, only this many of the newest records are read: at least one is a frame. */
const LOOK_BACK_OFFSETS = 64
const READ = { recordsMax: 1_000, bytesMax: 4 * 1024 * 1024 }

/** Call `start`, then `stop` before the log closes. */
export class LogSource implements SourceStatus, StreamClock {
  readonly #chain: Chain
  readonly #log: Log
  readonly #topics: Topology['views']['source']['reads']
  readonly #wall: () => number
  #clock: SourceClock | undefined
  #tip: { number: number; time: number; cameMs: number } | null = null
  #offsets = { raw: 0, sources: 0 }
  readonly #rounds: Rounds
  #unsubscribe: (() => void) | undefined

  constructor(log: Log, topology: Pick<Topology, 'chain' | 'views'>, wall: () => number, notice: Notice = () => {}) {
    this.#rounds = new Rounds({ name: 'source', notice, wall }, () => this.#readOn())
    this.#chain = topology.chain.name
    this.#log = log
    this.#topics = topology.views.source.reads
    this.#wall = wall
  }
  /** Resolves when the current state is known. */
  async start(): Promise<void> {
    this.#offsets.sources = this.#log.start(this.#topics.sources, 0)
    this.#unsubscribe = this.#log.onCommit((topics) => {
      if (Object.values(this.#topics).some(({ name }) => topics.has(name))) void this.#rounds.ask().catch(() => {})
    })
    await this.#rounds.ask()
  }
  async stop(): Promise<void> {
    this.#unsubscribe?.()
    await this.#rounds.stop()
  }
  /** Rejects with a failure that no retry can fix; never resolves. */
  get failed(): Promise<never> {
    return this.#rounds.failed
  }
  tip(): { readonly number: number; readonly time: number; readonly cameMs: number } | null {
    return this.#tip
  }
  anchor(): SourceClock | undefined {
    return this.#clock
  }
  /** Stream time, from capture's latest clock record; never before the newest tick. Null until capture has published its clock. */
  now(): number | null {
    if (this.#clock === undefined) return null
    return streamMsAt(this.#clock, (this.#tip?.time ?? 0) * 1_000, this.#wall())
  }
  /** `meta.source`; null until capture has reported it. */
  get facts(): string | null {
    return this.#clock?.facts ?? null
  }

  async #readOn(): Promise<void> {
    const { raw: frames, sources: clocks } = this.#topics
    const from = Math.max(this.#log.start(clocks, 0), this.#offsets.sources)
    const sources = await readKept(this.#log, { topic: clocks, partition: 0, offset: from }, READ, () => {})
    for (const { value, offset } of sources.records) {
      const read = value === null ? undefined : sourceCodec.decode(value)
      if (read?.ok === true && read.value.chain === this.#chain) this.#clock = read.value
      this.#offsets.sources = offset + 1
    }
    const oldest = Math.max(this.#log.start(frames, 0), this.#log.end(frames, 0) - LOOK_BACK_OFFSETS)
    const raw = { topic: frames, partition: 0, offset: Math.max(oldest, this.#offsets.raw) }
    for (const { value, offset } of (await readKept(this.#log, raw, READ, () => {})).records) {
      const read = value === null ? undefined : rawRecordCodec.decode(value)
      if (read?.ok === true && read.value.body.type === 'frame') {
        const { number, blockTime } = read.value.body
        this.#tip = { number, time: Math.max(this.#tip?.time ?? 0, blockTime ?? 0), cameMs: this.#wall() }
      }
      this.#offsets.raw = offset + 1
    }
  }
}
