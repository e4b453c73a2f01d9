// Frames that follow a tape in real time, and how old the newest frame in a view is meanwhile.
import { setTimeout as pause } from 'node:timers/promises'
import { tapeRecordCodec } from '../../../schemas/codecs.ts'
import type { TapeBatch } from '../../../schemas/types.ts'
import type { ChainView } from '../../../topology/ports/chain-view.ts'
import type { Log } from '../../../topology/ports/log.ts'
import { TOPICS } from '../../fixtures/topics.ts'
import { tapeRecordsOn } from '../fill-tape.ts'

const FRAME_MS = 400
/** A client asks for a card this often. */
const ASK_MS = 100
const READ = { recordsMax: 1_000, bytesMax: 4 * 1024 * 1024 }
const LOOK_BACK_OFFSETS = 16

/** Appends an empty frame every 400 ms, and asks the view for its lag every 100 ms. */
export class LiveTail {
  readonly #log: Log
  readonly #view: Pick<ChainView, 'status'>
  #lagSMax = 0
  #isOver = false
  #running: Promise<unknown> = Promise.resolve()
  /** Stream time (unix s) minus that of `performance.now()`. */
  #offsetS = 0

  constructor(log: Log, view: Pick<ChainView, 'status'>) {
    this.#log = log
    this.#view = view
  }
  async start(): Promise<void> {
    const last = await lastOn(this.#log)
    this.#offsetS = last.time + 1 - performance.now() / 1_000
    this.#running = Promise.all([this.#append(last), this.#ask()])
  }
  /** `feed_lag_s` of a card now. */
  lagS(): number {
    return this.#nowS() - (this.#view.status().folded?.time ?? 0)
  }
  /** The largest lag since the last call, seconds. */
  takeLagSMax(): number {
    const max = this.#lagSMax
    this.#lagSMax = 0
    return max
  }
  async stop(): Promise<void> {
    this.#isOver = true
    await this.#running
  }

  #nowS(): number {
    return this.#offsetS + performance.now() / 1_000
  }
  async #append(last: TapeBatch): Promise<void> {
    const owner = await this.#log.own('bench')
    const recordsOf = tapeRecordsOn(this.#log)
    for (let n = 1; !this.#isOver; n++) {
      const number = last.number + n
      const frame = {
        ...last,
        number,
        hash8: `b${number}`.slice(-8),
        sequence: last.sequence + n,
        time: Math.floor(this.#nowS()),
        events: [],
      }
      await owner.commit({ outputs: recordsOf(frame), inputs: new Map() })
      await pause(FRAME_MS)
    }
  }
  async #ask(): Promise<void> {
    for (; !this.#isOver; await pause(ASK_MS)) this.#lagSMax = Math.max(this.#lagSMax, this.lagS())
  }
}

const lastOn = async (log: Log): Promise<TapeBatch> => {
  await log.refresh()
  const end = log.end(TOPICS.tape, 0)
  const records = await log.read(TOPICS.tape, 0, Math.max(log.start(TOPICS.tape, 0), end - LOOK_BACK_OFFSETS), READ)
  const read = tapeRecordCodec.decode(records.at(-1)?.value ?? Buffer.alloc(0))
  if (!read.ok || read.value.type !== 'batch') throw new Error('the tape does not end with a frame')
  return read.value
}
