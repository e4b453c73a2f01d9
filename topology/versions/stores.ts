// Whether the stores of a chain are of this program's processors, and how they become so before anybody works on them.
import { EngineError, messageOf } from '../../schemas/errors.ts'
import { TOPICS } from '../../schemas/topics.ts'
import type { ProcessorVersion, StoresStanding } from '../../schemas/types.ts'
import type { EngineLimits } from '../engine/limits.ts'
import type { Wiring } from '../launch-risk.ts'
import type { Log, TaskOwner } from '../ports/log.ts'
import { pause } from '../waiting.ts'
import { install, make, ownAll, type Rebuild, type RebuildProgress, type Report } from './rebuild.ts'
import type { Scratches } from './scratches.ts'
import { isCurrent, readStores, STORES_OWNER, versionIn, versionsOf, writeStores } from './stores-record.ts'

/** Other processes are heard of at once; this is for what was not heard. */
const POLL_MS = 200

export interface StoresOptions {
  readonly log: Log
  readonly wiring: Wiring
  readonly limits: EngineLimits
  readonly scratches: Scratches
  /** Ends every wait and every rebuild. */
  readonly stop: AbortSignal
  /** Null: nothing is rebuilt any more. */
  readonly progress: (progress: RebuildProgress | null) => void
}

/** How a redrive ended. */
export type Redriven = { readonly ok: true; readonly report: Report | null } | { readonly ok: false; readonly reason: string }

/** The stores of the chain. One process at a time calls `prepare`; those that only work on a part wait for `whole`. */
export class Stores {
  readonly #options: StoresOptions
  readonly #mine: readonly ProcessorVersion[]
  #report: Report | null = null
  #failure: string | null = null

  constructor(options: StoresOptions) {
    this.#options = options
    this.#mine = versionsOf(options.wiring)
  }
  /**
   * Rebuilds what another version wrote, or what a redrive was asked for; nothing when the stores are current. False when it was stopped.
   * @throws EngineError `stores_newer`, before anything is touched
   */
  async prepare(asked: AbortSignal): Promise<boolean> {
    const { log } = this.#options
    const stop = AbortSignal.any([asked, this.#options.stop])
    await log.refresh()
    const found = await readStores(log)
    const isMine = found !== undefined && isCurrent(found, this.#mine)
    if (isMine && found.state === 'whole') return true
    const owner = await log.own(STORES_OWNER)
    if (found === undefined && !this.#hasFolded()) {
      await writeStores(owner, { state: 'whole', redrive: 0, revision: 0, versions: [...this.#mine] })
      return true
    }
    const before = found ?? { state: 'whole', redrive: 0, revision: 0, versions: [] }
    try {
      return await this.#rebuild(before, owner, stop)
    } finally {
      this.#options.progress(null)
      await this.#options.scratches.drop()
    }
  }
  /** Resolves when the stores are current; with false when it was stopped before. @throws EngineError `stores_newer` */
  async whole(asked: AbortSignal): Promise<boolean> {
    const { log } = this.#options
    const stop = AbortSignal.any([asked, this.#options.stop])
    while (!stop.aborted) {
      const found = await readStores(log)
      if (found !== undefined && isCurrent(found, this.#mine) && found.state === 'whole') return true
      await this.#news(stop)
    }
    return false
  }
  /**
   * Asks for a redrive, which whoever prepares the stores then does; its number. `isAlone`: nobody is at work who would rebuild stores of an
   * older version first. @throws EngineError `stores_busy`, `nothing_to_redrive`
   */
  async request(isAlone = false): Promise<number> {
    const { log } = this.#options
    await log.refresh()
    const found = await readStores(log)
    if (found === undefined) throw new EngineError('nothing_to_redrive', 'nothing was folded yet, so there is nothing to redrive')
    const isReady = found.state === 'whole' && (isCurrent(found, this.#mine) || isAlone)
    if (!isReady) throw new EngineError('stores_busy', 'the stores are being rebuilt: ask again when that is done', { retriable: true })
    const redrive = found.redrive + 1
    this.#failure = null
    await writeStores(await log.own(STORES_OWNER), { ...found, state: 'due', redrive })
    return redrive
  }
  /** Resolves when the redrive of that number has ended, or undefined when it was stopped. */
  async redriven(redrive: number, stop: AbortSignal): Promise<Redriven | undefined> {
    const { log } = this.#options
    while (!stop.aborted) {
      await log.refresh()
      const found = await readStores(log)
      if (found?.state === 'whole' && found.redrive >= redrive) return { ok: true, report: this.#report }
      if (found?.state === 'whole') return { ok: false, reason: this.#failure ?? 'the process that did it says why' }
      await this.#news(stop)
    }
    return undefined
  }
  /**
   * Asks for a redrive and does it, where nobody else works on the chain. Stores of an older version are rebuilt all the same.
   * @throws EngineError `nothing_to_redrive`, `stores_newer`
   */
  async redrive(stop: AbortSignal): Promise<Redriven | undefined> {
    const found = await readStores(this.#options.log)
    const isWhole = found?.state === 'whole' || !this.#hasFolded()
    const redrive = isWhole ? await this.request(true) : (found?.redrive ?? 0)
    return (await this.prepare(stop)) ? this.redriven(redrive, stop) : undefined
  }
  /** True while a redrive is asked for that nobody has begun. */
  async isDue(): Promise<boolean> {
    return (await readStores(this.#options.log))?.state === 'due'
  }

  async #rebuild(before: Omit<StoresStanding, 'chain'>, owner: TaskOwner, stop: AbortSignal): Promise<boolean> {
    const { log, wiring, limits, scratches, progress } = this.#options
    const { redrive, versions } = before
    const revision = before.revision + 1
    const openScratch = (name: string): Promise<Log> => scratches.open(name, log.partitions(TOPICS.tapeSolana))
    const rebuild: Rebuild = { log, wiring, limits, revision, stop, openScratch, progress }
    const owners = await ownAll(rebuild)
    const made = await make(rebuild, owners, before.state !== 'whole' || this.#hasDecoderMoved(versions)).catch(
      async (failure: unknown) => {
        // A redrive that fails leaves everything as it was, and the work goes on; other rebuilds must succeed first.
        const isOptional = before.state === 'due' && isCurrent(before, this.#mine)
        if (!isOptional || !(failure instanceof EngineError) || failure.code === 'fenced') throw failure
        this.#failure = messageOf(failure)
        await writeStores(owner, { ...before, state: 'whole', redrive: redrive - 1 })
        return null
      },
    )
    if (made === null) return true
    if (made === undefined) return false
    await writeStores(owner, { state: 'installing', redrive, revision, versions })
    this.#report = await install(rebuild, owners, made)
    await writeStores(owner, { state: 'whole', redrive, revision, versions: [...this.#mine] })
    return true
  }
  #hasDecoderMoved(versions: readonly ProcessorVersion[]): boolean {
    return this.#options.wiring.decode(1).folds.some(({ processor: { name, version } }) => versionIn(versions, name) !== version)
  }
  #hasFolded(): boolean {
    const { log } = this.#options
    return Array.from({ length: log.partitions(TOPICS.progress) }, (_, at) => log.end(TOPICS.progress, at)).some((end) => end > 0)
  }
  async #news(stop: AbortSignal): Promise<void> {
    const heard = new AbortController()
    const unsubscribe = this.#options.log.onCommit((topics) => {
      if (topics.has(TOPICS.stores.name)) heard.abort()
    })
    await pause(POLL_MS, AbortSignal.any([stop, heard.signal]))
    unsubscribe()
  }
}
