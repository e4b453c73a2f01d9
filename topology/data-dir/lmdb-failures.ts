// Turns errors of lmdb into EngineErrors.
import { constants } from 'node:os'
import { EngineError, messageOf } from '../../schemas/errors.ts'
import { hasRoom, logFull } from './disk-room.ts'

/** From lmdb.h. */
const MDB_MAP_FULL = -30792
const FULL: ReadonlySet<number> = new Set([MDB_MAP_FULL, constants.errno.ENOSPC, constants.errno.EDQUOT])

const codeOf = (thrown: unknown): number =>
  typeof thrown === 'object' && thrown !== null && 'code' in thrown && typeof thrown.code === 'number' ? thrown.code : 0

/** lmdb rejects a write with "see commitError", a promise that rejects with the reason. */
const reasonOf = async (thrown: unknown): Promise<unknown> => {
  if (typeof thrown !== 'object' || thrown === null || !('commitError' in thrown)) return thrown
  try {
    return await thrown.commitError
  } catch (reason) {
    return reason
  }
}
export const logIo = (dir: string, operation: string, cause: unknown): EngineError =>
  new EngineError('log_io', `${operation} of the log in ${dir} failed: ${messageOf(cause)}`, { facts: { dir, operation }, cause })

/** Classifies the failure of a transaction that may take `roomBytes`. lmdb reports a short write, which a full disk causes, as EIO. */
export const writeFailure = async (thrown: unknown, dir: string, roomBytes: number): Promise<EngineError> => {
  const reason = await reasonOf(thrown)
  const code = codeOf(reason)
  const isFull = FULL.has(code) || (code === constants.errno.EIO && !hasRoom(dir, roomBytes))
  return isFull ? logFull(dir, reason) : logIo(dir, 'write', reason)
}

/** Classifies a failure to open the directory. */
export const openFailure = async (thrown: unknown, dir: string): Promise<EngineError> => {
  if (thrown instanceof EngineError) return thrown
  const failure = await writeFailure(thrown, dir, 0)
  return failure.code === 'log_full' ? failure : logIo(dir, 'open', thrown)
}
