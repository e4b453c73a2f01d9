// Classifies failures of brokers and registry, and makes the adapter's errors of them.
import { EngineError, messageOf } from '../../../schemas/errors.ts'

interface Thrown {
  readonly name?: string
  readonly type?: string
  readonly cause?: unknown
}

/** The names of an error and its causes in kafkajs: class names and protocol types. */
const namesOf = (thrown: unknown): readonly string[] => {
  const names: string[] = []
  for (let at = thrown as Thrown | undefined, depth = 0; at !== undefined && at !== null && depth < 5; depth++) {
    names.push(at.name ?? '', at.type ?? '')
    at = at.cause as Thrown | undefined
  }
  return names
}

/** Answers of a broker that a retry does not change. */
const REFUSALS = new Set([
  'KafkaJSSASLAuthenticationError',
  'KafkaJSUnsupportedMagicByteInMessageSet',
  'KafkaJSNotImplemented',
  'TOPIC_AUTHORIZATION_FAILED',
  'GROUP_AUTHORIZATION_FAILED',
  'CLUSTER_AUTHORIZATION_FAILED',
  'TRANSACTIONAL_ID_AUTHORIZATION_FAILED',
  'SASL_AUTHENTICATION_FAILED',
  'UNSUPPORTED_SASL_MECHANISM',
  'MESSAGE_TOO_LARGE',
  'RECORD_LIST_TOO_LARGE',
  'INVALID_TRANSACTION_TIMEOUT',
  'POLICY_VIOLATION',
  'INVALID_REPLICATION_FACTOR',
  'INVALID_CONFIG',
  'UNSUPPORTED_COMPRESSION_TYPE',
])
export const isRefusal = (thrown: unknown): boolean => namesOf(thrown).some((name) => REFUSALS.has(name))

/** True if a broker answered that it does not do this, or not for this user. */
export const isRefusedAnswer = (thrown: unknown): boolean => {
  const { name, retriable } = thrown as { readonly name?: string; readonly retriable?: boolean }
  return name === 'KafkaJSProtocolError' && retriable === false
}

/** True if the brokers do not know the topic. */
export const isMissing = (thrown: unknown): boolean => namesOf(thrown).includes('UNKNOWN_TOPIC_OR_PARTITION')

/** True if a coordinator has not completed the previous transaction yet. */
export const isBusy = (thrown: unknown): boolean => namesOf(thrown).includes('CONCURRENT_TRANSACTIONS')

/** True if another producer was opened under the transactional id. */
export const isOldEpoch = (thrown: unknown): boolean =>
  namesOf(thrown).some((name) => name === 'INVALID_PRODUCER_EPOCH' || name === 'PRODUCER_FENCED')

/** Kafka's protocol names of the errors that a leader may return to a produce or a fetch, and a coordinator to the end of a transaction. */
const PROTOCOL_NAMES: Readonly<Record<number, string>> = {
  1: 'OFFSET_OUT_OF_RANGE',
  2: 'CORRUPT_MESSAGE',
  3: 'UNKNOWN_TOPIC_OR_PARTITION',
  5: 'LEADER_NOT_AVAILABLE',
  6: 'NOT_LEADER_FOR_PARTITION',
  7: 'REQUEST_TIMED_OUT',
  9: 'REPLICA_NOT_AVAILABLE',
  10: 'MESSAGE_TOO_LARGE',
  14: 'COORDINATOR_LOAD_IN_PROGRESS',
  15: 'COORDINATOR_NOT_AVAILABLE',
  16: 'NOT_COORDINATOR',
  18: 'RECORD_LIST_TOO_LARGE',
  19: 'NOT_ENOUGH_REPLICAS',
  20: 'NOT_ENOUGH_REPLICAS_AFTER_APPEND',
  29: 'TOPIC_AUTHORIZATION_FAILED',
  31: 'CLUSTER_AUTHORIZATION_FAILED',
  44: 'POLICY_VIOLATION',
  45: 'OUT_OF_ORDER_SEQUENCE_NUMBER',
  47: 'INVALID_PRODUCER_EPOCH',
  48: 'INVALID_TXN_STATE',
  49: 'INVALID_PRODUCER_ID_MAPPING',
  51: 'CONCURRENT_TRANSACTIONS',
  52: 'TRANSACTION_COORDINATOR_FENCED',
  53: 'TRANSACTIONAL_ID_AUTHORIZATION_FAILED',
  56: 'KAFKA_STORAGE_ERROR',
  76: 'UNSUPPORTED_COMPRESSION_TYPE',
  90: 'PRODUCER_FENCED',
}

/** Protocol errors in the form in which kafkajs throws them. */
export const protocolError = (code: number, where: string): Error => {
  const type = PROTOCOL_NAMES[code] ?? `code ${code}`
  return Object.assign(new Error(`${type} in ${where}`), { name: 'KafkaJSProtocolError', type })
}

/** True if a fetch requested an offset that the partition does not have. */
export const isOutOfRange = (thrown: unknown): boolean =>
  namesOf(thrown).some((name) => name === 'OFFSET_OUT_OF_RANGE' || name === 'KafkaJSOffsetOutOfRange')

export const refused = (what: string, cause: unknown): EngineError =>
  new EngineError('log_refused', `the broker refused ${what}: ${messageOf(cause)}. Check its access rules and limits`, { cause })

/** For requests that had no effect. */
export const unreachable = (brokers: readonly string[], what: string, cause: unknown): EngineError =>
  new EngineError(
    'log_unreachable',
    `no broker of ${brokers.join(',')} answered ${what}: ${messageOf(cause)}; start it, or check KAFKA_BROKERS`,
    {
      retriable: true,
      facts: { brokers: brokers.join(',') },
      cause,
    },
  )

/** A partition that is shorter than before: the topic was recreated, or truncated by a leader that lacked records. */
export const rewound = (topic: string, partition: number, offset: number, end: number): EngineError =>
  new EngineError(
    'log_rewound',
    `${topic}/${partition} ends at offset ${end}, but ${offset} was read or committed before: the topic was recreated or truncated. ` +
      'Restore it, or start over with another topic prefix',
    { facts: { topic, partition, offset, end } },
  )
