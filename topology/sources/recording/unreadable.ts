// Why a file cannot be read or written, in words that say what to do.
import { EngineError } from '../../../schemas/errors.ts'

const codeOf = (cause: unknown): string | undefined =>
  cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined

const READ: Readonly<Record<string, (path: string) => string>> = {
  ENOENT: (path) => `there is no file ${path}: check its name, and the directory that you are in`,
  ENOTDIR: (path) => `there is no file ${path}: a part of this path is a file, not a directory; check its name`,
  EISDIR: (path) => `${path} is a directory: name the files in it`,
  EACCES: (path) => `${path} cannot be read by this user: change its permissions, or run as another user`,
}
const WRITTEN: Readonly<Record<string, (path: string) => string>> = {
  ENOENT: (path) => `${path} cannot be written: its directory does not exist; make it first`,
  ENOTDIR: (path) => `${path} cannot be written: a part of this path is a file, not a directory; name another place`,
  EISDIR: (path) => `${path} cannot be written: it is a directory; name a file in it`,
  EACCES: (path) => `${path} cannot be written by this user: change the permissions of its directory, or name another place`,
  EROFS: (path) => `${path} cannot be written: its file system is read-only; name another place`,
  ENOSPC: (path) => `${path} cannot be written: the disk is full; free some space, or name another place`,
}

/** `hint` says what the command takes, for a path that is no file. */
export const unreadable = (path: string, cause: unknown, hint = ''): EngineError =>
  error(path, cause, READ[codeOf(cause) ?? ''] ?? ((name) => `${name} cannot be read: ${(cause as Error).message}`), hint)
export const unwritable = (path: string, cause: unknown): EngineError =>
  error(path, cause, WRITTEN[codeOf(cause) ?? ''] ?? ((name) => `${name} cannot be written: ${(cause as Error).message}`))

const error = (path: string, cause: unknown, words: (path: string) => string, hint = ''): EngineError =>
  new EngineError('file_unreadable', `${words(path)}${hint}`, { facts: { path }, cause })

/** A failure of the file system, in an operation that was asked for. */
export const isOfFiles = (failure: unknown): failure is NodeJS.ErrnoException => failure instanceof Error && 'syscall' in failure
/** One that names its path. */
export const isOfPath = (failure: unknown): failure is NodeJS.ErrnoException => isOfFiles(failure) && failure.path !== undefined

const CAUSES: Readonly<Record<string, string>> = {
  ENOENT: 'it is not there',
  ENOTDIR: 'a part of this path is a file, not a directory',
  EISDIR: 'it is a directory',
  EEXIST: 'something else has this name',
  EACCES: 'this user has no right to it',
  EPERM: 'this user has no right to it',
  EROFS: 'its file system is read-only',
  ENOSPC: 'the disk is full',
  EMFILE: 'this process may have no more files open (ulimit -n)',
}

/** For a failure that nobody on the way here has put into words. */
export const fileWords = ({ path, code = '', syscall, message }: NodeJS.ErrnoException): string =>
  `${path} cannot be used: ${CAUSES[code] ?? message} (${syscall}). Put that right, or name another path.`
