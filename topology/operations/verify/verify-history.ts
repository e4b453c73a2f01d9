// Verifies the history against the log: every row exists once, with the values of its record; and reserves are consistent from trade to
// trade.
//
// Slots that the sink has committed are compared, range by range; for slots that the log no longer retains, only gaps and reserves are
// checked. Log and history may be written meanwhile.
import type { TapeFinding } from '../../../processors/verify/finding.ts'
import { TapeCheck } from '../../../processors/verify/tape-check.ts'
import { EngineError } from '../../../schemas/errors.ts'
import type { HistoryClient } from '../../history/client.ts'
import type { WireRow } from '../../history/rows/row-reader.ts'
import type { LogReader } from '../../ports/log.ts'
import { boundsOf, type CheckBounds } from './bounds.ts'
import { Differences, type TableFinding } from './differences.ts'
import { HistoryRows } from './history-rows.ts'
import { LogRows, type RowsByTable, type VerifiedChain, type VerifiedTopology, verifiedChain } from './log-rows.ts'
import { batchesOf } from './stored-batches.ts'
import type { CheckedTable } from './tables.ts'

/** Approximate number of rows of a range. The number of frames of a range starts at the minimum and adapts to the rows found. */
const RANGE_ROWS = 20_000
const RANGE_FRAMES_MIN = 16
const RANGE_FRAMES_MAX = 4_096

export type HistoryFinding = TapeFinding | TableFinding

export interface HistoryReport {
  /** First slot that was checked. */
  readonly since: number
  /** First and last slot that were compared with the log. */
  readonly from: number
  readonly to: number
  /** Number of rows of the log that were compared. */
  readonly rows: number
  readonly counts: TapeCheck['counts']
}

export interface VerifyOptions {
  readonly topology: VerifiedTopology
  readonly log: LogReader
  /** Offsets of the newest commit of this history's sink. */
  readonly settled: ReadonlyMap<string, number>
  readonly client: HistoryClient
  /** Called with each finding when found; those about tables come at the end. */
  readonly found: (finding: HistoryFinding) => Promise<void>
  /** Called with the number of frames checked, and the share, 0 to 1. */
  readonly progress: (frames: number, share: number) => void
  readonly stop: AbortSignal
}

/** Ends early when stopped. @throws EngineError `history_empty` if there is nothing to compare; any error of reading either side */
export const verifyHistory = async (options: VerifyOptions): Promise<HistoryReport> => {
  const { topology, log, settled, client } = options
  const verified = verifiedChain(topology)
  const { chain, topics, tables } = verified
  const rows = new HistoryRows(client, tables)
  const since = await rows.since()
  const bounds = since && (await boundsOf(log, chain, topics, settled, since.time))
  if (since === null || bounds === null)
    throw new EngineError('history_empty', 'the history has no rows of this log yet: run mintfold up until its sink has written some')
  return new Verification(options, verified, rows, new LogRows(log, verified, settled), bounds, since.slot).run()
}

class Verification {
  readonly #options: VerifyOptions
  readonly #verified: VerifiedChain
  readonly #history: HistoryRows
  readonly #log: LogRows
  readonly #bounds: CheckBounds
  readonly #since: number
  readonly #check: TapeCheck
  readonly #differences: Differences
  #frames = RANGE_FRAMES_MIN

  constructor(options: VerifyOptions, verified: VerifiedChain, history: HistoryRows, log: LogRows, bounds: CheckBounds, since: number) {
    this.#options = options
    this.#verified = verified
    this.#check = new TapeCheck(verified.chain)
    this.#differences = new Differences(verified.chain.name)
    this.#history = history
    this.#log = log
    this.#bounds = bounds
    this.#since = Math.min(since, bounds.from)
  }
  async run(): Promise<HistoryReport> {
    const { stop, found } = this.#options
    const { from: first, to: last } = this.#bounds
    for (let from = this.#since; from < first && !stop.aborted; ) {
      const to = (await this.#history.slotAfter(from, first - 1, this.#frames)) ?? first - 1
      await this.#range(from, to, null)
      from = to + 1
    }
    for (let from = first; from <= last && !stop.aborted; ) {
      const to = await this.#log.advance(this.#frames, last)
      if (from === first) this.#log.take(first - 1)
      if (to < from) continue
      await this.#range(from, to, this.#log.take(to))
      from = to + 1
    }
    await this.#rest()
    for (const finding of this.#differences.findings()) await found(finding)
    return { since: this.#since, from: first, to: last, rows: this.#differences.compared, counts: this.#check.counts }
  }

  /** `expected` is null for slots that the log no longer retains. */
  async #range(from: number, to: number, expected: RowsByTable | null): Promise<void> {
    const held = await this.#held(from, to)
    if (held === undefined) return this.#halves(from, to, expected)
    if (expected !== null) this.#differences.range(this.#kept(expected), this.#keptRows(held))
    const before = this.#check.counts.frames
    for (const batch of batchesOf(held, this.#verified)) for (const finding of this.#check.batch(batch)) await this.#options.found(finding)
    const { frames } = this.#check.counts
    this.#fit(frames - before, held)
    this.#options.progress(frames, (to - this.#since + 1) / (this.#bounds.to - this.#since + 1))
  }
  async #halves(from: number, to: number, expected: RowsByTable | null): Promise<void> {
    if (from === to) throw new EngineError('history_query', `slot ${from} of the history has more rows than fit into memory at once`)
    const middle = Math.floor((from + to) / 2)
    const part = (isWanted: (slot: number) => boolean): RowsByTable | null =>
      expected && filtered(expected, (table, row) => isWanted(table.slotOf(row) ?? 0))
    await this.#range(
      from,
      middle,
      part((slot) => slot <= middle),
    )
    await this.#range(
      middle + 1,
      to,
      part((slot) => slot > middle),
    )
  }
  /** Undefined if there are too many rows. */
  async #held(from: number, to: number): Promise<ReadonlyMap<CheckedTable, readonly WireRow[]> | undefined> {
    const read = await Promise.all(
      this.#verified.checked.map(async (table) => [table, await this.#history.between(table, from, to)] as const),
    )
    const held = new Map<CheckedTable, readonly WireRow[]>()
    for (const [table, rows] of read) {
      if (rows === undefined) return undefined
      held.set(table, rows)
    }
    return held
  }
  /** Compares rows without a slot: the history must have all rows of the log, and may have newer ones. */
  async #rest(): Promise<void> {
    const expected = this.#log.takeRest()
    const held = new Map<CheckedTable, readonly WireRow[]>()
    for (const [table, rows] of expected)
      if (rows.size > 0)
        held.set(
          table,
          (await this.#history.rest(table, rows.size)).filter((row) => rows.has(table.identityOf(row))),
        )
    this.#differences.range(expected, held)
  }
  #kept(expected: RowsByTable): RowsByTable {
    return filtered(expected, (table, row) => (table.slotOf(row) ?? 0) >= this.#bounds.lowOf(table.role))
  }
  #keptRows(held: ReadonlyMap<CheckedTable, readonly WireRow[]>): ReadonlyMap<CheckedTable, readonly WireRow[]> {
    const isKept = (table: CheckedTable, row: WireRow): boolean => (table.slotOf(row) ?? 0) >= this.#bounds.lowOf(table.role)
    return new Map([...held].map(([table, rows]) => [table, rows.filter((row) => isKept(table, row))]))
  }
  #fit(frames: number, held: ReadonlyMap<CheckedTable, readonly WireRow[]>): void {
    let rows = 0
    for (const ofTable of held.values()) rows += ofTable.length
    const fitting = rows === 0 ? RANGE_FRAMES_MAX : Math.floor((frames * RANGE_ROWS) / rows)
    this.#frames = Math.min(Math.max(fitting, RANGE_FRAMES_MIN), this.#frames * 4, RANGE_FRAMES_MAX)
  }
}

const filtered = (rows: RowsByTable, isWanted: (table: CheckedTable, row: WireRow) => boolean): RowsByTable =>
  new Map([...rows].map(([table, ofTable]) => [table, new Map([...ofTable].filter(([, row]) => isWanted(table, row)))]))
