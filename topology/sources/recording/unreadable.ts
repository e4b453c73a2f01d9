// Error texts for files that cannot be read or written, with advice.
import { EngineError } from '../../../schemas/errors.ts'

const codeOf = (cause: unknown): string | undefined =>
  cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined

const READ: Readonly<Record<string, (path: string) => string>> = {
  ENOENT: (path) => `there is no file ${path}: check its name, and the directory that you are in`,
  ENOTDIR: (path) => `there is no file ${path}: a part of this path is a file, not a directory; check its name`,
  EISDIR: (path) => `${path} is a directory: give the files in it`,
  EACCES: (path) => `${path} cannot be read by this user: change its permissions, or run as another user`,
}
const WRITTEN: Readonly<Record<string, (path: string) => string>> = {
  ENOENT: (path) => `${path} cannot be written: its directory does not exist; create it first`,
  ENOTDIR: (path) => `${path} cannot be written: a part of this path is a file, not a directory; use another path`,
  EISDIR: (path) => `${path} cannot be written: it is a directory; use a file in it`,
  EACCES: (path) => `${path} cannot be written by this user: change the permissions of its directory, or use another path`,
  EROFS: (path) => `${path} cannot be written: its file system is read-only; use another path`,
  ENOSPC: (path) => `${path} cannot be written: the disk is full; free some space, or use another path`,
}

/** `hint` is appended to the text: it describes the input that the command takes. */
export const unreadable = (path: string, cause: unknown, hint = ''): EngineError =>
  error(path, cause, READ[codeOf(cause) ?? ''] ?? ((name) => `${name} cannot be read: ${(cause as Error).message}`), hint)
export const unwritable = (path: string, cause: unknown): EngineError =>
  error(path, cause, WRITTEN[codeOf(cause) ?? ''] ?? ((name) => `${name} cannot be written: ${(cause as Error).message}`))

const error = (path: string, cause: unknown, words: (path: string) => string, hint = ''): EngineError =>
  new EngineError('file_unreadable', `${words(path)}${hint}`, { facts: { path }, cause })

/** Codes of network failures, which have a `syscall` too, `read` and `write` among them. */
const OF_NETWORK = /^(EADDR|EAI_|ECONN|EHOST|ENET|ENOTCONN|ENOTFOUND|ETIMEDOUT)/

/** A failure of the file system, but not of the network, in one of our operations. */
export const isOfFiles = (failure: unknown): failure is NodeJS.ErrnoException =>
  failure instanceof Error && 'syscall' in failure && !OF_NETWORK.test(codeOf(failure) ?? '')
/** A file system failure that includes its path. */
export const isOfPath = (failure: unknown): failure is NodeJS.ErrnoException => isOfFiles(failure) && failure.path !== undefined

const CAUSES: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  ENOTDIR: 'a part of this path is a file, not a directory',
  EISDIR: 'it is a directory',
  EEXIST: 'something else has this name',
  EACCES: 'this user lacks the permission',
  EPERM: 'this user lacks the permission',
  EROFS: 'its file system is read-only',
  ENOSPC: 'the disk is full',
  EMFILE: 'this process has too many open files (ulimit -n)',
}

/** For a file system failure that no caller has described. */
export const fileWords = ({ path, code = '', syscall, message }: NodeJS.ErrnoException): string =>
  `${path} cannot be used: ${CAUSES[code] ?? message} (${syscall}). Fix that, or use another path.`
