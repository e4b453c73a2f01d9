// A directory that somebody names: whether it can be made and written in, and why not, in one sentence with what to do.
import { randomBytes } from 'node:crypto'
import { accessSync, constants, lstatSync, mkdirSync, readdirSync, rmSync, type Stats, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { EngineError, messageOf } from '../../schemas/errors.ts'

/** How deep the entries of a directory are looked at: its folders, and the files in them. */
const DEPTH_MAX = 2

/**
 * Makes the directory with what lacks above it; its mode is `mode`. Never by `recursive` alone: Node repeats that without end where the
 * system answers ENOENT (/proc). @throws EngineError `directory_unusable`; then nothing was made.
 */
export const makeDirectory = (dir: string, mode = 0o777): void => {
  tryDirectory(dir)
  mkdirSync(dir, { recursive: true, mode })
}

/** For a process that works in the data directory. @throws EngineError `directory_unusable` */
export const openDataDir = (dir: string): void => {
  makeDirectory(dir)
  tryContents(dir)
}

/** Makes what would be made and writes a byte, beside all else; leaves nothing. @throws EngineError `directory_unusable` */
export const tryDirectory = (dir: string): void => {
  const place = resolve(dir)
  const ground = groundOf(place)
  const trial = join(ground, `.mintfold-try-${process.pid}-${randomBytes(4).toString('hex')}`)
  try {
    // Level by level: see makeDirectory.
    for (const level of levelsOf(trial, relative(ground, place))) mkdirSync(level)
    writeFileSync(join(trial, 'byte'), '0', { mode: 0o600 })
  } catch (cause) {
    throw unusable(place, ground, cause)
  } finally {
    rmSync(trial, { recursive: true, force: true })
  }
}

/** Also whether what it holds can be read and written: another user may have made that. @throws EngineError `directory_unusable` */
export const tryContents = (dir: string): void => {
  const place = resolve(dir)
  const closed = statOf(place) === undefined ? undefined : closedIn(place, DEPTH_MAX)
  if (closed === undefined) return
  const { uid } = lstatSync(closed)
  const cause = `${closed} belongs to uid ${uid}, and this user (uid ${userId()}) cannot read and write it`
  throw refusal(place, cause, 'Run as that user, give it to this one (chown -R), or name another place')
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

/** What has gone meanwhile is no hindrance. */
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

/** The nearest that is there, itself or above it. @throws EngineError where that is no directory, or cannot be looked into */
const groundOf = (place: string): string => {
  let failure: unknown
  for (let at = place; ; at = dirname(at)) {
    try {
      if (!statSync(at).isDirectory()) throw refusal(place, `${at} is a file, not a directory`, 'Move it away, or name another place')
      if (codeOf(failure) === 'EACCES')
        throw refusal(place, `${at} may not be entered by this user (uid ${userId()})`, 'Open it to this user, or name another place')
      return at
    } catch (cause) {
      if (cause instanceof EngineError || at === '/') throw cause
      if (isLink(at) && LEADS_NOWHERE.has(codeOf(cause)))
        throw refusal(place, `${at} is a link that leads nowhere`, 'Make what it names, or name another place')
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

/** Cause and way out by the system's code; `at` is the directory in which something was tried. */
const WORDS: Readonly<Record<string, (at: string) => readonly [cause: string, way: string]>> = {
  EACCES: (at) => [`${at} is not writable for this user (uid ${userId()})`, 'Make it writable, or name another place'],
  EPERM: (at) => [`${at} is not writable for this user (uid ${userId()})`, 'Make it writable, or name another place'],
  EROFS: (at) => [`${at} is on a read-only file system`, 'Name another place'],
  ENOENT: (at) => [`nothing can be made in ${at}`, 'Name another place'],
  ENOSPC: (at) => [`the disk of ${at} is full`, 'Free some space, or name another place'],
  EDQUOT: (at) => [`the disk quota of this user in ${at} is used up`, 'Free some space, or name another place'],
  ENAMETOOLONG: () => ['a part of its name is too long', 'Give it a shorter one'],
}

const unusable = (place: string, at: string, cause: unknown): EngineError => {
  const [why, way] = WORDS[codeOf(cause)]?.(at) ?? [messageOf(cause), 'Name another place']
  return refusal(place, why, way, cause)
}

const refusal = (place: string, why: string, way: string, cause?: unknown): EngineError =>
  new EngineError('directory_unusable', `MINTFOLD_DATA_DIR: ${place} cannot be used: ${why}. ${way}.`, { facts: { place }, cause })
