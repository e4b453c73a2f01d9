// The tables of a mint chain.
import { DEAD_LETTERS, FLAGS, LAUNCH_SHAPES, OUTCOMES, SHADOW_FLAGS, WALLET_ROLES } from './conclusion-tables.ts'
import { RAW_FRAMES, TICKS } from './frame-tables.ts'
import type { HistoryTables } from './history-tables.ts'
import { JUDGEMENTS, ODDS } from './odds-tables.ts'
import { LOGS, LOST_ROWS, PROGRESS } from './progress-table.ts'
import { TAPE_TABLES } from './tape-tables.ts'

/** Rows are looked up by the type that names their table. */
const byType = <Row>(tables: Readonly<Record<string, unknown>>): ReadonlyMap<string, Row> =>
  new Map(Object.entries(tables)) as ReadonlyMap<string, Row>

export const MINT_TABLES: HistoryTables = {
  owner: 'sink-clickhouse',
  events: byType(TAPE_TABLES),
  ticks: TICKS,
  frames: RAW_FRAMES,
  conclusions: byType({
    ...{ finding: FLAGS, shadowFinding: SHADOW_FLAGS, outcome: OUTCOMES, role: WALLET_ROLES, shape: LAUNCH_SHAPES },
    ...{ judgement: JUDGEMENTS, odds: ODDS },
  }),
  deadLetters: DEAD_LETTERS,
  logs: LOGS,
  progress: PROGRESS,
  lost: LOST_ROWS,
  number: 'slot',
  sums: ['wallet_spans_log', 'wallet_results_log'],
}
