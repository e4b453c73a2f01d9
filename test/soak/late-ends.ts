// EndTxn requests that arrive late, during a later transaction, on a broker with either transaction protocol.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '../../topology/logs/kafka/client.ts'
import { openKafkaLog } from '../../topology/logs/kafka/open.ts'
import type { KafkaLogOptions } from '../../topology/logs/kafka/options.ts'
import { NEWER_PROTOCOL, OLDER_PROTOCOL } from '../../topology/logs/kafka/owners/protocol.ts'
import type { Log, TaskOwner } from '../../topology/ports/log.ts'
import { kafkaOptions } from '../contract/kafka-given.ts'
import { EVENTS, out, values } from '../contract/log-topics.ts'
import { LateEnds } from '../fakes/late-ends.ts'
import { SameEpochWriter } from '../fakes/same-epoch-writer.ts'
import { startBroker } from '../services/broker.ts'
import { Dice } from '../simulation/dice.ts'
import { freePort } from '../tools/free-port.ts'

/** With the older protocol the end of a transaction does not bump the epoch. */
const FEATURES = { older: ['transaction.version=1'], newer: ['transaction.version=2'] }
const PROTOCOLS = { older: OLDER_PROTOCOL, newer: NEWER_PROTOCOL }
export type ProtocolName = keyof typeof FEATURES
export const protocolNamed = (name: string): ProtocolName => {
  if (name === 'older' || name === 'newer') return name
  throw new Error(`no transaction protocol is called ${name}: older or newer`)
}
/** One record per request, so that a transaction has several writes. */
const SEND_BYTES_MAX = 1
const ID = 'late'
const NOTHING = Buffer.alloc(0)

export interface LateEndsReport {
  readonly seed: number
  /** Number of EndTxn requests that arrived during a later transaction. */
  readonly late: number
  /** Their numbers by the broker's error code; 0: the broker ended the later transaction. */
  readonly answers: Readonly<Record<string, number>>
  readonly cuts: number
  readonly commits: number
  /** Commits missing in some partitions or duplicated in one; `lost`: acknowledged commits missing in all. */
  readonly torn: readonly number[]
  readonly lost: readonly number[]
}

export interface LateWorld {
  readonly proxy: LateEnds
  readonly options: KafkaLogOptions
  readonly protocol: ProtocolName
  close(): Promise<void>
}

export interface LateBroker {
  /** A new proxy in front of the broker, which at first passes everything through, and a log of its own; one at a time. */
  open(): Promise<LateWorld>
  stop(): Promise<void>
}

export const startLateBroker = async (registryUrl: string, protocol: ProtocolName): Promise<LateBroker> => {
  const dir = await mkdtemp(join(tmpdir(), 'mintfold-late-'))
  const advertisedPort = await freePort()
  const broker = await startBroker({ dir, advertisedPort, features: FEATURES[protocol] })
  const services = { brokers: `127.0.0.1:${advertisedPort}`, registryUrl }
  return {
    open: async () => {
      const proxy = await LateEnds.listen(advertisedPort, broker.port)
      const options = await kafkaOptions({ services, limits: { sendBytesMax: SEND_BYTES_MAX } })
      return { proxy, protocol, options, close: () => proxy.close() }
    },
    stop: async () => {
      await broker.stop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

/** Commits one number after another, each to all partitions, until this many ends came late. */
export const runLateEnds = async (world: LateWorld, count: number, seed: number, isShared = false): Promise<LateEndsReport> => {
  const { proxy, options } = world
  const log = await openKafkaLog(options)
  const owner = await log.own(ID, isShared)
  const transactionalId = options.prefix + (isShared ? 'writer-' : ID)
  const dice = new Dice(seed, 'late ends')
  proxy.hold({ transactionalId, dice, heldShare: 0.5, cutShare: 0.03 })
  let commits = 0
  while (proxy.late < count) await commitNumber(log, owner, ++commits)
  proxy.pass()
  const isRight = owner.committed().get('in') === commits
  await log.close()
  const report = await reportOf(world, commits, seed)
  return isRight ? report : { ...report, lost: [...report.lost, commits] }
}

/** Retries: a retriable failure has written nothing. */
const commitNumber = async (log: Log, owner: TaskOwner, n: number): Promise<void> => {
  const outputs = Array.from({ length: log.partitions(EVENTS) }, (_, partition) => out(EVENTS, partition, 'k', String(n)))
  for (;;)
    try {
      return await owner.commit({ outputs, inputs: new Map([['in', n]]) })
    } catch (failure) {
      if ((failure as { readonly retriable?: boolean }).retriable !== true) throw failure
    }
}

/** As `runLateEnds`, with a writer that never takes over its id again. */
export const runSameEpoch = async (world: LateWorld, count: number, seed: number): Promise<LateEndsReport> => {
  const { proxy, protocol, options } = world
  const log = await openKafkaLog(options)
  const partitions = Array.from({ length: log.partitions(EVENTS) }, (_, partition) => partition)
  await log.close()
  const [topicName, transactionalId] = [options.prefix + EVENTS.name, options.prefix + ID]
  const writer = new SameEpochWriter(createClient(options), transactionalId, PROTOCOLS[protocol])
  await writer.open(topicName)
  proxy.hold({ transactionalId, dice: new Dice(seed, 'late ends'), heldShare: 0.5, cutShare: 0 })
  let commits = 0
  while (proxy.late < count) {
    const value = Buffer.from(String(++commits))
    await writer.write(partitions.map((partition) => ({ topicName, partition, key: Buffer.from('k'), head: NOTHING, value })))
  }
  proxy.pass()
  await writer.close()
  return reportOf(world, commits, seed)
}

const reportOf = async ({ proxy, options }: LateWorld, commits: number, seed: number): Promise<LateEndsReport> => {
  const log = await openKafkaLog(options)
  const counts = new Map<string, number[]>()
  for (let partition = 0; partition < log.partitions(EVENTS); partition++)
    for (const value of await values(log, EVENTS, partition)) {
      const name = value ?? ''
      const of = counts.get(name) ?? Array.from({ length: log.partitions(EVENTS) }, () => 0)
      of[partition] = (of[partition] ?? 0) + 1
      counts.set(name, of)
    }
  await log.close()
  const numbers = Array.from({ length: commits }, (_, i) => i + 1)
  const timesOf = (n: number): readonly number[] => counts.get(String(n)) ?? []
  return {
    ...{ seed, late: proxy.late, cuts: proxy.cuts, commits },
    answers: Object.fromEntries(proxy.answers),
    torn: numbers.filter((n) => timesOf(n).some((times) => times !== 1)),
    lost: numbers.filter((n) => timesOf(n).length === 0),
  }
}
