// Copies the project, so that faults are planted in the copy and never in the work tree.
import { cpSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** Linked (node_modules), or not needed in a copy. */
const NOT_COPIED = new Set(['node_modules', '.git', 'data', 'coverage'])

/** Copies the work tree into an existing directory and links node_modules. */
export const copyTree = (dir: string): void => {
  for (const name of readdirSync(ROOT)) if (!NOT_COPIED.has(name)) cpSync(join(ROOT, name), join(dir, name), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(dir, 'node_modules'))
}
