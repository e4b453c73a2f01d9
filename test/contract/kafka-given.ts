// Kafka logs for tests: each on its own topics, with the shared broker or one that the test provides.
import { randomBytes } from 'node:crypto'
import { Kafka, logLevel } from 'kafkajs'
import type { Topic } from '../../schemas/topics.ts'
import type { KafkaLog } from '../../topology/logs/kafka/kafka.ts'
import { openKafkaLog } from '../../topology/logs/kafka/open.ts'
import type { KafkaLimits, KafkaLogOptions } from '../../topology/logs/kafka/options.ts'
import { TOPICS } from '../fixtures/topics.ts'
import { type SharedKafka, sharedKafka } from '../services/shared.ts'
import { EVENTS, ROWS, SETUP, SINGLE } from './log-topics.ts'

export const CONTRACT_TOPICS: readonly Topic[] = [EVENTS, SINGLE, ROWS]

/** A prefix that no other test has. */
const freshPrefix = (): string => `test-${randomBytes(6).toString('hex')}.`

export interface KafkaSetup extends Partial<Omit<KafkaLogOptions, 'brokers' | 'registry' | 'limits'>> {
  readonly limits?: Partial<KafkaLimits>
  readonly services?: SharedKafka
}

/** Options for the contract's topics, with the test's overrides. */
export const kafkaOptions = async ({ services, ...setup }: KafkaSetup = {}): Promise<KafkaLogOptions> => {
  const { brokers, registryUrl } = services ?? (await sharedKafka())
  return {
    brokers: brokers.split(','),
    registry: { url: registryUrl, login: null },
    security: { tls: false, sasl: null },
    durable: 'none',
    prefix: freshPrefix(),
    partitions: SETUP.partitions,
    topics: CONTRACT_TOPICS,
    owners: TOPICS.owners,
    notice: () => {},
    ...setup,
  }
}
export const openKafka = async (setup: KafkaSetup = {}): Promise<KafkaLog> => openKafkaLog(await kafkaOptions(setup))

/** Writes as an owner of another id that dies or hangs before its commit ends; returns a function that aborts it. */
export const openTransaction = async (
  { brokers, prefix }: Pick<KafkaLogOptions, 'brokers' | 'prefix'>,
  topic: Topic,
  partition: number,
  transactionTimeout = 30_000,
): Promise<() => Promise<void>> => {
  const kafka = new Kafka({ brokers: [...brokers], logLevel: logLevel.NOTHING })
  const transactionalId = `${prefix}hangs`
  const producer = kafka.producer({ transactionalId, idempotent: true, maxInFlightRequests: 1, transactionTimeout })
  await producer.connect()
  const transaction = await producer.transaction()
  await transaction.send({ topic: prefix + topic.name, messages: [{ key: 'undecided', value: 'x', partition }] })
  return async () => {
    await transaction.abort()
    await producer.disconnect()
  }
}
