// Wraps LiteSVM with plain types: the only module that converts between LiteSVM's copies of the chain types and ours.
import { type Address, getTransactionDecoder, type Transaction } from '@solana/kit'
import { FailedTransactionMetadata, LiteSVM } from 'litesvm'
import { messageOf } from '../../schemas/errors.ts'

/** An account as stored in the ledger. */
export interface Account {
  readonly lamports: bigint
  readonly data: Uint8Array
  /** Base58 of the program that owns it. */
  readonly owner: string
  readonly executable: boolean
}

/** `executed`: lands in a block; `error` is null if it succeeded. `dropped`: rejected before execution, never lands in a block. */
export type Execution =
  | { readonly kind: 'executed'; readonly error: unknown; readonly logs: readonly string[]; readonly units: bigint }
  | { readonly kind: 'dropped'; readonly error: string }

type SvmTransaction = Parameters<LiteSVM['sendTransaction']>[0]
type SvmAccount = Parameters<LiteSVM['setAccount']>[0]
type SvmAddress = Parameters<LiteSVM['getAccount']>[0]

/** Names of transaction errors without fields, indexed by their number in LiteSVM. */
const DROPPED = [
  'AccountInUse',
  'AccountLoadedTwice',
  'AccountNotFound',
  'ProgramAccountNotFound',
  'InsufficientFundsForFee',
  'InvalidAccountForFee',
  'AlreadyProcessed',
  'BlockhashNotFound',
  'CallChainTooDeep',
  'MissingSignatureForFee',
  'InvalidAccountIndex',
  'SignatureFailure',
]

export const decodeTransaction = (wireBase64: string): Transaction => getTransactionDecoder().decode(Buffer.from(wireBase64, 'base64'))

/**
 * Executes single transactions. Does not simulate: blocks, forks, confirmation time, priority, rent collection, and programs that are not
 * built in (no Lighthouse). The ledger checks blockhashes and duplicates: LiteSVM knows one blockhash at a time.
 */
export class Svm {
  readonly #svm = new LiteSVM().withBlockhashCheck(false).withTransactionHistory(0n)

  account(address: string): Account | undefined {
    const found = this.#svm.getAccount(address as SvmAddress)
    if (!found.exists || found.lamports === 0n) return undefined
    return { lamports: found.lamports, data: Uint8Array.from(found.data), owner: found.programAddress, executable: found.executable }
  }

  /** Undefined clears the account. */
  setAccount(address: string, account: Account | undefined): void {
    const { lamports, data, owner, executable } = account ?? {
      lamports: 0n,
      data: new Uint8Array(),
      owner: '1'.repeat(32),
      executable: false,
    }
    const encoded = { address, lamports, data, programAddress: owner as Address, executable, space: BigInt(data.length) }
    this.#svm.setAccount(encoded as unknown as SvmAccount)
  }

  rentExemptLamports(bytes: number): bigint {
    return this.#svm.minimumBalanceForRentExemption(BigInt(bytes))
  }

  setTime(slot: number, unixS: number): void {
    const clock = this.#svm.getClock()
    clock.slot = BigInt(slot)
    clock.unixTimestamp = BigInt(unixS)
    this.#svm.setClock(clock)
  }

  execute(transaction: Transaction): Execution {
    return this.#outcome(() => this.#svm.sendTransaction(transaction as unknown as SvmTransaction))
  }

  /** Changes nothing. A facilitator verifies before the fee payer has signed, hence the option to skip signatures. */
  simulate(transaction: Transaction, isSigned: boolean): Execution {
    this.#svm.withSigverify(isSigned)
    try {
      return this.#outcome(() => this.#svm.simulateTransaction(transaction as unknown as SvmTransaction))
    } finally {
      this.#svm.withSigverify(true)
    }
  }

  #outcome(run: () => ReturnType<LiteSVM['sendTransaction'] | LiteSVM['simulateTransaction']>): Execution {
    let result: ReturnType<typeof run>
    try {
      result = run()
    } catch (error) {
      return { kind: 'dropped', error: messageOf(error) }
    }
    if (!(result instanceof FailedTransactionMetadata)) {
      const meta = 'meta' in result ? result.meta() : result
      return { kind: 'executed', error: null, logs: meta.logs(), units: meta.computeUnitsConsumed() }
    }
    const error = result.err()
    if (typeof error === 'number') return { kind: 'dropped', error: DROPPED[error] ?? `TransactionError ${error}` }
    const index = 'index' in error ? error.index : 0
    const meta = result.meta()
    return {
      kind: 'executed',
      error: { InstructionError: [index, error.toString()] },
      logs: meta.logs(),
      units: meta.computeUnitsConsumed(),
    }
  }
}
