// Options of a Kafka log, and all limits of the adapter with unit and reason.
import type { Topic, Topics } from '../../../schemas/topics.ts'

/** Credentials. Values are secrets: they are passed on and never logged. */
export interface KafkaSecurity {
  /** Encrypts connections; required if the brokers demand it. */
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

/**
 * Which topics must outlive the loss of a broker, with three copies and `min.insync.replicas=2`: all, with the brokers' own topics that
 * commits depend on; those that are created now; or none (`--single-broker`).
 */
export type Durable = 'all' | 'new' | 'none'

export interface KafkaLogOptions {
  /** host:port of some brokers, which name the others. */
  readonly brokers: readonly string[]
  readonly security: KafkaSecurity
  readonly registry: RegistryAddress
  /** Prefix of all topics, subjects and transactional ids. */
  readonly prefix: string
  /** Number of partitions of partitioned topics. */
  readonly partitions: number
  readonly topics: readonly Topic[]
  readonly durable: Durable
  /** Topic of the owners' checkpoints, written with each commit. */
  readonly owners: Topics['owners']
  /** Topic of the messages between processes; without it the log has none. */
  readonly early?: Topics['early']
  /** Called when brokers or registry become unreachable or reachable again, and once about topics that could have more copies. */
  readonly notice: (message: string) => void
  readonly limits?: Partial<KafkaLimits>
  /** Called with the id of the cluster, empty if brokers return none, before anything is created there; its throw ends the opening. */
  readonly checkCluster?: (id: string) => void
}

export interface KafkaLimits {
  /** How long a broker holds a long-polling fetch for new records. */
  readonly tailWaitMs: number
  /** Leaders are looked up again after this long: a former one that was cut off from the others goes on answering, without new records. */
  readonly leadersMsMax: number
  /** Limit of one partition's records in a fetch response; a larger batch is returned whole. */
  readonly fetchPartitionBytesMax: number
  /** Limit of a fetch response. */
  readonly fetchBytesMax: number
  /** Cache of records read, for later readers; all partitions together. */
  readonly keptBytesMax: number
  /** A partition whose newest records were not read for this long is no longer followed. */
  readonly unreadMsMax: number
  /** Nor is a partition followed that grew by this much since its last read: a task writes its changelog, but only a restore reads it. */
  readonly unreadBytesMax: number
  /** Per partition and send: below the 1 MiB batch that every broker accepts, unless one record is larger. */
  readonly sendBytesMax: number
  /** Waiting commits share one transaction up to this size. */
  readonly groupBytesMax: number
  /** Commits that can wait do so for those of other shared owners at most this long. */
  readonly gatherMsMax: number
  /**
   * The coordinator aborts a transaction whose owner is gone after this long; until then read_committed readers of its partitions block.
   */
  readonly transactionMsMax: number
  /** Bytes of messages that wait to be sent; more are dropped. */
  readonly messageBytesMax: number
  /** A commit that did not succeed is rejected as retriable after this long. */
  readonly commitMsMax: number
  /** How long startup waits for brokers and registry: wrong settings are more likely then than an outage. */
  readonly openMsMax: number
  /** How long a running log waits for unreachable brokers, and for the outcome of a commit in doubt. */
  readonly awayMsMax: number
  /** A commit resolves when it can be read here, but waits at most this long for open transactions of other owners in its partitions. */
  readonly visibleMsMax: number
  /**
   * A restore waits this long for open transactions in the partitions it reads: longer than their timeout plus the ten seconds within which
   * coordinators check it by default.
   */
  readonly decidedMsMax: number
  /** A close waits this long for commits in flight; then they are given up as if the brokers were unreachable. */
  readonly closeMsMax: number
}

/** Measured with one broker on two cores: commits take 4-10 ms, then 1-3 ms until their records can be read. */
export const KAFKA_LIMITS: KafkaLimits = {
  tailWaitMs: 250,
  leadersMsMax: 30_000,
  fetchPartitionBytesMax: 1024 * 1024,
  fetchBytesMax: 16 * 1024 * 1024,
  keptBytesMax: 32 * 1024 * 1024,
  unreadMsMax: 60_000,
  unreadBytesMax: 64 * 1024,
  sendBytesMax: 900 * 1024,
  groupBytesMax: 8 * 1024 * 1024,
  gatherMsMax: 50,
  transactionMsMax: 30_000,
  messageBytesMax: 4 * 1024 * 1024,
  commitMsMax: 5_000,
  openMsMax: 60_000,
  awayMsMax: 24 * 3_600_000,
  visibleMsMax: 2_000,
  decidedMsMax: 60_000,
  closeMsMax: 3_000,
}
