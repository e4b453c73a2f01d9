// The configuration of the embedded ClickHouse: users and their rights, and limits on memory, threads and queries.
import { createHash } from 'node:crypto'

/**
 * Memory tracked by the engine; about 260 MB of library and node come on top, so that the process stays below 600 MB. A query or merge
 * over the limit fails with code 241 and is retried.
 */
const SERVER_BYTES_MAX = 300 * 1024 * 1024
const QUERY_BYTES_MAX = 192 * 1024 * 1024
const READ_S_MAX = 60
const QUERIES_MAX = 32
/**
 * Limits of all readers together, which no reader can raise, so that the writer and the API's figures always have capacity. The engine's own
 * session never ends and runs as the readers' user. So their time limit is only a default, which readers may lift.
 */
const READERS_QUERIES_MAX = 16
const READERS_BYTES_MAX = QUERY_BYTES_MAX
const MERGE_THREADS = 2
const LOOPBACK_HOSTS: readonly string[] = ['127.0.0.1', 'localhost']
/**
 * The first three must be at most the number of merge threads, or the engine does not start. The next: merges of this many rows go column
 * by column. In one go, the engine's default below 131,072 rows, a merge of trades takes 142 MB; by column 47 (measured). The others delete
 * merged parts every second or two. With the engine's default of 30 to 300 s some 200 of them gathered in a table, and deleting their
 * thousands of files at once takes a disk with online discard (mount option `discard`) up to 2 s (measured); now some ten a second are
 * deleted.
 */
const MERGE_TREE: Readonly<Record<string, number>> = {
  number_of_free_entries_in_pool_to_lower_max_size_of_merge: MERGE_THREADS,
  number_of_free_entries_in_pool_to_execute_mutation: MERGE_THREADS,
  number_of_free_entries_in_pool_to_execute_optimize_entire_partition: MERGE_THREADS,
  vertical_merge_algorithm_min_rows_to_activate: 16_384,
  cleanup_delay_period: 1,
  max_cleanup_delay_period: 2,
  cleanup_delay_period_random_add: 0,
}

/** The user that may write. Readers use the user `default` without a password. */
export const WRITER = 'mintfold'
/** Reads the same views as `default`, with the writer's password and without its limits: for the owner of the data directory. */
export const OWNER = 'owner'

export interface Access {
  /** The writer's password. */
  readonly password: string
  readonly database: string
  /** The views that readers may read, in addition to `system`: they see no other table. */
  readonly views: readonly string[]
}

/** Path of the users file, and the host names that clients may use. */
export interface EngineConfig {
  readonly usersPath: string
  /** In addition to 127.0.0.1 and localhost. */
  readonly hosts: readonly string[]
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** A reader's settings, which are also their upper limits. */
const READER: Readonly<Record<string, number>> = {
  max_memory_usage: QUERY_BYTES_MAX,
  max_memory_usage_for_user: READERS_BYTES_MAX,
  max_concurrent_queries_for_user: READERS_QUERIES_MAX,
  max_threads: 2,
}
const passwordXml = (password: string): string =>
  `<password_sha256_hex>${createHash('sha256').update(password).digest('hex')}</password_sha256_hex>`
/** A view may be granted before it exists. */
const readsXml = ({ database, views }: Access): string =>
  [...views.map((view) => `\`${escaped(database)}\`.${view}`), 'system.*'].map((what) => `<query>GRANT SELECT ON ${what}</query>`).join('')
const settingsXml = (settings: Readonly<Record<string, number>>): string =>
  Object.entries(settings)
    .map(([name, value]) => `<${name}>${value}</${name}>`)
    .join('')
/** Minimum 1, because 0 means no limit. */
const constraintsXml = (settings: Readonly<Record<string, number>>): string =>
  Object.entries(settings)
    .map(([name, value]) => `<${name}><min>1</min><max>${value}</max></${name}>`)
    .join('')

/** JavaScript and Grafana read a 64-bit number as a float with 53 bits. */
const JSON_XML = '<output_format_json_quote_64bit_integers>1</output_format_json_quote_64bit_integers>'
/** These settings name a file that the engine would write or read, anywhere on this machine. */
const FILES = ['output_format_schema', 'format_schema', 'format_template_row', 'format_template_resultset'] as const
const FIXED_XML = FILES.map((name) => `<${name}><const/></${name}>`).join('')

/**
 * Users, as XML. The profile `default` applies to every user, including the engine's own work. Views created by the writer read their
 * tables with the writer's rights, so readers need no rights on storage.
 * `default` has no password, because the engine's own session is this user; it may read the database and no file or
 * address, except with the scalar function `file`, which the engine lets every user call: on a machine shared with people who must not read
 * this account's files, use a server. Its right SYSTEM LISTEN also lets it
 * stop listening: the supervisor then restarts the engine.
 */
export const usersXml = (access: Access): string => `<clickhouse>
 <profiles>
  <default><max_threads>2</max_threads></default>
  <reader>
   ${settingsXml(READER)}<max_execution_time>${READ_S_MAX}</max_execution_time>${JSON_XML}
   <constraints>${constraintsXml(READER)}${FIXED_XML}</constraints>
  </reader>
  <owner>${JSON_XML}<constraints>${FIXED_XML}</constraints></owner>
  <writer>
   <max_memory_usage>${QUERY_BYTES_MAX}</max_memory_usage><async_insert>0</async_insert>
   <default_normal_view_sql_security>DEFINER</default_normal_view_sql_security>
  </writer>
 </profiles>
 <quotas><default></default></quotas>
 <users>
  <default>
   <password></password><networks><ip>127.0.0.1</ip></networks><profile>reader</profile><quota>default</quota>
   <grants>${readsXml(access)}<query>GRANT SYSTEM LISTEN ON *.*</query></grants>
  </default>
  <${OWNER}>
   ${passwordXml(access.password)}<networks><ip>127.0.0.1</ip></networks><profile>owner</profile><quota>default</quota>
   <grants>${readsXml(access)}</grants>
  </${OWNER}>
  <${WRITER}>
   ${passwordXml(access.password)}
   <networks><ip>127.0.0.1</ip></networks><profile>writer</profile><quota>default</quota>
  </${WRITER}>
 </users>
</clickhouse>
`

const NOT_ANSWERED =
  'This ClickHouse listens on 127.0.0.1 only, and accepts only the host names 127.0.0.1, localhost and those in MINTFOLD_CLICKHOUSE_HOSTS. ' +
  'Requests of web pages are refused.'

/** Escapes regular expression characters. */
const literal = (text: string): string => text.replace(/[.\-[\]]/g, '\\$&')

const hostPattern = (hosts: readonly string[]): string => [...LOOPBACK_HOSTS, ...hosts].map(literal).map(escaped).join('|')

/**
 * Server settings, as XML. Requests with another Host or with an Origin come from a web page in a browser: they are refused. The engine
 * listens on loopback only, whatever the host names.
 */
export const configXml = ({ usersPath, hosts }: EngineConfig): string => `<clickhouse>
 <users_config>${escaped(usersPath)}</users_config>
 <logger><level>none</level></logger>
 <timezone>UTC</timezone>
 <ignore_empty_sql_security_in_create_view_query>0</ignore_empty_sql_security_in_create_view_query>
 <max_server_memory_usage>${SERVER_BYTES_MAX}</max_server_memory_usage>
 <mark_cache_size>33554432</mark_cache_size>
 <index_mark_cache_size>16777216</index_mark_cache_size>
 <compiled_expression_cache_size>16777216</compiled_expression_cache_size>
 <uncompressed_cache_size>0</uncompressed_cache_size>
 <primary_index_cache_size>16777216</primary_index_cache_size>
 <max_concurrent_queries>${QUERIES_MAX}</max_concurrent_queries>
 <max_thread_pool_free_size>8</max_thread_pool_free_size>
 <background_pool_size>${MERGE_THREADS}</background_pool_size>
 <background_common_pool_size>2</background_common_pool_size>
 <background_schedule_pool_size>4</background_schedule_pool_size>
 <background_move_pool_size>1</background_move_pool_size>
 <background_fetches_pool_size>1</background_fetches_pool_size>
 <merge_tree>
${Object.entries(MERGE_TREE)
  .map(([name, value]) => `  <${name}>${value}</${name}>\n`)
  .join('')} </merge_tree>
 <http_handlers>
  <rule><url>/ping</url><handler><type>ping</type></handler></rule>
  <rule>
   <headers><Host>regex:(?i)^(${hostPattern(hosts)})(:[0-9]+)?$</Host><Origin>regex:^$</Origin></headers>
   <handler><type>dynamic_query_handler</type><query_param_name>query</query_param_name></handler>
  </rule>
  <rule><handler><type>static</type><status>404</status><content_type>text/plain; charset=UTF-8</content_type>
   <response_content>${NOT_ANSWERED}</response_content></handler></rule>
 </http_handlers>
</clickhouse>
`
