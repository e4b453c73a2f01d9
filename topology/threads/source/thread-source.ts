// A source in a separate thread, seen from the main thread: its parsing does not slow down the folds.

import { proxy } from 'comlink'
import type { Topic } from '../../../schemas/topics.ts'
import type { Anchor } from '../../../schemas/types.ts'
import type { Log } from '../../ports/log.ts'
import { sourceNowMs } from '../../records/stream-time.ts'
import type { Line, Source, SourceContext, SourceHandle, StartProgress } from '../../sources/source.ts'
import { atStop } from '../../waiting/waiting.ts'
import { type StartedThread, startThread } from '../start.ts'
import type { SourceState, SourceThread } from './wire.ts'

/** Interval at which the thread receives the progress of the folds. */
const FOLDED_MS = 20
/** New objects of a source live for one frame: room for some frames avoids most of the garbage collection (measured in the bench). */
const MEMORY = { maxYoungGenerationSizeMb: 96, maxOldGenerationSizeMb: 2_048 }

/** A source to open in a thread: `entry` is its module, `given` is passed to it as a message. */
export interface Threaded {
  readonly entry: URL
  /** Topics of the log. */
  readonly topics: readonly Topic[]
  readonly given: unknown
}

/**
 * Starts the thread and opens its source on the log. A bug in the thread rejects the pending calls. @throws what opening the source throws.
 */
export const openInThread = async (log: Log, { entry, topics, given }: Threaded, context: SourceContext): Promise<SourceHandle> => {
  const started = startThread<SourceThread>(log, { entry, topics, name: 'source', memory: MEMORY })
  const { api, orBroken, end } = started
  const folded = new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT)
  new BigInt64Array(folded).fill(-1n)
  const source = new ThreadSource(started, folded, context)
  atStop(context.stop, () => void api.stop())
  try {
    const { notice = () => {} } = context
    const host = proxy({ notice, setState: (state: SourceState) => source.setState(state) })
    const { facts, words, hasAccounts, state } = await orBroken(api.open(given, { dataDir: context.dataDir, folded }, host))
    source.setState(state)
    return { source, facts, words, close: end, ...(hasAccounts ? { accounts: { read: (mint) => api.read(mint) } } : {}) }
  } catch (failure) {
    await end()
    throw failure
  }
}

class ThreadSource implements Source {
  readonly #thread: StartedThread<SourceThread>
  readonly #seen: BigInt64Array
  readonly #context: SourceContext
  #state: SourceState = { n: -1, frames: 0, ended: false, tip: null, anchor: undefined }

  constructor(thread: StartedThread<SourceThread>, folded: SharedArrayBuffer, context: SourceContext) {
    this.#thread = thread
    this.#seen = new BigInt64Array(folded)
    this.#context = context
  }
  get frames(): number {
    return this.#state.frames
  }
  get ended(): boolean {
    return this.#state.ended
  }
  tip(): SourceState['tip'] {
    return this.#state.tip
  }
  anchor(): Anchor | undefined {
    return this.#state.anchor
  }
  /** Computed from the source's anchor, as the source itself does. */
  now(): number | null {
    return sourceNowMs(this, Date.now())
  }
  /** Ignores a state older than the current one. */
  setState(state: SourceState): void {
    if (state.n > this.#state.n) this.#state = state
  }
  async prepare(progress: StartProgress): Promise<void> {
    this.setState(await this.#thread.orBroken(this.#thread.api.prepare(proxy(progress))))
  }
  async run(line?: Line): Promise<void> {
    const publishing = setInterval(() => Atomics.store(this.#seen, 0, BigInt(this.#context.folded() ?? -1)), FOLDED_MS)
    try {
      this.setState(await this.#thread.orBroken(this.#thread.api.run(line)))
    } finally {
      clearInterval(publishing)
    }
  }
}
