// Parses RPC answers into source blocks: getTransaction, getBlock and block notifications, with or without their JSON-RPC envelope.
import type { z } from 'zod'
import { type BadData, bad, good, type Parsed } from '../../../../schemas/errors.ts'
import type { Key, Signature } from '../../../../schemas/keys.ts'
import { transferData } from '../normal-form.ts'
import { ZERO_KEY } from '../programs.ts'
import { atOnce, readSteps } from '../read-steps.ts'
import type { SourceBlock, SourceInner, SourceInstruction, SourceToken, SourceTransaction } from '../source-transaction.ts'
import { failureFromJson } from '../transaction-error.ts'
import { prefilterRpc } from './rpc-prefilter.ts'
import { quickTransaction } from './rpc-quick.ts'
import {
  blockNotification,
  parsedTransfer,
  type RpcInstruction,
  type RpcMessage,
  type RpcMeta,
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

const reasonOf = (error: z.ZodError): string => {
  const [issue] = error.issues
  return issue ? `${issue.path.join('.') || 'the answer'}: ${issue.message}` : 'the answer has an unknown format'
}

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

const contentFromBytes = (base64: string, meta: RpcMeta): Parsed<TransactionContent> => {
  const wire = readWire(Buffer.from(base64, 'base64'))
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

/** Parses one transaction of an RPC answer. Bad data (bad_transaction) for anything else. */
export const parseRpcTransaction = (json: unknown, index: number | null): Parsed<SourceTransaction> => {
  const quick = quickTransaction(json)
  const checked = quick === undefined ? rpcTransaction.safeParse(json) : ({ success: true, data: quick } as const)
  if (!checked.success) return bad('bad_transaction', reasonOf(checked.error))
  const { transaction, meta, version } = checked.data
  const content = Array.isArray(transaction)
    ? contentFromBytes(transaction[0], meta)
    : contentFromJson(transaction.signatures[0] as Signature, transaction.message, meta)
  if (!content.ok) return content
  const inner = innerOf(meta, content.value.keys)
  if (!inner.ok) return inner
  if (meta.preBalances.length !== meta.postBalances.length) return bad('bad_transaction', 'preBalances and postBalances differ in length')
  return good({
    ...content.value,
    index,
    version: content.value.version ?? (typeof version === 'number' ? version : -1),
    failure: failureFromJson(meta.err),
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

/**
 * Parses the result of getBlock, a few transactions per step, so that the caller can yield in between; undefined for JSON of another kind.
 * Transactions that cannot be parsed are in `errors`.
 */
export const rpcBlockSteps = function* (json: unknown, slot: number | null): Generator<void, SourceBlock | undefined, void> {
  const checked = rpcBlock.safeParse(json)
  if (!checked.success) return undefined
  const { blockhash, previousBlockhash, parentSlot, blockTime } = checked.data
  const { transactions, errors } = yield* readSteps(checked.data.transactions, readRpc)
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

const parseRpcBlock = (json: unknown, slot: number | null): SourceBlock | undefined => atOnce(rpcBlockSteps(json, slot))

const singleOf = (json: object): SourceBlock | undefined => {
  const location = rpcLocation.safeParse(json)
  if (!location.success) return undefined
  const { slot, blockTime, transactionIndex } = location.data
  const index = transactionIndex ?? null
  const block = { slot: slot ?? null, hash: null, parentSlot: null, parentHash: null, blockTime: blockTime ?? null, whole: false }
  return { ...block, ...asSource(parseRpcTransaction(json, index), index) }
}

/** A block, or a single transaction as a block; undefined for JSON of another kind. A transaction that cannot be parsed is in `errors`. */
export const parseRpcAnswer = (json: unknown): SourceBlock | undefined => {
  if (typeof json !== 'object' || json === null) return undefined
  const notification = blockNotification.safeParse(json)
  if (notification.success) return parseRpcBlock(notification.data.params.result.value.block, notification.data.params.result.value.slot)
  const answer: unknown = 'result' in json ? json.result : json
  if (typeof answer !== 'object' || answer === null) return undefined
  if ('transactions' in answer) return parseRpcBlock(answer, null)
  return 'transaction' in answer && 'meta' in answer ? singleOf(answer) : undefined
}
