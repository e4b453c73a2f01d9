// Stored blocks (solana.storage.ConfirmedBlock, protobuf) to source blocks. The stream of a node's gRPC has the same messages.
import protobuf from 'protobufjs'
import { bad, good, type Parsed } from '../../schemas/errors.ts'
import { type Key, keyOf, parseKey, signatureOf } from '../../schemas/keys.ts'
import type { SourceBlock, SourceError, SourceInner, SourceInstruction, SourceToken, SourceTransaction } from './source-transaction.ts'
import { failureFromBincode } from './transaction-error.ts'

/** The part of the published definition that we read. `config` (7) marks a version 1 message. */
const PROTO = `
syntax = "proto3";
message ConfirmedBlock {
  string previous_blockhash = 1; string blockhash = 2; uint64 parent_slot = 3;
  repeated ConfirmedTransaction transactions = 4; UnixTimestamp block_time = 6;
}
message UnixTimestamp { int64 timestamp = 1; }
message ConfirmedTransaction { Transaction transaction = 1; TransactionStatusMeta meta = 2; }
message Transaction { repeated bytes signatures = 1; Message message = 2; }
message Message {
  MessageHeader header = 1; repeated bytes account_keys = 2; repeated Instruction instructions = 4; bool versioned = 5;
  optional Config config = 7;
}
message Config {}
message MessageHeader { uint32 num_required_signatures = 1; }
message Instruction { uint32 program_id_index = 1; bytes accounts = 2; bytes data = 3; }
message TransactionStatusMeta {
  TransactionError err = 1; uint64 fee = 2; repeated uint64 pre_balances = 3; repeated uint64 post_balances = 4;
  repeated InnerInstructions inner_instructions = 5; repeated string log_messages = 6;
  repeated TokenBalance pre_token_balances = 7; repeated TokenBalance post_token_balances = 8;
  bool inner_instructions_none = 10; bool log_messages_none = 11;
  repeated bytes loaded_writable_addresses = 12; repeated bytes loaded_readonly_addresses = 13;
}
message TransactionError { bytes err = 1; }
message InnerInstructions { uint32 index = 1; repeated InnerInstruction instructions = 2; }
message InnerInstruction { uint32 program_id_index = 1; bytes accounts = 2; bytes data = 3; optional uint32 stack_height = 4; }
message TokenBalance {
  uint32 account_index = 1; string mint = 2; UiTokenAmount ui_token_amount = 3; string owner = 4; string program_id = 5;
}
message UiTokenAmount { uint32 decimals = 2; string amount = 3; }
`
const EMPTY = new Uint8Array(0)
const blockType = protobuf.parse(PROTO).root.lookupType('ConfirmedBlock')

/** A 64-bit integer as the library gives it: its decimal text is exact. */
type Integer64 = number | { toString(): string }

interface Call {
  programIdIndex: number
  accounts: Uint8Array
  data: Uint8Array
  stackHeight?: number | null
}
interface Balance {
  accountIndex: number
  mint: string
  uiTokenAmount?: { decimals: number; amount: string } | null
  owner: string
  programId: string
}
interface Meta {
  err?: { err: Uint8Array } | null
  fee: Integer64
  preBalances: Integer64[]
  postBalances: Integer64[]
  innerInstructions: { index: number; instructions: Call[] }[]
  logMessages: string[]
  preTokenBalances: Balance[]
  postTokenBalances: Balance[]
  innerInstructionsNone: boolean
  logMessagesNone: boolean
  loadedWritableAddresses: Uint8Array[]
  loadedReadonlyAddresses: Uint8Array[]
}
interface Message {
  header?: { numRequiredSignatures: number } | null
  accountKeys: Uint8Array[]
  instructions: Call[]
  versioned: boolean
  config?: object | null
}
interface Stored {
  transaction?: { signatures: Uint8Array[]; message?: Message | null } | null
  meta?: Meta | null
}
interface StoredBlock {
  previousBlockhash: string
  blockhash: string
  parentSlot: Integer64
  transactions: Stored[]
  blockTime?: { timestamp: Integer64 } | null
}

/** The library gives a plain empty array for bytes that are absent. */
const bytesOf = (bytes: Uint8Array): Uint8Array => (bytes.length === 0 ? EMPTY : bytes)
const sourceOf = ({ programIdIndex: program, accounts, data }: Call): SourceInstruction => ({
  program,
  accounts: bytesOf(accounts),
  data: bytesOf(data),
})

const innerOf = (meta: Meta): SourceInner[] | null =>
  meta.innerInstructionsNone
    ? null
    : [...meta.innerInstructions]
        .sort((a, b) => a.index - b.index)
        .flatMap(({ index, instructions }) =>
          instructions.map((call) => ({ ...sourceOf(call), outer: index, depth: call.stackHeight ?? 0 })),
        )

/** Undefined where a mint is no key. */
const tokenOf = ({ accountIndex, mint, uiTokenAmount, owner, programId }: Balance): SourceToken | undefined => {
  const key = parseKey(mint)
  if (key === undefined || !uiTokenAmount) return undefined
  const { decimals, amount } = uiTokenAmount
  return { account: accountIndex, mint: key, owner: parseKey(owner) ?? null, tokenProgram: parseKey(programId) ?? null, decimals, amount }
}

const tokensOf = (balances: readonly Balance[]): SourceToken[] => balances.flatMap((balance) => tokenOf(balance) ?? [])

const fitKeys = (calls: readonly SourceInstruction[], keys: readonly Key[]): boolean =>
  calls.every(({ program, accounts }) => program < keys.length && accounts.every((account) => account < keys.length))

const transactionOf = ({ transaction, meta }: Stored, index: number): Parsed<SourceTransaction> => {
  const message = transaction?.message
  const [signature] = transaction?.signatures ?? []
  if (!message || !meta || signature?.length !== 64) return bad('bad_transaction', 'no signature, message or meta')
  const bytes = [...message.accountKeys, ...meta.loadedWritableAddresses, ...meta.loadedReadonlyAddresses]
  if (bytes.length > 256 || bytes.some(({ length }) => length !== 32))
    return bad('bad_transaction', 'a key has not 32 bytes, or there are too many')
  const keys = bytes.map(keyOf)
  const instructions = message.instructions.map(sourceOf)
  const inner = innerOf(meta)
  if (!fitKeys(instructions, keys) || !fitKeys(inner ?? [], keys))
    return bad('bad_transaction', 'an instruction names a key that the transaction does not have')
  if (meta.preBalances.length !== meta.postBalances.length)
    return bad('bad_transaction', 'balances before and after are not of the same accounts')
  return good({
    index,
    signature: signatureOf(signature),
    version: message.config ? 1 : message.versioned ? 0 : -1,
    signers: message.header?.numRequiredSignatures ?? 0,
    failure: meta.err ? failureFromBincode(Buffer.from(meta.err.err)) : null,
    feeLamports: Number(meta.fee.toString()),
    keys,
    instructions,
    inner,
    logs: meta.logMessagesNone ? null : meta.logMessages,
    lamportsBefore: meta.preBalances.map(String),
    lamportsAfter: meta.postBalances.map(String),
    tokensBefore: tokensOf(meta.preTokenBalances),
    tokensAfter: tokensOf(meta.postTokenBalances),
  })
}

const decode = (bytes: Uint8Array): StoredBlock | undefined => {
  try {
    return blockType.decode(bytes) as unknown as StoredBlock
  } catch {
    return undefined
  }
}

/** A stored block; undefined for bytes that are not one. A transaction in it that cannot be read is among its errors. */
export const parseConfirmedBlock = (bytes: Uint8Array): SourceBlock | undefined => {
  const block = decode(bytes)
  if (block === undefined || parseKey(block.blockhash) === undefined || block.transactions.length === 0) return undefined
  const transactions: SourceTransaction[] = []
  const errors: SourceError[] = []
  block.transactions.forEach((stored, index) => {
    const parsed = transactionOf(stored, index)
    if (parsed.ok) transactions.push(parsed.value)
    else errors.push({ index, code: 'bad_transaction', reason: parsed.reason })
  })
  return {
    slot: null,
    hash: block.blockhash,
    parentSlot: Number(block.parentSlot.toString()),
    parentHash: block.previousBlockhash || null,
    blockTime: block.blockTime ? Number(block.blockTime.timestamp.toString()) : null,
    whole: errors.length === 0,
    transactions,
    errors,
  }
}
