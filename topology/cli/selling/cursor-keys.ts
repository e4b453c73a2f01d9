// What watch cursors are signed with: the keys of the setting, else one made on the first start and kept in the data directory.
import { randomBytes } from 'node:crypto'
import { chmod, mkdir, open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { EngineError } from '../../../schemas/errors.ts'
import type { Settings } from '../settings/settings.ts'

/** In the data directory: a key of 32 bytes a line, base64url, newest first. Read by its owner alone. */
export const CURSOR_KEYS_FILE = 'cursor-keys'
const KEY_BYTES = 32
const OWNER_ONLY = 0o600
const KEY_LINE = /^[A-Za-z0-9_-]{43}$/

/** Newest first. @throws EngineError `cursor_keys`. */
export const openCursorKeys = async ({ dataDir, cursorKeys }: Settings): Promise<readonly Uint8Array[]> => {
  if (cursorKeys !== null) return cursorKeys.map((text) => Buffer.from(text))
  const path = join(dataDir, CURSOR_KEYS_FILE)
  try {
    return keysIn((await readOwn(path)) ?? (await make(dataDir, path)), path)
  } catch (cause) {
    if (cause instanceof EngineError) throw cause
    throw new EngineError('cursor_keys', `the keys of watch cursors in ${path} can be neither read nor made: ${WAYS}`, {
      facts: { path },
      cause,
    })
  }
}

const WAYS = 'put the file right, or set MINTFOLD_CURSOR_KEYS; without it, cursors that callers hold are worth nothing'

const keysIn = (text: string, path: string): readonly Uint8Array[] => {
  const lines = text.split('\n').filter((line) => line !== '')
  if (lines.length === 0 || !lines.every((line) => KEY_LINE.test(line)))
    throw new EngineError('cursor_keys', `${path} does not hold the keys of watch cursors: ${WAYS}`, { facts: { path } })
  return lines.map((line) => Buffer.from(line, 'base64url'))
}

/** Undefined where there is none yet. A copy that others may read, as a restore makes it, is closed to them. */
const readOwn = async (path: string): Promise<string | undefined> => {
  try {
    const text = await readFile(path, 'utf8')
    await chmod(path, OWNER_ONLY)
    return text
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw cause
  }
}

/** Whole or not at all: a key that a killed process half wrote is never read. */
const make = async (dataDir: string, path: string): Promise<string> => {
  const text = `${randomBytes(KEY_BYTES).toString('base64url')}\n`
  await mkdir(dataDir, { recursive: true })
  const file = await open(`${path}.tmp`, 'w', OWNER_ONLY)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(`${path}.tmp`, path)
  return text
}
