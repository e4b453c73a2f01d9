// The only client of ClickHouse, embedded or a server: limits time, rows and bytes, and turns every failure into an EngineError.
import { Readable } from 'node:stream'
import { type ClickHouseClient, type ClickHouseSettings, createClient } from '@clickhouse/client'
import { EngineError } from '../../schemas/errors.ts'
import { failureOf, isAway, isExchanged, isUnknownUser, tooOld } from './failures.ts'
import { CLUSTER_ALTER, CLUSTER_SETTINGS, clusterStatements } from './tables/cluster.ts'
import type { HistoryTarget } from './target.ts'

/** The oldest supported version: tests create the tables and run the guide's queries on this version and on the newest. */
export const VERSION_MIN = '25.8'
const REQUEST_MS_MAX = 30_000
/** Below the request timeout, so that the server's own error is reported. */
const QUERY_S_MAX = 25
const CONNECTIONS_MAX = 4
/** Size limit of one response with rows. */
const BODY_BYTES_MAX = 16 * 1024 * 1024
const ROWS_MAX = 100_000

/** Rows of one table, encoded by the caller. */
interface InsertBatch {
  /** Name inside the target's database. */
  readonly table: string
  /** In the order of the body; absent: all columns of the table. */
  readonly columns?: readonly string[]
  readonly format: 'JSONCompactEachRow' | 'JSONEachRow' | 'RowBinary' | 'Native' | 'Avro'
  readonly body: Buffer
}

/** Every method rejects only with EngineError; `retriable` states whether the same call may succeed later. */
export interface HistoryClient {
  readonly database: string
  /** Name of the cluster; undefined for one server. */
  readonly cluster?: string | undefined
  /**
   * Rows of a query whose table names include the database; parameters are bound by `{name:Type}`. A truncated response is a failure.
   * `stop` ends it, on the server too.
   */
  rows<Row>(sql: string, params?: Readonly<Record<string, string | number>>, stop?: AbortSignal): Promise<readonly Row[]>
  /** The raw response of such a query in a ClickHouse format; undefined if it is larger than `bytesMax`. */
  bytes(
    sql: string,
    format: 'RowBinary' | 'Parquet',
    params: Readonly<Record<string, string | number>>,
    bytesMax: number,
  ): Promise<Buffer | undefined>
  /** Runs a statement without a result, on a cluster as `clusterStatements` rewrites it. Limited only by the request timeout. */
  command(sql: string): Promise<void>
  /** Resolves once the server has stored the rows. The whole batch may be retried after a failure. */
  insert(batch: InsertBatch): Promise<void>
  /** The server's version. @throws EngineError `history_version` if it is too old */
  checkVersion(): Promise<string>
  close(): Promise<void>
}

const READ_SETTINGS: ClickHouseSettings = {
  max_execution_time: QUERY_S_MAX,
  max_result_rows: String(ROWS_MAX),
  wait_end_of_query: 1,
  output_format_json_quote_64bit_integers: 0,
}
/** Skip indexes are built during merges: until then small parts are scanned completely. */
export const WRITE_SETTINGS: ClickHouseSettings = {
  async_insert: 0,
  materialize_skip_indexes_on_insert: 0,
  date_time_input_format: 'best_effort',
  wait_end_of_query: 1,
}
/** The server ends a query whose connection closes; it does so only for queries that cannot write. */
const STOPPABLE: ClickHouseSettings = { readonly: '2', cancel_http_readonly_queries_on_client_close: 1 }

/** Does not connect yet. */
export const createHistoryClient = (
  target: HistoryTarget,
  requestMsMax: number = REQUEST_MS_MAX,
  connectionsMax: number = CONNECTIONS_MAX,
): HistoryClient => {
  const urls = [target.url, ...(target.others ?? [])]
  const connect = ({ username, password }: Pick<HistoryTarget, 'username' | 'password'>): ClickHouseClient =>
    createClient({
      url: urls[0] as string,
      username,
      password,
      application: 'mintfold',
      request_timeout: requestMsMax,
      max_open_connections: connectionsMax,
      log: { level: 127 },
      ...(target.cluster !== undefined && { clickhouse_settings: CLUSTER_SETTINGS }),
    })
  let [client, known] = [connect(target), target.password]
  /** Connects with a changed password; false if the password has not changed. Requests in flight end by themselves. */
  const renew = (): boolean => {
    const next = target.renewed?.() ?? null
    if (next === null || next.password === known) return false
    known = next.password
    client = connect(next)
    return true
  }
  /** Connects to the next server; requests in flight end by themselves. */
  const moveOn = (): void => {
    urls.push(urls.shift() as string)
    client = connect({ ...target, password: known })
  }
  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    for (let tries = 1; ; tries++) {
      const url = urls[0] as string
      try {
        return await work().catch((error: unknown) => (isUnknownUser(error) && renew() ? work() : Promise.reject(error)))
      } catch (error) {
        if (!isAway(error) || tries >= urls.length) throw failureOf(error, url)
        // Another request may have moved on already.
        if (url === urls[0]) moveOn()
      }
    }
  }
  const read = <T>(work: () => Promise<T>): Promise<T> =>
    run(() => work().catch((error: unknown) => (isExchanged(error) ? work() : Promise.reject(error))))
  const engineOf = async (table: string): Promise<string | undefined> => {
    const { database } = target
    const sql = 'SELECT engine_full AS engine FROM system.tables WHERE database = {database:String} AND name = {table:String}'
    return (await read(() => rowsOf<{ engine: string }>(client, target, sql, { database, table })))[0]?.engine
  }
  const statementsFor = async (sql: string): Promise<readonly string[]> => {
    const { cluster, database } = target
    return cluster === undefined ? [sql] : clusterStatements(sql, { cluster, database, engineOf })
  }
  const commandSettings: ClickHouseSettings = { wait_end_of_query: 1, ...(target.cluster !== undefined && CLUSTER_ALTER) }
  return {
    database: target.database,
    cluster: target.cluster,
    rows: <Row>(sql: string, params: Readonly<Record<string, string | number>> = {}, stop?: AbortSignal) =>
      read(() => rowsOf<Row>(client, target, sql, params, stop)),
    bytes: (sql, format, params, bytesMax) =>
      read(async () => {
        const { stream } = await client.exec({
          query: `${sql}\nFORMAT ${format}`,
          query_params: { ...params },
          clickhouse_settings: { ...READ_SETTINGS, max_result_rows: '0' },
        })
        return bytesOf(stream, bytesMax)
      }),
    command: async (sql) => {
      for (const statement of await statementsFor(sql))
        await run(async () => void (await client.command({ query: statement, clickhouse_settings: commandSettings })))
    },
    insert: (batch) => run(() => insert(client, target, batch)),
    checkVersion: () => run(() => checkVersion(client, target)),
    close: () => client.close(),
  }
}

const rowsOf = async <Row>(
  client: ClickHouseClient,
  { url }: HistoryTarget,
  sql: string,
  params: Readonly<Record<string, string | number>>,
  stop?: AbortSignal,
): Promise<readonly Row[]> => {
  const asked = async (): Promise<string> => {
    // The library only listens for later aborts.
    stop?.throwIfAborted()
    const { stream } = await client.exec({
      query: `${sql}\nFORMAT JSONEachRow`,
      query_params: { ...params },
      clickhouse_settings: stop === undefined ? READ_SETTINGS : { ...READ_SETTINGS, ...STOPPABLE },
      ...(stop !== undefined && { abort_signal: stop }),
    })
    return textOf(stream, url)
  }
  const text = await asked().catch((error: unknown) => {
    throw stop?.aborted === true ? new EngineError('history_busy', 'the query was given up', { retriable: true, cause: error }) : error
  })
  if (text !== '' && !text.endsWith('\n')) throw failureOf(new Error('the response ends in the middle of a row'), url)
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Row]))
}

const textOf = async (stream: Readable, url: string): Promise<string> => {
  const bytes = await bytesOf(stream, BODY_BYTES_MAX)
  if (bytes === undefined) throw new EngineError('history_query', `the response of ${url} has more than ${BODY_BYTES_MAX} bytes`)
  return bytes.toString('utf8')
}

const bytesOf = async (stream: Readable, bytesMax: number): Promise<Buffer | undefined> => {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > bytesMax) {
      stream.destroy()
      return undefined
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const insert = async (client: ClickHouseClient, { database }: HistoryTarget, batch: InsertBatch): Promise<void> => {
  const columns = batch.columns === undefined ? '' : ` (${batch.columns.join(', ')})`
  const { stream } = await client.exec({
    query: `INSERT INTO ${database}.${batch.table}${columns} FORMAT ${batch.format}`,
    values: Readable.from([batch.body]),
    clickhouse_settings: WRITE_SETTINGS,
  })
  await stream.resume().toArray()
}

const checkVersion = async (client: ClickHouseClient, target: HistoryTarget): Promise<string> => {
  const [row] = await rowsOf<{ version?: unknown }>(client, target, 'SELECT version() AS version', {})
  const version = row?.version
  if (typeof version !== 'string' || !/^\d+\.\d+/.test(version)) throw new Error('it reports no version')
  if (isBelow(version, VERSION_MIN)) throw tooOld(version, VERSION_MIN)
  return version
}

const isBelow = (version: string, least: string): boolean => {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [leastMajor = 0, leastMinor = 0] = least.split('.').map(Number)
  return major === leastMajor ? minor < leastMinor : major < leastMajor
}
