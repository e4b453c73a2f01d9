// Settings of the log on Kafka: addresses of brokers and registry, their logins, and how safe topics must be.
import type { Command } from 'commander'
import * as z from 'zod'
import { assert } from '../../../schemas/errors.ts'
import type { KafkaAssignmentOptions } from '../../logs/kafka/group/assignment.ts'
import type { KafkaLogOptions } from '../../logs/kafka/options.ts'
import { UsageError } from '../command.ts'
import { integer } from './settings-values.ts'

/** The Kafka part of the settings. */
export interface KafkaSettings
  extends Pick<KafkaLogOptions, 'brokers' | 'security' | 'registry' | 'prefix'>,
    Pick<KafkaAssignmentOptions, 'standbys'> {
  /** Topics may have as many copies as there are brokers, down to one. */
  readonly isSingleBroker: boolean
}

const TEXT_CHARS_MAX = 1_024
const BROKERS_MAX = 64
const STANDBYS_MAX = 8
const MECHANISMS = ['plain', 'scram-sha-256', 'scram-sha-512'] as const

const isBroker = (text: string): boolean => {
  const [, port] = /^(?:[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\]):(\d{1,5})$/.exec(text) ?? []
  return port !== undefined && Number(port) >= 1 && Number(port) <= 65_535
}
const brokers = z
  .string()
  .transform((text) => text.split(',').map((broker) => broker.trim()))
  .refine((list) => list.length <= BROKERS_MAX && list.every(isBroker), { error: 'host:port of some brokers, separated by commas' })
const registryUrl = z
  .string()
  .refine((text) => /^https?:\/\//.test(text) && URL.canParse(text), { error: 'a URL that starts with http:// or https://' })
  .refine((text) => !URL.canParse(text) || new URL(text).username === '', {
    error: 'without a user: use SCHEMA_REGISTRY_USERNAME and SCHEMA_REGISTRY_PASSWORD',
  })
const bool = z.enum(['true', 'false'], { error: 'true or false' })
const login = z.string().max(TEXT_CHARS_MAX, { error: `at most ${TEXT_CHARS_MAX} characters` })

/** A prefix of topics. */
export const PREFIX = z.string().regex(/^[A-Za-z0-9._-]{0,100}$/, { error: 'at most 100 letters, digits, dots, dashes and underscores' })

/** The variables, in the order in which users meet them. */
export const KAFKA_VARIABLES = {
  KAFKA_BROKERS: brokers.optional(),
  KAFKA_USERNAME: login.optional(),
  KAFKA_PASSWORD: login.optional(),
  KAFKA_SASL_MECHANISM: z.enum(MECHANISMS, { error: `one of ${MECHANISMS.join(', ')}` }).optional(),
  KAFKA_TLS: bool.default('false'),
  KAFKA_PLAIN_WITHOUT_TLS: bool.default('false'),
  SCHEMA_REGISTRY_URL: registryUrl.optional(),
  SCHEMA_REGISTRY_USERNAME: login.optional(),
  SCHEMA_REGISTRY_PASSWORD: login.optional(),
  MINTFOLD_TOPIC_PREFIX: PREFIX.default('mintfold.'),
  MINTFOLD_SINGLE_BROKER: bool.default('false'),
  MINTFOLD_STANDBYS: integer(0, STANDBYS_MAX).default(1),
} as const

export interface BrokerOptions {
  readonly singleBroker?: boolean
}

/** Adds `--single-broker` to a role that runs on Kafka. */
export const addBrokerOptions = (command: Command): Command =>
  command.option(
    '--single-broker',
    'on Kafka: accept topics with fewer than 3 copies, which are lost with a broker; new ones get as many copies as there are brokers',
  )

/** The environment with the options, which win. */
export const envWith = <Env extends Readonly<Record<string, string | undefined>>>(env: Env, { singleBroker }: BrokerOptions): Env =>
  singleBroker === true ? { ...env, MINTFOLD_SINGLE_BROKER: 'true' } : env

const VALUES = z.object(KAFKA_VARIABLES)
type Values = z.infer<typeof VALUES>

const CLEAR_TEXT =
  'KAFKA_PASSWORD would be sent in clear text (SASL PLAIN without TLS): set KAFKA_TLS=true, or KAFKA_SASL_MECHANISM=scram-sha-512 if the ' +
  'brokers have it, or KAFKA_PLAIN_WITHOUT_TLS=true if nobody else can read their network'

/** Null for the embedded log; `refuseLacking` has ensured that brokers come with a registry. @throws UsageError for settings that contradict */
export const kafkaOf = (values: Values): KafkaSettings | null => {
  const { KAFKA_BROKERS: list, SCHEMA_REGISTRY_URL: url, MINTFOLD_TOPIC_PREFIX: prefix, KAFKA_TLS: tls } = values
  if (list === undefined || url === undefined) return null
  const login = pairOf('KAFKA', values.KAFKA_USERNAME, values.KAFKA_PASSWORD)
  if (login === null && values.KAFKA_SASL_MECHANISM !== undefined)
    throw new UsageError('KAFKA_SASL_MECHANISM is set, but KAFKA_USERNAME is not')
  const sasl = login === null ? null : { mechanism: values.KAFKA_SASL_MECHANISM ?? 'plain', ...login }
  if (sasl?.mechanism === 'plain' && tls === 'false' && values.KAFKA_PLAIN_WITHOUT_TLS === 'false') throw new UsageError(CLEAR_TEXT)
  return {
    brokers: list,
    prefix,
    standbys: values.MINTFOLD_STANDBYS,
    isSingleBroker: values.MINTFOLD_SINGLE_BROKER === 'true',
    security: { tls: tls === 'true', sasl },
    registry: { url, login: pairOf('SCHEMA_REGISTRY', values.SCHEMA_REGISTRY_USERNAME, values.SCHEMA_REGISTRY_PASSWORD) },
  }
}

/** `refuseLacking` has ensured that a role has them. */
export const kafkaOfRole = ({ kafka }: { readonly kafka: KafkaSettings | null }): KafkaSettings => {
  assert(kafka !== null, 'the settings of a role have a log on Kafka')
  return kafka
}

const pairOf = (
  name: string,
  username: string | undefined,
  password: string | undefined,
): { username: string; password: string } | null => {
  if (username === undefined && password === undefined) return null
  if (username !== undefined && password !== undefined) return { username, password }
  const [has, lacks] = username === undefined ? ['PASSWORD', 'USERNAME'] : ['USERNAME', 'PASSWORD']
  throw new UsageError(`${name}_${has} is set, but ${name}_${lacks} is not`)
}
