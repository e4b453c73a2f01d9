// A shadow: stores and outputs of this program's versions, built beside the running version's and then followed. It is a rebuild that never
// swaps its rows in: it works in staging stores, which the rebuild of a promotion continues.
import { EngineError } from '../../../schemas/errors.ts'
import type { Chain, ProcessorVersion } from '../../../schemas/types.ts'
import { pause } from '../../waiting/waiting.ts'
import { type Before, isTargetOf, NEAR_RECORDS, rebuildOf } from '../rebuild/make.ts'
import { Passes, type RebuildProgress } from '../rebuild/rebuild.ts'
import type { StoresOptions } from '../stores.ts'
import { areSame, newerIn, recordOf, versionsOf } from '../stores-record.ts'

/** Shortest pause between two passes. */
const FOLLOW_MS = 500

/** A pass may take half of the time, unless it left so much that the next one should begin: the first takes minutes. */
export const restMs = (behind: number, tookMs: number): number => (behind > NEAR_RECORDS ? FOLLOW_MS : Math.max(FOLLOW_MS, tookMs))

export type ShadowOptions = Omit<StoresOptions, 'by' | 'leaseMs' | 'stop' | 'isPromoted'>

/** `waits`: for the running version's first frame, or for its own rebuild to end; `builds`: the first pass; `follows`: later ones. */
export interface ShadowStatus {
  readonly chain: Chain
  readonly state: 'waits' | 'builds' | 'follows'
  /** Progress of the first pass; null before and after it. */
  readonly progress: RebuildProgress | null
  /** Records of the tape, in all partitions, that were not folded yet at the end of the newest pass; null before. */
  readonly behind: number | null
}

export class Shadow {
  readonly #options: ShadowOptions
  readonly #record: ReturnType<typeof recordOf>
  readonly #versions: readonly ProcessorVersion[]
  #status: ShadowStatus

  constructor(options: ShadowOptions) {
    this.#options = options
    this.#record = recordOf(options.log, options.topology)
    this.#versions = versionsOf(options.topology)
    this.#status = this.#at('waits')
  }
  get status(): ShadowStatus {
    return this.#status
  }
  /** True if the stores are of these versions, or their rows are being swapped in: there is nothing left to compare. */
  async isPromoted(): Promise<boolean> {
    await this.#options.log.refresh()
    const { stores, rebuild } = await this.#found()
    return stores !== undefined && (areSame(stores.versions, this.#versions) || isTargetOf({ stores, rebuild }, this.#versions))
  }
  /** Builds, and follows the tape. Resolves with true once `isPromoted` is true, and with false if it was stopped. */
  async follow(stop: AbortSignal): Promise<boolean> {
    while (!stop.aborted) {
      if (await this.isPromoted()) return true
      const { stores, rebuild } = await this.#found()
      if (stores?.state === 'whole') await this.#build({ stores, rebuild }, stop)
      else {
        this.#status = this.#at('waits')
        await pause(FOLLOW_MS, stop)
      }
    }
    return false
  }
  /**
   * Checks that these versions can replace the running ones now. `isBack`: they are older. @throws EngineError `shadow_not_ready`,
   * `nothing_to_promote`
   */
  async check(isBack: boolean): Promise<void> {
    const { stores } = await this.#found()
    const newer = newerIn(stores?.versions ?? [], this.#versions)
    if (newer !== undefined && !isBack) throw isOlder(newer)
    if (newer === undefined && isBack) throw isNotOlder(this.#status.chain)
    const { state, behind } = this.#status
    if (stores?.state !== 'whole' || state !== 'follows' || behind === null || behind > NEAR_RECORDS) throw notReady(this.#status)
  }

  /** Runs passes until the stores of the running version are rebuilt, or until `stop`. */
  async #build(before: Before, stop: AbortSignal): Promise<void> {
    const progress = (at: RebuildProgress): void => {
      if (this.#status.state === 'follows') return
      this.#status = { ...this.#status, state: 'builds', progress: at }
      this.#options.progress(at)
    }
    this.#status = this.#at('builds')
    const passes = new Passes(rebuildOf({ ...this.#options, progress }, before, this.#versions, stop))
    try {
      while (!stop.aborted && (await this.#isUnchanged(before))) {
        const beganMs = performance.now()
        if ((await passes.next()) === undefined) return
        if (this.#status.state !== 'follows') this.#options.progress(null)
        await this.#options.log.refresh()
        this.#status = { ...this.#at('follows'), behind: passes.behind }
        await pause(restMs(passes.behind, performance.now() - beganMs), stop)
      }
    } finally {
      await passes.end()
      await this.#options.staging.close()
    }
  }
  /** The tape is corrected, and the rows are replaced, only by a rebuild, which this record shows. */
  async #isUnchanged({ stores: { state, revision, redrive } }: Before): Promise<boolean> {
    await this.#options.log.refresh()
    const now = await this.#record.stores()
    return now?.state === state && now.revision === revision && now.redrive === redrive
  }
  #at(state: ShadowStatus['state']): ShadowStatus {
    return { chain: this.#options.topology.chain.name, state, progress: null, behind: null }
  }
  async #found(): Promise<Partial<Before> & Pick<Before, 'rebuild'>> {
    const stores = await this.#record.stores()
    return { ...(stores && { stores }), rebuild: await this.#record.rebuild() }
  }
}

const isOlder = ({ name, version }: ProcessorVersion): EngineError =>
  new EngineError(
    'nothing_to_promote',
    `the running version of ${name}, ${version}, is newer than the shadow's: use mintfold promote --back`,
  )

const isNotOlder = (chain: Chain): EngineError =>
  new EngineError(
    'nothing_to_promote',
    `${chain}: the shadow is not older than the running version: use mintfold promote without --back, or run the older program with mintfold process --shadow`,
  )

const notReady = ({ chain, state, behind }: ShadowStatus): EngineError => {
  const why = { waits: 'it waits for the running version', builds: 'it is being built', follows: `it is ${behind} records behind` }[state]
  return new EngineError('shadow_not_ready', `the shadow of ${chain} is not ready: ${why}; retry later`, { retriable: true })
}
