// What a Kafka log is opened with, and every limit of the adapter with its unit and reason.
import type { Topic, Topics } from '../../../schemas/topics.ts'

/** How to get in. Values are secrets: they are passed on and never logged. */
export interface KafkaSecurity {
  /** Encrypts; always on where brokers want it. */
  readonly tls: boolean
  /** Null: no login. */
  readonly sasl: {
    readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512'
    readonly username: string
    readonly password: string
  } | null
}

export interface RegistryAddress {
  readonly url: string
  /** Null: no login. */
  readonly login: { readonly username: string; readonly password: string } | null
}

export interface KafkaLogOptions {
  /** host:port of some brokers. */
  readonly brokers: readonly string[]
  readonly security: KafkaSecurity
  readonly registry: RegistryAddress
  /** Before every name of a topic, subject and transactional id. */
  readonly prefix: string
  /** Partitions of topics that have many. */
  readonly partitions: number
  readonly topics: readonly Topic[]
  /** Where the owners of tasks write with each commit where they are. */
  readonly owners: Topics['owners']
  /** Told when a broker or the registry goes away, and when it is back; and once of topics with too few copies. */
  readonly notice: (message: string) => void
  readonly limits?: Partial<KafkaLimits>
}

export interface KafkaLimits {
  /** A broker is asked to hold a question about new records for this long. */
  readonly tailWaitMs: number
  /** Of one partition in one answer; a larger batch comes whole. */
  readonly fetchPartitionBytesMax: number
  /** Of one answer. */
  readonly fetchBytesMax: number
  /** Records read and kept for readers that come later, all partitions together. */
  readonly keptBytesMax: number
  /** A partition whose newest records nobody read for this long is no longer followed. */
  readonly unreadMsMax: number
  /** Nor is one that grew by so much, and was not read soon: a task writes its changelog, and reads it only when it is restored. */
  readonly unreadBytesMax: number
  /** Of one partition in one send: below the 1 MiB batch that every broker takes, unless one record is larger. */
  readonly sendBytesMax: number
  /** Commits that wait are written as one transaction up to this size. */
  readonly groupBytesMax: number
  /** The coordinator aborts a transaction whose owner is gone after this long; until then readers of its partitions stand still. */
  readonly transactionMsMax: number
  /** A commit that did not take place is given back to its caller, as retriable, after this long. */
  readonly commitMsMax: number
  /** Broker and registry that are away at the start are waited for so long: then settings are wrong more often than brokers are down. */
  readonly openMsMax: number
  /** At work, brokers that are away are waited for so long, as is the answer whether a commit took place. */
  readonly awayMsMax: number
  /** A commit resolves when it can be read here, but another owner's open transaction in its partitions holds it up for no longer. */
  readonly visibleMsMax: number
  /**
   * A restore waits so long for transactions that are open in what it reads: longer than their owners may leave them open, with the ten
   * seconds that coordinators take by default to notice.
   */
  readonly decidedMsMax: number
  /** A close waits so long for commits under way; then they are given up as if the brokers were away. */
  readonly closeMsMax: number
}

/** Figures of facts measured with one broker on two cores: commits of 4-10 ms, 1-3 ms until their records can be read. */
export const KAFKA_LIMITS: KafkaLimits = {
  tailWaitMs: 250,
  fetchPartitionBytesMax: 1024 * 1024,
  fetchBytesMax: 16 * 1024 * 1024,
  keptBytesMax: 32 * 1024 * 1024,
  unreadMsMax: 60_000,
  unreadBytesMax: 64 * 1024,
  sendBytesMax: 900 * 1024,
  groupBytesMax: 8 * 1024 * 1024,
  transactionMsMax: 30_000,
  commitMsMax: 5_000,
  openMsMax: 60_000,
  awayMsMax: 24 * 3_600_000,
  visibleMsMax: 2_000,
  decidedMsMax: 60_000,
  closeMsMax: 3_000,
}
