// What a message of the gRPC stream says, in words of a feed.
import type { SubscribeUpdateBlock, SubscribeUpdateSlot } from '@triton-one/yellowstone-grpc'
import { storedSteps } from '../../../../processors/chains/solana/encodings/stored-transaction.ts'
import { inTurns } from '../../../waiting/waiting.ts'
import type { PlacedBlock, Tidings } from '../feed.ts'
import { SLICE_MS } from '../rpc/blocks.ts'

/** geyser.SlotStatus. The others (first shred, completed, created bank, processed) come before the block does. */
const CONFIRMED = 1
const FINALIZED = 2
const DEAD = 6

/** Undefined for a message that is no whole block: a key is missing, or it builds on nothing. */
export const blockOf = async (update: SubscribeUpdateBlock): Promise<PlacedBlock | undefined> => {
  const { blockhash: hash, parentBlockhash: parentHash } = update
  const [slot, parentSlot] = [Number(update.slot), Number(update.parentSlot)]
  if (hash === '' || parentHash === '' || !(parentSlot < slot)) return undefined
  const ordered = [...update.transactions].sort((a, b) => Number(a.index) - Number(b.index))
  const { transactions, errors } = await inTurns(storedSteps(ordered), SLICE_MS)
  const blockTime = update.blockTime === undefined ? null : Number(update.blockTime.timestamp)
  return { slot, hash, parentSlot, parentHash, blockTime, whole: errors.length === 0, transactions, errors }
}

/** How many transactions the node executed that its message does not hold. */
export const leftOut = ({ executedTransactionCount, transactions }: SubscribeUpdateBlock): number =>
  Math.max(0, Number(executedTransactionCount) - transactions.length)

/** What becomes of a slot, told together with what is known so far. */
export const tidingsOf = (
  { slot, status }: SubscribeUpdateSlot,
  standing: { confirmed: number; finalized: number },
): Tidings | undefined => {
  const number = Number(slot)
  if (status === DEAD) return { type: 'dead', number }
  if (status !== CONFIRMED && status !== FINALIZED) return undefined
  standing.confirmed = Math.max(standing.confirmed, number)
  if (status === FINALIZED) standing.finalized = Math.max(standing.finalized, number)
  return { type: 'standing', ...standing }
}
