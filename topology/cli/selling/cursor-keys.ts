// The signing keys of watch cursors: from the setting, else created on the first start and stored in the data directory.
import { randomBytes } from 'node:crypto'
import { chmod, mkdir, open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { EngineError } from '../../../schemas/errors.ts'
import type { Settings } from '../settings/settings.ts'

/** In the data directory: one 32-byte key per line, base64url, newest first. Readable only by its owner. */
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
    throw new EngineError('cursor_keys', `the keys of watch cursors in ${path} can be neither read nor created: ${WAYS}`, {
      facts: { path },
      cause,
    })
  }
}

const WAYS = 'repair the file, or set MINTFOLD_CURSOR_KEYS; with new keys, cursors already issued become invalid'

const keysIn = (text: string, path: string): readonly Uint8Array[] => {
  const lines = text.split('\n').filter((line) => line !== '')
  if (lines.length === 0 || !lines.every((line) => KEY_LINE.test(line)))
    throw new EngineError('cursor_keys', `${path} has no valid keys of watch cursors: ${WAYS}`, { facts: { path } })
  return lines.map((line) => Buffer.from(line, 'base64url'))
}

/** Undefined if the file does not exist. Removes the access of other users, which a restored copy may allow. */
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

/** Atomic: a partial key from a killed process is never read. */
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
