// Detects other processes on this machine that take payments to a wallet, through notes in a folder of the user: one per process and
// wallet, deleted at exit.
//
// Without Redis each process has its own store of payments: if two take payments to one wallet, the same payment sent to both is answered
// twice and charged once. On Kafka a consumer group refuses the second process; processes with embedded logs share only the machine.
// Not detected: sellers on another machine, in another container, of another user, or with another TMPDIR.
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import * as z from 'zod'
import { messageOf } from '../../../schemas/errors.ts'
import { isRunning, type ProcessIdentity, thisProcess } from '../../data-dir/process-identity.ts'
import type { Notice } from '../../ports/notice.ts'
import type { Settings } from '../settings/settings.ts'

const noteSchema = z.object({ pid: z.number(), startedAt: z.string(), boot: z.string(), wallet: z.string(), dataDir: z.string() })

/** A process that takes payments to `wallet` now. */
export interface Seller extends ProcessIdentity {
  readonly wallet: string
  /** Absolute path. */
  readonly dataDir: string
}

export const sellersFolder = (): string => join(tmpdir(), `mintfold-sellers-${process.getuid?.() ?? ''}`)

/** The wallets that receive real payments under these settings; none in the sandbox, or if payments are stored in Redis. */
export const walletsOf = ({ payments, facilitator, evm, redisUrl }: Pick<Settings, 'payments' | 'facilitator' | 'evm' | 'redisUrl'>) =>
  payments !== 'facilitator' || facilitator === null || redisUrl !== null
    ? []
    : [facilitator.payTo, ...(evm === null ? [] : [evm.payTo.toLowerCase()])]

const nameOf = (wallet: string, pid: number | ''): string => `${createHash('sha256').update(wallet).digest('hex').slice(0, 16)}-${pid}`

/** Running processes with a note for `wallet`. @throws if the folder cannot be read */
export const sellersTo = (wallet: string, folder: string): readonly Seller[] => {
  const names = namesIn(folder).filter((name) => name.startsWith(nameOf(wallet, '')))
  return names.flatMap((name) => {
    const seller = noteIn(join(folder, name))
    return seller !== undefined && seller.wallet === wallet && isRunning(seller) ? [seller] : []
  })
}

/** Writes a note for each wallet and warns about other sellers. Returns a function that deletes the notes. Never throws. */
export const noteSeller = (
  wallets: readonly string[],
  dataDir: string,
  notice: Notice,
  folder = sellersFolder(),
  me: ProcessIdentity = thisProcess(),
): (() => void) => {
  const paths = wallets.map((wallet) => join(folder, nameOf(wallet, me.pid)))
  try {
    if (wallets.length > 0) mkdirSync(folder, { recursive: true, mode: 0o700 })
    for (const [at, wallet] of wallets.entries()) {
      const path = paths[at] as string
      // A file of this name is from an earlier process; a symbolic link planted there is not followed.
      rmSync(path, { force: true })
      writeFileSync(path, JSON.stringify({ ...me, wallet, dataDir: resolve(dataDir) } satisfies Seller), { flag: 'wx', mode: 0o600 })
      for (const { pid, dataDir: other } of sellersTo(wallet, folder))
        if (pid !== me.pid) notice('wallet_sold_twice', { wallet, pid, directory: other, words: SOLD_TWICE })
    }
  } catch (failure) {
    notice('sellers_unknown', { folder, reason: messageOf(failure) })
  }
  return () => {
    try {
      for (const path of paths) rmSync(path, { force: true })
    } catch {
      // The note of an ended process is ignored anyway.
    }
  }
}

/** Advice about a second seller. */
export const SOLD_TWICE =
  'the two do not share their payments, so the same payment sent to both is answered twice and charged once: stop one, use another ' +
  'wallet for it, or set REDIS_URL for both'

const namesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder)
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw failure
  }
}

/** Undefined if the file was deleted meanwhile, is partly written, or is not a note of mintfold. */
const noteIn = (path: string): Seller | undefined => {
  try {
    return noteSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return undefined
  }
}
