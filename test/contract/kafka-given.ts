// Kafka logs for tests: each on topics of its own, with the shared broker or one that the test brings.
import { randomBytes } from 'node:crypto'
import type { Topic } from '../../schemas/topics.ts'
import type { KafkaLog } from '../../topology/logs/kafka/kafka.ts'
import { openKafkaLog } from '../../topology/logs/kafka/open.ts'
import type { KafkaLimits, KafkaLogOptions } from '../../topology/logs/kafka/options.ts'
import { type SharedKafka, sharedKafka } from '../services/shared.ts'
import { EVENTS, ROWS, SETUP, SINGLE } from './log-topics.ts'

export const CONTRACT_TOPICS: readonly Topic[] = [EVENTS, SINGLE, ROWS]

/** A prefix that no other test has. */
export const freshPrefix = (): string => `test-${randomBytes(6).toString('hex')}.`

export interface KafkaSetup extends Partial<Omit<KafkaLogOptions, 'brokers' | 'registry' | 'limits'>> {
  readonly limits?: Partial<KafkaLimits>
  readonly services?: SharedKafka
}

/** Options for the contract's topics, with what the test wants otherwise. */
export const kafkaOptions = async ({ services, ...setup }: KafkaSetup = {}): Promise<KafkaLogOptions> => {
  const { brokers, registryUrl } = services ?? (await sharedKafka())
  return {
    brokers: brokers.split(','),
    registry: { url: registryUrl, login: null },
    security: { tls: false, sasl: null },
    prefix: freshPrefix(),
    partitions: SETUP.partitions,
    topics: CONTRACT_TOPICS,
    notice: () => {},
    ...setup,
  }
}
export const openKafka = async (setup: KafkaSetup = {}): Promise<KafkaLog> => openKafkaLog(await kafkaOptions(setup))
