// `mintfold sql QUERY`: one read-only, limited query on the history.
import { InvalidArgumentError } from 'commander'
import { printable } from '../../../processors/text.ts'
import { OWNER, READER } from '../../history/engine/access.ts'
import { askReadOnly, QUERY_S_MAX, ROWS_MAX } from '../../history/read-only.ts'
import type { HistoryTarget } from '../../history/target.ts'
import { type Io, type Register, UsageError } from '../command.ts'
import { settingsWithoutApi } from '../settings/settings.ts'
import { noticeFilling } from '../wiring/filling-notice.ts'
import { reachHistory } from '../wiring/reach-history.ts'
import { printAccess } from './sql-access.ts'

interface Options {
  readonly format: string
  readonly unlimited?: boolean
  readonly access?: boolean
  readonly param?: Readonly<Record<string, string>>
}

const PARAM = /^([A-Za-z_]\w*)=([\s\S]*)$/
const withParam = (text: string, known: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> => {
  const [, name, value] = PARAM.exec(text) ?? []
  if (name === undefined || value === undefined) throw new InvalidArgumentError('write name=value, such as mint=9xQe')
  if (known[name] !== undefined) throw new InvalidArgumentError(`${name} already has a value`)
  return { ...known, [name]: value }
}

export const register: Register = (command, io) => {
  command
    .description(
      'Runs one query on the history and prints its rows. Read-only: it writes nothing and reaches no file and no other address. ' +
        `At most ${ROWS_MAX.toLocaleString('en')} rows and ${QUERY_S_MAX} s. Queries the running mintfold of the data directory; if none runs, the ` +
        "history is opened for the query. The query may end with SETTINGS that raise no limit. SHOW TABLES lists the tables; SELECT name, comment FROM system.columns WHERE database = 'mintfold' describes their columns.",
    )
    .argument('[query]', 'a query in the SQL of ClickHouse')
    .option('--format <format>', 'an output format of ClickHouse: JSONEachRow, CSVWithNames, TSV, Parquet and others', 'PrettyCompact')
    .option('--param <name=value>', 'a value for {name:Type} in the query, such as {mint:String}; repeatable', withParam)
    .option('--unlimited', 'no limits on time, memory and rows; temporary files stay limited')
    .option('--access', 'print address, user and password of the history, and how curl, Python, DuckDB and JDBC use them')
    .action((query: string | undefined, options: Options) => sql(query, options, io))
}

const sql = async (query: string | undefined, options: Options, io: Io): Promise<void> => {
  const settings = settingsWithoutApi(io.env)
  if (options.access === true) {
    if (query !== undefined) throw new UsageError('--access takes no query')
    return printAccess(settings, io)
  }
  if (query === undefined || query.trim() === '')
    throw new UsageError('the query is empty: give one, such as "SELECT count() FROM mintfold.trades"')
  await noticeFilling(settings, io)
  await reachHistory(settings, options.unlimited === true ? OWNER : READER, (target) => ask(target, query, options, io))
}

/** Hides storage tables from a bare SHOW TABLES, on a server whose user can see them. */
const withoutStorage = (query: string): string =>
  query.replace(
    /^(\s*SHOW\s+TABLES(?:\s+(?:FROM|IN)\s+[`"\w]+)?)(\s+FORMAT\s+\w+)?\s*;?\s*$/i,
    "$1 WHERE NOT match(name, '^[.]inner|_log$|_refresh$|^schema_')$2",
  )

/** Formats read on a terminal: names written by creators must not act on it. Other formats pass rows unchanged. */
const isForPeople = (format: string): boolean => /^(Pretty|Vertical)/i.test(format)

const ask = (target: HistoryTarget, query: string, { format, unlimited, param = {} }: Options, io: Io): Promise<void> => {
  const asked = { sql: withoutStorage(query), format, params: param, isUnlimited: unlimited === true, stop: io.stop }
  return askReadOnly(target, asked, async (answer) => {
    if (!answer.ok) throw new UsageError(answer.reason)
    const words = new TextDecoder()
    const shown = isForPeople(format)
      ? (chunk: Uint8Array) => printable(words.decode(chunk, { stream: true }))
      : (chunk: Uint8Array) => chunk
    for await (const chunk of answer.body) await io.out(shown(chunk))
    if (!answer.isCut) return
    io.printNotice(`the first ${ROWS_MAX.toLocaleString('en')} rows; there may be more (--unlimited shows all)`)
    // A script that stores the rows must notice that they are incomplete.
    if (!isForPeople(format)) io.setExitCode(1)
  })
}
