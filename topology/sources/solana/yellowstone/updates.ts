// Converts messages of the gRPC stream to feed items.
import type { SubscribeUpdateBlock, SubscribeUpdateSlot } from '@triton-one/yellowstone-grpc'
import { storedSteps } from '../../../../processors/chains/solana/encodings/stored-transaction.ts'
import { runInSlices } from '../../../waiting/waiting.ts'
import type { FeedNotice, PlacedBlock } from '../feed.ts'
import { SLICE_MS } from '../rpc/blocks.ts'

/** geyser.SlotStatus. The others (first shred, completed, created bank, processed) come before the block. */
const CONFIRMED = 1
const FINALIZED = 2
const DEAD = 6

/** Undefined if it is not a complete block: a hash is missing, or the parent is invalid. */
export const blockOf = async (update: SubscribeUpdateBlock): Promise<PlacedBlock | undefined> => {
  const { blockhash: hash, parentBlockhash: parentHash } = update
  const [slot, parentSlot] = [Number(update.slot), Number(update.parentSlot)]
  if (hash === '' || parentHash === '' || !(parentSlot < slot)) return undefined
  const ordered = [...update.transactions].sort((a, b) => Number(a.index) - Number(b.index))
  const { transactions, errors } = await runInSlices(storedSteps(ordered), SLICE_MS)
  const blockTime = update.blockTime === undefined ? null : Number(update.blockTime.timestamp)
  return { slot, hash, parentSlot, parentHash, blockTime, whole: errors.length === 0, transactions, errors }
}

/** Number of executed transactions that the message does not contain. */
export const leftOut = ({ executedTransactionCount, transactions }: SubscribeUpdateBlock): number =>
  Math.max(0, Number(executedTransactionCount) - transactions.length)

/** The finality update for a slot's status, together with the finality known so far. */
export const noticeOf = (
  { slot, status }: SubscribeUpdateSlot,
  standing: { confirmed: number; finalized: number },
): FeedNotice | undefined => {
  const number = Number(slot)
  if (status === DEAD) return { type: 'dead', number }
  if (status !== CONFIRMED && status !== FINALIZED) return undefined
  standing.confirmed = Math.max(standing.confirmed, number)
  if (status === FINALIZED) standing.finalized = Math.max(standing.finalized, number)
  return { type: 'standing', ...standing }
}
