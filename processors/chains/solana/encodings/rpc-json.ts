// Parses transactions and blocks of RPC answers and notifications into source blocks.
import { decodeBase58 } from '../../../../schemas/base58.ts'
import { type BadData, bad, good, type Parsed } from '../../../../schemas/errors.ts'
import type { Key, Signature } from '../../../../schemas/keys.ts'
import { issueOf } from '../../issue.ts'
import { has, isJsonRecord, type JsonRecord } from '../../json-record.ts'
import { transferData } from '../normal-form.ts'
import { ZERO_KEY } from '../programs.ts'
import { atOnce, readSteps } from '../read-steps.ts'
import {
  type SourceBlock,
  type SourceInner,
  type SourceInstruction,
  type SourceToken,
  type SourceTransaction,
  unreadBlock,
} from '../source-transaction.ts'
import { failureOf } from '../transaction-error.ts'
import { fromPrinted, fromPrintedBlock } from './printed-update.ts'
import { prefilterRpc } from './rpc-prefilter.ts'
import { quickTransaction } from './rpc-quick.ts'
import {
  parsedTransfer,
  type RpcBlock,
  type RpcInstruction,
  type RpcMessage,
  type RpcMeta,
  type RpcTransaction,
  rpcBlock,
  rpcLocation,
  rpcTransaction,
} from './rpc-schema.ts'
import { readWire } from './wire.ts'

/** The transaction's own content, whatever its encoding. */
interface TransactionContent {
  readonly signature: Signature
  readonly signers: number
  readonly keys: Key[]
  readonly instructions: readonly SourceInstruction[]
  /** The version where the bytes contain it; null where only the answer states it. */
  readonly version: number | null
}

const EMPTY = new Uint8Array(0)

/** The instruction with indexes for its keys; undefined if it names a key that the transaction does not have. */
const resolve = (instruction: RpcInstruction, keys: readonly Key[], indexOf: ReadonlyMap<Key, number>): SourceInstruction | undefined => {
  if ('programIdIndex' in instruction) {
    const { programIdIndex: program, accounts, data } = instruction
    return program < keys.length && accounts.every((account) => account < keys.length)
      ? { program, accounts: Uint8Array.from(accounts), data }
      : undefined
  }
  const program = indexOf.get(instruction.programId)
  if (program === undefined) return undefined
  if ('parsed' in instruction) return resolveParsed(instruction, program, indexOf)
  const accounts = instruction.accounts.map((account) => indexOf.get(account))
  return accounts.includes(undefined) ? undefined : { program, accounts: Uint8Array.from(accounts as number[]), data: instruction.data }
}

/** jsonParsed omits the bytes of known programs' instructions. A system transfer is re-encoded; others get no accounts and no data. */
const resolveParsed = (
  instruction: { programId: Key; parsed: unknown },
  program: number,
  indexOf: ReadonlyMap<Key, number>,
): SourceInstruction => {
  const transfer = instruction.programId === ZERO_KEY ? parsedTransfer.safeParse(instruction.parsed) : undefined
  const { source, destination, lamports } = transfer?.data?.info ?? {}
  const [from, to] = [source && indexOf.get(source), destination && indexOf.get(destination)]
  if (from === undefined || to === undefined || lamports === undefined) return { program, accounts: EMPTY, data: EMPTY }
  return { program, accounts: Uint8Array.of(from, to), data: transferData(BigInt(lamports)) }
}

const UNKNOWN_KEY: BadData = bad('bad_transaction', 'an instruction names a key that the transaction does not have')
const indexKeys = (keys: readonly Key[]): Map<Key, number> => new Map(keys.map((key, i) => [key, i]))

/** Static keys, then those of lookup tables, unless the answer has merged them already (jsonParsed). */
const keysOf = (message: RpcMessage, meta: RpcMeta): Key[] => {
  const keys = message.accountKeys.map((key) => (typeof key === 'string' ? key : key.pubkey))
  const isMerged = message.accountKeys.some((key) => typeof key === 'object' && key.source === 'lookupTable')
  return isMerged ? keys : [...keys, ...(meta.loadedAddresses?.writable ?? []), ...(meta.loadedAddresses?.readonly ?? [])]
}

const contentFromJson = (signature: Signature, message: RpcMessage, meta: RpcMeta): Parsed<TransactionContent> => {
  const keys = keysOf(message, meta)
  const indexOf = indexKeys(keys)
  const instructions = message.instructions.map((instruction) => resolve(instruction, keys, indexOf))
  if (instructions.includes(undefined)) return UNKNOWN_KEY
  const signers = message.header?.numRequiredSignatures ?? message.accountKeys.filter((key) => typeof key === 'object' && key.signer).length
  return good({ signature, signers, keys, instructions: instructions as SourceInstruction[], version: null })
}

const contentFromBytes = (bytes: Buffer, meta: RpcMeta): Parsed<TransactionContent> => {
  const wire = readWire(bytes)
  if (!wire.ok) return wire
  const { signature, signers, staticKeys, instructions, version } = wire.value
  const keys = [...staticKeys, ...(meta.loadedAddresses?.writable ?? []), ...(meta.loadedAddresses?.readonly ?? [])]
  const highest = Math.max(-1, ...instructions.map(({ program, accounts }) => Math.max(program, ...accounts)))
  return highest < keys.length ? good({ signature, signers, keys, instructions, version }) : UNKNOWN_KEY
}

const innerOf = (meta: RpcMeta, keys: readonly Key[]): Parsed<SourceInner[] | null> => {
  if (!meta.innerInstructions) return good(null)
  const indexOf = indexKeys(keys)
  const inner: SourceInner[] = []
  for (const group of [...meta.innerInstructions].sort((a, b) => a.index - b.index)) {
    for (const instruction of group.instructions) {
      const resolved = resolve(instruction, keys, indexOf)
      if (resolved === undefined) return UNKNOWN_KEY
      inner.push({ ...resolved, outer: group.index, depth: instruction.stackHeight ?? 0 })
    }
  }
  return good(inner)
}

const tokensOf = (balances: RpcMeta['preTokenBalances']): SourceToken[] =>
  (balances ?? []).map(({ accountIndex, mint, owner, programId, uiTokenAmount: { amount, decimals } }) => ({
    account: accountIndex,
    mint,
    owner: owner ?? null,
    tokenProgram: programId ?? null,
    decimals,
    amount,
  }))

const contentOf = ({ transaction, meta }: RpcTransaction): Parsed<TransactionContent> => {
  if (typeof transaction === 'object' && 'message' in transaction)
    return contentFromJson(transaction.signatures[0] as Signature, transaction.message, meta)
  const [text, encoding] = typeof transaction === 'string' ? [transaction, 'base58'] : transaction
  const bytes = encoding === 'base58' ? decodeBase58(text) : Buffer.from(text, 'base64')
  return bytes === undefined ? bad('bad_transaction', 'transaction: not base58') : contentFromBytes(bytes, meta)
}

/** What would work for a transaction that the schema refuses; undefined where its reason is enough. */
const adviceOn = ({ transaction, meta }: JsonRecord): string | undefined => {
  if (meta === null) return 'meta is null: the node does not keep the results of this transaction; ask another node'
  if (isJsonRecord(transaction) && 'accountKeys' in transaction && !('message' in transaction))
    return 'transactionDetails "accounts" has no instructions: ask for the block with "full"'
  return undefined
}

/** Parses one transaction of an RPC answer, or of a printed update. Bad data (bad_transaction) for anything else. */
export const parseRpcTransaction = (given: unknown, index: number | null): Parsed<SourceTransaction> => {
  const quick = quickTransaction(given)
  const json = quick === undefined && isJsonRecord(given) ? fromPrinted(given) : given
  const checked = quick === undefined ? rpcTransaction.safeParse(json) : ({ success: true, data: quick } as const)
  if (!checked.success)
    return bad('bad_transaction', (isJsonRecord(json) ? adviceOn(json) : undefined) ?? issueOf(checked.error, 'the transaction'))
  const { meta, version } = checked.data
  const content = contentOf(checked.data)
  if (!content.ok) return content
  const inner = innerOf(meta, content.value.keys)
  if (!inner.ok) return inner
  if (meta.preBalances.length !== meta.postBalances.length) return bad('bad_transaction', 'preBalances and postBalances differ in length')
  return good({
    ...content.value,
    index,
    version: content.value.version ?? (typeof version === 'number' ? version : -1),
    failure: failureOf(meta),
    feeLamports: meta.fee,
    inner: inner.value,
    logs: meta.logMessages ?? null,
    lamportsBefore: meta.preBalances,
    lamportsAfter: meta.postBalances,
    tokensBefore: tokensOf(meta.preTokenBalances),
    tokensAfter: tokensOf(meta.postTokenBalances),
  })
}

const asSource = (parsed: Parsed<SourceTransaction>, index: number | null): Pick<SourceBlock, 'transactions' | 'errors'> =>
  parsed.ok
    ? { transactions: [parsed.value], errors: [] }
    : { transactions: [], errors: [{ index, code: 'bad_transaction', reason: parsed.reason }] }

const readRpc = (json: unknown, index: number): Parsed<SourceTransaction> => {
  const prefiltered = prefilterRpc(json, index, parseRpcTransaction)
  return prefiltered === undefined ? parseRpcTransaction(json, index) : good(prefiltered)
}

const stepsOf = function* (
  { blockhash, previousBlockhash, parentSlot, blockTime, transactions: all }: RpcBlock,
  slot: number | null,
): Generator<void, SourceBlock, void> {
  const { transactions, errors } = yield* readSteps(all, readRpc)
  return {
    slot,
    hash: blockhash,
    parentSlot: parentSlot ?? null,
    parentHash: previousBlockhash ?? null,
    blockTime: blockTime ?? null,
    whole: errors.length === 0,
    transactions,
    errors,
  }
}

/**
 * Parses the result of getBlock, a few transactions per step, so that the caller can yield in between; undefined for JSON of another kind.
 * Transactions that cannot be parsed are in `errors`.
 */
export const rpcBlockSteps = function* (json: unknown, slot: number | null): Generator<void, SourceBlock | undefined, void> {
  const checked = rpcBlock.safeParse(json)
  return checked.success ? yield* stepsOf(checked.data, slot) : undefined
}

const singleOf = (json: JsonRecord, given: unknown): SourceBlock => {
  const location = rpcLocation.safeParse({ ...json, slot: given })
  if (!location.success) return unreadBlock('bad_transaction', [issueOf(location.error, 'the transaction')])
  const { slot = null, blockTime = null, transactionIndex, index } = location.data
  const place = transactionIndex ?? index ?? null
  return { ...unreadBlock('bad_transaction', []), slot, blockTime, ...asSource(parseRpcTransaction(json, place), place) }
}

const blockOf = (json: JsonRecord, given: unknown): SourceBlock => {
  const location = rpcLocation.safeParse({ slot: given })
  const checked = rpcBlock.safeParse(fromPrintedBlock(json))
  const error = location.error ?? checked.error
  if (error !== undefined || !checked.success) return unreadBlock('bad_transaction', [issueOf(error, 'the block')])
  return atOnce(stepsOf(checked.data, location.data?.slot ?? null))
}

/**
 * A block, or a single transaction as a block; undefined for JSON of another kind. What cannot be parsed is in `errors`. `around`: the fields
 * of the objects around it.
 */
export const parseRpcRecord = (json: JsonRecord, around: JsonRecord): SourceBlock | undefined => {
  const slot = json.slot ?? around.slot
  if (has(json, 'transaction', 'meta')) return singleOf(json, slot)
  return has(json, 'blockhash', 'transactions') ? blockOf(json, slot) : undefined
}
