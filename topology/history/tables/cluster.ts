// Rewrites statements for a ClickHouse cluster. The files of deploy/clickhouse are written for one server; on a cluster each stored table
// `x` is a Replicated table `x_local` on every server and a Distributed table `x` over it, so that queries and inserts stay as they are.
import { EngineError } from '../../../schemas/errors.ts'

/** Suffix of the table that stores a server's rows. */
const LOCAL = '_local'
/** Tables with rows, as opposed to views. */
const isStored = (table: string): boolean => /_log$|^schema_/.test(table)
const localOf = (table: string): string => (isStored(table) ? `${table}${LOCAL}` : table)

const COMMENTS = /^(?:--[^\n]*\n|\s)+/
const CREATE_DATABASE = /^CREATE DATABASE IF NOT EXISTS \w+/
const CREATE_TABLE = /^CREATE TABLE IF NOT EXISTS (\w+)\.(\w+)(?: AS \w+\.(\w+))?\s*([\s\S]*)$/
const CREATE_VIEW = /^(CREATE (?:OR REPLACE )?(?:MATERIALIZED )?VIEW (?:IF NOT EXISTS )?\w+\.\w+)([\s\S]*)$/
const OF_TABLE = /^((?:ALTER|TRUNCATE|OPTIMIZE) TABLE) (\w+)\.(\w+)([\s\S]*)$/
const DROP = /^DROP (?:VIEW|TABLE) IF EXISTS \w+\.\w+/
const CHANGES_COLUMNS = /\b(?:ADD|MODIFY|DROP|RENAME) COLUMN\b/
const ENGINE = /\bENGINE = (\w*MergeTree)(?:\(([^)]*)\))?/
const OUTER_SETTINGS = /\nSETTINGS (?![\s\S]*\nSETTINGS )/
const OUTER_COMMENT = /\nCOMMENT '[^\n]*$/
/** Refreshes look back two minutes for rows that arrived late: replicas that lag by more than half of that are not read. */
const REPLICA_DELAY_S_MAX = '60'

/**
 * Settings of every query and insert. A shard may read other shards for a subquery in IN or JOIN; `global` fails for some unions in IN. With
 * the second setting, ClickHouse sends conditions on times near 1970, as of an empty history, in a form that shards cannot read (both seen
 * with 26.7). Inserts end once their rows are on the majority of the replicas of their shard, so that none is lost with a replica.
 */
export const CLUSTER_SETTINGS = {
  distributed_product_mode: 'allow',
  allow_push_predicate_ast_for_distributed_subqueries: 0,
  max_replica_delay_for_distributed_queries: REPLICA_DELAY_S_MAX,
  fallback_to_stale_replicas_for_distributed_queries: 0,
  distributed_foreground_insert: 1,
  insert_quorum: 'auto',
} as const
/** Of statements: a column is on every replica before the distributed table is replaced by one that has it. */
export const CLUSTER_ALTER = { alter_sync: '2' } as const
const SETTINGS = Object.entries(CLUSTER_SETTINGS)
  .map(([name, value]) => `${name} = ${typeof value === 'string' ? `'${value}'` : value}`)
  .join(', ')

export interface ClusterOptions {
  /** Name of the cluster in `remote_servers` of each server. */
  readonly cluster: string
  readonly database: string
  /** `engine_full` of a table as in system.tables; undefined if there is no such table. */
  readonly engineOf: (table: string) => Promise<string | undefined>
}

/** The statements to run instead of one, in order. Statements that change no table or view stay as they are. */
export const clusterStatements = async (statement: string, options: ClusterOptions): Promise<readonly string[]> => {
  const { cluster } = options
  const sql = statement.replace(COMMENTS, '')
  const named = CREATE_DATABASE.exec(sql) ?? DROP.exec(sql)
  if (named !== null) return [`${named[0]} ON CLUSTER ${cluster}${sql.slice(named[0].length)}`]
  const view = CREATE_VIEW.exec(sql)
  if (view !== null) return [`${view[1]} ON CLUSTER ${cluster}${overShards(view[2] as string)}`]
  const created = CREATE_TABLE.exec(sql)
  if (created !== null) return tables(created, options)
  const changed = OF_TABLE.exec(sql)
  return changed === null ? [sql] : changes(changed, options)
}

/** A refresh of a view takes the settings of its query, also for its inserts. */
const overShards = (query: string): string => {
  if (OUTER_SETTINGS.test(query)) return query.replace(OUTER_SETTINGS, `\nSETTINGS ${SETTINGS}, `)
  const comment = OUTER_COMMENT.exec(query)?.[0] ?? ''
  return `${query.slice(0, query.length - comment.length)}\nSETTINGS ${SETTINGS}${comment}`
}

const tables = async (
  [, database, table = '', source, body = '']: RegExpExecArray,
  options: ClusterOptions,
): Promise<readonly string[]> => {
  const { cluster } = options
  const definition = source === undefined ? body : `ENGINE = ${withoutPath(await knownEngine(localOf(source), options))}`
  const path = `'/clickhouse/tables/{shard}/${database}/${table}', '{replica}'`
  const replicated = definition.replace(
    ENGINE,
    (_, engine: string, args = '') => `ENGINE = Replicated${engine}(${path}${args && `, ${args}`})`,
  )
  const columns = source === undefined ? '' : `AS ${database}.${localOf(source)} `
  const key = source === undefined ? shardKeyOf(body) : shardKeyIn(await knownEngine(source, options))
  return [
    `CREATE TABLE IF NOT EXISTS ${database}.${localOf(table)} ON CLUSTER ${cluster} ${columns}${replicated}`,
    `CREATE TABLE IF NOT EXISTS ${distributed(table, key, options)}`,
  ]
}

const distributed = (table: string, key: string, { cluster, database }: ClusterOptions): string => {
  const [named, local] = [`${database}.${table} ON CLUSTER ${cluster}`, localOf(table)]
  return `${named} AS ${database}.${local} ENGINE = Distributed('${cluster}', '${database}', '${local}', cityHash64(${key}))`
}

/**
 * A launch's rows are on one shard. Tables without launches are split by their first key column. Either way all rows of a key are on one
 * shard, where they replace each other.
 */
const shardKeyOf = (definition: string): string =>
  /^\s*(mint|token) String/m.exec(definition)?.[1] ?? (/ORDER BY \(?(\w+)/.exec(definition)?.[1] as string)

const shardKeyIn = (engine: string): string => /cityHash64\((\w+)\)/.exec(engine)?.[1] as string

/** `ReplicatedX('path', 'replica', a, b) ORDER BY k` as `X(a, b) ORDER BY k`. */
const withoutPath = (engine: string): string => engine.replace(/^Replicated(\w+)\('[^']*', '[^']*'(?:, )?/, '$1(')

const changes = async ([, verb, database, table = '', rest = '']: RegExpExecArray, options: ClusterOptions): Promise<readonly string[]> => {
  const { cluster } = options
  const local = `${verb} ${database}.${localOf(table)} ON CLUSTER ${cluster}${rest}`
  if (!isStored(table) || !CHANGES_COLUMNS.test(rest)) return [local]
  const key = shardKeyIn(await knownEngine(table, options))
  return [local, `CREATE OR REPLACE TABLE ${distributed(table, key, options)}`]
}

const knownEngine = async (table: string, { database, engineOf }: ClusterOptions): Promise<string> => {
  const engine = await engineOf(table)
  if (engine !== undefined) return engine
  throw new EngineError('history_query', `the history ${database} has no table ${table}, which a statement for the cluster needs`)
}
