// The configuration of the embedded ClickHouse: users, their rights and settings, limits on memory, threads, files and queries, and which
// requests it answers. What each part closes was measured: test/integration/sql-port.
import { createHash } from 'node:crypto'
import { type Access, OWNER, READER, WRITER } from './access.ts'

const MIB = 1024 * 1024
/**
 * Memory tracked by the engine; about 260 MB of library and node come on top, so that the process stays below 600 MB. A query or merge
 * over the limit fails with code 241 and is retried.
 */
const SERVER_BYTES_MAX = 300 * MIB
const QUERY_BYTES_MAX = 192 * MIB
const QUERIES_MAX = 32
/** Temporary files of all queries together; the disk limit counts them as if they were always there. */
export const TEMPORARY_BYTES_MAX = 512 * MIB
const MERGE_THREADS = 2
/** The engine's own session runs this many statements: clickhouse-child.cjs. */
const ENGINE_STATEMENTS = 2
const LOOPBACK_HOSTS: readonly string[] = ['127.0.0.1', 'localhost']
/**
 * The first three must be at most the number of merge threads, or the engine does not start. The next: merges of this many rows go column
 * by column. In one go, the engine's default below 131,072 rows, a merge of trades takes 142 MB; by column 47 (measured). The others delete
 * merged parts every second or two. With the engine's default of 30 to 300 s some 200 of them gathered in a table, and deleting their
 * thousands of files at once takes a disk with online discard (mount option `discard`) up to 2 s (measured); now some ten a second are
 * deleted.
 */
const MERGE_TREE: Settings = {
  number_of_free_entries_in_pool_to_lower_max_size_of_merge: MERGE_THREADS,
  number_of_free_entries_in_pool_to_execute_mutation: MERGE_THREADS,
  number_of_free_entries_in_pool_to_execute_optimize_entire_partition: MERGE_THREADS,
  vertical_merge_algorithm_min_rows_to_activate: 16_384,
  cleanup_delay_period: 1,
  max_cleanup_delay_period: 2,
  cleanup_delay_period_random_add: 0,
}

type Settings = Readonly<Record<string, number>>

export interface EngineConfig {
  readonly access: Access
  /** The views that readers may read: they see no other table of the database. */
  readonly views: readonly string[]
  /** Host names that clients may use, in addition to 127.0.0.1 and localhost. */
  readonly hosts: readonly string[]
}

/**
 * Limits of all readers together, which no reader can raise, so that the writer and the API's figures always have capacity. Each setting's
 * value is also its upper bound.
 */
const READER_LIMITS: Settings = {
  max_memory_usage: QUERY_BYTES_MAX,
  max_memory_usage_for_user: QUERY_BYTES_MAX,
  max_concurrent_queries_for_user: 16,
  max_threads: 2,
  max_execution_time: 60,
  max_result_bytes: 1024 * MIB,
  max_query_size: 256 * 1024,
}
/** No reader can change these. A query without writes ends when its client has left, by `readonly` and the setting for it. */
const fixedFor = (temporaryBytes: number): Settings => ({
  readonly: 1,
  cancel_http_readonly_queries_on_client_close: 1,
  max_temporary_data_on_disk_size_for_query: temporaryBytes,
  max_temporary_data_on_disk_size_for_user: temporaryBytes,
})
/** Sorts are subject only to the limit of all users on temporary files, so a reader's stay in memory. */
const READER_FIXED: Settings = {
  ...fixedFor(TEMPORARY_BYTES_MAX / 2),
  max_bytes_before_external_sort: 0,
  max_bytes_ratio_before_external_sort: 0,
}
/** A sort of a day's trades is larger than the memory of the engine. */
const OWNER_FIXED: Settings = { ...fixedFor(TEMPORARY_BYTES_MAX), max_bytes_before_external_sort: QUERY_BYTES_MAX / 2 }
/** JavaScript and Grafana read a 64-bit number as a float with 53 bits. */
const READERS_DEFAULT: Settings = { output_format_json_quote_64bit_integers: 1 }
/**
 * Settings that readers may change; any other is refused (164). None names a file, an address, a header, a dialect or an expression: the
 * engine would read, write or call it with the rights of this account.
 */
const CHANGEABLE: readonly string[] = `limit offset max_result_rows max_rows_to_read max_bytes_to_read max_block_size
  result_overflow_mode timeout_overflow_mode read_overflow_mode extremes totals_mode join_use_nulls join_algorithm session_timezone
  async_insert wait_for_async_insert cast_string_to_dynamic_use_inference cast_string_to_variant_use_inference enable_analyzer
  max_bytes_before_external_group_by max_bytes_ratio_before_external_group_by use_query_cache log_comment log_queries
  date_time_input_format date_time_output_format format_csv_delimiter low_cardinality_allow_in_native_format
  output_format_arrow_compression_method output_format_arrow_string_as_string output_format_arrow_low_cardinality_as_dictionary
  output_format_csv_crlf_end_of_line output_format_tsv_crlf_end_of_line output_format_decimal_trailing_zeros
  output_format_json_array_of_rows output_format_json_escape_forward_slashes output_format_json_named_tuples_as_objects
  output_format_json_quote_64bit_floats output_format_json_quote_64bit_integers output_format_json_quote_decimals
  output_format_json_quote_denormals output_format_native_encode_types_in_binary_format
  output_format_native_use_flattened_dynamic_and_json_serialization output_format_orc_compression_method
  output_format_orc_string_as_string output_format_parquet_compression_method output_format_parquet_row_group_size
  output_format_parquet_string_as_string output_format_pretty_color output_format_pretty_max_column_pad_width
  output_format_pretty_max_rows output_format_pretty_max_value_width output_format_pretty_row_numbers
  http_wait_end_of_query http_response_buffer_size http_write_exception_in_output_format http_headers_progress_interval_ms
  send_progress_in_http_headers enable_http_compression http_zlib_compression_level interactive_delay`.split(/\s+/)
/** What clients ask for to list tables, columns and functions; no table that shows files, users or queries of others. */
const SYSTEM_TABLES: readonly string[] = `build_options collations columns completions contributors data_skipping_indices data_type_families
  databases dictionaries formats functions keywords licenses numbers numbers_mt one primes settings settings_changes table_engines
  table_functions tables time_zones zeros zeros_mt`.split(/\s+/)

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
const settingsXml = (settings: Settings): string =>
  Object.entries(settings)
    .map(([name, value]) => `<${name}>${value}</${name}>`)
    .join('')
/** Minimum 1, because 0 means no limit. */
const boundsXml = (settings: Settings): string =>
  Object.entries(settings)
    .map(([name, max]) => `<${name}><min>1</min><max>${max}</max><changeable_in_readonly/></${name}>`)
    .join('')
const changeableXml = (names: readonly string[]): string => names.map((name) => `<${name}><changeable_in_readonly/></${name}>`).join('')
const fixedXml = (settings: Settings): string =>
  Object.keys(settings)
    .map((name) => `<${name}><const/></${name}>`)
    .join('')

const userXml = (user: string, password: string, rest: string): string => {
  const digest = createHash('sha256').update(password).digest('hex')
  return (
    `<${user}><password_sha256_hex>${digest}</password_sha256_hex><networks><ip>127.0.0.1</ip></networks>` +
    `<profile>${user}</profile>${rest}</${user}>`
  )
}
/** A view may be granted before it exists. */
const readsXml = ({ access: { database }, views }: EngineConfig): string => {
  const tables = [...views.map((view) => `\`${escaped(database)}\`.${view}`), ...SYSTEM_TABLES.map((table) => `system.${table}`)]
  return [...tables, 'INFORMATION_SCHEMA.*', 'information_schema.*'].map((what) => `<query>GRANT SELECT ON ${what}</query>`).join('')
}

/** Limits of the engine's own session, which needs nothing: it starts to listen, and sleeps. */
const ENGINE_FIXED: Settings = {
  max_execution_time: 0,
  max_block_size: 1,
  max_threads: 1,
  max_memory_usage: 16 * MIB,
  max_concurrent_queries_for_user: 1,
}
/** In seconds: the longest interval that the engine accepts; its quota is renewed in 2038. */
const FOREVER_S = 2_147_483_647

/**
 * Users, as XML. The profile `default` applies to every user, including the engine's own work. Views created by the writer read their
 * tables with the writer's rights, so readers need no rights on storage. The engine's own session is always the user `default` without a
 * password: its two statements use up its quota, so that nobody else can use its right to stop listening.
 */
export const usersXml = (config: EngineConfig): string => {
  const { reader, owner, password } = config.access
  const reads = `<quota>default</quota><grants>${readsXml(config)}</grants>`
  return `<clickhouse>
 <profiles>
  <default><max_threads>2</max_threads></default>
  <engine>${settingsXml(ENGINE_FIXED)}<constraints>${fixedXml(ENGINE_FIXED)}</constraints></engine>
  <${READER}>${settingsXml({ ...READER_LIMITS, ...READER_FIXED, ...READERS_DEFAULT })}
   <constraints>${boundsXml(READER_LIMITS)}${changeableXml(CHANGEABLE)}</constraints></${READER}>
  <${OWNER}>${settingsXml({ ...OWNER_FIXED, ...READERS_DEFAULT })}
   <constraints>${changeableXml([...CHANGEABLE, ...Object.keys(READER_LIMITS)])}</constraints></${OWNER}>
  <${WRITER}>
   <max_memory_usage>${QUERY_BYTES_MAX}</max_memory_usage><async_insert>0</async_insert>
   <default_normal_view_sql_security>DEFINER</default_normal_view_sql_security>
  </${WRITER}>
 </profiles>
 <quotas>
  <default></default>
  <engine><interval><duration>${FOREVER_S}</duration><queries>${ENGINE_STATEMENTS}</queries></interval></engine>
 </quotas>
 <users>
  <default>
   <no_password/><networks><ip>127.0.0.1</ip></networks><profile>engine</profile><quota>engine</quota>
   <grants><query>GRANT SYSTEM LISTEN ON *.*</query><query>GRANT SELECT ON system.numbers</query></grants>
  </default>
  ${userXml(READER, reader.password, reads)}
  ${userXml(OWNER, owner.password, reads)}
  ${userXml(WRITER, password, '<quota>default</quota>')}
 </users>
</clickhouse>
`
}
const NOT_ANSWERED =
  'This ClickHouse listens on 127.0.0.1 only, and accepts only the host names 127.0.0.1, localhost and those in MINTFOLD_CLICKHOUSE_HOSTS. ' +
  'Requests of web pages are refused.'
/** The answer to requests without one of the users; also tells `up` and `doctor` that a URL is that of an embedded engine. */
export const LOGIN_NEEDED =
  'This is the history of a mintfold. Send the user and password of its access file (`mintfold sql --access` prints them) in the header ' +
  'Authorization or X-ClickHouse-User and X-ClickHouse-Key, not in the URL.'

/** Escapes regular expression characters. */
const literal = (text: string): string => text.replace(/[.\-[\]]/g, '\\$&')
const hostPattern = (hosts: readonly string[]): string => [...LOOPBACK_HOSTS, ...hosts].map(literal).map(escaped).join('|')

/** How `user:` begins in base64, for each user but the engine's own, which has no password. */
const BASIC = ['cmVhZGVyO[g-v]', 'b3duZXI6', 'bWludGZvbGQ6'].join('|')

/**
 * Server settings, as XML. A page in a browser sends Origin, Sec-Fetch-Site or, after DNS rebinding, a foreign Host, and cannot send the
 * headers of a login; a browser would remember a password that WWW-Authenticate asks for, so no answer has it. In a URL, `user` would win
 * over the headers: but requests must have the header of a user that is not `default`. A pattern matches the whole value, and an absent
 * header is ''.
 */
export const configXml = ({ hosts }: EngineConfig, usersPath: string): string => {
  const safe = '<http_response_headers><X-Content-Type-Options>nosniff</X-Content-Type-Options></http_response_headers>'
  const noPage =
    `<Host>regex:(?i)(${hostPattern(hosts)})(:[0-9]+)?</Host><Origin>regex:</Origin>` +
    '<Sec-Fetch-Site>regex:(none|same-origin)?</Sec-Fetch-Site>'
  const query = `<handler><type>dynamic_query_handler</type><query_param_name>query</query_param_name>${safe}</handler>`
  const text = (status: number, words: string): string =>
    `<handler><type>static</type><status>${status}</status><content_type>text/plain; charset=UTF-8</content_type>${safe}` +
    `<response_content>${words}</response_content></handler>`
  const rule = (requests: string, handler: string): string => `<rule>${requests}${handler}</rule>`
  const absent = (header: string): string => `<${header}>regex:</${header}>`
  return `<clickhouse>
 <users_config>${escaped(usersPath)}</users_config>
 <logger><level>none</level></logger>
 <timezone>UTC</timezone>
 <access_control_improvements>
  <settings_constraints_replace_previous>true</settings_constraints_replace_previous>
  <select_from_system_db_requires_grant>true</select_from_system_db_requires_grant>
  <select_from_information_schema_requires_grant>true</select_from_information_schema_requires_grant>
 </access_control_improvements>
 <ignore_empty_sql_security_in_create_view_query>0</ignore_empty_sql_security_in_create_view_query>
 <max_server_memory_usage>${SERVER_BYTES_MAX}</max_server_memory_usage>
 <max_temporary_data_on_disk_size>${TEMPORARY_BYTES_MAX}</max_temporary_data_on_disk_size>
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
 <merge_tree>${settingsXml(MERGE_TREE)}</merge_tree>
 <http_handlers>
  ${rule(`<url>/ping</url><headers>${noPage}</headers>`, '<handler><type>ping</type></handler>')}
  ${rule(`<headers>${noPage}<X-ClickHouse-User>regex:(${READER}|${OWNER}|${WRITER})</X-ClickHouse-User>${absent('Authorization')}</headers>`, query)}
  ${rule(`<headers>${noPage}<Authorization>regex:(?i:Basic) (${BASIC})[A-Za-z0-9+/]*=*</Authorization>${absent('X-ClickHouse-User')}</headers>`, query)}
  ${rule(`<headers>${noPage}</headers>`, text(401, LOGIN_NEEDED))}
  ${rule('', text(404, NOT_ANSWERED))}
 </http_handlers>
</clickhouse>
`
}
