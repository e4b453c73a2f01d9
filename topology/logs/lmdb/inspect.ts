// Inspects a log directory without taking ownership: its shape, and its current owner.
import { open } from 'lmdb'
import { EngineError } from '../../../schemas/errors.ts'
import { OWNER_KEY, otherFormat, SHAPE_KEY } from '../../data-dir/data-dir-lock.ts'
import { logIo } from '../../data-dir/lmdb-failures.ts'
import { checkDataFile } from '../../data-dir/lmdb-head.ts'
import { isRunning, type ProcessIdentity } from '../../data-dir/process-identity.ts'

export interface Inspected {
  readonly format: number
  readonly partitions: number
  /** Pid of the running process that owns it; null if none does. */
  readonly owner: number | null
}

const BYTES = { encoding: 'binary', keyEncoding: 'binary' } as const
const parse = <T>(value: Uint8Array | undefined): T | null =>
  value === undefined ? null : (JSON.parse(Buffer.from(value).toString('utf8')) as T | null)

/** Read-only. @throws EngineError `data_dir_version` if it is not one of our logs, `log_io` */
export const inspectDirectory = async (dir: string): Promise<Inspected> => {
  checkDataFile(dir)
  try {
    const env = open({ path: dir, noSubdir: false, readOnly: true, maxDbs: 2, ...BYTES })
    try {
      const owners = env.openDB<Uint8Array, Uint8Array>({ name: 'owner', useVersions: true, ...BYTES })
      const rows = env.openDB<Uint8Array, Uint8Array>({ name: 'rows', ...BYTES })
      const shape = parse<{ format: number; partitions: number }>(rows?.get(SHAPE_KEY))
      const owner = parse<ProcessIdentity>(owners?.get(OWNER_KEY))
      if (shape === null) throw otherFormat(dir, 'unknown')
      return { ...shape, owner: owner !== null && isRunning(owner) ? owner.pid : null }
    } finally {
      await env.close()
    }
  } catch (cause) {
    throw cause instanceof EngineError ? cause : logIo(dir, 'reading the header', cause)
  }
}
