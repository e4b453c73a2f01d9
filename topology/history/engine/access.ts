// The users of an embedded engine, and the file by which processes and people get their passwords.
import { randomBytes } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import type { HistoryTarget } from '../target.ts'

/** In the engine's directory, for its owner only. It stays when the engine stops: without it, the next start makes new passwords. */
export const ACCESS_FILE = 'access.json'
/** Writes and reads everything. */
export const WRITER = 'mintfold'
/** Reads the views of readers within limits. */
export const READER = 'reader'
/** Reads the same views without limits on rows, time and memory: `mintfold sql --unlimited`. */
export const OWNER = 'owner'
export type EngineUser = typeof WRITER | typeof READER | typeof OWNER

const PASSWORD_BYTES = 24

const loginOf = <User extends EngineUser>(user: User) => z.object({ username: z.literal(user), password: z.string().min(1) })
const accessSchema = loginOf(WRITER).extend({ url: z.url(), database: z.string(), reader: loginOf(READER), owner: loginOf(OWNER) })
/** The writer's address and login, and the logins of both readers. */
export type Access = z.infer<typeof accessSchema>

/** Undefined if the text is not an access file. */
export const parseAccess = (text: string): Access | undefined => {
  try {
    return accessSchema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

/** The access file of a directory, also of an engine that has ended; null if there is none. */
export const accessIn = (dir: string): Access | null => {
  try {
    return parseAccess(readFileSync(join(dir, ACCESS_FILE), 'utf8')) ?? null
  } catch {
    return null
  }
}

/** With the passwords of the directory's access file, or new ones. */
export const accessFor = (dir: string, place: Pick<Access, 'url' | 'database'>): Access => ({ ...(accessIn(dir) ?? made()), ...place })

const made = (): Omit<Access, 'url' | 'database'> => ({ ...madeFor(WRITER), reader: madeFor(READER), owner: madeFor(OWNER) })
const madeFor = <User extends EngineUser>(username: User) => ({ username, password: randomBytes(PASSWORD_BYTES).toString('base64url') })

/** Replaces the file in one step, so that no reader of it sees a part. */
export const writeAccess = (dir: string, access: Access): void => {
  const path = join(dir, ACCESS_FILE)
  writeFileSync(`${path}.${process.pid}`, JSON.stringify(access), { mode: 0o600 })
  renameSync(`${path}.${process.pid}`, path)
}

export const targetAs = ({ url, database, reader, owner, ...writer }: Access, user: EngineUser): HistoryTarget => {
  const { username, password } = { [WRITER]: writer, [READER]: reader, [OWNER]: owner }[user]
  return { url, username, password, database, ...(user !== WRITER && { isReader: true }) }
}
