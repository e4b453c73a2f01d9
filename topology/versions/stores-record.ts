// The records of the processor versions that wrote a chain's stores, and of a running rebuild.
import { withoutDocs } from '../../schemas/avro.ts'
import { rebuildCodec, storesCodec } from '../../schemas/codecs.ts'
import { assert, EngineError } from '../../schemas/errors.ts'
import type { Topics } from '../../schemas/topics.ts'
import type { Chain, ProcessorVersion, RebuildStanding, RowSchema, StoresStanding } from '../../schemas/types.ts'
import type { LogReader, OutRecord, TaskOwner } from '../ports/log.ts'
import { recordsOf } from '../records/records-of.ts'
import type { Topology } from '../topology.ts'

type StoresTopics = Pick<Topics, 'stores' | 'rebuilds'>
/** Owner id of the records' writer. */
export const storesOwner = (chain: Chain): string => `stores-${chain}`

/** The newest record; undefined if there is none. */
export const readStores = async (log: LogReader, topic: Topics['stores'], chain: Chain): Promise<StoresStanding | undefined> => {
  let newest: StoresStanding | undefined
  for await (const { key, value } of recordsOf(log, topic, 0)) {
    const read = value === null || Buffer.from(key).toString() !== chain ? undefined : storesCodec.decode(value)
    if (read?.ok === true) newest = read.value
  }
  return newest
}

/** The state without a rebuild. */
export const NO_REBUILD: Omit<RebuildStanding, 'chain'> = {
  state: 'none',
  by: '',
  beat: 0,
  reason: null,
  words: null,
  target: [],
  schemas: [],
}

/** The newest record of a rebuild. */
export const readRebuild = async (log: LogReader, topic: Topics['rebuilds'], chain: Chain): Promise<RebuildStanding> => {
  let newest: RebuildStanding = { chain, ...NO_REBUILD }
  for await (const { key, value } of recordsOf(log, topic, 0)) {
    const read = value === null || Buffer.from(key).toString() !== chain ? undefined : rebuildCodec.decode(value)
    if (read?.ok === true) newest = read.value
  }
  return newest
}

export interface StoresUpdate {
  readonly stores?: Omit<StoresStanding, 'chain'>
  readonly rebuild?: Omit<RebuildStanding, 'chain'>
}

/** Writes the given states in one commit. */
export const writeStoresUpdate = (
  owner: TaskOwner,
  topics: StoresTopics,
  chain: Chain,
  { stores, rebuild }: StoresUpdate,
): Promise<void> => {
  const outputs: OutRecord[] = []
  const key = Buffer.from(chain)
  if (stores !== undefined) outputs.push({ topic: topics.stores, partition: 0, key, value: storesCodec.encode({ ...stores, chain }) })
  if (rebuild !== undefined) outputs.push({ topic: topics.rebuilds, partition: 0, key, value: rebuildCodec.encode({ ...rebuild, chain }) })
  return owner.commit({ outputs, inputs: new Map() })
}

/** The records of the topology's chain. */
export const recordOf = (log: LogReader, { chain: { name }, operations }: Topology) => {
  const topics = operations.rebuild.writes
  return {
    owner: storesOwner(name),
    stores: () => readStores(log, topics.stores, name),
    rebuild: () => readRebuild(log, topics.rebuilds, name),
    write: (owner: TaskOwner, update: StoresUpdate) => writeStoresUpdate(owner, topics, name, update),
  }
}

/** Row schemas of this program, by processor. */
export const schemasOf = ({ decode, folds }: Topology): RowSchema[] =>
  [...decode(1).folds, ...folds(1).folds].map(({ processor: { name }, state: { schema } }) => ({ name, schema }))

/** True if this program can read the stored rows: their shapes equal its own or, where no shape is stored, the versions do. */
export const isReadable = async (log: LogReader, topology: Topology): Promise<boolean> => {
  const { name } = topology.chain
  const topics = topology.operations.rebuild.reads
  const [stores, { schemas }] = [await readStores(log, topics.stores, name), await readRebuild(log, topics.rebuilds, name)]
  if (stores === undefined) return true
  const programVersions = versionsOf(topology)
  return schemasOf(topology).every(({ name, schema }) => {
    const stored = schemas.find((one) => one.name === name)
    if (stored === undefined) return versionIn(stores.versions, name) === versionIn(programVersions, name)
    return withoutDocs(stored.schema) === withoutDocs(schema)
  })
}

/** Separates the name of a processor from its make. */
const MARK = '@'
/** Name of a processor in the stores record: another make counts as another processor. */
export const markedName = ({ name, make }: Marked): string => {
  const made = make?.() ?? null
  return made === null ? name : `${name}${MARK}${made}`
}
interface Marked {
  readonly name: string
  make?(): string | null
}
/** The name without the make. */
const nameOf = (marked: string): string => marked.split(MARK)[0] as string

/** Versions of this program's processors, by name. */
export const versionsOf = ({ decode, folds }: Topology): ProcessorVersion[] =>
  [...decode(1).folds, ...folds(1).folds]
    .map(({ processor }) => ({ name: markedName(processor), version: processor.version }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))

/**
 * True for stores written by exactly these versions. @throws EngineError `stores_newer`, `stores_rolled_back` if an operator replaced these
 * versions by older ones
 */
export const isCurrent = (
  { versions, rolledBack }: Pick<StoresStanding, 'versions' | 'rolledBack'>,
  programVersions: readonly ProcessorVersion[],
): boolean => {
  const newer = newerIn(versions, programVersions)
  if (newer !== undefined) throw storesNewer(newer, versionOf(programVersions, newer.name))
  if (areSame(versions, programVersions)) return true
  if (areSame(rolledBack, programVersions)) throw storesRolledBack()
  return false
}

/** True if these versions were replaced by newer ones, or rolled back: `isCurrent` throws. */
export const areReplaced = (
  { versions, rolledBack }: Pick<StoresStanding, 'versions' | 'rolledBack'>,
  programVersions: readonly ProcessorVersion[],
): boolean =>
  newerIn(versions, programVersions) !== undefined || (areSame(rolledBack, programVersions) && !areSame(versions, programVersions))

/** True for the same processors in the same versions, in any order. */
export const areSame = (versions: readonly ProcessorVersion[], others: readonly ProcessorVersion[]): boolean =>
  versions.length === others.length && others.every(({ name, version }) => version === versionIn(versions, name))

/** `rolledBack` of the record after a rebuild of the stores for these versions. */
export const rolledBackAfter = (
  { versions, rolledBack }: Pick<StoresStanding, 'versions' | 'rolledBack'>,
  target: readonly ProcessorVersion[],
): ProcessorVersion[] => {
  if (newerIn(versions, target) !== undefined) return versions
  return areSame(rolledBack, target) ? [] : rolledBack
}

/** A processor that this program has in an older version, or not at all. */
export const newerIn = (
  versions: readonly ProcessorVersion[],
  programVersions: readonly ProcessorVersion[],
): ProcessorVersion | undefined => versions.find(({ name, version }) => version > versionOf(programVersions, name))
const versionOf = (versions: readonly ProcessorVersion[], marked: string): number =>
  versions.find(({ name }) => nameOf(name) === nameOf(marked))?.version ?? 0

/** True if only the make of a processor differs. */
export const isOfOtherMake = ({ versions }: Pick<StoresStanding, 'versions'>, programVersions: readonly ProcessorVersion[]): boolean =>
  versions.some(({ name, version }) => versionIn(programVersions, name) === 0 && versionOf(programVersions, name) === version)

/** Without the processors of these names, of any make. */
export const without = (versions: readonly ProcessorVersion[], names: ReadonlySet<string>): ProcessorVersion[] =>
  versions.filter(({ name }) => !names.has(nameOf(name)))

/** 0 for a processor that is not in the list. */
export const versionIn = (versions: readonly ProcessorVersion[], name: string): number =>
  versions.find((one) => one.name === name)?.version ?? 0

const storesNewer = ({ name, version }: ProcessorVersion, programVersions: number): EngineError => {
  assert(version > programVersions, `${name} is newer`)
  return new EngineError(
    'stores_newer',
    `the stores were written by version ${version} of ${name}, and this program ${programVersions === 0 ? 'does not have it' : `has version ${programVersions}`}: ` +
      'run the newer program, or start over with an empty MINTFOLD_DATA_DIR (on Kafka: another MINTFOLD_TOPIC_PREFIX); recordings can be played into it again',
    { facts: { processor: name, found: version, expected: programVersions } },
  )
}

const storesRolledBack = (): EngineError =>
  new EngineError(
    'stores_rolled_back',
    'mintfold promote --back has replaced the versions of this program by older ones: run the older program, or this one with ' +
      'mintfold process --shadow and promote it again',
  )
