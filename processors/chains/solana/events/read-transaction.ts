// Reads the events of a transaction: the one definition of what can be decoded, for the folds and for the lines of `decode`.
import type { BadData, Parsed } from '../../../../schemas/errors.ts'
import type { FrameTransaction, TapeEvent } from '../../../../schemas/types.ts'
import { readPoolTrade } from './amm-trade.ts'
import { appendedTo } from './appended.ts'
import { type SilentCall, silentCalls } from './emitting-calls.ts'
import { findEvents, placedCalls } from './find-events.ts'
import type { EventProblem, FoundEvent } from './found.ts'
import { readTrade } from './pump-trade.ts'
import { readRare } from './tape-rare.ts'

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

export interface ReadTransaction {
  /** In order of execution. */
  readonly decoded: readonly { readonly found: FoundEvent; readonly event: TapeEvent | undefined }[]
  readonly failed: readonly { readonly found: FoundEvent; readonly why: BadData }[]
  /** Problems that are not an event's. */
  readonly problems: readonly EventProblem[]
  /** The calls of which an event that they always emit is not decoded: it is missing, or it is among `failed`. */
  readonly silent: readonly SilentCall[]
}

/** A failed transaction has nothing: its logs and calls were rolled back. */
export const readTransaction = (tx: FrameTransaction): ReadTransaction => {
  const { events, problems } = findEvents(tx)
  const decoded: { found: FoundEvent; event: TapeEvent | undefined }[] = []
  const failed: { found: FoundEvent; why: BadData }[] = []
  for (const found of events) {
    const event = toTape(found, tx)
    if (event.ok) decoded.push({ found, event: event.value })
    else failed.push({ found, why: event })
  }
  if (tx.failed) return { decoded, failed, problems, silent: [] }
  const silent = silentCalls(
    tx,
    placedCalls(tx),
    decoded.map(({ found }) => found),
  )
  return { decoded, failed, problems, silent }
}

/** Number of calls without the event that they always emit, those included of which only the log tells. */
export const missingIn = ({ problems, silent }: Pick<ReadTransaction, 'problems' | 'silent'>): number =>
  silent.length + problems.filter(({ code }) => code === 'event_missing').length

/** Adds the numbers of unknown bytes behind the newest known layouts, by event. */
export const noteAppended = ({ decoded }: Pick<ReadTransaction, 'decoded'>, into: Map<string, number>): void => {
  for (const { found } of decoded) {
    const appended = appendedTo(found)
    if (appended !== undefined) into.set(...appended)
  }
}

/** True where an event of the call is among those that cannot be decoded, so that it has a dead letter already. */
export const hasFailed = ({ outer, inner, last }: SilentCall, failed: ReadTransaction['failed']): boolean =>
  failed.some(({ found }) => found.outer === outer && found.inner >= inner && found.inner <= last)
