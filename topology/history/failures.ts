// Turns errors of ClickHouse and its connection into EngineErrors.
import { ClickHouseError } from '@clickhouse/client'
import { EngineError, messageOf } from '../../schemas/errors.ts'
import { LOGIN_NEEDED } from './engine/engine-config.ts'

/** TABLE_IS_DROPPED: a refreshable view swapped its table while it was being read (seen with 26.7). */
const EXCHANGED = '218'
/** ClickHouse error codes (system.errors) that pass by themselves or once space is freed. */
const PASSING = new Map<string, 'history_full' | 'history_busy' | 'history_read_only'>([
  ['241', 'history_busy'], // MEMORY_LIMIT_EXCEEDED
  ['202', 'history_busy'], // TOO_MANY_SIMULTANEOUS_QUERIES
  ['252', 'history_busy'], // TOO_MANY_PARTS
  ['159', 'history_busy'], // TIMEOUT_EXCEEDED
  ['209', 'history_busy'], // SOCKET_TIMEOUT
  ['210', 'history_busy'], // NETWORK_ERROR
  ['394', 'history_busy'], // QUERY_WAS_CANCELLED
  ['439', 'history_busy'], // CANNOT_SCHEDULE_TASK
  ['236', 'history_busy'], // ABORTED
  ['285', 'history_busy'], // TOO_FEW_LIVE_REPLICAS: the majority of a shard's replicas is down
  ['286', 'history_busy'], // UNSATISFIED_QUORUM_FOR_PREVIOUS_WRITE
  ['289', 'history_busy'], // REPLICA_IS_NOT_IN_QUORUM
  ['319', 'history_busy'], // UNKNOWN_STATUS_OF_INSERT
  ['279', 'history_busy'], // ALL_CONNECTION_TRIES_FAILED: no replica of a shard responds
  ['999', 'history_busy'], // KEEPER_EXCEPTION
  ['225', 'history_busy'], // NO_ZOOKEEPER
  [EXCHANGED, 'history_busy'],
  ['243', 'history_full'], // NOT_ENOUGH_SPACE
  ['164', 'history_read_only'], // READONLY
  ['242', 'history_read_only'], // TABLE_IS_READ_ONLY
])
/** AUTHENTICATION_FAILED, ACCESS_DENIED, UNKNOWN_USER, WRONG_PASSWORD, REQUIRED_PASSWORD, IP_ADDRESS_NOT_ALLOWED. */
const REFUSED = new Set(['516', '497', '192', '193', '194', '195'])
/** The operating system's message for a full disk, which arrives inside other codes. */
const NO_SPACE = /No space left on device|errno: 28\b/
const WORDS_MAX = 2_000

const WAYS = {
  history_busy: 'Retrying.',
  history_full: 'Free space on its disk; retrying.',
  history_read_only: 'Give the user the right to write, or make the tables writable; retrying.',
} as const

/** The server's message without its version suffix, cut to 2,000 characters. */
export const wordsOf = (thrown: unknown): string =>
  messageOf(thrown)
    .replace(/\s*\(version [^)]*\)\s*$/, '')
    .trim()
    .slice(0, WORDS_MAX)

/** True if the server rejects the user or password: it may have restarted with another password. */
export const isUnknownUser = (thrown: unknown): boolean => thrown instanceof ClickHouseError && thrown.code === '516'

/** True if the view swapped its table: repeating the query reads the new one. */
export const isExchanged = (thrown: unknown): boolean => thrown instanceof ClickHouseError && thrown.code === EXCHANGED

/** True if the server did not respond, as opposed to refusing the request. */
export const isAway = (thrown: unknown): boolean => !(thrown instanceof EngineError || thrown instanceof ClickHouseError)

/** Classifies anything that the client throws. An unknown code means that the query itself is wrong. */
export const failureOf = (thrown: unknown, url: string): EngineError => {
  if (thrown instanceof EngineError) return thrown
  if (thrown instanceof ClickHouseError) return answered(thrown)
  if (messageOf(thrown).includes(LOGIN_NEEDED)) return ofAnother(url, thrown)
  const message = `ClickHouse at ${originOf(url)} gives no valid response (${wordsOf(thrown)}). Start it, or correct CLICKHOUSE_URL; retrying.`
  return new EngineError('history_down', message, { retriable: true, facts: { url: originOf(url) }, cause: thrown })
}

const answered = (error: ClickHouseError): EngineError => {
  const words = wordsOf(error)
  const facts = { clickhouse: error.code, type: error.type ?? '' }
  if (REFUSED.has(error.code)) {
    const message = `ClickHouse refuses this user: ${words} Check CLICKHOUSE_USERNAME, CLICKHOUSE_PASSWORD and the user's rights.`
    return new EngineError('history_refused', message, { facts, cause: error })
  }
  const code = NO_SPACE.test(words) ? 'history_full' : PASSING.get(error.code)
  if (code === undefined) return new EngineError('history_query', words, { facts, cause: error })
  return new EngineError(code, `ClickHouse failed: ${words} ${WAYS[code]}`, { retriable: true, facts, cause: error })
}

/** `mintfold history` was asked with a login that is none of its own. */
const ofAnother = (url: string, cause: unknown): EngineError => {
  const words =
    `${originOf(url)} is \`mintfold history\` of another data directory, whose password is needed: set MINTFOLD_HISTORY_ACCESS to ` +
    'history/access.json in that directory and unset CLICKHOUSE_URL, or give both the same MINTFOLD_DATA_DIR.'
  return new EngineError('history_refused', words, { facts: { url: originOf(url) }, cause })
}

/** The origin of a URL, without user, password and path. */
const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : 'an invalid URL')

export const tooOld = (version: string, needed: string): EngineError =>
  new EngineError(
    'history_version',
    `ClickHouse ${version} is too old: the history needs ${needed} or later. Upgrade the server, or unset CLICKHOUSE_URL for the embedded engine.`,
    { facts: { version, needed } },
  )
