// The three kinds of failure, never mixed: bad data is a value, a failure of the environment is an EngineError, a bug is an assertion.

/** Bad data: written to dead-letters with its position and bytes, and counted. */
export interface BadData {
  readonly ok: false
  readonly code: BadDataCode
  /** One sentence with the facts: what is wrong, and where. */
  readonly reason: string
}
/** A parsed value, or why it could not be parsed. */
export type Parsed<T> = { readonly ok: true; readonly value: T } | BadData

/** Closed list of faults in data. */
export type BadDataCode =
  | 'truncated'
  | 'bad_bool'
  | 'bad_string_length'
  | 'amount_too_large'
  | 'unknown_event'
  | 'log_truncated'
  | 'bad_encoding'
  | 'bad_frame'
  | 'bad_transaction'
  | 'mint_unknown'
  | 'event_missing'
  | 'bad_account'

export const bad = (code: BadDataCode, reason: string): BadData => ({ ok: false, code, reason })
export const good = <T>(value: T): Parsed<T> => ({ ok: true, value })

/** Closed list of failures of the environment. */
export type EngineErrorCode =
  | 'fenced'
  | 'part_idle'
  | 'log_full'
  | 'log_io'
  | 'log_unreachable'
  | 'log_refused'
  | 'log_rewound'
  | 'transaction_open'
  | 'topic_settings'
  | 'not_durable'
  | 'schema_incompatible'
  | 'registry_unreachable'
  | 'registry_refused'
  | 'offset_expired'
  | 'undo_exhausted'
  | 'finality_broken'
  | 'time_fell'
  | 'tape_torn'
  | 'rows_torn'
  | 'rebuilt_in_vain'
  | 'grpc_native'
  | 'node_blind'
  | 'exchange_torn'
  | 'task_asleep'
  | 'standby_outdated'
  | 'stores_newer'
  | 'stores_rolled_back'
  | 'shadow_not_ready'
  | 'nothing_to_promote'
  | 'stores_of_other_addresses'
  | 'repartition_refused'
  | 'half_made'
  | 'stores_busy'
  | 'nothing_to_redrive'
  | 'directory_unusable'
  | 'data_dir_owned'
  | 'data_dir_version'
  | 'data_dir_partitions'
  | 'data_dir_source'
  | 'data_dir_log'
  | 'not_a_recording'
  | 'torn_recording'
  | 'not_chain_data'
  | 'wrong_chain'
  | 'port_in_use'
  | 'cannot_listen'
  | 'not_loopback'
  | 'cursor_keys'
  | 'file_unreadable'
  | 'finding_not_held'
  | 'model_unfit'
  | 'trials_full'
  | 'facilitator_unreachable'
  | 'table_io'
  | 'scratch_full'
  | 'scratch_io'
  | 'redis_away'
  | 'seller_elsewhere'
  | 'server_unreachable'
  | 'purchase_failed'
  | 'exit_stalled'
  | 'output_failed'
  | 'control_unreachable'
  | 'control_failed'
  | 'control_path_long'
  | 'not_a_backup'
  | 'backup_torn'
  | 'backup_version'
  | 'backup_failed'
  | 'restore_target'
  | 'alerts_unknown'
  | 'history_down'
  | 'history_busy'
  | 'history_full'
  | 'history_read_only'
  | 'history_refused'
  | 'history_query'
  | 'history_version'
  | 'history_engine'
  | 'history_empty'
  | 'history_cluster'
  | 'history_of_another'

/** A failure of the environment: what failed, whether a retry may help, and what to do. */
export class EngineError extends Error {
  override readonly name = 'EngineError'
  readonly code: EngineErrorCode
  readonly retriable: boolean
  /** Named facts, for logs and tests. */
  readonly facts: Readonly<Record<string, string | number>>

  constructor(
    code: EngineErrorCode,
    message: string,
    options: { retriable?: boolean; facts?: Record<string, string | number>; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.retriable = options.retriable ?? false
    this.facts = options.facts ?? {}
  }
}

/** Wrong use: names the wrong argument or file, and the right form. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** True for a failure of the environment with one of these codes. */
export const hasCode = (failure: unknown, ...codes: readonly EngineErrorCode[]): failure is EngineError =>
  failure instanceof EngineError && codes.includes(failure.code)
/** True for a failure of the environment that may pass without intervention. */
export const isRetriable = (failure: unknown): failure is EngineError => failure instanceof EngineError && failure.retriable

/** The message of any thrown value. Checks the shape: errors of another realm (fetch under a test runner) are not `instanceof Error`. */
export const messageOf = (thrown: unknown): string =>
  typeof thrown === 'object' && thrown !== null && 'message' in thrown && typeof thrown.message === 'string'
    ? thrown.message
    : String(thrown)

/** Throws on a broken invariant: a bug, never bad input. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new AssertionError(message)
}
/** A bug. Never caught and ignored. */
export class AssertionError extends Error {
  override readonly name = 'AssertionError'
}
/** For the default of a switch over a closed union. */
export const unreachable = (value: never): never => {
  throw new AssertionError(`unreachable: ${JSON.stringify(value)}`)
}
