// What the start after a kill needs to end its former membership of a consumer group: the id of the membership, in the data directory.
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { holdDirectory } from '../../data-dir/hold-directory.ts'
import type { MemberMemory } from '../../logs/kafka/group/members.ts'
import type { Closing } from '../start/closing.ts'

/** Folder in the data directory. */
const FOLDER = 'members'
const FILE = 'member'
/** Kafka's ids are a client id and a UUID. */
const ID = /^[\w.-]{1,300}$/

/** Undefined while another process with this data directory is a member: a start after a kill then waits for its session to expire. */
export const openMember = async (dataDir: string, group: string, closing: Closing): Promise<MemberMemory | undefined> => {
  const dir = join(dataDir, FOLDER, group)
  const release = await holdDirectory(dir).catch(() => undefined)
  if (release === undefined) return undefined
  closing.add('membership', release)
  return memberFile(join(dir, FILE))
}

/** A damaged file counts as none. */
const memberFile = (path: string): MemberMemory => ({
  read: () => {
    try {
      const id = readFileSync(path, 'utf8')
      return ID.test(id) ? id : undefined
    } catch {
      return undefined
    }
  },
  /** A kill leaves the former id or the new one. A full disk does too: a member must not fail for it, the next start only waits longer. */
  write: (memberId = '') => {
    try {
      writeFileSync(`${path}.tmp`, memberId, { mode: 0o600 })
      renameSync(`${path}.tmp`, path)
    } catch {
      // See above.
    }
  },
})
