// Encodes headers and receipts of an EVM chain, parsed from a node's responses, as the bytes that their hashes cover.
import { type Hex, toRlp } from 'viem'
import * as z from 'zod'

const hex = z
  .string()
  .regex(/^0x[0-9a-f]*$/i)
  .transform((text) => text.toLowerCase() as Hex)
const quantity = z.string().regex(/^0x[0-9a-f]{1,64}$/i)

export const headerSchema = z.object({
  ...{ hash: hex, parentHash: hex, sha3Uncles: hex, miner: hex, stateRoot: hex, transactionsRoot: hex, receiptsRoot: hex, logsBloom: hex },
  ...{
    difficulty: quantity,
    number: quantity,
    gasLimit: quantity,
    gasUsed: quantity,
    timestamp: quantity,
    extraData: hex,
    mixHash: hex,
    nonce: hex,
  },
  ...{ baseFeePerGas: quantity.optional(), withdrawalsRoot: hex.optional(), blobGasUsed: quantity.optional() },
  ...{ excessBlobGas: quantity.optional(), parentBeaconBlockRoot: hex.optional(), requestsHash: hex.optional() },
})
export type Header = z.output<typeof headerSchema>

export const receiptSchema = z.object({
  ...{ transactionHash: hex, transactionIndex: quantity, type: quantity.optional(), status: quantity, cumulativeGasUsed: quantity },
  logsBloom: hex,
  logs: z.array(z.object({ address: hex, topics: z.array(hex), data: hex, logIndex: quantity })),
})
export type Receipt = z.output<typeof receiptSchema>

/** Bytes of a number without leading zeros. */
const numberBytes = (text: string): Hex => {
  const digits = text.slice(2).replace(/^0+/, '').toLowerCase()
  return `0x${digits.length % 2 === 1 ? '0' : ''}${digits}`
}

/** Fields added by later forks are optional and appended in order: a header that has one also has all earlier ones. */
export const headerBytes = (header: Header): Hex => {
  const { parentHash, sha3Uncles, miner, stateRoot, transactionsRoot, receiptsRoot, logsBloom, extraData, mixHash, nonce } = header
  const numbers = [header.difficulty, header.number, header.gasLimit, header.gasUsed, header.timestamp].map(numberBytes)
  const later = [
    header.baseFeePerGas === undefined ? undefined : numberBytes(header.baseFeePerGas),
    header.withdrawalsRoot,
    header.blobGasUsed === undefined ? undefined : numberBytes(header.blobGasUsed),
    header.excessBlobGas === undefined ? undefined : numberBytes(header.excessBlobGas),
    header.parentBeaconBlockRoot,
    header.requestsHash,
  ].filter((field) => field !== undefined)
  const fields = [
    parentHash,
    sha3Uncles,
    miner,
    stateRoot,
    transactionsRoot,
    receiptsRoot,
    logsBloom,
    ...numbers,
    extraData,
    mixHash,
    nonce,
  ]
  return toRlp([...fields, ...later])
}

/** As in the receipts trie: the type byte before the fields, except for the oldest type. */
export const receiptBytes = ({ type = '0x0', status, cumulativeGasUsed, logsBloom, logs }: Receipt): Hex => {
  const fields = toRlp([
    numberBytes(status),
    numberBytes(cumulativeGasUsed),
    logsBloom,
    logs.map(({ address, topics, data }) => [address, [...topics], data]),
  ] as never)
  const kind = numberBytes(type)
  return kind === '0x' ? fields : `${kind}${fields.slice(2)}`
}
