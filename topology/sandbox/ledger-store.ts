// The ledger on disk: accounts, landed transactions and the sandbox's own keys, in one lmdb.
import { type Database, open, type RootDatabase } from 'lmdb'
import * as z from 'zod'
import { EngineError, messageOf } from '../../schemas/errors.ts'
import { hasRoom, LEDGER_RESERVE_BYTES } from '../data-dir/disk-room.ts'
import { jsonTable, snapshotOf } from '../data-dir/lmdb-snapshot.ts'
import type { StoreSnapshot } from '../ports/snapshot.ts'
import type { Account } from './svm.ts'

/** Upper bound of one transaction's writes: accounts of some kilobytes and their pages. lmdb must never hit a full disk (disk-room). */
const COMMIT_BYTES_MAX = 4 * 1024 * 1024

/** A transaction in a block of the sandbox. */
export interface Landed {
  readonly signature: string
  /** sha256 (hex) of its message: the same message never lands twice. */
  readonly identity: string
  readonly wireBase64: string
  readonly slot: number
  readonly blockTimeS: number
  /** Null if it succeeded. */
  readonly error: unknown
  /** Base58 of all its accounts. */
  readonly accounts: readonly string[]
}

/** Created once, on the first start. Secret keys are 64 bytes in base64 and have no value outside this sandbox. */
export interface Genesis {
  readonly facilitatorKey: string
  readonly payToKey: string
  readonly buyerKey: string
  readonly blockhashSeed: string
  readonly genesisMs: number
}

/** The changes of one landed transaction, written atomically. */
export interface LedgerCommit {
  readonly landed?: { readonly sequence: number; readonly transaction: Landed }
  readonly accounts: ReadonlyMap<string, Account | undefined>
  /** Sequences that are removed from the history. */
  readonly forgotten: readonly number[]
  readonly genesis?: Genesis
}

const genesisSchema = z.object({
  facilitatorKey: z.string(),
  payToKey: z.string(),
  buyerKey: z.string(),
  blockhashSeed: z.string(),
  genesisMs: z.number(),
})
const accountSchema = z.object({ lamports: z.string(), data: z.string(), owner: z.string(), executable: z.boolean() })

export class LedgerStore {
  readonly #dir: string
  readonly #root: RootDatabase<unknown, string>
  readonly #accounts: Database<unknown, string>
  readonly #landed: Database<Landed, number>

  /** @throws EngineError `table_io` when the directory cannot be used. */
  constructor(dir: string) {
    this.#dir = dir
    try {
      this.#root = open<unknown, string>({ path: dir, encoding: 'json', overlappingSync: false, noSubdir: false })
      this.#accounts = this.#root.openDB<unknown, string>({ name: 'accounts', encoding: 'json' })
      this.#landed = this.#root.openDB<Landed, number>({ name: 'landed', encoding: 'json', keyEncoding: 'uint32' })
    } catch (cause) {
      throw this.#failure(cause)
    }
  }

  /** Undefined before the first start has finished. */
  genesis(): Genesis | undefined {
    const stored = this.#root.get('genesis')
    return stored === undefined ? undefined : genesisSchema.parse(stored)
  }

  *accounts(): Iterable<readonly [address: string, account: Account]> {
    for (const { key, value } of this.#accounts.getRange()) {
      const { lamports, data, owner, executable } = accountSchema.parse(value)
      yield [key, { lamports: BigInt(lamports), data: Buffer.from(data, 'base64'), owner, executable }]
    }
  }

  /** Oldest first. */
  *landed(): Iterable<readonly [sequence: number, transaction: Landed]> {
    for (const { key, value } of this.#landed.getRange()) yield [key, value]
  }

  /** Resolves after the fsync. @throws EngineError `table_io`; nothing is written then. */
  async commit(commit: LedgerCommit): Promise<void> {
    try {
      if (!hasRoom(this.#dir, COMMIT_BYTES_MAX, LEDGER_RESERVE_BYTES)) throw new Error('the disk is full')
      await this.#root.transaction(() => {
        for (const [address, account] of commit.accounts) this.#writeAccount(address, account)
        for (const sequence of commit.forgotten) this.#landed.remove(sequence)
        if (commit.landed !== undefined) this.#landed.put(commit.landed.sequence, commit.landed.transaction)
        if (commit.genesis !== undefined) this.#root.put('genesis', commit.genesis)
      })
    } catch (cause) {
      throw this.#failure(cause)
    }
  }

  /** A snapshot of the whole store; `store` is the name of its folder. */
  snapshot(store: string): StoreSnapshot {
    const tables = [jsonTable('', this.#root, ['genesis']), jsonTable('accounts', this.#accounts), jsonTable('landed', this.#landed)]
    return snapshotOf(store, this.#root, tables)
  }

  close(): Promise<void> {
    return this.#root.close()
  }

  #writeAccount(address: string, account: Account | undefined): void {
    if (account === undefined) {
      this.#accounts.remove(address)
      return
    }
    const { lamports, data, owner, executable } = account
    this.#accounts.put(address, { lamports: String(lamports), data: Buffer.from(data).toString('base64'), owner, executable })
  }

  #failure(cause: unknown): EngineError {
    const reason = messageOf(cause)
    const message = `the sandbox ledger in ${this.#dir} cannot be written: ${reason}. Make sure that the disk has space and the directory can be written.`
    return new EngineError('table_io', message, { facts: { dir: this.#dir }, cause })
  }
}
