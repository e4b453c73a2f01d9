// A source in a thread of its own, as its process sees it: what it makes of bytes costs the folds nothing.

import { MessageChannel, Worker } from 'node:worker_threads'
import { proxy, type Remote, wrap } from 'comlink'
import { assert } from '../../../schemas/errors.ts'
import { TOPICS, type Topic } from '../../../schemas/topics.ts'
import type { Anchor } from '../../../schemas/types.ts'
import type { SourceLog, TaskOwner } from '../../ports/log.ts'
import { streamMsAt } from '../../stream-time.ts'
import type { Ground, OpenSource, Progress, Source } from '../source.ts'
import { type Bounds, passFailures, type SourceHost, type SourceState, type SourceThread } from './wire.ts'

/** How often the thread is told how far the folds are. */
const FOLDED_MS = 20
/** New objects of a source live as long as a frame: room for some frames spares most of the collector's work (measured in the bench). */
const MEMORY = { maxYoungGenerationSizeMb: 96, maxOldGenerationSizeMb: 2_048 }
const TOPIC_BY_NAME = new Map<string, Topic>(Object.values(TOPICS).map((topic) => [topic.name, topic]))

/** What is opened where: `entry` is the module of the thread, `given` goes to it as a message. */
export interface Threaded {
  readonly entry: URL
  readonly given: unknown
}

/** Starts the thread and opens its source on the log. A bug there is thrown by what waits here. @throws what the opening there throws. */
export const openInThread = async (log: SourceLog, { entry, given }: Threaded, ground: Ground): Promise<OpenSource> => {
  passFailures()
  const { port1, port2 } = new MessageChannel()
  const worker = new Worker(entry, { workerData: { port: port2 }, transferList: [port2], resourceLimits: MEMORY })
  const broken = new Promise<never>((_resolve, reject) => {
    worker.on('error', reject)
    worker.on('exit', (code) => reject(new Error(`the source's thread has ended with code ${code}`)))
  })
  broken.catch(() => {})
  const close = async (): Promise<void> => {
    await worker.terminate()
    port1.close()
  }
  const thread = wrap<SourceThread>(port1)
  const folded = new SharedArrayBuffer(BigInt64Array.BYTES_PER_ELEMENT)
  new BigInt64Array(folded).fill(-1n)
  const source = new ThreadSource(thread, broken, folded, ground)
  ground.stop.addEventListener('abort', () => void thread.stop(), { once: true })
  try {
    const host = proxy(hostOf(log, ground, (state) => source.stands(state)))
    const { facts, words, hasAccounts, state } = await Promise.race([thread.open(given, { dataDir: ground.dataDir, folded }, host), broken])
    source.stands(state)
    return { source, facts, words, close, ...(hasAccounts ? { accounts: { read: (mint) => thread.read(mint) } } : {}) }
  } catch (failure) {
    await close()
    throw failure
  }
}

class ThreadSource implements Source {
  readonly #thread: Remote<SourceThread>
  readonly #broken: Promise<never>
  readonly #seen: BigInt64Array
  readonly #ground: Ground
  #state: SourceState = { n: -1, frames: 0, ended: false, tip: null, anchor: undefined }

  constructor(thread: Remote<SourceThread>, broken: Promise<never>, folded: SharedArrayBuffer, ground: Ground) {
    this.#thread = thread
    this.#broken = broken
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
    this.stands(await Promise.race([this.#thread.prepare(proxy(progress)), this.#broken]))
  }
  async run(): Promise<void> {
    const telling = setInterval(() => Atomics.store(this.#seen, 0, BigInt(this.#ground.folded() ?? -1)), FOLDED_MS)
    try {
      this.stands(await Promise.race([this.#thread.run(), this.#broken]))
    } finally {
      clearInterval(telling)
    }
  }
}

const boundsOf = (log: SourceLog): Bounds => {
  const bounds = new Map<string, readonly [number, number]>()
  for (const topic of Object.values(TOPICS))
    for (let partition = 0; partition < log.partitions(topic); partition++)
      bounds.set(`${topic.name}/${partition}`, [log.start(topic, partition), log.end(topic, partition)])
  return bounds
}

const topicOf = (name: string): Topic => {
  const topic = TOPIC_BY_NAME.get(name)
  assert(topic !== undefined, `${name} is a topic`)
  return topic
}

const hostOf = (log: SourceLog, { notice = () => {} }: Ground, stands: (state: SourceState) => void): SourceHost => {
  const owners = new Map<string, TaskOwner>()
  return {
    stands,
    notice,
    bounds: () => boundsOf(log),
    read: async (topic, partition, offset, limits) => log.read(topicOf(topic), partition, offset, limits),
    own: async (id) => {
      const owner = await log.own(id)
      owners.set(id, owner)
      return { committed: owner.committed(), bounds: boundsOf(log) }
    },
    commit: async (id, outputs, inputs, state) => {
      const owner = owners.get(id)
      assert(owner !== undefined, `${id} is owned before it commits`)
      stands(state)
      await owner.commit({ outputs: outputs.map((record) => ({ ...record, topic: topicOf(record.topic) })), inputs })
      return owner.committed()
    },
  }
}
