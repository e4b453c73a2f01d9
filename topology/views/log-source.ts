// The source as the log shows it, for who serves without one: its tip from the raw topic, its clock from what capture tells.

import { rawRecordCodec, sourceCodec } from '../../schemas/codecs.ts'
import { TOPICS } from '../../schemas/topics.ts'
import type { SourceClock } from '../../schemas/types.ts'
import type { Log } from '../ports/log.ts'
import type { Clock } from '../ports/mint-view.ts'
import { streamMsAt } from '../stream-time.ts'
import type { SourceStatus } from './mint-view.ts'

/** Of a backlog only so many of the newest records are looked at: a frame is among them. */
const LOOK_BACK_OFFSETS = 64
const READ = { recordsMax: 1_000, bytesMax: 4 * 1024 * 1024 }

/** Call `start`, then `stop` before the log closes. */
export class LogSource implements SourceStatus, Clock {
  readonly #log: Log
  readonly #wall: () => number
  #clock: SourceClock | undefined
  #tip: { number: number; time: number; cameMs: number } | null = null
  #offsets = { raw: 0, sources: 0 }
  #following: Promise<void> = Promise.resolve()
  #isQueued = false
  #unsubscribe: (() => void) | undefined

  constructor(log: Log, wall: () => number) {
    this.#log = log
    this.#wall = wall
  }
  /** Resolves when what is there now is known. */
  async start(): Promise<void> {
    this.#offsets.sources = this.#log.start(TOPICS.sources, 0)
    this.#unsubscribe = this.#log.onCommit((topics) => {
      if (topics.has(TOPICS.rawSolana.name) || topics.has(TOPICS.sources.name)) void this.#follow()
    })
    await this.#follow()
  }
  async stop(): Promise<void> {
    this.#unsubscribe?.()
    await this.#following.catch(() => {})
  }
  tip(): { readonly number: number; readonly time: number; readonly cameMs: number } | null {
    return this.#tip
  }
  anchor(): SourceClock | undefined {
    return this.#clock
  }
  /** Stream time: the line of what capture told last, never before the newest tick. */
  now(): number {
    return streamMsAt(this.#clock, (this.#tip?.time ?? 0) * 1_000, this.#wall())
  }
  /** `meta.source`; null until capture has told. */
  get facts(): string | null {
    return this.#clock?.facts ?? null
  }

  #follow(): Promise<void> {
    if (this.#isQueued) return this.#following
    this.#isQueued = true
    this.#following = this.#following
      .catch(() => {})
      .then(() => {
        this.#isQueued = false
        return this.#readOn()
      })
    this.#following.catch(() => {})
    return this.#following
  }
  async #readOn(): Promise<void> {
    for (const { value, offset } of await this.#log.read(TOPICS.sources, 0, this.#offsets.sources, READ)) {
      const read = value === null ? undefined : sourceCodec.decode(value)
      if (read?.ok === true && read.value.chain === 'solana') this.#clock = read.value
      this.#offsets.sources = offset + 1
    }
    const oldest = Math.max(this.#log.start(TOPICS.rawSolana, 0), this.#log.end(TOPICS.rawSolana, 0) - LOOK_BACK_OFFSETS)
    for (const { value, offset } of await this.#log.read(TOPICS.rawSolana, 0, Math.max(oldest, this.#offsets.raw), READ)) {
      const read = value === null ? undefined : rawRecordCodec.decode(value)
      if (read?.ok === true && read.value.body.type === 'frame') {
        const { number, blockTime } = read.value.body
        this.#tip = { number, time: Math.max(this.#tip?.time ?? 0, blockTime ?? 0), cameMs: this.#wall() }
      }
      this.#offsets.raw = offset + 1
    }
  }
}
