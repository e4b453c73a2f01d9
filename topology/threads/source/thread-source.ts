// A source in a thread of its own, as its process sees it: what it makes of bytes costs the folds nothing.

import { proxy } from 'comlink'
import type { Topic } from '../../../schemas/topics.ts'
import type { Anchor } from '../../../schemas/types.ts'
import type { Log } from '../../ports/log.ts'
import { streamMsAt } from '../../records/stream-time.ts'
import type { Ground, Line, OpenSource, Progress, Source } from '../../sources/source.ts'
import { atStop } from '../../waiting/waiting.ts'
import { type StartedThread, startThread } from '../start.ts'
import type { SourceState, SourceThread } from './wire.ts'

/** How often the thread is told how far the folds are. */
const FOLDED_MS = 20
/** New objects of a source live as long as a frame: room for some frames spares most of the collector's work (measured in the bench). */
const MEMORY = { maxYoungGenerationSizeMb: 96, maxOldGenerationSizeMb: 2_048 }

/** What is opened where: `entry` is the module of the thread, `given` goes to it as a message. */
export interface Threaded {
  readonly entry: URL
  /** Of the log. */
  readonly topics: readonly Topic[]
  readonly given: unknown
}

/** Starts the thread and opens its source on the log. A bug there is thrown by what waits here. @throws what the opening there throws. */
export const openInThread = async (log: Log, { entry, topics, given }: Threaded, ground: Ground): Promise<OpenSource> => {
  const started = startThread<SourceThread>(log, { entry, topics, name: 'source', memory: MEMORY })
  const { api, orBroken, end } = started
  const folded = new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT)
  new BigInt64Array(folded).fill(-1n)
  const source = new ThreadSource(started, folded, ground)
  atStop(ground.stop, () => void api.stop())
  try {
    const { notice = () => {} } = ground
    const host = proxy({ notice, stands: (state: SourceState) => source.stands(state) })
    const { facts, words, hasAccounts, state } = await orBroken(api.open(given, { dataDir: ground.dataDir, folded }, host))
    source.stands(state)
    return { source, facts, words, close: end, ...(hasAccounts ? { accounts: { read: (mint) => api.read(mint) } } : {}) }
  } catch (failure) {
    await end()
    throw failure
  }
}

class ThreadSource implements Source {
  readonly #thread: StartedThread<SourceThread>
  readonly #seen: BigInt64Array
  readonly #ground: Ground
  #state: SourceState = { n: -1, frames: 0, ended: false, tip: null, anchor: undefined }

  constructor(thread: StartedThread<SourceThread>, folded: SharedArrayBuffer, ground: Ground) {
    this.#thread = thread
    this.#seen = new BigInt64Array(folded)
    this.#ground = ground
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
  /** As of its anchor: the same line that the source itself goes by. */
  now(): number {
    const { anchor, tip } = this.#state
    return streamMsAt(anchor, (tip?.time ?? 0) * 1_000, Date.now())
  }
  /** What is older than what is known is passed over. */
  stands(state: SourceState): void {
    if (state.n > this.#state.n) this.#state = state
  }
  async prepare(progress: Progress): Promise<void> {
    this.stands(await this.#thread.orBroken(this.#thread.api.prepare(proxy(progress))))
  }
  async run(line?: Line): Promise<void> {
    const telling = setInterval(() => Atomics.store(this.#seen, 0, BigInt(this.#ground.folded() ?? -1)), FOLDED_MS)
    try {
      this.stands(await this.#thread.orBroken(this.#thread.api.run(line)))
    } finally {
      clearInterval(telling)
    }
  }
}
