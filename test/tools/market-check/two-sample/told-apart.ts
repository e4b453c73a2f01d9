// Compares logged launches of the demo with each recorded table, and prints how well a classifier tells the two apart.
import { type Compared, compare, type Result } from './compare.ts'
import { HEAD_COLUMNS, HEADS_PATH, recordedHeads, simulatedHeads } from './curve-heads.ts'
import { recordedTracks, simulatedTracks, TRACK_COLUMNS, TRACKS_PATH } from './curve-tracks.ts'
import type { LoggedLaunch } from './launch-log.ts'
import * as partial from './partial-views.ts'
import { readTable, type TableRow } from './recorded-tables.ts'

/** The larger AUC of a table may not be above this, unless its interval reaches it. */
const AUC_MAX = 0.75

interface Table {
  readonly path: string
  readonly isJudged: boolean
  readonly compared: (table: readonly TableRow[], launches: readonly LoggedLaunch[]) => Compared
}

const TABLES: readonly Table[] = [
  {
    path: TRACKS_PATH,
    isJudged: true,
    compared: (table, launches) => ({
      columns: TRACK_COLUMNS,
      recorded: recordedTracks(table),
      simulated: simulatedTracks(table, launches),
    }),
  },
  {
    path: HEADS_PATH,
    isJudged: true,
    compared: (table, launches) => ({ columns: HEAD_COLUMNS, recorded: recordedHeads(table), simulated: simulatedHeads(table, launches) }),
  },
  {
    path: partial.TOKENS_PATH,
    isJudged: false,
    compared: (table, launches) => ({
      columns: partial.TOKEN_COLUMNS,
      recorded: partial.recordedTokens(table),
      simulated: partial.simulatedTokens(launches),
    }),
  },
  {
    path: partial.TRADERS_PATH,
    isJudged: false,
    compared: (table, launches) => ({
      columns: partial.TRADERS_COLUMNS,
      recorded: partial.recordedTraders(table),
      simulated: partial.simulatedTraders(launches),
    }),
  },
]

export interface ToldApart {
  readonly text: string
  /** False if a judged table is told apart; true without the tables. */
  readonly isAlike: boolean
}

const quartiles = (values: readonly number[]): string => {
  const sorted = values.toSorted((a, b) => a - b)
  return [0.25, 0.5, 0.75].map((part) => (sorted[Math.floor(part * sorted.length)] as number).toFixed(2)).join(' / ')
}

const lineOf = ({ classifier, auc, low, high, explanation }: Result): string =>
  `  ${classifier}: AUC ${auc.toFixed(3)} (95 %: ${low.toFixed(3)} to ${high.toFixed(3)}); recorded: ${explanation}`

const describe = ({ path, isJudged }: Table, compared: Compared, results: readonly Result[]): ToldApart => {
  const { auc, low } = results[0] as Result
  const isAlike = !isJudged || auc <= AUC_MAX || low <= AUC_MAX
  const verdict = isJudged ? (isAlike ? 'yes' : 'no') : 'not judged: a partial view'
  const columns = compared.columns.map((column, n) => {
    const of = (rows: Compared['recorded']): string => quartiles(rows.map(({ figures }) => figures[n] as number))
    return `    ${column.padEnd(28)} recorded ${of(compared.recorded).padEnd(24)} simulated ${of(compared.simulated)}`
  })
  const head = `${path}: ${compared.recorded.length} recorded, ${compared.simulated.length} simulated launches; alike: ${verdict}`
  return { text: [head, ...results.map(lineOf), ...columns].join('\n'), isAlike }
}

/** A table that this machine does not have is skipped, with a line that reports it. */
export const toldApart = (launches: readonly LoggedLaunch[]): ToldApart => {
  const parts = TABLES.map((table): ToldApart => {
    const rows = readTable(table.path)
    if (rows === undefined) return { text: `SKIPPED: ${table.path} is not in ../shared/data/solana`, isAlike: true }
    const compared = table.compared(rows, launches)
    return describe(table, compared, compare(compared))
  })
  return { text: parts.map(({ text }) => text).join('\n'), isAlike: parts.every(({ isAlike }) => isAlike) }
}
