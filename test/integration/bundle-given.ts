// Bundles with real signatures and real receipts: transactions of a recorded block, and a launchpad on a local node.
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import protobuf from 'protobufjs'
import type { Claim } from '../../topology/ports/proof.ts'

/** The parts of a stored block that make up a message's bytes. */
const PROTO = `
syntax = "proto3";
message ConfirmedBlock { repeated bytes transactions = 4; }
message ConfirmedTransaction { Transaction transaction = 1; }
message Transaction { repeated bytes signatures = 1; Message message = 2; }
message Message {
  Header header = 1; repeated bytes account_keys = 2; bytes recent_blockhash = 3; repeated Instruction instructions = 4; bool versioned = 5;
  repeated Lookup address_table_lookups = 6;
}
message Header { uint32 signers = 1; uint32 readonly_signed = 2; uint32 readonly_unsigned = 3; }
message Instruction { uint32 program = 1; bytes accounts = 2; bytes data = 3; }
message Lookup { bytes account_key = 1; bytes writable = 2; bytes readonly = 3; }
`
const { root } = protobuf.parse(PROTO)

interface Message {
  readonly header: { readonly signers: number; readonly readonlySigned: number; readonly readonlyUnsigned: number }
  readonly accountKeys: readonly Uint8Array[]
  readonly recentBlockhash: Uint8Array
  readonly instructions: readonly { readonly program: number; readonly accounts: Uint8Array; readonly data: Uint8Array }[]
  readonly versioned: boolean
  readonly addressTableLookups: readonly { readonly accountKey: Uint8Array; readonly writable: Uint8Array; readonly readonly: Uint8Array }[]
}

const compact = (value: number): Buffer => (value < 0x80 ? Buffer.of(value) : Buffer.of((value & 0x7f) | 0x80, value >> 7))
const sized = (bytes: Uint8Array): Buffer => Buffer.concat([compact(bytes.length), bytes])
const listed = <Item>(items: readonly Item[], bytesOf: (item: Item) => Uint8Array): Buffer =>
  Buffer.concat([compact(items.length), ...items.map(bytesOf)])

const messageBytes = ({ header, accountKeys, recentBlockhash, instructions, versioned, addressTableLookups }: Message): Buffer =>
  Buffer.concat([
    versioned ? Buffer.of(0x80) : Buffer.alloc(0),
    Buffer.of(header.signers, header.readonlySigned, header.readonlyUnsigned),
    listed(accountKeys, (key) => key),
    recentBlockhash,
    listed(instructions, ({ program, accounts, data }) => Buffer.concat([Buffer.of(program), sized(accounts), sized(data)])),
    versioned
      ? listed(addressTableLookups, ({ accountKey, writable, readonly }) => Buffer.concat([accountKey, sized(writable), sized(readonly)]))
      : Buffer.alloc(0),
  ])

/** Transactions of a recorded mainnet block as they were sent, by signature in latin1. */
export const recordedTransactions = (path: string): ReadonlyMap<string, Buffer> => {
  const block = root.lookupType('ConfirmedBlock').decode(gunzipSync(readFileSync(path))) as unknown as { transactions: Uint8Array[] }
  const type = root.lookupType('ConfirmedTransaction')
  return new Map(
    block.transactions.map((bytes) => {
      const { transaction } = type.toObject(type.decode(bytes), { defaults: true, arrays: true, objects: true }) as {
        readonly transaction: { readonly signatures: readonly Uint8Array[]; readonly message: Message }
      }
      const { signatures, message } = transaction
      const wire = Buffer.concat([listed(signatures, (one) => one), messageBytes(message)])
      return [Buffer.from(signatures[0] as Uint8Array).toString('latin1'), wire] as const
    }),
  )
}

/** A log as a node returns it. */
export interface NodeLog {
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
  readonly logIndex: string
  readonly transactionIndex: string
  readonly transactionHash: string
  readonly blockNumber: string
  readonly blockHash: string
}
const placeOf = ({ blockNumber, blockHash, transactionIndex, logIndex, transactionHash }: NodeLog) => {
  const position = `alt:${Number(blockNumber)}.${Number(transactionIndex)}.${Number(logIndex)}`
  return { position, event_id: `${position}@${blockHash.slice(2, 10)}`, signature: transactionHash, supply_units: null }
}
const addressIn = (word = ''): string => `0x${word.slice(26)}`
const amountIn = ({ data }: NodeLog, index: number): string => String(BigInt(`0x${data.slice(2 + index * 64, 66 + index * 64)}`))
export const launchOf = (log: NodeLog): Claim => {
  const [, mint, curve, user] = log.topics.map(addressIn)
  return {
    ...placeOf(log),
    type: 'launch',
    mint: mint ?? '',
    user: user ?? '',
    curve: curve ?? '',
    is_buy: null,
    token_units: null,
    quote_units: null,
  }
}
export const buyOf = (log: NodeLog, mint: string): Claim => {
  const [quote_units, token_units] = [amountIn(log, 0), amountIn(log, 1)]
  return {
    ...placeOf(log),
    type: 'trade',
    mint,
    user: addressIn(log.topics[1]),
    curve: log.address,
    is_buy: true,
    token_units,
    quote_units,
  }
}
