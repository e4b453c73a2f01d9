// Locks a data directory for one process, and only with a supported format.
//
// The lock is a row {pid, start of the process, boot id} in the lmdb itself, read and written in one write transaction, which lmdb
// serialises between processes: of two that start at once, one sees the other. The row of a dead process, of a pid that has been reused,
// or of an earlier boot is taken over. The row's version grows with each takeover, and every commit is conditional on it inside its own
// transaction: an owner that was wrongly taken for dead is fenced at its next commit, so that commits of two owners never mix.
//
// The lock does not protect against: a directory shared by two machines or on a network file system (lmdb's own locks and map do not work
// there); two containers with separate pid namespaces on one volume (the second takes over, the first is fenced); deletion or copying
// of the files of a running log (`mdb_copy` and lmdb's backup make good copies); a machine without /proc and `ps`, where every owner
// looks dead.
import type { Database, RootDatabase } from 'lmdb'
import { EngineError } from '../../schemas/errors.ts'
import { isRunning, type ProcessIdentity, thisProcess } from './process-identity.ts'

/** Key of the directory's format; the first of all keys. */
export const SHAPE_KEY: Buffer = Buffer.of(0)

/** Increased when the layout of lmdb-keys changes so that an older program would misread it, or when tasks store other rows. */
export const FORMAT_VERSION = 2
export const OWNER_KEY: Buffer = Buffer.from('owner')

export type Rows = Database<Uint8Array, Uint8Array>

interface Shape {
  readonly format: number
  readonly partitions: number
}

const WAYS =
  'Run the program version that wrote it, or set MINTFOLD_DATA_DIR to an empty directory; recordings can be played into it again.'

export const otherFormat = (dir: string, found: string): EngineError =>
  new EngineError('data_dir_version', `${dir} has data format ${found}, this program has format ${FORMAT_VERSION}. ${WAYS}`, {
    facts: { dir, found, expected: FORMAT_VERSION },
  })
const otherPartitions = (dir: string, found: number, asked: number): EngineError =>
  new EngineError(
    'data_dir_partitions',
    `${dir} was created with ${found} partitions, but ${asked} are configured. Set MINTFOLD_PARTITIONS=${found}, or MINTFOLD_DATA_DIR to an empty directory.`,
    { facts: { dir, found, asked } },
  )
/** `url`: the address at which process `pid` answers, if it is known. */
export const dirOwned = (dir: string, pid: number, url?: string): EngineError =>
  new EngineError(
    'data_dir_owned',
    `${dir} is in use by process ${pid}${url === undefined ? '' : `, which answers on ${url}`}. Stop that process, or set MINTFOLD_DATA_DIR to another directory.`,
    { facts: { dir, pid } },
  )

const parse = <T>(value: Uint8Array): T => JSON.parse(Buffer.from(value).toString('utf8')) as T

const checkShape = (rows: Rows, dir: string, partitions: number): void => {
  const found = rows.get(SHAPE_KEY)
  if (found === undefined) {
    if (rows.getKeysCount({ limit: 1 }) > 0) throw otherFormat(dir, 'unknown')
    const fresh: Shape = { format: FORMAT_VERSION, partitions }
    rows.putSync(SHAPE_KEY, Buffer.from(JSON.stringify(fresh)))
    return
  }
  const shape = parse<Shape>(found)
  if (shape.format !== FORMAT_VERSION) throw otherFormat(dir, String(shape.format))
  if (shape.partitions !== partitions) throw otherPartitions(dir, shape.partitions, partitions)
}

/**
 * Makes this process the owner, durably; returns the generation (epoch) that every commit must be conditional on.
 * @throws EngineError `data_dir_owned`, `data_dir_version`, `data_dir_partitions`; then nothing was written.
 */
export const takeDirectory = (env: RootDatabase, owners: Rows, rows: Rows, dir: string, partitions: number): number =>
  env.transactionSync(() => {
    checkShape(rows, dir, partitions)
    const entry = owners.getEntry(OWNER_KEY)
    const owner = entry === undefined ? null : parse<ProcessIdentity | null>(entry.value)
    if (owner !== null && isRunning(owner)) throw dirOwned(dir, owner.pid)
    const generation = (entry?.version ?? 0) + 1
    owners.putSync(OWNER_KEY, Buffer.from(JSON.stringify(thisProcess())), generation)
    return generation
  })

/** Releases the directory; does nothing if another process has taken it over. */
export const leaveDirectory = async (owners: Rows, generation: number): Promise<void> => {
  await owners.put(OWNER_KEY, Buffer.from('null'), generation, generation)
}
