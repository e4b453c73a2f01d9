// Feeds a live tape at a steady rate, one event per record, and waits for the flags: measures from the broker's append of an event until
// its flag is readable, like the comparator's probe.
import { loadavg } from 'node:os'
import type { Kafka, Message, Producer } from 'kafkajs'
import { readSchema } from '../../../schemas/avro.ts'
import { createClient } from '../../../topology/logs/kafka/client.ts'
import { SchemaRegistry } from '../../../topology/logs/kafka/registry/registry.ts'
import { Wire } from '../../../topology/logs/kafka/registry/wire.ts'
import type { Log } from '../../../topology/ports/log.ts'
import { openLog, PREFIX, type RunOptions } from './engine.ts'
import { oneAtATime } from './one-at-a-time.ts'
import type { FoldFlag } from './processor.ts'
import { type Placed, readEvents, TapeWriter } from './tape.ts'
import { flagType, PARTITIONS, tapeOf, topicsOf } from './task.ts'

export interface ProbeOptions extends RunOptions {
  readonly file: string
  readonly rate: number
  readonly seconds: number
  /** Seconds of load before the measurement. */
  readonly warmS: number
}

/** The comparator's `linger.ms`. */
const LINGER_MS = 5
const LAST_FLAGS_MS = 2_000
const DAY_MS = '86400000'
const MESSAGE_BYTES_MAX = String(16 * 1024 * 1024 + 64 * 1024)

const security = { tls: false, sasl: null }
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Creates the tape's topic, in which the broker timestamps each record. */
export const makeLiveTape = async ({ brokers, tape }: RunOptions): Promise<void> => {
  const admin = createClient({ brokers: brokers.split(','), security }).admin()
  const settings = {
    ...{ 'cleanup.policy': 'delete', 'retention.ms': DAY_MS, 'min.insync.replicas': '1', 'max.message.bytes': MESSAGE_BYTES_MAX },
    'message.timestamp.type': 'LogAppendTime',
  }
  const configEntries = Object.entries(settings).map(([name, value]) => ({ name, value }))
  await admin.connect()
  await admin.createTopics({ topics: [{ topic: PREFIX + tape, numPartitions: PARTITIONS, replicationFactor: 1, configEntries }] })
  await admin.disconnect()
}

const openProducer = async (kafka: Kafka): Promise<Producer> => {
  const producer = kafka.producer({
    idempotent: true,
    maxInFlightRequests: 1,
    createPartitioner:
      () =>
      ({ message }) =>
        message.partition ?? 0,
  })
  await producer.connect()
  return producer
}

const nameOf = (slot: number, tx: number): string => `${slot}/${tx}`

/** Sends the events. Returns the time at which the broker appended each transaction's event (unix ms). */
const feed = async (producer: Producer, wire: Wire, options: ProbeOptions): Promise<Map<string, number>> => {
  const { tape, file, rate, seconds, warmS } = options
  const [writer, appendedAt, total] = [new TapeWriter('events', tape), new Map<string, number>(), rate * (seconds + warmS)]
  const events = [...readEvents(file, total)]
  const started = performance.now()
  for (let sent = 0; sent < total; ) {
    const due = Math.min(total, Math.floor(((performance.now() - started) * rate) / 1_000))
    const batch = events.slice(sent, due)
    sent = due
    const messages = batch.flatMap((event) => writer.put(event)).map(({ partition, key, value }) => messageOf(wire, partition, key, value))
    if (messages.length > 0) note(appendedAt, batch, await producer.sendBatch({ topicMessages: [{ topic: PREFIX + tape, messages }] }))
    await pause(LINGER_MS)
  }
  return appendedAt
}

const messageOf = (wire: Wire, partition: number, key: Uint8Array, value: Uint8Array | null): Message => ({
  partition,
  key: Buffer.from(key),
  value: Buffer.concat([wire.head, value ?? Buffer.alloc(0)]),
})

const note = (
  appendedAt: Map<string, number>,
  batch: readonly Placed[],
  written: readonly { readonly partition: number; readonly logAppendTime?: string }[],
): void => {
  const times = new Map(written.map(({ partition, logAppendTime }) => [partition, Number(logAppendTime)]))
  for (const { slot, partition, event } of batch) appendedAt.set(nameOf(slot, event.tx), times.get(partition) ?? Number.NaN)
}

/** Until `stop`, records the time at which each flag became readable (unix ms). */
const watch = (log: Log, options: RunOptions): { readonly seenAt: (readonly [string, number])[]; stop(): Promise<void> } => {
  const { flags } = topicsOf(options.run, options.tape)
  const seenAt: (readonly [string, number])[] = []
  const next = Array.from({ length: PARTITIONS }, (_, partition) => log.end(flags, partition))
  const readOn = async (partition: number): Promise<void> => {
    for (;;) {
      const records = await log.read(flags, partition, next[partition] as number, { recordsMax: 1_000, bytesMax: 1_000_000 })
      const now = Date.now()
      for (const { value } of records) {
        const { slot, tx } = flagType.fromBuffer(value as Buffer) as FoldFlag
        seenAt.push([nameOf(slot, tx), now])
      }
      const last = records.at(-1)
      if (last === undefined) return
      next[partition] = last.offset + 1
    }
  }
  const reader = oneAtATime(async () => void (await Promise.all(next.map((_, partition) => readOn(partition)))))
  const unsubscribe = log.onCommit(reader.trigger)
  reader.trigger()
  const stop = async (): Promise<void> => {
    unsubscribe()
    await reader.idle()
  }
  return { seenAt, stop }
}

export const probe = async (options: ProbeOptions): Promise<object> => {
  const registry = new SchemaRegistry({ url: options.registryUrl, login: null })
  const wire = await Wire.open(`${PREFIX}${options.tape}-value`, JSON.stringify(readSchema(tapeOf(options.tape).schema)), registry)
  const producer = await openProducer(createClient({ brokers: options.brokers.split(','), security }))
  const log = await openLog(options, [topicsOf(options.run, options.tape).flags])
  const { seenAt, stop } = watch(log, options)
  const measuredFrom = Date.now() + options.warmS * 1_000
  const appendedAt = await feed(producer, wire, options)
  await pause(LAST_FLAGS_MS)
  await stop()
  await Promise.all([producer.disconnect(), log.close()])
  registry.close()
  const unknown = seenAt.filter(([name]) => appendedAt.get(name) === undefined)
  if (unknown.length > 0) throw new Error(`${unknown.length} flags belong to no sent event`)
  const delays = seenAt
    .filter(([name]) => (appendedAt.get(name) as number) >= measuredFrom)
    .map(([name, seen]) => seen - (appendedAt.get(name) as number))
    .sort((a, b) => a - b)
  const at = (share: number): number => delays[Math.max(0, Math.ceil(share * delays.length) - 1)] ?? Number.NaN
  return { flags: delays.length, p50_ms: at(0.5), p90_ms: at(0.9), p99_ms: at(0.99), max_ms: at(1), load1: loadavg()[0] }
}
