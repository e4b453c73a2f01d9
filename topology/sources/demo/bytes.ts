// Simulated slots as frames with the chain's real bytes, and straight as the tape's events: decoding the first gives the second.
import { deflateBody, encodeBody } from '../../../processors/solana/frame.ts'
import { toFrameBody } from '../../../processors/solana/normal-form.ts'
import type { RawFrame, TapeEvent } from '../../../schemas/types.ts'
import type { CoinBook } from './bytes/coins.ts'
import { sourceTransaction } from './bytes/transaction.ts'
import type { DemoSlot, DemoTransaction } from './market-types.ts'

/** What a frame says of its slot, the body apart. */
export const frameHead = (slot: DemoSlot): Omit<RawFrame, 'body'> => ({
  type: 'frame',
  chain: 'solana',
  number: slot.number,
  hash: slot.hash,
  hashSynthetic: false,
  parentNumber: slot.parentNumber,
  parentHash: slot.parentHash,
  status: 'finalized',
  blockTime: Math.floor(slot.timeMs / 1_000),
  whole: true,
  placed: true,
  vouched: false,
  part: 0,
  parts: 1,
})

/**
 * The slot's frame. The book must have followed every slot before and is followed through this one. Transactions that are `lost` are
 * missing from the frame although they happened.
 */
export const frameOf = (slot: DemoSlot, book: CoinBook, isLost: (tx: DemoTransaction) => boolean = () => false): RawFrame => {
  const placed = slot.transactions.flatMap((tx) => {
    const source = sourceTransaction(tx, book)
    return isLost(tx) ? [] : [{ index: tx.index, tx: source }]
  })
  const body = toFrameBody(placed)
  const counted = { ...body, failedOthers: body.failedOthers + slot.failedOthers, transactionsTotal: slot.transactionsTotal }
  return { ...frameHead(slot), body: deflateBody(encodeBody(counted)) }
}

/** What the decoder will find in the slot's frame, in position order. */
export const tapeEventsOf = (slot: DemoSlot, isLost: (tx: DemoTransaction) => boolean = () => false): TapeEvent[] => {
  const events: TapeEvent[] = []
  for (const tx of slot.transactions) {
    if (tx.failed !== null || isLost(tx)) continue
    for (const [outer, instruction] of tx.instructions.entries()) {
      if (instruction.kind !== 'launchpad') continue
      for (const [k, event] of instruction.events.entries())
        events.push({ ...event, tx: tx.index, outer, inner: k + 1, signature: tx.signature })
    }
  }
  return events
}
