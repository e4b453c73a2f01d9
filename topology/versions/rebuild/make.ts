// Runs one rebuild, from its first pass to the record that the stores are complete.
import type { Topics } from '../../../schemas/topics.ts'
import type { ProcessorVersion, RebuildStanding, StoresStanding } from '../../../schemas/types.ts'
import type { EngineLimits } from '../../engine/limits.ts'
import type { PageStore } from '../../ports/keyed-pages.ts'
import type { Log, TaskOwner } from '../../ports/log.ts'
import type { Notice } from '../../ports/notice.ts'
import type { Topology } from '../../topology.ts'
import { formerShape } from '../folding/former-shapes.ts'
import type { FoldThreads } from '../folding/making.ts'
import {
  areSame,
  markedName,
  NO_REBUILD,
  rolledBackAfter,
  type StoresUpdate,
  schemasOf,
  versionIn,
  writeStoresUpdate,
} from '../stores-record.ts'
import { deadAfterOf } from '../stuck.ts'
import { Beats } from './beats.ts'
import { Prepared, putInPlace, type Report, type RowWriter } from './put-in-place.ts'
import { type Made, ownAll, Passes, type Rebuild, type RebuildProgress } from './rebuild.ts'
import type { StagingStores } from './staging-stores.ts'

/** Passes while the tasks continue: each has less to do than the previous one, unless the tasks are as fast as the rebuild. */
const PASSES_MAX = 8
/** Records of the tape, in all partitions: with fewer left, the tasks are paused for the last pass. */
export const NEAR_RECORDS = 2_000

export interface MakeOptions {
  readonly log: Log
  readonly topology: Topology
  readonly limits: EngineLimits
  readonly staging: StagingStores
  /** See `Making`. */
  readonly pages?: PageStore
  readonly foldThreads?: FoldThreads | undefined
  /** Name of this process, for people. */
  readonly by: string
  /** A rebuild of another process without a heartbeat for this long is taken over; 0: there is no other process. */
  readonly leaseMs: number
  readonly progress: (progress: RebuildProgress | null) => void
  readonly notice?: Notice
}

/** The reason of a rebuild requested as a redrive. */
export const REDRIVE = 'a redrive was asked for'

/** State before a rebuild. */
export interface Before {
  readonly stores: Omit<StoresStanding, 'chain'>
  readonly rebuild: RebuildStanding
}

/** Context of the process that runs the rebuild. */
export interface Maker {
  /** Owner of the stores record. */
  readonly owner: TaskOwner
  readonly versions: readonly ProcessorVersion[]
  readonly stop: AbortSignal
  /** Called right before the record that the stores are complete. */
  readonly reported: (report: Report) => void
}

/**
 * Rebuilds the stores for the versions `mine`; if it is stopped, the next rebuild for the same versions continues it.
 * @throws EngineError `fenced` if another process took over the rebuild or a task
 */
export const makeStores = async (options: MakeOptions, before: Before, maker: Maker): Promise<void> => {
  const { topology, leaseMs, by, staging } = options
  const { owner, versions, stop } = maker
  const put = (update: StoresUpdate): Promise<void> =>
    writeStoresUpdate(owner, topology.operations.rebuild.writes, topology.chain.name, update)
  const { schemas } = before.rebuild
  await staging.noteUser(by)
  const beats = new Beats(put, { state: 'beside', by, reason: reasonOf(before), words: null, target: [...versions], schemas }, leaseMs)
  const ending = AbortSignal.any([stop, beats.lost])
  const rebuild = rebuildOf({ ...options, progress: withWords(options, beats) }, before, versions, ending)
  const passes = new Passes(rebuild)
  await carryOut(rebuild, passes, before, maker, beats).finally(async () => {
    await beats.stop()
    await passes.end()
    await staging.close()
  })
  if (beats.lost.aborted) throw beats.lost.reason
}

/** The rebuild of these stores for `versions`. */
export const rebuildOf = (
  options: Omit<MakeOptions, 'by' | 'leaseMs' | 'progress'> & Pick<Rebuild, 'progress'>,
  before: Before,
  versions: readonly ProcessorVersion[],
  stop: AbortSignal,
): Rebuild => ({ ...options, ...identifiedOf(options.topology, before, versions), deadAfter: deadAfterIn(options.topology, before), stop })

/** Number and identity of that rebuild. Its results in staging stores depend on nothing else. */
export const identifiedOf = (
  topology: Topology,
  before: Before,
  versions: readonly ProcessorVersion[],
): Pick<Rebuild, 'revision' | 'isDecoded' | 'identity'> => {
  const { stores } = before
  const revision = isTargetOf(before, versions) ? stores.revision : stores.revision + 1
  const isDecoded = hasDecoderMoved(topology, stores.versions) || isFromRaw(before, versions)
  return { revision, isDecoded, identity: JSON.stringify([versions, stores.redrive, revision, isDecoded]) }
}

const carryOut = async (
  rebuild: Rebuild,
  passes: Passes,
  { stores, rebuild: former }: Before,
  maker: Maker,
  beats: Beats,
): Promise<void> => {
  const { topology, staging, revision } = rebuild
  const prepared = new Prepared(rebuild.log)
  if (beats.isWatched && !(await catchUp(rebuild, passes, prepared, beats))) return
  await beats.write('switching')
  const owners = await ownAll(rebuild)
  const made = await passes.next(owners)
  await passes.end()
  if (made === undefined) return
  await beats.write('switching', { ...stores, state: 'installing', revision })
  maker.reported(await putInPlace(rebuild, owners, made, writersOf({ stores, rebuild: former }), prepared))
  await beats.stop()
  const rolledBack = rolledBackAfter(stores, maker.versions)
  const whole = { ...stores, state: 'whole' as const, revision, versions: [...maker.versions], rolledBack }
  const reason = former.reason === REDRIVE ? null : reasonOf({ stores, rebuild: former })
  const rebuilt = { ...NO_REBUILD, reason, schemas: schemasOf(topology) }
  await writeStoresUpdate(maker.owner, topology.operations.rebuild.writes, topology.chain.name, { stores: whole, rebuild: rebuilt })
  rebuild.progress({ phase: 'installing', share: 1 })
  await staging.drop()
}

/** False if it was stopped. */
const catchUp = async (rebuild: Rebuild, passes: Passes, prepared: Prepared, beats: Beats): Promise<boolean> => {
  await beats.write('beside')
  let made: Made | undefined
  for (let pass = 0; pass < PASSES_MAX; pass++) {
    made = await passes.next()
    if (made === undefined) return false
    if (!passes.isOpen || passes.behind > NEAR_RECORDS) continue
    await prepared.readOn(rebuild, made)
    // What was folded and read meanwhile is read again in a moment.
    if (passes.behind <= NEAR_RECORDS) break
  }
  return made !== undefined
}

/** True if a rebuild for `versions` was interrupted during the install: another one publishes the same results under its number. */
export const isTargetOf = ({ stores, rebuild }: Before, versions: readonly ProcessorVersion[]): boolean =>
  stores.state === 'installing' && areSame(rebuild.target, versions)

/** True for a redrive, and if other versions may have installed part of what they decoded. */
const isFromRaw = (before: Before, versions: readonly ProcessorVersion[]): boolean => {
  const { stores, rebuild } = before
  if (stores.state === 'installing' && !isTargetOf(before, versions)) return true
  return stores.state !== 'whole' && (rebuild.reason === REDRIVE || (stores.state === 'due' && rebuild.reason === null))
}

/** The reason of an earlier rebuild does not apply to one that was not requested. */
const reasonOf = ({ stores, rebuild }: Before): string | null => (stores.state === 'whole' ? null : rebuild.reason)

/** If the rebuild was requested because the decoder could not roll back to a frame: the number of that frame. */
const deadAfterIn = (topology: Topology, { stores, rebuild }: Before): number | undefined => {
  const isOfDecoder = topology.decode(1).folds.some(({ processor }) => versionIn(stores.versions, processor.name) === 0)
  return isOfDecoder && stores.state !== 'whole' ? deadAfterOf(rebuild.reason ?? '') : undefined
}

const hasDecoderMoved = (topology: Topology, versions: readonly ProcessorVersion[]): boolean =>
  topology.decode(1).folds.some(({ processor }) => versionIn(versions, markedName(processor)) !== processor.version)

/** The versions and shapes of the stores' rows. */
export const writersOf =
  ({ stores: { versions }, rebuild: { schemas } }: Before) =>
  (name: string): RowWriter => {
    const version = versionIn(versions, name)
    return { version, schema: schemas.find((one) => one.name === name)?.schema ?? formerShape(name, version) }
  }

const withWords =
  ({ progress }: MakeOptions, beats: Beats): Rebuild['progress'] =>
  (now) => {
    beats.setText(`${now.phase}, ${Math.floor(now.share * 100)} %`)
    progress(now)
  }

/** True once something was folded. */
export const hasFolded = (log: Log, topic: Topics['progress']): boolean =>
  Array.from({ length: log.partitions(topic) }, (_, at) => log.end(topic, at)).some((end) => end > 0)
