// Whether the stores of a chain are of this program's processors, and how they become so.
import { EngineError, hasCode, messageOf } from '../../schemas/errors.ts'
import type { ProcessorVersion, RebuildStanding, StoresStanding } from '../../schemas/types.ts'
import type { Topology } from '../topology.ts'
import { pause } from '../waiting/waiting.ts'
import { hasFolded, type MakeOptions, makeStores, REDRIVE } from './rebuild/make.ts'
import type { Report } from './rebuild/put-in-place.ts'
import { isCurrent, isOfOtherMake, NO_REBUILD, newerIn, recordOf, schemasOf, versionsOf, without } from './stores-record.ts'
import { causeOf, isOfTape } from './stuck.ts'

/** Other processes are heard of at once; this is for what was not heard. */
const POLL_MS = 200
/** A rebuild that loses its tasks or its place to another process is gone on with so often, so far apart. */
const FENCED_MAX = 20
const FENCED_MS = 250

export interface StoresOptions extends Omit<MakeOptions, 'by' | 'leaseMs'>, Partial<Pick<MakeOptions, 'by' | 'leaseMs'>> {
  /** Ends every wait and every rebuild. */
  readonly stop: AbortSignal
}

/** How a redrive ended. */
export type Redriven = { readonly ok: true; readonly report: Report | null } | { readonly ok: false; readonly reason: string }

type State = 'ours' | 'others' | 'resting' | 'fresh'

/**
 * The stores of the chain. Every process calls `enter` before it takes tasks, so that stores of older versions are rebuilt beside those who
 * work on them; the task with the chain's place calls `prepare`, the others wait for `whole`.
 */
export class Stores {
  readonly #options: StoresOptions & MakeOptions
  readonly #record: ReturnType<typeof recordOf>
  readonly #topics: Topology['operations']['rebuild']['writes']
  readonly #mine: readonly ProcessorVersion[]
  #report: Report | null = null
  #wasOurs = false
  #failure: string | null = null

  constructor(options: StoresOptions) {
    this.#options = { by: '', leaseMs: 0, ...options }
    this.#record = recordOf(options.log, options.topology)
    this.#topics = options.topology.operations.rebuild.writes
    this.#mine = versionsOf(options.topology)
  }
  /**
   * Resolves when the stores are of these versions, whoever made them so; with false when it was stopped.
   * @throws EngineError `stores_newer`, before anything is touched
   */
  enter(asked: AbortSignal): Promise<boolean> {
    return this.#until(asked, ({ stores }) => stores !== undefined && isCurrent(stores, this.#mine))
  }
  /** As `enter`, and does what is due: a redrive, or a rebuild that was cut short. */
  prepare(asked: AbortSignal): Promise<boolean> {
    return this.#until(asked, (found) => this.#stateOf(found) === 'ours')
  }
  /** Resolves when the stores are current and nobody puts others in their place; with false when it was stopped. @throws as `enter` */
  async whole(asked: AbortSignal): Promise<boolean> {
    const stop = AbortSignal.any([asked, this.#options.stop])
    await this.#options.log.refresh()
    while (!stop.aborted) {
      if (this.#stateOf(await this.#find()) === 'ours') return true
      await this.#news(stop)
    }
    return false
  }
  /**
   * Asks for a redrive, which whoever prepares the stores then does; its number. `isAlone`: nobody is at work who would rebuild stores of an
   * older version first. @throws EngineError `stores_busy`, `nothing_to_redrive`
   */
  request(isAlone = false): Promise<number> {
    return this.#request(REDRIVE, isAlone)
  }
  /**
   * Asks for a rebuild of stores that a task cannot go on with, from the tape, or from the raw frames where the tape is at fault. Resolves
   * once one is asked for, by whomever, or when it was stopped. @throws EngineError `rebuilt_in_vain` where the newest rebuild was for the
   * same cause; the failure itself where no rebuild would mend it
   */
  async mend(failure: unknown, isOfDecoder: boolean, stop: AbortSignal): Promise<void> {
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
  /** Resolves when the redrive of that number has ended, or undefined when it was stopped. */
  async redriven(redrive: number, stop: AbortSignal): Promise<Redriven | undefined> {
    const { log } = this.#options
    while (!stop.aborted) {
      await log.refresh()
      const found = await this.#record.stores()
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
    const found = await this.#record.stores()
    const isWhole = found?.state === 'whole' || !hasFolded(this.#options.log, this.#topics.progress)
    const redrive = isWhole ? await this.request(true) : (found?.redrive ?? 0)
    return (await this.prepare(stop)) ? this.redriven(redrive, stop) : undefined
  }
  /** True while a redrive is asked for that nobody has begun, and once a newer program has taken over: tasks are then to begin again. */
  async isDue(): Promise<boolean> {
    const found = await this.#record.stores()
    if (found === undefined) return false
    return found.state === 'due' || newerIn(found.versions, this.#mine) !== undefined
  }

  async #request(reason: string, isAlone: boolean, isFromRaw = false): Promise<number> {
    const { log } = this.#options
    await log.refresh()
    const { stores, rebuild } = await this.#find()
    if (stores === undefined) throw new EngineError('nothing_to_redrive', 'nothing was folded yet, so there is nothing to redrive')
    const isReady = stores.state === 'whole' && (isAlone || (rebuild.state === 'none' && isCurrent(stores, this.#mine)))
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
    return { stores: await this.#record.stores(), rebuild: await this.#record.rebuild() }
  }
  /** @throws EngineError `stores_newer` */
  #stateOf({ stores, rebuild }: Found): State {
    if (stores === undefined) return hasFolded(this.#options.log, this.#topics.progress) ? 'others' : 'fresh'
    const isMine = isCurrent(stores, this.#mine)
    if (!isMine && this.#wasOurs && isOfOtherMake(stores, this.#mine)) throw otherMake()
    if (!isMine || stores.state !== 'whole') return 'others'
    this.#wasOurs = true
    return rebuild.state === 'switching' ? 'resting' : 'ours'
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
  /** True when a rebuild of another process has shown no sign for the time of a lease. */
  async #isLeft({ by, beat }: RebuildStanding, stop: AbortSignal): Promise<boolean> {
    const { leaseMs, progress } = this.#options
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
  /** Does what there is to do as the one process that does it. */
  async #lead(stop: AbortSignal): Promise<void> {
    const { log, topology } = this.#options
    const owner = await log.own(this.#record.owner)
    const found = await this.#find()
    const state = this.#stateOf(found)
    const whole = { state: 'whole' as const, redrive: 0, revision: 0, versions: [...this.#mine] }
    if (state === 'ours') return
    if (state === 'fresh') return this.#record.write(owner, { stores: whole, rebuild: { ...NO_REBUILD, schemas: schemasOf(topology) } })
    if (state === 'resting') return this.#record.write(owner, { rebuild: { ...NO_REBUILD, schemas: found.rebuild.schemas } })
    const stores = found.stores ?? { ...whole, versions: [] }
    try {
      const reported = (report: Report): void => {
        this.#report = report
      }
      await makeStores(this.#options, { stores, rebuild: found.rebuild }, { owner, mine: this.#mine, stop, reported })
    } catch (failure) {
      // A redrive that fails leaves everything as it was, and the work goes on; other rebuilds must succeed first.
      const isOptional = stores.state === 'due' && found.rebuild.reason === REDRIVE && isCurrent(stores, this.#mine)
      if (!isOptional || !(failure instanceof EngineError) || failure.code === 'fenced') throw failure
      if ((await this.#record.stores())?.state !== 'due') throw failure
      this.#failure = messageOf(failure)
      const before = { ...stores, state: 'whole' as const, redrive: stores.redrive - 1 }
      await this.#record.write(owner, { stores: before, rebuild: { ...NO_REBUILD, schemas: found.rebuild.schemas } })
      await this.#options.scratches.drop()
    }
  }
  async #news(stop: AbortSignal): Promise<void> {
    const heard = new AbortController()
    const unsubscribe = this.#options.log.onCommit((topics) => {
      if (topics.has(this.#topics.stores.name) || topics.has(this.#topics.rebuilds.name)) heard.abort()
    })
    await pause(POLL_MS, AbortSignal.any([stop, heard.signal]))
    unsubscribe()
  }
}

/** Two processes that work with different addresses would rebuild each other's stores for ever. */
const otherMake = (): EngineError =>
  new EngineError(
    'stores_of_other_addresses',
    'another process has rebuilt the stores with other addresses of the launchpad: give ALT_FACTORIES and ALT_ROUTERS the same values in all processes, and start this one again',
  )

const storesBusy = (): EngineError =>
  new EngineError('stores_busy', 'the stores are being rebuilt: ask again when that is done', { retriable: true })

/** Another task asked first, or a newer program rebuilds already. */
const unlessBusy = (failure: unknown): undefined => {
  if (!hasCode(failure, 'fenced', 'stores_busy')) throw failure
}

/** The decoder's stores as written by nobody: it is to decode again. */
const withoutDecoder = ({ decode }: Topology, versions: readonly ProcessorVersion[]): ProcessorVersion[] => {
  const names = new Set(decode(1).folds.map(({ processor }) => processor.name))
  return without(versions, names)
}

const rebuiltInVain = (reason: string): EngineError =>
  new EngineError(
    'rebuilt_in_vain',
    `the stores were rebuilt and it came back: ${reason}; see 'When something is wrong' in deploy/README.md: what is left is mintfold dead-letters redrive`,
    { facts: { reason } },
  )

interface Found {
  readonly stores: StoresStanding | undefined
  readonly rebuild: RebuildStanding
}
