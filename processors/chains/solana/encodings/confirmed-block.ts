// Parses stored blocks (solana.storage.ConfirmedBlock, protobuf) to source blocks. A node's gRPC stream has the same messages.

import protobuf from 'protobufjs'
import { asBuffer } from '../../../../schemas/bytes.ts'
import { bad, good, type Parsed } from '../../../../schemas/errors.ts'
import { parseKey, signatureOf } from '../../../../schemas/keys.ts'
import { atOnce, readSteps } from '../read-steps.ts'
import { prefiltered, type SourceBlock, type SourceTransaction } from '../source-transaction.ts'
import { failureFromBincode } from '../transaction-error.ts'
import { prefilterStored } from './stored-prefilter.ts'
import { type Integer64, parseStored, SIGNATURE_BYTES, type StoredTransaction } from './stored-transaction.ts'

/** The part of the published definition that we use. A message with `config` is of a version 1 transaction. */
const PROTO = `
syntax = "proto3";
message ConfirmedBlock {
  string previous_blockhash = 1; string blockhash = 2; uint64 parent_slot = 3;
  repeated bytes transactions = 4; UnixTimestamp block_time = 6;
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
const { root } = protobuf.parse(PROTO)
const blockType = root.lookupType('ConfirmedBlock')
const transactionType = root.lookupType('ConfirmedTransaction')

interface StoredBlock {
  previousBlockhash: string
  blockhash: string
  parentSlot: Integer64
  /** Each still encoded. */
  transactions: Uint8Array[]
  blockTime?: { timestamp: Integer64 } | null
}

const decode = (type: protobuf.Type, bytes: Uint8Array): unknown => {
  try {
    return type.decode(bytes)
  } catch {
    return undefined
  }
}

const readWhole = (bytes: Uint8Array, index: number): Parsed<SourceTransaction> => {
  const stored = decode(transactionType, bytes) as StoredTransaction | undefined
  return stored === undefined ? bad('bad_transaction', `${bytes.length} bytes are not a transaction`) : parseStored(stored, index)
}

/** Parses a transaction fully if its frame keeps part of it, or if the prefilter cannot determine that. */
const read = (encoded: Uint8Array, index: number): Parsed<SourceTransaction> => {
  const bytes = asBuffer(encoded)
  const seen = prefilterStored(bytes)
  if (seen === undefined || seen.isOfLaunchpad || !seen.hasMeta) return readWhole(bytes, index)
  const { signature, error, movesSol, mints } = seen
  if (signature?.length !== SIGNATURE_BYTES || (error === undefined && movesSol)) return readWhole(bytes, index)
  const failure = error === undefined ? null : failureFromBincode(asBuffer(error))
  return good(prefiltered({ index, signature: signatureOf(signature), failure, prefilter: { mints } }, () => readWhole(bytes, index)))
}

/** Parses a stored block; undefined for bytes that are not one. A transaction that cannot be parsed is in `errors`. */
export const parseConfirmedBlock = (bytes: Uint8Array): SourceBlock | undefined => {
  const block = decode(blockType, bytes) as StoredBlock | undefined
  if (block === undefined || parseKey(block.blockhash) === undefined || block.transactions.length === 0) return undefined
  const { transactions, errors } = atOnce(readSteps(block.transactions, read))
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
