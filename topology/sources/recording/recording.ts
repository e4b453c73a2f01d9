// A recording as a source: writes its frames to the raw topic, paced or at full speed, exactly once over any number of starts.
import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { rawRecordCodec } from '../../../schemas/codecs.ts'
import type { Topics } from '../../../schemas/topics.ts'
import type { Anchor, Chain, RawFrame } from '../../../schemas/types.ts'
import { DEFAULT_LIMITS } from '../../engine/limits.ts'
import type { OutRecord, SourceLog, TaskOwner } from '../../ports/log.ts'
import { captureOwner } from '../../ports/source-owners.ts'
import { sourceNowMs } from '../../records/stream-time.ts'
import { retryCommit } from '../../waiting/retry.ts'
import { pause } from '../../waiting/waiting.ts'
import { ownRaw, type Source } from '../source.ts'
import { readRecording } from './recording-file.ts'
import { unreadable } from './unreadable.ts'

/** Frames per commit at full speed: enough to make the cost of fsync negligible. */
const BATCH_FRAMES_MAX = 256
const BATCH_BYTES_MAX = 4 * 1024 * 1024
/** Longer gaps in stream time are skipped. */
const IDLE_SKIPPED_S = 5

/** Stream seconds per wall second, or as fast as possible. */
export type Speed = number | 'max'
/** The pace, as text. */
export const paceWords = (speed: Speed): string => (speed === 'max' ? 'at full speed' : `at ${speed}x`)

export interface RecordingOptions {
  readonly chain: Chain
  readonly path: string
  readonly speed: Speed
  /** Treats the recording as one of this many frames, over all starts; absent: all. */
  readonly framesMax?: number
  /** Wall time in unix milliseconds. */
  readonly wall: () => number
  readonly stop: AbortSignal
}

/** Identifies a recording by its size, and the content of its first and last MiB. */
const identityOf = async (path: string): Promise<string> => {
  const failed = (cause: unknown): never => {
    throw unreadable(path, cause)
  }
  const file = await open(path).catch(failed)
  try {
    const { size } = await file.stat()
    const end = Buffer.alloc(Math.min(size, 1 << 20))
    const head = Buffer.alloc(end.length)
    await file.read(head, 0, head.length, 0).catch(failed)
    await file.read(end, 0, end.length, size - end.length)
    return createHash('sha256').update(`${size}:`).update(head).update(end).digest('hex').slice(0, 32)
  } finally {
    await file.close()
  }
}

/** Plays one recording. `run` resolves at its end or at the stop; committed frames are never sent again. */
export class RecordingSource implements Source {
  readonly #log: SourceLog
  readonly #topic: Topics['raw']
  readonly #options: RecordingOptions
  #owner!: TaskOwner
  #name = ''
  /** Number of records sent over all starts: frames, and parts of large frames. */
  #index = 0
  #frames = 0
  #sequence = 0
  #tip: { number: number; time: number } | null = null
  #anchor: Anchor | undefined
  #ended = false
  #records: OutRecord[] = []
  #bytes = 0

  constructor(log: SourceLog, topic: Topics['raw'], options: RecordingOptions) {
    this.#log = log
    this.#topic = topic
    this.#options = options
  }
  /** Number of whole frames sent over all starts; until `run` has passed those of earlier starts, parts of large frames count too. */
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
    return sourceNowMs(this, this.#options.wall())
  }
  anchor(): Anchor | undefined {
    return this.#anchor && this.#ended ? { ...this.#anchor, speed: 0 } : this.#anchor
  }
  /** Takes over the raw topic. @throws EngineError `data_dir_source` if the log has frames of another source. */
  async open(): Promise<void> {
    this.#name = `recording:${await identityOf(this.#options.path)}`
    this.#owner = await ownRaw(this.#log, captureOwner(this.#options.chain), this.#name)
    const committed = this.#owner.committed()
    this.#index = committed.get(this.#name) ?? 0
    this.#frames = this.#index
    this.#sequence = committed.get('sequence') ?? 0
  }
  async run(): Promise<void> {
    const { path, stop, framesMax = Number.POSITIVE_INFINITY } = this.#options
    let [index, frames] = [0, 0]
    for await (const frame of readRecording(path)) {
      if (stop.aborted || frames >= framesMax) break
      if (frame.part === frame.parts - 1) frames++
      const time = Math.max(this.#tip?.time ?? 0, frame.blockTime ?? 0)
      if (index++ >= this.#index) await this.#send(frame, time, index)
      if (index === this.#index) this.#frames = frames
      if (frame.part === frame.parts - 1) this.#tip = { number: frame.number, time }
    }
    await this.#commit()
    this.#ended = !stop.aborted
  }

  async #send(frame: RawFrame, time: number, index: number): Promise<void> {
    await this.#pace(time)
    if (this.#options.stop.aborted) return
    this.#append(frame)
    this.#sequence++
    this.#index = index
    const isLastPart = frame.part === frame.parts - 1
    if (isLastPart && (this.#options.speed !== 'max' || this.#records.length >= BATCH_FRAMES_MAX || this.#bytes >= BATCH_BYTES_MAX))
      await this.#commit()
  }
  #append(body: RawFrame | Anchor): void {
    const value = rawRecordCodec.encode({ sequence: this.#sequence, body })
    this.#bytes += value.length
    this.#records.push({ topic: this.#topic, partition: 0, key: Buffer.from(this.#options.chain), value })
  }
  async #commit(): Promise<void> {
    if (this.#records.length === 0) return
    const outputs = this.#records
    this.#records = []
    this.#bytes = 0
    const inputs = new Map([
      [this.#name, this.#index],
      ['sequence', this.#sequence],
    ])
    await retryCommit(this.#owner, { outputs, inputs }, DEFAULT_LIMITS, () => this.#options.stop.aborted)
  }
  /** Waits until the frame is due; anchors the clock at the start and after each skipped gap. */
  async #pace(time: number): Promise<void> {
    const { speed, wall } = this.#options
    const silent = speed !== 'max' && this.#tip !== null && time - this.#tip.time > IDLE_SKIPPED_S
    if (this.#anchor === undefined || silent) {
      this.#anchor = { type: 'anchor', streamMs: time * 1_000, wallMs: wall(), speed: speed === 'max' ? 0 : speed }
      this.#append(this.#anchor)
    }
    if (speed === 'max') return
    const waitMs = (time * 1_000 - this.#anchor.streamMs) / speed - (wall() - this.#anchor.wallMs)
    if (waitMs > 0) await pause(waitMs, this.#options.stop)
  }
}
