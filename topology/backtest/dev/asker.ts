// Supervises the thread that runs a detector: if the detector does not return, ends the thread and starts another.
import { Worker } from 'node:worker_threads'
import { messageOf } from '../../../schemas/errors.ts'
import type { Chain } from '../../../schemas/types.ts'
import type { Asked, Told } from './asking.ts'
import type { KeptChunks } from './records.ts'
import { Vitals } from './vitals.ts'

const LOOK_MS = 100
/** Longest time of one call of a detector. */
const SILENT_MS_MAX = 5_000
/** Longest time for loading a file: the first bundling, and the evaluation. */
const LOAD_MS_MAX = 30_000
/** If a file is saved while the thread has been silent for this long, the thread is replaced. */
const IMPATIENT_MS = 500
/** Memory of the thread: launches, findings, and whatever a detector allocates in one call. */
const MEMORY_MB_MAX = 1_024

export type Heard = Exclude<Told, { readonly type: 'ready' }>

interface AskerOptions {
  /** The module of the thread, which calls `serveAsking`. */
  readonly entry: URL
  /** Path of the detector. */
  readonly path: string
  readonly chain: Chain
  readonly delayS: number
  readonly silentMsMax?: number
  /** Receives messages of the newest request only. */
  hear(told: Heard): void
}

export class Asker {
  readonly #options: AskerOptions
  readonly #looks: NodeJS.Timeout
  #vitals = new Vitals()
  #worker: Worker
  #ask = 0
  /** The running request; undefined if none is. */
  #pending: Asked | undefined
  /** Data that arrived while the newest request was running. */
  #later: KeptChunks | undefined
  #isLoaded = false
  #isAnswered = false
  #id: string | undefined
  #beat = 0
  #aliveMs = 0
  #isEnded = false

  constructor(options: AskerOptions) {
    this.#options = options
    this.#worker = this.#start()
    this.#looks = setInterval(() => this.#look(), LOOK_MS)
  }
  /** Evaluates the current file over all kept data and cancels the running request. Returns the number of the new one. */
  ask(kept: KeptChunks): number {
    const { path, chain, delayS } = this.#options
    if (this.#pending !== undefined && performance.now() - this.#aliveMs > IMPATIENT_MS && this.#isLoaded) this.#restart()
    this.#pending = { type: 'ask', ask: ++this.#ask, path, chain, delayS, kept }
    this.#later = undefined
    this.#isLoaded = false
    this.#isAnswered = false
    this.#vitals.wanted = this.#ask
    this.#send()
    return this.#ask
  }
  /** Evaluates data that arrived since, once the newest request is answered; a failed request is not continued. */
  more(kept: KeptChunks): void {
    const { path, chain, delayS } = this.#options
    if (this.#pending !== undefined) this.#later = kept
    else if (this.#isAnswered) {
      this.#pending = { type: 'more', ask: this.#ask, path, chain, delayS, kept }
      this.#send()
    }
  }
  async end(): Promise<void> {
    this.#isEnded = true
    clearInterval(this.#looks)
    await this.#worker.terminate()
  }

  #send(): void {
    this.#aliveMs = performance.now()
    this.#worker.postMessage(this.#pending)
  }
  #start(): Worker {
    this.#vitals = new Vitals()
    this.#vitals.wanted = this.#ask
    const worker = new Worker(this.#options.entry, {
      name: 'detector',
      workerData: this.#vitals.shared,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB_MAX },
    })
    const ifOurs = (act: () => void): void => {
      if (this.#worker === worker && !this.#isEnded) act()
    }
    worker.on('message', (told: Told) => ifOurs(() => this.#hear(told)))
    worker.on('error', (failure) => ifOurs(() => this.#broken(messageOf(failure))))
    return worker
  }
  #hear(told: Told): void {
    this.#aliveMs = performance.now()
    if (told.type === 'ready' || told.ask !== this.#ask) return
    if (told.type === 'loaded') [this.#isLoaded, this.#id] = [true, told.id]
    else [this.#pending, this.#isAnswered] = [undefined, told.type === 'answered']
    this.#options.hear(told)
    const later = this.#later
    if (told.type !== 'answered' || later === undefined) return
    this.#later = undefined
    this.more(later)
  }
  #look(): void {
    if (this.#pending === undefined) return
    const { beat } = this.#vitals
    if (beat !== this.#beat) [this.#beat, this.#aliveMs] = [beat, performance.now()]
    const { silentMsMax = SILENT_MS_MAX, chain } = this.#options
    const silentMs = performance.now() - this.#aliveMs
    const isAsking = this.#isLoaded || this.#pending.type === 'more'
    if (silentMs < (isAsking ? silentMsMax : LOAD_MS_MAX)) return
    const seconds = Math.round(silentMs / 1_000)
    this.#fail(
      isAsking
        ? `detector ${this.#id} does not return: at ${this.#vitals.positionOf(chain)} it ran for ${seconds} s and was stopped. Save a version that returns.`
        : `${this.#options.path}: loading took more than ${seconds} s and was stopped. Save a version that loads.`,
    )
  }
  #broken(words: string): void {
    this.#fail(`the detector's thread has ended: ${words}. Save another version.`)
  }
  #fail(words: string): void {
    this.#restart()
    this.#pending = undefined
    this.#isAnswered = false
    this.#options.hear({ type: 'failed', ask: this.#ask, words })
  }
  #restart(): void {
    const broken = this.#worker
    this.#worker = this.#start()
    void broken.terminate()
  }
}
