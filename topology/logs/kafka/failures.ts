// How the Kafka adapter says what broker and registry did to it.
import { EngineError, messageOf } from '../../../schemas/errors.ts'

interface Thrown {
  readonly name?: string
  readonly type?: string
  readonly cause?: unknown
}

/** The names kafkajs gives an error and its causes: class names and protocol types. */
const namesOf = (thrown: unknown): readonly string[] => {
  const names: string[] = []
  for (let at = thrown as Thrown | undefined, depth = 0; at !== undefined && at !== null && depth < 5; depth++) {
    names.push(at.name ?? '', at.type ?? '')
    at = at.cause as Thrown | undefined
  }
  return names
}

/** What the broker will answer however often it is asked. */
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
])
export const isRefusal = (thrown: unknown): boolean => namesOf(thrown).some((name) => REFUSALS.has(name))

/** True when a fetch asked for an offset that the partition does not have. */
export const isOutOfRange = (thrown: unknown): boolean =>
  namesOf(thrown).some((name) => name === 'OFFSET_OUT_OF_RANGE' || name === 'KafkaJSOffsetOutOfRange')

export const refused = (what: string, cause: unknown): EngineError =>
  new EngineError('log_refused', `the broker refused ${what}: ${messageOf(cause)}. Look at its access rules and limits`, { cause })

/** Nothing took place. */
export const unreachable = (brokers: readonly string[], what: string, cause: unknown): EngineError =>
  new EngineError(
    'log_unreachable',
    `no broker of ${brokers.join(',')} took ${what}: ${messageOf(cause)}; start it, or look at KAFKA_BROKERS`,
    {
      retriable: true,
      facts: { brokers: brokers.join(',') },
      cause,
    },
  )

/** A partition that is shorter than it was: made anew, or cut by a leader that had not all of it. */
export const rewound = (topic: string, partition: number, offset: number, end: number): EngineError =>
  new EngineError(
    'log_rewound',
    `${topic}/${partition} ends at offset ${end}, but ${offset} was read or committed before: the topic was made anew or cut. ` +
      'Bring it back, or start over with another topic prefix',
    { facts: { topic, partition, offset, end } },
  )
