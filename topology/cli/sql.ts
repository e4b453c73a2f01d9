// `mintfold sql QUERY`: one query on the history, read-only and limited.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { EngineError } from '../../schemas/errors.ts'
import { ClickHouseServer } from '../history/clickhouse-server.ts'
import { askReadOnly, QUERY_S_MAX, ROWS_MAX } from '../history/read-only.ts'
import type { HistoryTarget } from '../history/target.ts'
import { historyDirOf, readerOf } from '../history/where.ts'
import { type Io, type Register, UsageError } from './command.ts'
import { parseSettings, type Settings } from './settings.ts'

interface Options {
  readonly format: string
  readonly unlimited?: boolean
}

export const registerSql: Register = (program: Command, io: Io) => {
  program
    .command('sql')
    .summary('one query on the history')
    .description(
      'Asks one query of the history and prints its rows. Reads only: nothing is written, and no file and no other address is reached. ' +
        `At most ${ROWS_MAX.toLocaleString('en')} rows and ${QUERY_S_MAX} s. Asks the running mintfold of the data directory; where none runs, the ` +
        "history is opened for the query. SHOW TABLES lists the tables; SELECT name, comment FROM system.columns WHERE database = 'mintfold' says what is in them.",
    )
    .argument('<query>', 'a query in the SQL of ClickHouse')
    .option('--format <format>', 'an output format of ClickHouse: JSONEachRow, CSVWithNames, TSV, Parquet and others', 'PrettyCompact')
    .option('--unlimited', 'without limits on time, memory and rows')
    .action((query: string, options: Options) => sql(query, options, io))
}

const sql = async (query: string, options: Options, io: Io): Promise<void> => {
  if (query.trim() === '') throw new UsageError('the query is empty')
  const settings = parseSettings(io.env, { source: 'demo' })
  const running = await readerOf(settings.dataDir, settings.clickhouse)
  if (running !== null) return ask(running, query, options, io)
  const server = openHistory(settings)
  try {
    await server.start()
    await ask({ ...server.target(), username: 'default', password: '' }, query, options, io)
  } finally {
    await server.stop()
  }
}

/** The engine on the data directory, which nothing else has open. @throws EngineError when there is no history */
const openHistory = ({ dataDir, clickhouse: { database } }: Settings): ClickHouseServer => {
  const dir = historyDirOf(dataDir)
  if (!existsSync(join(dir, 'data')))
    throw new EngineError('history_down', `${dataDir} has no history yet: mintfold up makes one, and MINTFOLD_DATA_DIR names another place`)
  return new ClickHouseServer({ dir, port: 0, database })
}

const ask = (target: HistoryTarget, query: string, { format, unlimited }: Options, io: Io): Promise<void> =>
  askReadOnly(target, { sql: query, format, isUnlimited: unlimited === true, stop: io.stop }, async (answer) => {
    if (!answer.ok) throw new UsageError(answer.reason)
    for await (const chunk of answer.body) await io.out(chunk)
    if (answer.isCut) io.say(`the first ${ROWS_MAX.toLocaleString('en')} rows; there may be more (--unlimited shows all)`)
  })
