// The chain of the sandbox: executes and stores transactions, and refuses what a chain refuses. Confirmed transactions survive a kill.
import { createHash } from 'node:crypto'
import { getBase58Decoder, getCompiledTransactionMessageDecoder, type Transaction } from '@solana/kit'
import { messageOf } from '../../schemas/errors.ts'
import { Blockhashes, VALID_SLOTS } from './blockhashes.ts'
import type { Genesis, Landed, LedgerStore } from './ledger-store.ts'
import { type Account, decodeTransaction, type Execution, Svm } from './svm.ts'

/** Landed transactions kept. More are kept while their blockhashes may be valid: a forgotten transaction could land twice. */
export const HISTORY_MAX = 5000
/** Limit of transactions that wait for execution. */
const WAITING_MAX = 1000

/** A refusal with a message and code of JSON-RPC. */
export class RpcRefusal extends Error {
  override readonly name = 'RpcRefusal'
  readonly code: number
  /** The transaction error, if that is the reason: clients read it from here. */
  readonly err: string | undefined

  constructor(code: number, message: string, err?: string) {
    super(message)
    this.code = code
    this.err = err
  }
}

interface Parsed {
  readonly transaction: Transaction
  /** Undefined until the fee payer has signed. */
  readonly signature: string | undefined
  readonly identity: string
  readonly blockhash: string
  readonly accounts: readonly string[]
  readonly writable: readonly string[]
}

const NOT_SENT = -32002
const INVALID_PARAMS = -32602

export class Ledger {
  readonly #store: LedgerStore
  readonly #svm = new Svm()
  readonly #blockhashes: Blockhashes
  readonly #now: () => number
  /** By signature, oldest first. */
  readonly #landed = new Map<string, { readonly sequence: number; readonly transaction: Landed }>()
  readonly #identities = new Set<string>()
  #sequence = 0
  #waiting = 0
  #queue: Promise<unknown> = Promise.resolve()

  /** @param now wall ms. */
  constructor(store: LedgerStore, genesis: Genesis, now: () => number) {
    this.#store = store
    this.#now = now
    for (const [address, account] of store.accounts()) this.#svm.setAccount(address, account)
    for (const [sequence, transaction] of store.landed()) this.#remember(sequence, transaction)
    const newest = [...this.#landed.values()].at(-1)?.transaction.slot ?? 1
    this.#blockhashes = new Blockhashes(genesis.blockhashSeed, genesis.genesisMs, newest, now)
  }

  slot(): number {
    return this.#blockhashes.slot()
  }

  /** Unix seconds of the newest slot. */
  timeS(): number {
    return Math.floor(this.#now() / 1000)
  }

  latestBlockhash(): { readonly blockhash: string; readonly lastValidBlockHeight: number } {
    return { blockhash: this.#blockhashes.latest(), lastValidBlockHeight: this.slot() + VALID_SLOTS }
  }

  isBlockhashValid(blockhash: string): boolean {
    return this.#blockhashes.isValid(blockhash)
  }

  account(address: string): Account | undefined {
    return this.#svm.account(address)
  }

  find(signature: string): Landed | undefined {
    return this.#landed.get(signature)?.transaction
  }

  /** Newest first; only those before a signature, if one is given. */
  history(address: string, limit: number, before?: string): readonly Landed[] {
    const found: Landed[] = []
    let isPast = before === undefined
    for (const { transaction } of [...this.#landed.values()].reverse()) {
      if (found.length >= limit) break
      if (isPast && transaction.accounts.includes(address)) found.push(transaction)
      if (transaction.signature === before) isPast = true
    }
    return found
  }

  simulate(wireBase64: string, isSigned: boolean): Execution {
    const parsed = parse(wireBase64)
    const refusal = this.#refusal(parsed)
    return refusal === undefined ? this.#svm.simulate(parsed.transaction, isSigned) : { kind: 'dropped', error: refusal }
  }

  /** Resolves with the signature once the transaction and its changes are on disk. @throws RpcRefusal if it cannot land. */
  send(wireBase64: string): Promise<string> {
    if (this.#waiting >= WAITING_MAX) return Promise.reject(new RpcRefusal(-32005, `${WAITING_MAX} transactions are waiting`))
    this.#waiting++
    const result = this.#queue.then(() => this.#land(parse(wireBase64), wireBase64)).finally(() => this.#waiting--)
    this.#queue = result.catch(() => undefined)
    return result
  }

  /** Waits for running transactions, then closes the store. */
  async close(): Promise<void> {
    await this.#queue
    await this.#store.close()
  }

  async #land(parsed: Parsed, wireBase64: string): Promise<string> {
    const { signature, identity, accounts } = parsed
    if (signature === undefined) throw notSent('SignatureFailure')
    if (this.#landed.has(signature)) return signature
    const refusal = this.#refusal(parsed)
    if (refusal !== undefined) throw notSent(refusal)
    const slot = this.slot()
    const blockTimeS = this.timeS()
    const before = this.#accountsOf(parsed)
    this.#svm.setTime(slot, blockTimeS)
    const execution = this.#svm.execute(parsed.transaction)
    if (execution.kind === 'dropped') throw notSent(execution.error)
    const transaction: Landed = { signature, identity, wireBase64, slot, blockTimeS, error: execution.error, accounts }
    const sequence = this.#sequence + 1
    const forgotten = this.#outdated(slot)
    try {
      await this.#store.commit({
        landed: { sequence, transaction },
        accounts: this.#accountsOf(parsed),
        forgotten: forgotten.map((old) => old.sequence),
      })
    } catch (error) {
      for (const [address, account] of before) this.#svm.setAccount(address, account)
      throw error
    }
    this.#remember(sequence, transaction)
    for (const old of forgotten) this.#forget(old.transaction)
    return signature
  }

  #refusal({ identity, blockhash }: Parsed): string | undefined {
    if (this.#identities.has(identity)) return 'AlreadyProcessed'
    return this.#blockhashes.isValid(blockhash) ? undefined : 'BlockhashNotFound'
  }

  #accountsOf({ writable }: Parsed): Map<string, Account | undefined> {
    return new Map(writable.map((address) => [address, this.#svm.account(address)]))
  }

  /** The transactions that are forgotten when the next one lands. */
  #outdated(slot: number): { readonly sequence: number; readonly transaction: Landed }[] {
    const oldest = this.#landed.values().next().value
    const isFull = oldest !== undefined && this.#landed.size >= HISTORY_MAX && oldest.transaction.slot <= slot - VALID_SLOTS
    return isFull ? [oldest] : []
  }

  #remember(sequence: number, transaction: Landed): void {
    this.#sequence = sequence
    this.#landed.set(transaction.signature, { sequence, transaction })
    this.#identities.add(transaction.identity)
  }

  #forget({ signature, identity }: Landed): void {
    this.#landed.delete(signature)
    this.#identities.delete(identity)
  }
}

const notSent = (err: string): RpcRefusal => new RpcRefusal(NOT_SENT, `Transaction simulation failed: ${err}`, err)

const parse = (wireBase64: string): Parsed => {
  try {
    const transaction = decodeTransaction(wireBase64)
    const message = getCompiledTransactionMessageDecoder().decode(transaction.messageBytes)
    if ('addressTableLookups' in message && (message.addressTableLookups?.length ?? 0) > 0)
      throw new Error('address lookup tables are not supported')
    const [first] = Object.values(transaction.signatures)
    const { numSignerAccounts, numReadonlySignerAccounts, numReadonlyNonSignerAccounts } = message.header
    const accounts = message.staticAccounts.map(String)
    const isWritable = (index: number): boolean =>
      index < numSignerAccounts
        ? index < numSignerAccounts - numReadonlySignerAccounts
        : index < accounts.length - numReadonlyNonSignerAccounts
    return {
      transaction,
      signature: first ? getBase58Decoder().decode(first) : undefined,
      identity: createHash('sha256').update(Buffer.from(transaction.messageBytes)).digest('hex'),
      blockhash: message.lifetimeToken,
      accounts,
      writable: accounts.filter((_, index) => isWritable(index)),
    }
  } catch (error) {
    throw new RpcRefusal(INVALID_PARAMS, `not a transaction: ${messageOf(error)}`)
  }
}
