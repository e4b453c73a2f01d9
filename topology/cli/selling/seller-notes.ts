// Who sells to a wallet on this machine, as notes in a folder of the user's: one for each process and wallet, gone with the process.
//
// Without Redis each process remembers its own payments, so that of two that sell to one wallet the same payment sent to both is answered
// twice and charged once. On Kafka a group refuses the second; processes with a log of their own have nothing in common but the machine.
// What the notes cannot show: sellers on another machine, in another container, of another user, or with another TMPDIR.
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { messageOf } from '../../../schemas/errors.ts'
import { isRunning, type ProcessIdentity, thisProcess } from '../../data-dir/process-identity.ts'
import type { Notice } from '../../ports/notice.ts'
import type { Settings } from '../settings/settings.ts'

const noteSchema = z.object({ pid: z.number(), startedAt: z.string(), boot: z.string(), wallet: z.string(), dataDir: z.string() })

/** A process that sells to `wallet` now. */
export interface Seller extends ProcessIdentity {
  readonly wallet: string
  /** Absolute. */
  readonly dataDir: string
}

export const sellersFolder = (): string => join(tmpdir(), `mintfold-sellers-${process.getuid?.() ?? ''}`)

/** The wallets that real payments go to under these settings; none in the sandbox, or where Redis holds the memory of payments. */
export const walletsOf = ({ payments, facilitator, evm, redisUrl }: Pick<Settings, 'payments' | 'facilitator' | 'evm' | 'redisUrl'>) =>
  payments !== 'facilitator' || facilitator === null || redisUrl !== null
    ? []
    : [facilitator.payTo, ...(evm === null ? [] : [evm.payTo.toLowerCase()])]

const nameOf = (wallet: string, pid: number | ''): string => `${createHash('sha256').update(wallet).digest('hex').slice(0, 16)}-${pid}`

/** Living processes with a note for `wallet`. @throws what reading the folder fails with */
export const sellersTo = (wallet: string, folder: string): readonly Seller[] => {
  const names = namesIn(folder).filter((name) => name.startsWith(nameOf(wallet, '')))
  return names.flatMap((name) => {
    const seller = noteIn(join(folder, name))
    return seller !== undefined && seller.wallet === wallet && isRunning(seller) ? [seller] : []
  })
}

/** Leaves a note for each wallet and warns of other processes that have one. Returns how to take the notes away. Never throws. */
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
      // A file of this name is of an earlier process; a link that somebody put there is not followed.
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
      // The note of a process that has ended counts for nothing.
    }
  }
}

/** What to do about a second seller. */
export const SOLD_TWICE =
  'the two share no memory of payments, so that the same payment sent to both is answered twice and charged once: stop one, give it another ' +
  'wallet, or set REDIS_URL for both'

const namesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder)
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw failure
  }
}

/** Undefined for one that was taken away meanwhile, is half written, or is none of ours. */
const noteIn = (path: string): Seller | undefined => {
  try {
    return noteSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return undefined
  }
}
