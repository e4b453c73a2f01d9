// Assembles logs, receipts and headers of a file by block.
import { asBuffer } from '../../../schemas/bytes.ts'
import type { BadDataCode } from '../../../schemas/errors.ts'
import type { Key, Signature } from '../../../schemas/keys.ts'
import type { AltLog, AltTransaction } from '../../../schemas/types.ts'
import type { FileBlock } from '../chain.ts'
import type { RpcBlock, RpcLog, RpcReceipt } from './rpc-json.ts'

interface FileError {
  readonly index: number | null
  readonly code: BadDataCode
  readonly reason: string
}

/** The part of a block that a file contains. */
export interface AltFileBlock extends FileBlock {
  /** Null for the block that collects records that cannot be parsed. */
  readonly number: number | null
  /** 32 bytes as latin1 text; empty for the block that collects records that cannot be parsed. */
  readonly hash: string
  readonly parentHash: string | null
  /** Unix seconds. */
  readonly time: number | null
  readonly transactions: readonly AltTransaction[]
  /** Signatures of all its transactions; null without a header. */
  readonly hashes: readonly Signature[] | null
  /** Transactions with a receipt in the file, all of whose logs can be parsed: their logs are complete. */
  readonly received: readonly Signature[]
  readonly errors: readonly FileError[]
}

type Sender = { readonly from: Key | null; readonly to: Key | null }

const isSame = (a: AltLog, b: AltLog): boolean =>
  a.address === b.address && a.blockHash === b.blockHash && a.topics.join() === b.topics.join() && asBuffer(a.data).equals(b.data)

/** Accumulates one block, also from several files. */
export class BlockParts {
  readonly number: number | null
  readonly hash: string
  readonly errors: FileError[] = []
  #parentHash: string | null = null
  #time: number | null = null
  #hashes: readonly Signature[] | null = null
  readonly #receipts = new Set<Signature>()
  readonly #transactions = new Map<Signature, Sender & { readonly index: number; readonly logs: Map<number, AltLog> }>()

  constructor(number: number | null, hash: string) {
    this.number = number
    this.hash = hash
  }

  #transaction({ index, hash, from = null, to = null }: Partial<Sender> & { readonly index: number; readonly hash: Signature }) {
    const known = this.#transactions.get(hash)
    const tx = { index, from: from ?? known?.from ?? null, to: to ?? known?.to ?? null, logs: known?.logs ?? new Map<number, AltLog>() }
    this.#transactions.set(hash, tx)
    return tx
  }
  /** A log given twice counts once; another log with the same index is an error. */
  log({ tx, log: given, time, blockHash }: RpcLog): void {
    if (blockHash === this.hash) this.#time ??= time
    const { logs } = this.#transaction(tx)
    const log = blockHash === this.hash ? given : { ...given, blockHash }
    const known = logs.get(log.index)
    if (known === undefined) logs.set(log.index, log)
    else if (!isSame(known, log))
      this.errors.push({ index: tx.index, code: 'bad_transaction', reason: `two logs of the transaction have index ${log.index}` })
  }
  /** A transaction whose receipt has a log that cannot be parsed does not count as received. */
  receipt({ tx, logs }: RpcReceipt): void {
    this.#transaction(tx)
    for (const read of logs)
      if (read.ok) this.log(read.value)
      else this.errors.push({ index: tx.index, code: read.code, reason: read.reason })
    if (logs.every(({ ok }) => ok)) this.#receipts.add(tx.hash)
  }
  header({ parentHash, time, hashes, transactions }: RpcBlock): void {
    this.#parentHash = parentHash
    this.#time = time
    this.#hashes = hashes
    for (const tx of transactions) this.#transaction(tx)
  }
  /** Merges the part of the same block that another file contains, without its errors. */
  add(other: AltFileBlock): void {
    this.#parentHash ??= other.parentHash
    this.#time ??= other.time
    this.#hashes ??= other.hashes
    for (const hash of other.received) this.#receipts.add(hash)
    for (const { logs, ...tx } of other.transactions) {
      const known = this.#transaction(tx).logs
      for (const log of logs) if (!known.has(log.index)) known.set(log.index, log)
    }
  }

  block(): AltFileBlock {
    const transactions = [...this.#transactions].map(
      ([hash, { logs, ...tx }]): AltTransaction => ({
        ...{ ...tx, hash },
        logs: [...logs.values()].sort((a, b) => a.index - b.index),
      }),
    )
    return {
      ...{ number: this.number, hash: this.hash, parentHash: this.#parentHash, time: this.#time },
      transactions: transactions.sort((a, b) => a.index - b.index),
      ...{ hashes: this.#hashes, received: [...this.#receipts] },
      errors: this.errors,
    }
  }
}
