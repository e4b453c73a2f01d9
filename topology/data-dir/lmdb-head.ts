// Checks the head of the data file before lmdb opens it: lmdb 3.5.6 crashes the process (SIGSEGV) on a foreign file.
import { closeSync, existsSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { otherFormat } from './data-dir-lock.ts'

/** First page: 24 bytes of page header, then magic and version in the machine's byte order (lmdb.h, MDB_MAGIC and MDB_DATA_VERSION). */
const HEAD_BYTES = 32
/** lmdb's data file, in its directory. */
export const DATA_FILE = 'data.mdb'
const MAGIC = 0xbeefc0de
const DATA_VERSION = 2

const readHead = (path: string): Uint8Array => {
  if (!existsSync(path)) return new Uint8Array()
  const file = openSync(path, 'r')
  try {
    const head = new Uint8Array(HEAD_BYTES)
    return head.subarray(0, readSync(file, head))
  } finally {
    closeSync(file)
  }
}

/** Accepts an empty or missing file, which lmdb creates. @throws EngineError `data_dir_version` */
export const checkDataFile = (dir: string): void => {
  const head = readHead(join(dir, DATA_FILE))
  if (head.length === 0) return
  if (head.length < HEAD_BYTES) throw otherFormat(dir, 'unknown (data.mdb is truncated)')
  const [magic, version] = new Uint32Array(head.buffer, 24, 2)
  if (magic !== MAGIC) throw otherFormat(dir, 'unknown (data.mdb is not an lmdb file)')
  if (version !== DATA_VERSION) throw otherFormat(dir, `unknown (data.mdb is of lmdb version ${version}, not ${DATA_VERSION})`)
}
