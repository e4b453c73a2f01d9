// Checks whether a configured directory can be created and written; errors say why not, and what to do.
import { randomBytes } from 'node:crypto'
import { accessSync, constants, lstatSync, mkdirSync, readdirSync, rmSync, type Stats, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { EngineError, messageOf } from '../../schemas/errors.ts'

/** Depth of the check of a directory's entries: its folders, and the files in them. */
const DEPTH_MAX = 2

/**
 * Creates the directory, with mode `mode`, and its missing parents. Calls `tryDirectory` first, because `mkdir` with `recursive` loops
 * forever where the system returns ENOENT (/proc). @throws EngineError `directory_unusable`; nothing is then created.
 */
export const makeDirectory = (dir: string, mode = 0o777): void => {
  tryDirectory(dir)
  mkdirSync(dir, { recursive: true, mode })
}

/** Creates and checks the data directory of a process. @throws EngineError `directory_unusable` */
export const openDataDir = (dir: string): void => {
  makeDirectory(dir)
  tryContents(dir)
}

/** Creates trial directories and a file where `dir` is or would be, and removes them. @throws EngineError `directory_unusable` */
export const tryDirectory = (dir: string): void => {
  const path = resolve(dir)
  const parent = existingParentOf(path)
  const trial = join(parent, `.mintfold-try-${process.pid}-${randomBytes(4).toString('hex')}`)
  try {
    // One level at a time: see makeDirectory.
    for (const level of levelsOf(trial, relative(parent, path))) mkdirSync(level)
    writeFileSync(join(trial, 'byte'), '0', { mode: 0o600 })
  } catch (cause) {
    throw unusable(path, parent, cause)
  } finally {
    rmSync(trial, { recursive: true, force: true })
  }
}

/** Checks that existing content can be read and written: another user may have created it. @throws EngineError `directory_unusable` */
export const tryContents = (dir: string): void => {
  const path = resolve(dir)
  const closed = statOf(path) === undefined ? undefined : closedIn(path, DEPTH_MAX)
  if (closed === undefined) return
  const { uid } = lstatSync(closed)
  const cause = `${closed} belongs to uid ${uid}, and this user (uid ${userId()}) cannot read and write it`
  throw refusal(path, cause, 'Run as that user, give the directory to this user (chown -R), or use another directory')
}

const closedIn = (dir: string, depth: number): string | undefined => {
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name)
    if (!(entry.isDirectory() || entry.isFile())) continue
    if (!isOpen(path, entry.isDirectory())) return path
    const below = entry.isDirectory() && depth > 1 ? closedIn(path, depth - 1) : undefined
    if (below !== undefined) return below
  }
  return undefined
}

/** A file deleted meanwhile is no problem. */
const isOpen = (path: string, isDirectory: boolean): boolean => {
  try {
    accessSync(path, constants.R_OK | constants.W_OK | (isDirectory ? constants.X_OK : 0))
    return true
  } catch (cause) {
    return codeOf(cause) === 'ENOENT'
  }
}

const levelsOf = (trial: string, below: string): readonly string[] => {
  const levels = [trial]
  for (const name of below.split('/')) if (name !== '') levels.push(join(levels.at(-1) as string, name))
  return levels
}

/** The nearest existing directory, itself or a parent. @throws EngineError if that is not a directory, or cannot be entered */
const existingParentOf = (path: string): string => {
  let failure: unknown
  for (let at = path; ; at = dirname(at)) {
    try {
      if (!statSync(at).isDirectory()) throw refusal(path, `${at} is a file, not a directory`, 'Move it away, or use another directory')
      if (codeOf(failure) === 'EACCES')
        throw refusal(path, `${at} cannot be entered by this user (uid ${userId()})`, 'Give this user access, or use another directory')
      return at
    } catch (cause) {
      if (cause instanceof EngineError || at === '/') throw cause
      if (isLink(at) && LEADS_NOWHERE.has(codeOf(cause)))
        throw refusal(path, `${at} is a broken link`, 'Create its target, or use another directory')
      failure ??= cause
    }
  }
}

const LEADS_NOWHERE: ReadonlySet<string> = new Set(['ENOENT', 'ELOOP'])
const isLink = (path: string): boolean => {
  try {
    return lstatSync(path).isSymbolicLink()
  } catch {
    return false
  }
}

const statOf = (path: string): Stats | undefined => statSync(path, { throwIfNoEntry: false })
const codeOf = (cause: unknown): string => (cause instanceof Error && 'code' in cause ? String(cause.code) : '')
const userId = (): string => String(process.getuid?.() ?? 'of this process')

/** Cause and advice by system error code; `at` is the directory of the failed operation. */
const WORDS: Readonly<Record<string, (at: string) => readonly [cause: string, way: string]>> = {
  EACCES: (at) => [`${at} is not writable for this user (uid ${userId()})`, 'Make it writable, or use another directory'],
  EPERM: (at) => [`${at} is not writable for this user (uid ${userId()})`, 'Make it writable, or use another directory'],
  EROFS: (at) => [`${at} is on a read-only file system`, 'Use another directory'],
  ENOENT: (at) => [`nothing can be created in ${at}`, 'Use another directory'],
  ENOSPC: (at) => [`the disk of ${at} is full`, 'Free some space, or use another directory'],
  EDQUOT: (at) => [`the disk quota of this user in ${at} is used up`, 'Free some space, or use another directory'],
  ENAMETOOLONG: () => ['a part of its name is too long', 'Give it a shorter one'],
}

const unusable = (path: string, at: string, cause: unknown): EngineError => {
  const [why, way] = WORDS[codeOf(cause)]?.(at) ?? [messageOf(cause), 'Use another directory']
  return refusal(path, why, way, cause)
}

const refusal = (path: string, why: string, way: string, cause?: unknown): EngineError =>
  new EngineError('directory_unusable', `MINTFOLD_DATA_DIR: ${path} cannot be used: ${why}. ${way}.`, { facts: { place: path }, cause })
