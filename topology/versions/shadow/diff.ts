// Compares all partitions of a chain: what the running version has on the log, and what a shadow has in its staging store.
import { EngineError } from '../../../schemas/errors.ts'
import type { Chain } from '../../../schemas/types.ts'
import type { WatchedLog } from '../../logs/lmdb/lmdb-reader.ts'
import type { Log, LogReader } from '../../ports/log.ts'
import type { Topology } from '../../topology.ts'
import type { Beginning } from '../folding/fold-begin.ts'
import { type Before, identifiedOf, writersOf } from '../rebuild/make.ts'
import { readNote } from '../rebuild/note.ts'
import { stagingFolder, watchStaging } from '../rebuild/staging-stores.ts'
import { areSame, recordOf, versionsOf } from '../stores-record.ts'
import { diffConclusions } from './diff-conclusions.ts'
import { diffRows } from './diff-rows.ts'
import type { Differences } from './differences.ts'

export interface DiffOptions {
  readonly log: LogReader & Pick<Log, 'refresh'>
  readonly topology: Topology
  readonly stop: AbortSignal
  /** Partitions compared so far. */
  readonly progress: (partitions: number, of: number) => void
}

/** Conclusions of the frames from `from` to `to` were compared; null if none. */
export interface Compared {
  readonly chain: Chain
  readonly from: number | null
  readonly to: number | null
}

/** The shadow of a chain, to read. */
export interface OpenShadow {
  readonly made: LogReader
  readonly before: Before
}

/**
 * The shadow of these versions in a data directory; undefined if the stores are of these versions already, so that none is needed.
 * @throws EngineError `shadow_not_ready` if there is none
 */
export const openShadowIn = async (
  dataDir: string,
  log: LogReader,
  topology: Topology,
): Promise<(OpenShadow & Pick<WatchedLog, 'close'>) | undefined> => {
  const versions = versionsOf(topology)
  const record = recordOf(log, topology)
  const stores = await record.stores()
  if (stores !== undefined && areSame(stores.versions, versions)) return undefined
  const name = topology.chain.name
  if (stores === undefined) throw notThere(name, 'the running version has not folded anything yet')
  const before = { stores, rebuild: await record.rebuild() }
  const made = await watchStaging(stagingFolder(dataDir, topology.chain), 'fold', (found) =>
    found.startsWith(`${identifiedOf(topology, before, versions).identity} `),
  )
  if (made === undefined) throw notThere(name, `${dataDir} has none of this program's versions for the running stores`)
  return { made, before, close: () => made.close() }
}

/** @throws EngineError `shadow_not_ready` */
export const diffShadow = async (
  { log, topology, stop, progress }: DiffOptions,
  { made, before }: OpenShadow,
  found: Differences,
): Promise<Compared> => {
  const { name } = topology.chain
  const folded = await readNote<Beginning>(made, topology.operations.rebuild.reads.stores)
  if (folded === undefined) throw notThere(name, 'it has just begun')
  const partitions = log.partitions(topology.operations.rebuild.reads.tape)
  const writerOf = writersOf(before)
  const tops: number[] = []
  for (let partition = 0; partition < partitions && !stop.aborted; partition++) {
    const sides = { log, made, topology, partition, folded, writerOf, stop }
    const top = await diffConclusions(sides, found)
    if (top !== undefined) tops.push(top)
    await diffRows(sides, found)
    progress(partition + 1, partitions)
  }
  return { chain: name, from: tops.length === 0 ? null : folded.first.number, to: tops.length === 0 ? null : Math.min(...tops) }
}

const notThere = (chain: Chain, why: string): EngineError =>
  new EngineError(
    'shadow_not_ready',
    `${chain}: there is no shadow to compare: ${why}; start mintfold process --shadow of this program with this MINTFOLD_DATA_DIR, or retry later`,
    { retriable: true },
  )
