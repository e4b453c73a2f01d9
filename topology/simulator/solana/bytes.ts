// Encodes simulated slots as frames with the chain's real bytes, and directly as the tape's events: decoding the frames gives these events.

import type { FrameCounts } from '../../../processors/chains/decoder.ts'
import { deflateBody, encodeBody } from '../../../processors/chains/solana/frame.ts'
import { toFrameBody } from '../../../processors/chains/solana/normal-form.ts'
import type { InLong } from '../../../schemas/amount.ts'
import type { FrameBody, RawFrame, TapeEvent } from '../../../schemas/types.ts'
import type { CoinBook } from './bytes/coins.ts'
import { ANY_MINT, movesOf } from './bytes/tape-moves.ts'
import { sourceTransaction } from './bytes/transaction.ts'
import type { DemoSlot, DemoTransaction } from './market-types.ts'

/** A frame of the slot without its body. */
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
  missing: [],
})

/** Bots repeat failed transactions: a copy in the same block differs only in its index and signature. */
const copyOf = (part: FrameBody, { index, signature }: DemoTransaction): FrameBody => ({
  ...part,
  transactions: part.transactions.map((tx) => ({ ...tx, index, signature })),
})

/**
 * Builds the slot's frame one transaction per step, so that the caller can yield in between, and returns it. The book must have applied
 * every earlier slot, and applies this one. Transactions that are `lost` are missing from the frame although they happened.
 */
export const frameSteps = function* (
  slot: DemoSlot,
  book: CoinBook,
  isLost: (tx: DemoTransaction) => boolean = () => false,
): Generator<void, RawFrame, void> {
  const parts: FrameBody[] = []
  const failed = new Map<DemoTransaction['instructions'], FrameBody>()
  for (const tx of slot.transactions) {
    const original = failed.get(tx.instructions)
    const part = original ? copyOf(original, tx) : toFrameBody([{ index: tx.index, tx: sourceTransaction(tx, book) }], () => ANY_MINT)
    if (tx.failed !== null) failed.set(tx.instructions, part)
    if (!isLost(tx)) parts.push(part)
    yield
  }
  const body = {
    transactions: parts.flatMap(({ transactions }) => transactions),
    transfers: parts.flatMap(({ transfers }) => transfers),
    failedOthers: parts.reduce((sum, { failedOthers }) => sum + failedOthers, slot.failedOthers),
    transactionsTotal: slot.transactionsTotal,
    balances: parts.flatMap(({ balances }) => balances),
  }
  return { ...frameHead(slot), body: deflateBody(encodeBody(body)) }
}

/** Runs all steps at once. */
export const inOneGo = <Result>(steps: Generator<void, Result, void>): Result => {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** The slot's frame without yielding: see `frameSteps`. */
export const frameOf = (...given: Parameters<typeof frameSteps>): RawFrame => inOneGo(frameSteps(...given))

/** The events that the decoder must find in the slot's frame, in position order. */
export const tapeEventsOf = (slot: DemoSlot, isLost: (tx: DemoTransaction) => boolean = () => false): InLong<TapeEvent>[] => {
  const events: InLong<TapeEvent>[] = []
  for (const tx of slot.transactions) {
    if (tx.failed !== null || isLost(tx)) continue
    for (const [outer, instruction] of tx.instructions.entries()) {
      if (instruction.kind !== 'launchpad') continue
      for (const [k, event] of instruction.events.entries())
        events.push({ ...event, tx: tx.index, outer, inner: k + 1, signature: tx.signature })
    }
    events.push(...movesOf(tx))
  }
  return events
}

/** The counts that the decoder must find in the slot's frame. */
export const frameCountsOf = ({ transactions }: DemoSlot, isLost: (tx: DemoTransaction) => boolean = () => false): FrameCounts => {
  const found = transactions.filter((tx) => tx.instructions.some(({ kind }) => kind === 'launchpad') && !isLost(tx))
  return { launchpadTransactions: found.length, launchpadFailed: found.filter(({ failed }) => failed !== null).length }
}
