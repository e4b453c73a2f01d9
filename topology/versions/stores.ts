// Keeps the stores of a chain at the versions of this program's processors.
import { EngineError, hasCode, messageOf } from '../../schemas/errors.ts'
import type { ProcessorVersion, RebuildStanding, StoresStanding } from '../../schemas/types.ts'
import type { Topology } from '../topology.ts'
import { pause } from '../waiting/waiting.ts'
import { usable } from './partitions/half-made.ts'
import { hasFolded, type MakeOptions, makeStores, REDRIVE } from './rebuild/make.ts'
import type { Report } from './rebuild/put-in-place.ts'
import { otherMake, rebuiltInVain, storesBusy } from './stores-failures.ts'
import { areReplaced, areSame, isCurrent, isOfOtherMake, NO_REBUILD, recordOf, schemasOf, versionsOf, without } from './stores-record.ts'
import { causeOf, isOfTape } from './stuck.ts'

/** Poll interval, in case a notification of another process was missed. */
const POLL_MS = 200
/** How often, and at which interval, a rebuild continues after it lost its tasks or its place to another process. */
const FENCED_MAX = 20
const FENCED_MS = 250

export interface StoresOptions extends Omit<MakeOptions, 'by' | 'leaseMs'>, Partial<Pick<MakeOptions, 'by' | 'leaseMs'>> {
  /** Ends all waits and rebuilds. */
  readonly stop: AbortSignal
  /** An operator promotes these versions: until they are current, they replace newer ones too, and ones that were rolled back before. */
  readonly isPromoted?: boolean | undefined
}

/** Result of a redrive. */
export type Redriven = { readonly ok: true; readonly report: Report | null } | { readonly ok: false; readonly reason: string }

/** `ours`: current; `others`: to be rebuilt; `resting`: current, while a rebuild is about to swap its rows in; `fresh`: none yet. */
type State = 'ours' | 'others' | 'resting' | 'fresh'

/**
 * The stores of the chain. Every process calls `enter` before it takes tasks, so that stores of older versions are rebuilt while other
 * processes work on them. Then the task that decodes the chain calls `prepare`; the other tasks wait for `whole`.
 */
export class Stores {
  readonly #options: StoresOptions & MakeOptions
  readonly #record: ReturnType<typeof recordOf>
  readonly #topics: Topology['operations']['rebuild']['writes']
  readonly #versions: readonly ProcessorVersion[]
  #report: Report | null = null
  #wasOurs = false
  #revision = 0
  #failure: string | null = null

  constructor(options: StoresOptions) {
    this.#options = { by: '', leaseMs: 0, ...options }
    this.#record = recordOf(options.log, options.topology)
    this.#topics = options.topology.operations.rebuild.writes
    this.#versions = versionsOf(options.topology)
  }
  /** Number of the newest rebuild that `whole` has found. */
  get revision(): number {
    return this.#revision
  }
  /**
   * Resolves when the stores are of these versions, whichever process rebuilt them; with false if it was stopped.
   * @throws EngineError `stores_newer` or `stores_rolled_back`, before anything is touched
   */
  enter(asked: AbortSignal): Promise<boolean> {
    return this.#until(asked, ({ stores }) => stores !== undefined && this.#isCurrent(stores))
  }
  /** Like `enter`, but also runs what is due: a redrive, or an interrupted rebuild. */
  prepare(asked: AbortSignal): Promise<boolean> {
    return this.#until(asked, (found) => this.#stateOf(found) === 'ours')
  }
  /** Resolves when the stores are current and no rebuild is being installed; with false if it was stopped. @throws like `enter` */
  async whole(asked: AbortSignal): Promise<boolean> {
    const stop = AbortSignal.any([asked, this.#options.stop])
    await this.#options.log.refresh()
    while (!stop.aborted) {
      const found = await this.#find()
      if (this.#stateOf(found) === 'ours') {
        this.#revision = found.stores?.revision ?? 0
        return true
      }
      await this.#news(stop)
    }
    return false
  }
  /**
   * Requests a redrive, which the next process that prepares the stores runs; returns its number. `isAlone`: no other process is running
   * that would first rebuild stores of an older version. @throws EngineError `stores_busy`, `nothing_to_redrive`
   */
  request(isAlone = false): Promise<number> {
    return this.#request(REDRIVE, isAlone)
  }
  /**
   * Requests a rebuild of stores with which a task cannot continue, from the tape, or from the raw frames if the tape is at fault. Resolves
   * once any process has requested one, or if it was stopped. @throws EngineError `rebuilt_in_vain` if the newest rebuild had the same
   * cause; the failure itself if no rebuild can fix it
   */
  async repair(failure: unknown, isOfDecoder: boolean, stop: AbortSignal): Promise<void> {
    const cause = causeOf(failure)
    if (cause === undefined) throw failure
    const { log, topology } = this.#options
    let isFromRaw: boolean | undefined
    while (!stop.aborted) {
      await log.refresh()
      if ((await this.#record.stores())?.state === 'due') return
      const { reason } = await this.#record.rebuild()
      if (reason?.startsWith(`${cause.mark}:`)) throw rebuiltInVain(reason)
      isFromRaw ??= isOfDecoder || (await isOfTape(failure as EngineError, log, topology.operations.rebuild.reads, topology.chain.tape))
      const asked = await this.#request(cause.reason, false, isFromRaw).catch(unlessBusy)
      if (asked !== undefined) return this.#options.notice?.('stores_mended', { reason: cause.reason })
      await this.#news(stop)
    }
  }
  /** Resolves when the redrive with that number has ended; with undefined if it was stopped. */
  async redriven(redrive: number, stop: AbortSignal): Promise<Redriven | undefined> {
    const { log } = this.#options
    while (!stop.aborted) {
      await log.refresh()
      const found = await this.#record.stores()
      if (found?.state === 'whole' && found.redrive >= redrive) return { ok: true, report: this.#report }
      if (found?.state === 'whole') return { ok: false, reason: this.#failure ?? 'see the log of the process that ran it' }
      await this.#news(stop)
    }
    return undefined
  }
  /**
   * Requests a redrive and runs it, if no other process works on the chain. Stores of an older version are rebuilt in any case.
   * @throws EngineError `nothing_to_redrive`, `stores_newer`
   */
  async redrive(stop: AbortSignal): Promise<Redriven | undefined> {
    const found = await this.#record.stores()
    const isWhole = found?.state === 'whole' || !hasFolded(this.#options.log, this.#topics.progress)
    const redrive = isWhole ? await this.request(true) : (found?.redrive ?? 0)
    return (await this.prepare(stop)) ? this.redriven(redrive, stop) : undefined
  }
  /** True if a redrive is requested but not started, or if another program has taken over: tasks then have to restart. */
  async isDue(): Promise<boolean> {
    const found = await this.#record.stores()
    if (found === undefined) return false
    return found.state === 'due' || areReplaced(found, this.#versions)
  }

  async #request(reason: string, isAlone: boolean, isFromRaw = false): Promise<number> {
    const { log } = this.#options
    await log.refresh()
    const { stores, rebuild } = await this.#find()
    if (stores === undefined) throw new EngineError('nothing_to_redrive', 'nothing was folded yet: there is nothing to redrive')
    const isReady = stores.state === 'whole' && (isAlone || (rebuild.state === 'none' && isCurrent(stores, this.#versions)))
    if (!isReady) throw storesBusy()
    const redrive = stores.redrive + 1
    this.#failure = null
    const owner = await log.own(this.#record.owner)
    if ((await this.#record.stores())?.state !== stores.state) throw storesBusy()
    const versions = isFromRaw ? withoutDecoder(this.#options.topology, stores.versions) : stores.versions
    await this.#record.write(owner, {
      stores: { ...stores, state: 'due', redrive, versions },
      rebuild: { ...rebuild, reason },
    })
    return redrive
  }
  async #find(): Promise<Found> {
    return { stores: await this.#record.stores(), rebuild: usable(await this.#record.rebuild()) }
  }
  /** @throws EngineError `stores_newer` */
  #stateOf({ stores, rebuild }: Found): State {
    if (stores === undefined) return hasFolded(this.#options.log, this.#topics.progress) ? 'others' : 'fresh'
    const isOurVersion = this.#isCurrent(stores)
    if (!isOurVersion && this.#wasOurs && isOfOtherMake(stores, this.#versions)) throw otherMake()
    if (!isOurVersion || stores.state !== 'whole') return 'others'
    return rebuild.state === 'switching' ? 'resting' : 'ours'
  }
  #isCurrent(stores: StoresStanding): boolean {
    const isHere = this.#options.isPromoted && !this.#wasOurs ? areSame(stores.versions, this.#versions) : isCurrent(stores, this.#versions)
    if (isHere && stores.state === 'whole') this.#wasOurs = true
    return isHere
  }
  async #until(asked: AbortSignal, isThere: (found: Found) => boolean): Promise<boolean> {
    const stop = AbortSignal.any([asked, this.#options.stop])
    for (let fenced = 0; !stop.aborted; ) {
      await this.#options.log.refresh()
      const found = await this.#find()
      if (isThere(found)) return true
      try {
        if (found.rebuild.state !== 'none' && !(await this.#isLeft(found.rebuild, stop))) continue
        await this.#lead(stop)
      } catch (failure) {
        if (!hasCode(failure, 'fenced') || ++fenced > FENCED_MAX) throw failure
        await pause(FENCED_MS, stop)
      } finally {
        this.#options.progress(null)
      }
    }
    return false
  }
  /** True if a rebuild is of a former process with these staging stores, or had no heartbeat for the time of a lease. */
  async #isLeft({ by, beat }: RebuildStanding, stop: AbortSignal): Promise<boolean> {
    const { leaseMs, progress, staging } = this.#options
    if (by !== '' && (await staging.user()) === by) return true
    if (leaseMs > 0) progress({ phase: 'waiting', share: 0 })
    const over = AbortSignal.timeout(leaseMs)
    while (leaseMs > 0 && !over.aborted) {
      if (stop.aborted) return false
      const now = await this.#record.rebuild()
      if (now.by !== by || now.beat !== beat || now.state === 'none') return false
      await this.#news(AbortSignal.any([stop, over]))
    }
    return true
  }
  /** Does what is due, as the only process. */
  async #lead(stop: AbortSignal): Promise<void> {
    const { log, topology } = this.#options
    const owner = await log.own(this.#record.owner)
    const found = await this.#find()
    const state = this.#stateOf(found)
    const whole = { state: 'whole' as const, redrive: 0, revision: 0, versions: [...this.#versions], rolledBack: [] }
    if (state === 'ours') return
    if (state === 'fresh') return this.#record.write(owner, { stores: whole, rebuild: { ...NO_REBUILD, schemas: schemasOf(topology) } })
    if (state === 'resting') return this.#record.write(owner, { rebuild: { ...NO_REBUILD, schemas: found.rebuild.schemas } })
    const stores = found.stores ?? { ...whole, versions: [] }
    try {
      const reported = (report: Report): void => {
        this.#report = report
      }
      await makeStores(this.#options, { stores, rebuild: found.rebuild }, { owner, versions: this.#versions, stop, reported })
    } catch (failure) {
      // A failed redrive changes nothing, and the tasks continue; other rebuilds must succeed first.
      const isOptional = stores.state === 'due' && found.rebuild.reason === REDRIVE && isCurrent(stores, this.#versions)
      if (!isOptional || !(failure instanceof EngineError) || failure.code === 'fenced') throw failure
      if ((await this.#record.stores())?.state !== 'due') throw failure
      this.#failure = messageOf(failure)
      const before = { ...stores, state: 'whole' as const, redrive: stores.redrive - 1 }
      await this.#record.write(owner, { stores: before, rebuild: { ...NO_REBUILD, schemas: found.rebuild.schemas } })
      await this.#options.staging.drop()
    }
  }
  async #news(stop: AbortSignal): Promise<void> {
    const changed = new AbortController()
    const unsubscribe = this.#options.log.onCommit((topics) => {
      if (topics.has(this.#topics.stores.name) || topics.has(this.#topics.rebuilds.name)) changed.abort()
    })
    await pause(POLL_MS, AbortSignal.any([stop, changed.signal]))
    unsubscribe()
  }
}

/** Another task requested it first, or a newer program is rebuilding already. */
const unlessBusy = (failure: unknown): undefined => {
  if (!hasCode(failure, 'fenced', 'stores_busy')) throw failure
}

/** Versions without the decoder, so that it decodes again. */
const withoutDecoder = ({ decode }: Topology, versions: readonly ProcessorVersion[]): ProcessorVersion[] => {
  const names = new Set(decode(1).folds.map(({ processor }) => processor.name))
  return without(versions, names)
}

interface Found {
  readonly stores: StoresStanding | undefined
  readonly rebuild: RebuildStanding
}
