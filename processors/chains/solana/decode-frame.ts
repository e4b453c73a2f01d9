// The hot path: decodes one frame to the tape's events, in position order.
import type { Parsed } from '../../../schemas/errors.ts'
import type { Key } from '../../../schemas/keys.ts'
import { compareWithin, type Position, tickOf } from '../../../schemas/position.ts'
import { tapeKeyOf } from '../../../schemas/tape-key.ts'
import type { FrameTransaction, RawFrame, TapeEvent } from '../../../schemas/types.ts'
import type { DecodedFrame } from '../decoder.ts'
import { readPoolTrade } from './events/amm-trade.ts'
import { findEvents } from './events/find-events.ts'
import type { FoundEvent } from './events/found.ts'
import { readTrade } from './events/pump-trade.ts'
import { balanceEvents, otherBalanceEvents, ownTransferEvents, transferEvents } from './events/tape-moves.ts'
import { readRare } from './events/tape-rare.ts'
import { openBody } from './frame.ts'

/** Discriminators of the trades as two little-endian words. */
const TRADE = [0xd37fdbbd, 0xee61e64e] as const
const BUY = [0x1f52f467, 0x7777f52c] as const
const SELL = [0x0a372f3e, 0x2adc03a5] as const

const toTape = (found: FoundEvent, tx: FrameTransaction): Parsed<TapeEvent | undefined> => {
  const { bytes, program } = found
  if (bytes.length < 8) return readRare(found, tx)
  const low = bytes.readUInt32LE(0)
  const high = bytes.readUInt32LE(4)
  if (program === 'pump') return low === TRADE[0] && high === TRADE[1] ? readTrade(found, tx) : readRare(found, tx)
  if (low === BUY[0] && high === BUY[1]) return readPoolTrade(found, tx, true)
  if (low === SELL[0] && high === SELL[1]) return readPoolTrade(found, tx, false)
  return readRare(found, tx)
}

const decodeTransaction = (number: number, tx: FrameTransaction, into: DecodedFrame<TapeEvent>): void => {
  const at = (outer: number, inner: number): Position => ({ chain: 'solana', number, tx: tx.index, outer, inner })
  const { events, problems } = findEvents(tx)
  for (const found of events) {
    const event = toTape(found, tx)
    if (!event.ok) {
      const { code, reason } = event
      into.deadLetters.push({ at: at(found.outer, found.inner), code, reason, signature: tx.signature, bytes: found.bytes })
    } else if (event.value) into.events.push(event.value)
  }
  for (const { outer, inner, code, reason } of problems) {
    into.deadLetters.push({ at: at(outer, inner), code, reason, signature: tx.signature, bytes: Buffer.from((tx.logs ?? []).join('\n')) })
  }
}

/** The mints in a frame: those that its events prove to be the launchpad's, and all mints of its events. */
export interface SeenMints {
  /** Mints with a launch, a trade on the curve, or its completion or migration. */
  readonly proven: ReadonlySet<Key>
  /** `proven`, and mints with any other event of the launchpad's programs; not those that have only balances. */
  readonly seen: ReadonlySet<Key>
}

/** The mints in the transactions of one slot, in order of first appearance. */
export const mintsSeen = (number: number, transactions: readonly FrameTransaction[]): SeenMints => {
  const decoded: DecodedFrame<TapeEvent> = { events: [], deadLetters: [], launchpadTransactions: null, launchpadFailed: null }
  for (const tx of transactions) decodeTransaction(number, tx, decoded)
  const proving = decoded.events.filter(({ type }) => type === 'launch' || type === 'trade' || type === 'complete' || type === 'migrate')
  return { proven: new Set(proving.map(tapeKeyOf)), seen: new Set(decoded.events.map(tapeKeyOf)) }
}

/**
 * Decodes a frame whose parts are joined. Total: it returns for any bytes; anything that cannot be decoded becomes a dead letter, and the
 * rest is decoded. Events that the tape does not carry are parsed too, so that damaged ones become dead letters.
 */
export const decodeFrame = (frame: RawFrame): DecodedFrame<TapeEvent> => {
  const body = openBody(frame)
  if (!body.ok) {
    const { code, reason } = body
    const deadLetter = { at: tickOf('solana', frame.number), code, reason, signature: null, bytes: frame.body }
    return { events: [], deadLetters: [deadLetter], launchpadTransactions: null, launchpadFailed: null }
  }
  const { transactions } = body.value
  const launchpadFailed = transactions.reduce((failed, tx) => failed + (tx.failed ? 1 : 0), 0)
  const decoded: DecodedFrame<TapeEvent> = { events: [], deadLetters: [], launchpadTransactions: transactions.length, launchpadFailed }
  for (const tx of transactions) {
    const first = decoded.events.length
    decodeTransaction(frame.number, tx, decoded)
    decoded.events.push(...balanceEvents(tx, decoded.events.slice(first)), ...ownTransferEvents(tx))
  }
  decoded.events.push(...otherBalanceEvents(body.value), ...transferEvents(body.value))
  decoded.events.sort(compareWithin)
  return decoded
}
