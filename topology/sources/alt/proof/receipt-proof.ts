// What a receipt proves about an event: it is in the block with the header's hash, it succeeded, and its log matches the event.
import { type Hex, keccak256, toBytes } from 'viem'
import { numberIn } from '../../../../schemas/position.ts'
import type { Claim, EventProof } from '../../../ports/proof.ts'
import { type Header, headerBytes, type Receipt, receiptBytes } from './block-bytes.ts'
import { receiptProof } from './receipts-trie.ts'

/** A block from a node, with all receipts in order. */
export interface ProvenBlock {
  readonly header: Header
  readonly receipts: readonly Receipt[]
}

const topicOf = (signature: string): Hex => keccak256(toBytes(signature))
const LAUNCH = topicOf('TokenLaunched(address,address,address,address,uint256,uint256)')
const BUY = topicOf('CurveBuy(address,address,uint256,uint256,uint256,uint256)')
const SELL = topicOf('CurveSell(address,address,uint256,uint256,uint256,uint256)')

const word = (text: string | null): string => `0x${(text ?? '').slice(2).toLowerCase().padStart(64, '0')}`
const amountAt = (data: Hex, place: number): string => String(BigInt(`0x${data.slice(2 + place * 64, 66 + place * 64) || '0'}`))

/** Why the node's responses are inconsistent; undefined if header and receipts match their hashes. */
export const unproven = ({ header, receipts }: ProvenBlock): string | undefined => {
  if (keccak256(headerBytes(header)) !== header.hash) return 'the header of the node does not hash to the hash of its block'
  const { root } = receiptProof(receipts.map(receiptBytes), 0)
  return root === header.receiptsRoot ? undefined : 'the receipts of the node do not hash to the root in its header'
}

/** The Merkle path from the receipt to the block's hash, all hex: `nodes` lead from the root of the receipts trie down to the receipt. */
export const receiptProofOf = ({ header, receipts }: ProvenBlock, index: number): EventProof['of'] => ({
  block_hash: header.hash.slice(2),
  header: headerBytes(header).slice(2),
  index,
  nodes: receiptProof(receipts.map(receiptBytes), index).proof.map((node) => node.slice(2)),
})

/** Index of the event's log in its receipt, and the fields that the log proves; undefined if the receipt has no such log. */
export const logOf = (
  claim: Claim,
  { receipts }: ProvenBlock,
): { readonly index: number; readonly log: number; readonly proves: string[] } | undefined => {
  const [tx = -1, place = -1] = claim.position.split('.').slice(1).map(Number)
  const logs = receipts[tx]?.logs ?? []
  const log = logs.findIndex(({ logIndex }) => Number(logIndex) === place)
  const found = logs[log]
  if (found === undefined || numberIn(claim.position) === undefined) return undefined
  const [topic, first, , third] = found.topics
  const proves = ['success']
  if (claim.type === 'launch' && topic === LAUNCH && first === word(claim.mint)) {
    proves.push('mint')
    if (third === word(claim.user)) proves.push('user')
  }
  if (claim.type === 'trade' && topic === (claim.is_buy === true ? BUY : SELL) && found.address === claim.curve?.toLowerCase()) {
    const [tokens, quote] = claim.is_buy === true ? [1, 0] : [0, 1]
    proves.push('curve')
    if (first === word(claim.user)) proves.push('user')
    if (amountAt(found.data, tokens) === claim.token_units) proves.push('token_units')
    if (amountAt(found.data, quote) === claim.quote_units) proves.push('quote_units')
  }
  return { index: tx, log, proves }
}
