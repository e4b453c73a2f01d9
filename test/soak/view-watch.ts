// Polls a view, as the API would.
import { setTimeout as pause } from 'node:timers/promises'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import type { Log } from '../../topology/ports/log.ts'
import { FORK_DEPTH_MAX } from '../../topology/simulator/solana/forks/forks.ts'
import { LogMintView } from '../../topology/views/mint-view.ts'

const LOOK_MS = 20

/** How often the view was polled, was not ready, and showed a frame older than the deepest fork allows. */
export interface Looks {
  readonly looks: number
  readonly notReady: number
  readonly older: number
}

export class Watch {
  readonly #view: LogMintView
  readonly #stopping = new AbortController()
  #looking: Promise<void> = Promise.resolve()
  #newest = -1
  #counts = { looks: 0, notReady: 0, older: 0 }

  constructor(log: Log) {
    this.#view = new LogMintView(log, LAUNCH_RISK, { tip: () => null })
  }
  async start(): Promise<void> {
    await this.#view.start()
    this.#looking = this.#look()
  }
  async stop(): Promise<Looks> {
    this.#stopping.abort()
    await this.#looking
    await this.#view.stop()
    return this.#counts
  }
  async #look(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      await pause(LOOK_MS)
      const { ready, folded } = this.#view.status()
      this.#counts.looks++
      if (!ready) this.#counts.notReady++
      else if (folded !== null && folded.number < this.#newest - FORK_DEPTH_MAX) this.#counts.older++
      if (ready && folded !== null) this.#newest = Math.max(this.#newest, folded.number)
    }
  }
}
