// Folders of scratch files in a data directory: one per opening, named after its process, so that several threads and processes can share
// the directory.
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { makeDirectory } from './directory.ts'
import { identityOf } from './process-identity.ts'

const SCRATCH_FOLDER = 'scratch'

/** The same only for the same process: see `ProcessIdentity`. */
const prefixOf = (pid: number): string => {
  const { startedAt, boot } = identityOf(pid)
  return `${pid}-${createHash('sha256').update(`${startedAt} ${boot}`).digest('hex').slice(0, 16)}-`
}

/**
 * Removes the folders of dead processes. A process of another pid namespace looks dead: its files are unlinked then, which does not disturb
 * it while it has them open.
 */
export const sweepScratch = (dataDir: string): void => {
  const scratch = join(dataDir, SCRATCH_FOLDER)
  if (!existsSync(scratch)) return
  for (const name of readdirSync(scratch))
    if (!name.startsWith(prefixOf(Number.parseInt(name, 10)))) rmSync(join(scratch, name), { recursive: true, force: true })
}

/** Creates an empty folder of this process. @throws EngineError `directory_unusable` */
export const makeScratchDir = (dataDir: string): string => {
  const dir = join(dataDir, SCRATCH_FOLDER, `${prefixOf(process.pid)}${randomBytes(4).toString('hex')}`)
  makeDirectory(dir, 0o700)
  return dir
}
