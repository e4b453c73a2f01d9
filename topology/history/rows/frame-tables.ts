// Tables of frames: their ticks from the tape, and the details that only the raw frame has.

import type { CountedBody } from '../../../processors/chains/decoder.ts'
import { hash8Of } from '../../../schemas/position.ts'
import type { RawFrame, TapeBatch } from '../../../schemas/types.ts'
import { bool, deleted, type HistoryTable, lowCardinality, number, text, texts, time, uint32 } from './columns.ts'

/** Versions per frame: each rebuild that corrects the frame takes two, so they are enough for a rebuild a day for a year and a half. */
const VERSIONS_MAX = 1_024

/** Version and deletion of a row; of rows with the same key the highest version is valid. */
export interface RowVersion {
  readonly version: number
  readonly isDeleted: boolean
}
/**
 * The version of a row from a frame or from a rebuild of it: the rows that a rebuild retracts rank below those that it writes. A fork's
 * rows rank above both, because its sequence is higher.
 */
export const rowVersion = (sequence: number, isDeleted: boolean, revision = 0): RowVersion => ({
  version: sequence * VERSIONS_MAX + Math.min(2 * revision - (isDeleted && revision > 0 ? 1 : 0), VERSIONS_MAX - 1),
  isDeleted,
})

/** A tape frame without its events. */
export type FrameOf = Omit<TapeBatch, 'events'>

/** The tick that ends a frame. */
export interface TickRow {
  readonly tick: FrameOf
  readonly row: RowVersion
}

export const TICKS: HistoryTable<TickRow> = {
  name: 'ticks_log',
  columns: [
    number.of('slot', ({ tick }) => tick.number),
    text.of('hash8', ({ tick }) => tick.hash8),
    number.of('version', ({ row }) => row.version),
    deleted.of('is_deleted', ({ row }) => row.isDeleted),
    time.of('tick_at', ({ tick }) => tick.time),
    number.orNull('gap_from_slot', ({ tick }) => tick.gapFrom),
    number.orNull('gap_to_slot', ({ tick }) => tick.gapTo),
    bool.of('is_vouched', ({ tick }) => tick.vouched),
    bool.of('is_final', ({ tick }) => tick.final),
    bool.of('is_placed', ({ tick }) => tick.placed),
    uint32.orNull('launchpad_transactions', ({ tick }) => tick.launchpadTransactions),
    uint32.orNull('launchpad_failed', ({ tick }) => tick.launchpadFailed),
  ],
}

/** A complete raw frame, with its counts. */
export interface FrameRow {
  /** Capture's sequence number of the frame, or of the fork that rolled it back. */
  readonly sequence: number
  readonly isUndone: boolean
  readonly frame: RawFrame
  readonly launchpadTransactions: number
  readonly launchpadFailed: number
  readonly transfers: number
  readonly failedOthers: number
  readonly transactionsTotal: number
}

export const frameRow = (sequence: number, frame: RawFrame, body: CountedBody): FrameRow => ({
  sequence,
  isUndone: false,
  frame,
  launchpadTransactions: body.transactions.length,
  launchpadFailed: body.transactions.reduce((failed, transaction) => failed + (transaction.failed ? 1 : 0), 0),
  transfers: body.transfers.length,
  failedOthers: body.failedOthers,
  transactionsTotal: body.transactionsTotal,
})

/** The row that deletes the row of a frame; apart from its version only the sort key matters. */
export const undoneFrameRow = (sequence: number, frame: RawFrame): FrameRow => ({
  sequence,
  isUndone: true,
  frame,
  launchpadTransactions: 0,
  launchpadFailed: 0,
  transfers: 0,
  failedOthers: 0,
  transactionsTotal: 0,
})

export const RAW_FRAMES: HistoryTable<FrameRow> = {
  name: 'raw_frames_log',
  columns: [
    number.of('slot', ({ frame }) => frame.number),
    text.of('hash8', ({ frame }) => hash8Of(frame.hash)),
    number.of('version', ({ sequence }) => sequence),
    deleted.of('is_deleted', ({ isUndone }) => isUndone),
    time.orNull('block_at', ({ frame }) => frame.blockTime),
    text.of('hash', ({ frame }) => frame.hash),
    bool.of('is_hash_synthetic', ({ frame }) => frame.hashSynthetic),
    number.orNull('parent_slot', ({ frame }) => frame.parentNumber),
    text.orNull('parent_hash', ({ frame }) => frame.parentHash),
    lowCardinality.of('status', ({ frame }) => frame.status),
    bool.of('is_whole', ({ frame }) => frame.whole),
    uint32.of('launchpad_transactions', ({ launchpadTransactions }) => launchpadTransactions),
    uint32.of('launchpad_failed', ({ launchpadFailed }) => launchpadFailed),
    uint32.of('transfers', ({ transfers }) => transfers),
    uint32.of('failed_others', ({ failedOthers }) => failedOthers),
    uint32.of('transactions_total', ({ transactionsTotal }) => transactionsTotal),
    texts.of('missing_reasons', ({ frame }) => frame.missing.map(({ reason }) => reason)),
    texts.of('missing_transactions', ({ frame }) => frame.missing.flatMap(({ signature }) => signature ?? [])),
  ],
}
