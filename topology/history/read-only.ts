// Runs one query of a user on the history: read-only, inside the database, within limits.
import { randomUUID } from 'node:crypto'
import { type ClickHouseClient, ClickHouseError, type ClickHouseSettings, createClient, type DataFormat } from '@clickhouse/client'
import { EngineError } from '../../schemas/errors.ts'
import { failureOf, wordsOf } from './failures.ts'
import { type Limits, refusedSetting } from './query-settings.ts'
import { CLUSTER_SETTINGS } from './tables/cluster.ts'
import { calledIn, verbOf } from './tables/statements.ts'
import type { HistoryTarget } from './target.ts'

export const ROWS_MAX = 10_000
export const QUERY_S_MAX = 10
const QUERY_BYTES_MAX = 192 * 1024 * 1024
const RESULT_BYTES_MAX = 64 * 1024 * 1024
/** Timeout of the request, above the query's own time limit. */
const REQUEST_MS_MAX = 15_000
/** Limits of a query unless it is unlimited. */
const LIMITS_SENT: Limits = {
  limit: ROWS_MAX,
  max_result_rows: ROWS_MAX,
  max_result_bytes: RESULT_BYTES_MAX,
  max_execution_time: QUERY_S_MAX,
  max_memory_usage: QUERY_BYTES_MAX,
}
const UNLIMITED_MS_MAX = 24 * 3_600_000
const KILL_MS_MAX = 2_000
/** A header of every ClickHouse response. */
const OF_CLICKHOUSE = 'x-clickhouse-query-id'

/**
 * Functions and table functions that reach files, other machines or programs. The embedded engine refuses them to its readers; a server's
 * user may have any rights.
 */
const OUTSIDE: ReadonlySet<string> = new Set(
  `file catboostevaluate filecluster filesystem url urlcluster input executable eval remote remotesecure cluster clusterallreplicas
  s3 s3cluster gcs oss cosn hdfs hdfscluster azureblobstorage azureblobstoragecluster mysql postgresql mongodb redis sqlite odbc
  jdbc arrowflight ytsaurus python hudi hudicluster deltalake deltalakecluster deltalakeazure deltalakeazurecluster deltalakes3
  deltalakes3cluster deltalakelocal iceberg icebergcluster iceberglocal iceberglocalcluster icebergs3 icebergs3cluster
  icebergazure icebergazurecluster iceberghdfs iceberghdfscluster paimon paimoncluster paimonlocal paimons3 paimons3cluster
  paimonazure paimonazurecluster paimonhdfs paimonhdfscluster prometheusquery prometheusqueryrange`.split(/\s+/),
)

export interface ReadOnlyQuery {
  readonly sql: string
  /** The format if the query has no FORMAT clause, such as PrettyCompact. */
  readonly format: string
  /** Values of the `{name:Type}` parameters. */
  readonly params: Readonly<Record<string, string>>
  readonly isUnlimited: boolean
  /** Aborts the query, also on the server. */
  readonly stop: AbortSignal
}

/** Why a query was rejected, by this module or by the engine. */
export interface RefusedQuery {
  readonly ok: false
  readonly reason: string
}
export interface ReadOnlyAnswer {
  readonly ok: true
  /** Bytes in the requested format. Nothing arrives before the query has succeeded. */
  readonly body: AsyncIterable<Uint8Array>
  /** True if the result has as many rows as the limit: it may be truncated. */
  readonly isCut: boolean
}

/** Codes of exceeded limits: TOO_MANY_ROWS, TIMEOUT_EXCEEDED, MEMORY_LIMIT_EXCEEDED, TOO_MANY_BYTES, TOO_MANY_ROWS_OR_BYTES. */
const LIMITS = new Set(['158', '159', '241', '307', '396'])
/** Codes of external failures: authentication, too many queries, cancelled. */
const WORLD = new Set(['516', '192', '193', '194', '195', '202', '394'])

/**
 * Runs one query. An invalid, forbidden or limit-exceeding query is returned as a value.
 * @param use gets the result; the connection is closed when it returns. @throws EngineError if the server does not respond
 */
export const askReadOnly = async <T>(
  target: HistoryTarget,
  query: ReadOnlyQuery,
  use: (answer: ReadOnlyAnswer | RefusedQuery) => Promise<T>,
): Promise<T> => {
  const reason = reasonAgainst(query)
  if (reason !== undefined) return use({ ok: false, reason })
  const client = createClient({
    url: target.url,
    username: target.username,
    password: target.password,
    application: 'mintfold sql',
    request_timeout: query.isUnlimited ? UNLIMITED_MS_MAX : REQUEST_MS_MAX,
    log: { level: 127 },
  })
  try {
    return await use(await ask(client, target, query))
  } finally {
    await client.close()
  }
}

/** Why the query is rejected before it is sent. */
const reasonAgainst = ({ sql, isUnlimited }: ReadOnlyQuery): string | undefined => {
  const outside = [...calledIn(sql)].find((name) => OUTSIDE.has(name))
  if (outside !== undefined) return `${outside}() reaches outside the history: it is not allowed here`
  const verb = verbOf(sql)
  // A read-only user may still kill its own queries, which on a server include those of the sink.
  if (verb === 'kill') return 'KILL ends queries of other clients: it is not allowed here'
  if (verb === 'set') return 'SET has no effect on later queries: write SETTINGS name = value at the end of the query'
  return refusedSetting(sql, isUnlimited ? null : LIMITS_SENT)
}

const ask = async (client: ClickHouseClient, target: HistoryTarget, query: ReadOnlyQuery): Promise<ReadOnlyAnswer | RefusedQuery> => {
  const id = randomUUID()
  const kill = (): void => void killQuery(target, id)
  query.stop.addEventListener('abort', kill, { once: true })
  try {
    const {
      stream,
      summary,
      response_headers: headers,
    } = await client.exec({
      query: query.sql,
      query_id: id,
      abort_signal: query.stop,
      clickhouse_settings: settingsOf(target, query),
    })
    if (headers[OF_CLICKHOUSE] === undefined) throw new Error('it is not a ClickHouse server')
    return { ok: true, body: wholeOf(stream, target), isCut: !query.isUnlimited && Number(summary?.result_rows ?? 0) >= ROWS_MAX }
  } catch (error) {
    if (query.stop.aborted) throw new EngineError('history_query', 'stopped before the query ended')
    if (!(error instanceof ClickHouseError) || WORLD.has(error.code)) throw failureOf(error, target.url)
    const isLimit = LIMITS.has(error.code) && !query.isUnlimited
    return { ok: false, reason: `${wordsOf(error)}${isLimit ? ' (--unlimited lifts the limits)' : ''}` }
  } finally {
    query.stop.removeEventListener('abort', kill)
  }
}

/** @throws EngineError if the connection ends in the middle */
async function* wholeOf(stream: AsyncIterable<Uint8Array>, { url }: HistoryTarget): AsyncGenerator<Uint8Array> {
  try {
    yield* stream
  } catch (cause) {
    throw failureOf(cause, url)
  }
}

/**
 * `limit` truncates the result; rows of a union beyond it are an error. The server checks the name of the format. 64-bit integers are
 * strings in JSON, because JavaScript would lose their last digits.
 */
const settingsOf = (
  { database, cluster, isReader }: HistoryTarget,
  { sql, format, params, isUnlimited }: ReadOnlyQuery,
): ClickHouseSettings => ({
  database,
  ...(cluster !== undefined && CLUSTER_SETTINGS),
  default_format: format as DataFormat,
  wait_end_of_query: 1,
  output_format_json_quote_64bit_integers: 1,
  ...(isReader !== true && { readonly: '2' }),
  ...(isUnlimited ? isReader !== true && { max_execution_time: 0 } : LIMITS_SENT),
  ...paramsOf(sql, params),
})

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }
/** ClickHouse parses a value as a TSV field, in which lists are written as in SQL. */
const paramsOf = (sql: string, params: ReadOnlyQuery['params']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      const isList = new RegExp(`\\{\\s*${name}\\s*:\\s*(Array|Tuple|Map)\\b`, 'i').test(sql)
      return [`param_${name}`, isList ? value : value.replace(/[\\\t\n\r]/g, (character) => ESCAPES[character] ?? character)]
    }),
  )

/** Disconnecting does not end a query on the server. */
const killQuery = async ({ url, username, password }: HistoryTarget, id: string): Promise<void> => {
  const client = createClient({ url, username, password, request_timeout: KILL_MS_MAX, log: { level: 127 } })
  await client.command({ query: `KILL QUERY WHERE query_id = '${id}' ASYNC` }).catch(() => undefined)
  await client.close()
}
