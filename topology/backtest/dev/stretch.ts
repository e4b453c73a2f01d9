// Keeps the newest hours of a tape as detectors see them: the folds run once, and the rows after every event are stored, so that a changed
// detector can be evaluated without folding again.
import type { Of } from '../../../processors/detector-kit/fields.ts'
import type { Key } from '../../../schemas/keys.ts'
import { isTick } from '../../../schemas/position.ts'
import type { ChainEvent } from '../../../schemas/record-forms.ts'
import type { Outcome } from '../../../schemas/types.ts'
import type { ProbedFolds, TapeFrame } from '../backtest.ts'
import { Creators } from '../trials/creators.ts'
import type { Market, SeenRows } from '../trials/market.ts'
import { ByteWriter, type Primitive } from './bytes.ts'
import { type AnySeen, Columns } from './columns.ts'
import { type KeptChunks, type Label, RECORD } from './records.ts'

const CHUNK_BYTES = 1_048_576
/** Limit for all chunks: rows after about six million events of the primary chain, and some kilobytes for each launch. */
export const KEPT_BYTES_MAX = 400 * CHUNK_BYTES
/** Interval at which launches older than the stretch are removed, in seconds of the chain. */
const SWEEP_S = 60

export interface StretchOptions<Rows extends SeenRows, Frame extends TapeFrame> {
  readonly of: Of
  readonly market: Market<Rows>
  /** The production folds, which call the probe with the rows of a launch after each of its events. */
  folds(probe: (rows: Rows) => void): Pick<ProbedFolds<Frame>, 'batch'>
  /** Launches in this many seconds before the newest tick are kept. */
  readonly keptS: number
  readonly bytesMax?: number
  readonly chunkBytes?: number
}

interface Chunk {
  readonly shared: SharedArrayBuffer
  readonly bytes: Uint8Array
  used: number
  /** Number of the first launch that starts in this chunk or after it. */
  readonly firstLaunch: number
  /** Tick of the frame at which this chunk was started. */
  readonly startedAt: number
}

/** A launch for which records are written. */
interface TrackedLaunch {
  readonly number: number
  readonly launchedAt: number
  readonly creator: Key
  readonly curve: Key
  /** Values of its rows in its newest record. */
  readonly last: Primitive[]
  isSettled: boolean
}

export class Stretch<Rows extends SeenRows, Frame extends TapeFrame> {
  readonly #options: StretchOptions<Rows, Frame>
  readonly #columns: Columns
  readonly #folds: Pick<ProbedFolds<Frame>, 'batch'>
  readonly #writer = new ByteWriter()
  readonly #tick = new ByteWriter()
  readonly #creators = new Creators()
  readonly #byCurve = new Map<Key, TrackedLaunch>()
  readonly #byMint = new Map<Key, TrackedLaunch>()
  readonly #chunks: Chunk[] = []
  #dropped = 0
  /** Tick of the first frame. */
  #startedAt = 0
  #launches = 0
  #events = 0
  #frame: Pick<TapeFrame, 'time' | 'hash8' | 'number'> = { time: 0, hash8: '', number: -1 }
  #isFrameWritten = false
  #sweepAt = 0
  #isShortened = false

  constructor(options: StretchOptions<Rows, Frame>) {
    this.#options = options
    this.#columns = new Columns(options.of)
    this.#folds = options.folds((rows) => this.#record(rows))
  }
  /** Newest frame taken; -1 before the first. */
  get newest(): number {
    return this.#frame.number
  }
  /** Number of events whose rows were kept. */
  get events(): number {
    return this.#events
  }
  get bytes(): number {
    return this.#chunks.length * (this.#options.chunkBytes ?? CHUNK_BYTES)
  }
  /** True if launches of the stretch were dropped because the memory limit was reached. */
  get isShortened(): boolean {
    return this.#isShortened && (this.#chunks[0]?.startedAt ?? 0) > this.#from
  }
  /** Folds a frame and keeps the rows that detectors see. */
  take(frame: Frame): void {
    if (this.#startedAt === 0) this.#startedAt = frame.time
    this.#frame = frame
    this.#isFrameWritten = false
    for (const event of frame.events) this.#open(event)
    for (const { body } of this.#folds.batch(frame).conclusions) if (body.type === 'outcome') this.#settle(body)
    this.#sweep()
  }
  /** A snapshot of the kept data, for another thread. */
  kept(): KeptChunks {
    return {
      of: this.#options.of,
      first: this.#dropped,
      chunks: this.#chunks.map(({ shared }) => shared),
      used: this.#chunks.map(({ used }) => used),
      firstLaunch: this.#chunks[0]?.firstLaunch ?? 0,
      from: Math.max(this.#from, this.#dropped > 0 ? (this.#chunks[0]?.startedAt ?? 0) : this.#startedAt),
      to: this.#frame.time,
    }
  }

  get #from(): number {
    return this.#frame.time - this.#options.keptS
  }
  #open(event: ChainEvent): void {
    const opened = this.#options.market.openedBy(event)
    if (opened === undefined || this.#byMint.has(opened.mint)) return
    const { mint, curve, creator } = opened
    const launchedAt = this.#frame.time
    this.#write(RECORD.opened, this.#launches, () => {
      this.#writer.double(launchedAt)
      for (const value of [mint, this.#creators.launched(creator), textIn(event, 'name'), textIn(event, 'symbol')])
        this.#writer.value(value)
    })
    const launch = { number: this.#launches++, launchedAt, creator, curve, last: this.#columns.newLast(), isSettled: false }
    this.#byCurve.set(curve, launch)
    this.#byMint.set(mint, launch)
  }
  #record(rows: Rows): void {
    const { market } = this.#options
    const launch = this.#byCurve.get(market.curveOf(rows))
    if (launch === undefined) return
    this.#events++
    const { time } = this.#frame
    this.#write(RECORD.seen, launch.number, () => {
      this.#writer.step(isTick(rows.position) ? 0 : market.secondOf(rows) - time)
      this.#columns.write(this.#writer, rows as unknown as AnySeen, launch.last)
    })
  }
  #settle({ mint, t0, rugged, rugDtS, graduated, censored, peakQuoteUnits }: Outcome): void {
    const launch = this.#byMint.get(mint)
    if (launch === undefined || launch.isSettled) return
    launch.isSettled = true
    if (rugged === true) this.#creators.rugged(launch.creator)
    const label: Label = { t0, rugged, rugDtS, graduated, censored }
    this.#write(RECORD.outcome, launch.number, () => {
      this.#writer.value(peakQuoteUnits)
      this.#writer.value(JSON.stringify(label))
    })
  }
  #write(kind: number, launch: number, content: () => void): void {
    this.#writer.clear()
    this.#writer.natural(launch)
    content()
    const { written } = this.#writer
    const isNew = this.#makeRoom(written.length + TICK_BYTES_MAX)
    if (isNew || !this.#isFrameWritten) this.#writeTick()
    this.#append(kind, written)
  }
  #writeTick(): void {
    this.#isFrameWritten = true
    this.#tick.clear()
    this.#tick.double(this.#frame.time)
    this.#tick.value(this.#frame.hash8)
    this.#append(RECORD.frame, this.#tick.written)
  }
  #append(kind: number, content: Uint8Array): void {
    const chunk = this.#chunks.at(-1) as Chunk
    const { bytes } = chunk
    let at = chunk.used
    bytes[at++] = kind
    let length = content.length
    for (; length > 0x7f; length >>>= 7) bytes[at++] = (length & 0x7f) | 0x80
    bytes[at++] = length
    bytes.set(content, at)
    chunk.used = at + content.length
  }
  /** Makes room for a record and its frame's record. True if a new chunk was added, which must start with the frame's record. */
  #makeRoom(bytes: number): boolean {
    const { chunkBytes = CHUNK_BYTES } = this.#options
    const last = this.#chunks.at(-1)
    if (last !== undefined && last.used + bytes <= last.bytes.length) return false
    const shared = new SharedArrayBuffer(Math.max(chunkBytes, bytes))
    const chunk = { shared, bytes: new Uint8Array(shared), used: 0, firstLaunch: this.#launches, startedAt: this.#frame.time }
    this.#chunks.push(chunk)
    return true
  }
  /** Removes chunks and launches older than the stretch, and the oldest ones while the memory limit is exceeded. */
  #sweep(): void {
    const { bytesMax = KEPT_BYTES_MAX } = this.#options
    const isFull = this.bytes > bytesMax
    if (!isFull && this.#frame.time < this.#sweepAt) return
    this.#sweepAt = this.#frame.time + SWEEP_S
    while (this.#chunks.length > 1 && ((this.#chunks[1] as Chunk).startedAt <= this.#from || this.bytes > bytesMax)) {
      if ((this.#chunks[1] as Chunk).startedAt > this.#from) this.#isShortened = true
      this.#chunks.shift()
      this.#dropped++
    }
    const first = this.#chunks[0]?.firstLaunch ?? 0
    for (const [mint, { number, launchedAt, curve }] of this.#byMint) {
      if (number >= first && launchedAt >= this.#from) break
      this.#byMint.delete(mint)
      this.#byCurve.delete(curve)
    }
  }
}

/** Upper bound of a frame's record, plus kind and length of another record. */
const TICK_BYTES_MAX = 64

/** A text by the coin's creator; empty if the launch has none. */
const textIn = (event: ChainEvent, name: string): string => {
  const text = (event as unknown as Readonly<Record<string, unknown>>)[name]
  return typeof text === 'string' ? text : ''
}
