// Controls the worker thread that runs a detector, and replaces the worker if the detector does not return.
import { Worker } from 'node:worker_threads'
import { messageOf } from '../../../schemas/errors.ts'
import type { Chain } from '../../../schemas/types.ts'
import type { EvaluationReply, EvaluationRequest } from './evaluations.ts'
import type { KeptChunks } from './records.ts'
import { Vitals } from './vitals.ts'

const CHECK_MS = 100
/** Longest time of one call of a detector. */
const CALL_MS_MAX = 5_000
/** Longest time for loading a file: bundling it for the first time, and running its top-level code. */
const LOAD_MS_MAX = 30_000
/** When the file is saved, a worker whose running request has made no progress for this long is replaced. */
const REPLACE_MS = 500
/** Memory limit of the worker: launches, findings, and whatever a detector allocates in one call. */
const MEMORY_MB_MAX = 1_024

export type EvaluationResult = Exclude<EvaluationReply, { readonly type: 'ready' }>

interface DetectorThreadOptions {
  /** The module of the thread, which calls `serveEvaluations`. */
  readonly entry: URL
  /** Path of the detector. */
  readonly path: string
  readonly chain: Chain
  readonly delayS: number
  readonly silentMsMax?: number
  /** Receives results of the newest request only. */
  receive(reply: EvaluationResult): void
}

export class DetectorThread {
  readonly #options: DetectorThreadOptions
  readonly #checks: NodeJS.Timeout
  #vitals = new Vitals()
  #worker: Worker
  #requestNumber = 0
  /** The running request. */
  #pending: EvaluationRequest | undefined
  /** Data that arrived while the newest request was running. */
  #later: KeptChunks | undefined
  #isLoaded = false
  #isAnswered = false
  #id: string | undefined
  #beat = 0
  #aliveMs = 0
  #isEnded = false

  constructor(options: DetectorThreadOptions) {
    this.#options = options
    this.#worker = this.#start()
    this.#checks = setInterval(() => this.#check(), CHECK_MS)
  }
  /** Evaluates the current file over all kept data and cancels the running request. Returns the number of the new one. */
  evaluate(kept: KeptChunks): number {
    const { path, chain, delayS } = this.#options
    if (this.#pending !== undefined && performance.now() - this.#aliveMs > REPLACE_MS && this.#isLoaded) this.#restart()
    this.#pending = { type: 'evaluate', requestNumber: ++this.#requestNumber, path, chain, delayS, kept }
    this.#later = undefined
    this.#isLoaded = false
    this.#isAnswered = false
    this.#vitals.wanted = this.#requestNumber
    this.#send()
    return this.#requestNumber
  }
  /** Continues the newest request with newer data, once it is answered; a failed request is not continued. */
  extend(kept: KeptChunks): void {
    const { path, chain, delayS } = this.#options
    if (this.#pending !== undefined) this.#later = kept
    else if (this.#isAnswered) {
      this.#pending = { type: 'extend', requestNumber: this.#requestNumber, path, chain, delayS, kept }
      this.#send()
    }
  }
  async end(): Promise<void> {
    this.#isEnded = true
    clearInterval(this.#checks)
    await this.#worker.terminate()
  }

  #send(): void {
    this.#aliveMs = performance.now()
    this.#worker.postMessage(this.#pending)
  }
  #start(): Worker {
    this.#vitals = new Vitals()
    this.#vitals.wanted = this.#requestNumber
    const worker = new Worker(this.#options.entry, {
      name: 'detector',
      workerData: this.#vitals.shared,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB_MAX },
    })
    const ifCurrent = (act: () => void): void => {
      if (this.#worker === worker && !this.#isEnded) act()
    }
    worker.on('message', (reply: EvaluationReply) => ifCurrent(() => this.#receive(reply)))
    worker.on('error', (failure) => ifCurrent(() => this.#threadEnded(messageOf(failure))))
    return worker
  }
  #receive(reply: EvaluationReply): void {
    this.#aliveMs = performance.now()
    if (reply.type === 'ready' || reply.requestNumber !== this.#requestNumber) return
    if (reply.type === 'loaded') [this.#isLoaded, this.#id] = [true, reply.id]
    else [this.#pending, this.#isAnswered] = [undefined, reply.type === 'answered']
    this.#options.receive(reply)
    const later = this.#later
    if (reply.type !== 'answered' || later === undefined) return
    this.#later = undefined
    this.extend(later)
  }
  #check(): void {
    if (this.#pending === undefined) return
    const { beat } = this.#vitals
    if (beat !== this.#beat) [this.#beat, this.#aliveMs] = [beat, performance.now()]
    const { silentMsMax = CALL_MS_MAX, chain } = this.#options
    const silentMs = performance.now() - this.#aliveMs
    const isCalling = this.#isLoaded || this.#pending.type === 'extend'
    if (silentMs < (isCalling ? silentMsMax : LOAD_MS_MAX)) return
    const seconds = Math.round(silentMs / 1_000)
    this.#fail(
      isCalling
        ? `detector ${this.#id} does not return: at ${this.#vitals.positionOf(chain)} it ran for ${seconds} s and was stopped. Save a version that returns.`
        : `${this.#options.path}: loading took more than ${seconds} s and was stopped. Save a version that loads.`,
    )
  }
  #threadEnded(message: string): void {
    this.#fail(`the detector's thread has ended: ${message}. Save another version.`)
  }
  #fail(message: string): void {
    this.#restart()
    this.#pending = undefined
    this.#isAnswered = false
    this.#options.receive({ type: 'failed', requestNumber: this.#requestNumber, message })
  }
  #restart(): void {
    const broken = this.#worker
    this.#worker = this.#start()
    void broken.terminate()
  }
}
