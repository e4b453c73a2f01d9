// The tables of a curve chain. Those of frames, dead letters and the sink itself have the same columns as on every chain.
import type { Column, HistoryTable } from './columns.ts'
import { address, bool, commonAddress, deleted, lowCardinality, number, seconds, text, texts, time, uint32, wei } from './columns.ts'
import { type ConclusionRow, DEAD_LETTERS, type FindingRow, type OutcomeRow } from './conclusion-tables.ts'
import { CURVE_EVENT_TABLES } from './curve-events.ts'
import { type FrameRow, RAW_FRAMES, TICKS } from './frame-tables.ts'
import type { HistoryTables } from './history-tables.ts'
import { LOGS, LOST_ROWS, PROGRESS } from './progress-table.ts'

/** Renames slot columns: this chain has blocks. */
const inBlocks = <Row>({ name, columns }: HistoryTable<Row>): HistoryTable<Row> => ({
  name: `alt_${name}`,
  columns: columns.map((column) => ({ ...column, name: column.name.replace(/slot$/, 'block') })),
})
/** Columns that this chain's frames lack: failed transactions leave no logs, and votes and native transfers are not captured. */
const UNCOUNTED = ['launchpad_failed', 'transfers', 'failed_others', 'transactions_total']

const frames = inBlocks<FrameRow>(RAW_FRAMES)

const common = <Row extends ConclusionRow<FindingRow['body'] | OutcomeRow['body']>>(): readonly Column<Row>[] => [
  number.of('block', ({ conclusion }) => conclusion.number),
  uint32.of('tx_index', ({ conclusion }) => conclusion.tx),
  uint32.of('log_index', ({ conclusion }) => conclusion.outer),
  text.of('hash8', ({ conclusion }) => conclusion.hash8),
  number.of('version', ({ offset }) => offset),
  deleted.of('is_deleted', ({ retractionId }) => retractionId !== null),
  time.of('at', ({ conclusion }) => conclusion.at),
  text.of('id', ({ conclusion }) => conclusion.id),
  address.of('token', ({ body }) => body.mint),
]

const flagsAt = (name: string): HistoryTable<FindingRow> => ({
  name,
  columns: [
    ...common<FindingRow>(),
    address.orNull('deployer', ({ body }) => body.creator),
    lowCardinality.of('flag', ({ body }) => body.flag),
    lowCardinality.of('detector', ({ body }) => body.detector),
    uint32.of('detector_version', ({ body }) => body.detectorVersion),
    lowCardinality.orNull('detector_hash', ({ body }) => body.detectorHash),
    seconds.orNull('age_s', ({ body }) => body.mintAgeS),
    text.of('evidence', ({ body }) => body.evidence),
    texts.of('events', ({ body }) => body.events),
    text.orNull('retraction_id', ({ retractionId }) => retractionId),
  ],
})

const OUTCOMES: HistoryTable<OutcomeRow> = {
  name: 'alt_outcomes_log',
  columns: [
    ...common<OutcomeRow>(),
    address.of('deployer', ({ body }) => body.creator),
    time.of('t0', ({ body }) => body.t0),
    number.of('block0', ({ body }) => body.slot0),
    bool.orNull('graduated', ({ body }) => body.graduated),
    bool.orNull('rugged', ({ body }) => body.rugged),
    lowCardinality.orNull('rug_kind', ({ body }) => body.rugKind),
    seconds.orNull('rug_dt_s', ({ body }) => body.rugDtS),
    wei.of('peak_quote_units', ({ body }) => body.peakQuoteUnits),
    wei.of('terminal_quote_units', ({ body }) => body.terminalQuoteUnits),
    commonAddress.orNull('pair_token', ({ body }) => body.quoteMint),
    seconds.orNull('deployer_first_sell_dt_s', ({ body }) => body.devFirstSellDtS),
    wei.of('deployer_buy_quote_units', ({ body }) => body.devBuyQuoteUnits),
    number.of('n_trades', ({ body }) => body.trades),
    number.of('n_buyers', ({ body }) => body.buyers),
    bool.of('self_graduated', ({ body }) => body.selfGraduated),
    lowCardinality.orNull('censored', ({ body }) => body.censored),
  ],
}

/** Rows are looked up by the type that names their table. */
const byType = <Row>(tables: Readonly<Record<string, unknown>>): ReadonlyMap<string, Row> =>
  new Map(Object.entries(tables)) as ReadonlyMap<string, Row>

export const CURVE_TABLES: HistoryTables = {
  owner: 'sink-clickhouse-alt',
  events: byType(CURVE_EVENT_TABLES),
  ticks: inBlocks(TICKS),
  frames: { ...frames, columns: frames.columns.filter(({ name }) => !UNCOUNTED.includes(name)) },
  conclusions: byType({ finding: flagsAt('alt_flags_log'), shadowFinding: flagsAt('alt_shadow_flags_log'), outcome: OUTCOMES }),
  deadLetters: inBlocks(DEAD_LETTERS),
  logs: inBlocks(LOGS),
  progress: inBlocks(PROGRESS),
  lost: inBlocks(LOST_ROWS),
  number: 'block',
  sums: [],
}
