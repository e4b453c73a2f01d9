// The latency from an event to its card over Kafka, by hop, at 2,000 events a second: capture, folds and view run in this process, as in
// `mintfold up`, with broker and registry on the same cores.
import { loadavg } from 'node:os'
import { progressCodec } from '../../../schemas/codecs.ts'
import { type Key, toBase58 } from '../../../schemas/keys.ts'
import { tapeKeyOf } from '../../../schemas/tape-key.ts'
import type { TapeBatch } from '../../../schemas/types.ts'
import { createPartitioner } from '../../../topology/engine/partition.ts'
import { LAUNCH_RISK } from '../../../topology/launch-risk.ts'
import { openKafkaLog } from '../../../topology/logs/kafka/open.ts'
import type { Log, OutRecord } from '../../../topology/ports/log.ts'
import { startFolds } from '../../../topology/runtime/runtime.ts'
import { topicsOf } from '../../../topology/topology.ts'
import { LogMintView } from '../../../topology/views/mint-view.ts'
import { TOPICS } from '../../fixtures/topics.ts'
import { mintEvidence } from '../../shipped.ts'
import { fillTape, tapeRecordsOn } from '../fill-tape.ts'
import { splitTape } from '../live-market.ts'
import { DEFAULT_SHAPE } from '../synthetic-tape.ts'
import type { Services } from './engine.ts'
import { cpuSeconds } from './figures.ts'
import { oneAtATime } from './one-at-a-time.ts'

export interface CardOptions extends Services {
  readonly eventsPerS: number
  readonly seconds: number
  readonly warmS: number
  /** Frames folded before the measurement. */
  readonly framesBefore: number
}

const PARTITIONS = 4
const PACE_MS = 2
const READ_LIMITS = { recordsMax: 1_000, bytesMax: 4 * 1024 * 1024 }

/** A frame and the times of its hops, from `performance.now()`. */
interface Way {
  readonly frame: TapeBatch
  readonly mint: Key
  readonly partition: number
  readonly dueAt: number
  /** When its record was readable. */
  tapedAt?: number
  /** When the output of its fold was readable. */
  foldedAt?: number
  /** When its card was built. */
  shownAt?: number
}

const openLog = ({ brokers, registryUrl }: Services): Promise<Log> =>
  openKafkaLog({
    brokers: brokers.split(','),
    registry: { url: registryUrl, login: null },
    security: { tls: false, sasl: null },
    durable: 'none',
    prefix: 'bench.card.',
    partitions: PARTITIONS,
    topics: topicsOf(LAUNCH_RISK),
    ...LAUNCH_RISK.operations.kafka.writes,
    notice: (message) => process.stderr.write(`${message}\n`),
  })

/** Records when each partition's fold was first seen to have processed a frame. */
class FoldWatch {
  readonly #log: Log
  readonly #next: number[]

  constructor(log: Log) {
    this.#log = log
    this.#next = Array.from({ length: PARTITIONS }, (_, partition) => log.end(TOPICS.progress, partition))
  }
  async look(ways: readonly Way[]): Promise<void> {
    for (let partition = 0; partition < PARTITIONS; partition++) {
      const records = await this.#log.read(TOPICS.progress, partition, this.#next[partition] as number, READ_LIMITS)
      const last = records.at(-1)
      if (last?.value === undefined || last.value === null) continue
      this.#next[partition] = last.offset + 1
      const read = progressCodec.decode(last.value)
      if (!read.ok) throw new Error(read.reason)
      for (const way of ways) if (way.partition === partition && way.frame.number <= read.value.number) way.foldedAt ??= performance.now()
    }
  }
}

const isShown = (view: LogMintView, { mint, frame }: Way): boolean => {
  const snapshot = view.get(mint)
  if (snapshot === undefined || (snapshot.state.curve?.lastNumber ?? 0) < frame.number) return false
  mintEvidence(snapshot.mint, snapshot.state, { asOf: frame.time, gap: null })
  return true
}

/**
 * A hop that was not observed before the card was built gets the card's time: the watch may read later than the view, and the response to
 * the commit may arrive last.
 */
const show = (way: Way, at: number): void => {
  way.shownAt = at
  way.foldedAt ??= at
  way.tapedAt = Math.min(way.tapedAt ?? at, way.foldedAt)
}

/** Appends frames when they are due and follows each until its card is built. */
const measure = async (
  log: Log,
  view: LogMintView,
  tape: Iterator<TapeBatch>,
  framesPerS: number,
  seconds: number,
): Promise<readonly Way[]> => {
  const [owner, recordsOf, watch] = [await log.own('bench'), tapeRecordsOn(log), new FoldWatch(log)]
  const partitionOf = createPartitioner(PARTITIONS, (key) => toBase58(key as Key))
  const all: Way[] = []
  let waiting: Way[] = []
  const showing = oneAtATime(async () => {
    await watch.look(waiting)
    await view.caughtUp()
    for (const way of waiting) if (isShown(view, way)) show(way, performance.now())
    waiting = waiting.filter(({ shownAt }) => shownAt === undefined)
  })
  const unsubscribe = log.onCommit(showing.trigger)
  const started = performance.now()
  const commits: Promise<void>[] = []
  while (all.length < framesPerS * seconds) {
    const due = Math.min(framesPerS * seconds, Math.floor(((performance.now() - started) * framesPerS) / 1_000) + 1)
    const outputs: OutRecord[] = []
    const ways: Way[] = []
    while (all.length < due) {
      const frame = nextOf(tape)
      const mint = mintOf(frame)
      const way = { frame, mint, partition: partitionOf(mint), dueAt: started + (all.length * 1_000) / framesPerS }
      for (const list of [all, waiting, ways]) list.push(way)
      outputs.push(...recordsOf(frame))
    }
    const taped = (): void => {
      for (const way of ways) way.tapedAt ??= performance.now()
    }
    if (outputs.length > 0) commits.push(owner.commit({ outputs, inputs: new Map() }).then(taped))
    await new Promise((resolve) => setTimeout(resolve, PACE_MS))
  }
  await Promise.all(commits)
  while (waiting.length > 0) {
    showing.trigger()
    await showing.idle()
    await new Promise((resolve) => setTimeout(resolve, PACE_MS))
  }
  unsubscribe()
  return all
}

const nextOf = (tape: Iterator<TapeBatch>): TapeBatch => {
  const frame = tape.next()
  if (frame.done) throw new Error('the tape is too short for the load')
  return frame.value
}
const mintOf = (frame: TapeBatch): Key => {
  const [event] = frame.events
  if (event === undefined) throw new Error(`frame ${frame.number} has no event`)
  return tapeKeyOf(event)
}

const spread = (values: readonly number[]): { readonly p50: number; readonly p99: number; readonly max: number } => {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (share: number): number => Math.round((sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0) * 10) / 10
  return { p50: at(0.5), p99: at(0.99), max: at(1) }
}

/** Milliseconds from when a frame is due until its card is built: in total and by hop. */
export const eventToCard = async (options: CardOptions): Promise<object> => {
  const framesPerS = options.eventsPerS / DEFAULT_SHAPE.eventsPerFrame
  const log = await openLog(options)
  const { before, rest } = splitTape(DEFAULT_SHAPE, options.framesBefore)
  await fillTape(log, before)
  const folds = await startFolds(log, [LAUNCH_RISK])
  await folds.caughtUp()
  const view = new LogMintView(log, LAUNCH_RISK, { tip: () => null })
  await view.start()
  const cpu = cpuSeconds()
  const ways = (await measure(log, view, rest, framesPerS, options.seconds + options.warmS)).slice(framesPerS * options.warmS)
  const cores = (cpuSeconds() - cpu) / (options.seconds + options.warmS)
  await folds.stop()
  await view.stop()
  await log.close()
  const at = (time: number | undefined): number => time ?? Number.NaN
  return {
    whole: spread(ways.map(({ dueAt, shownAt }) => at(shownAt) - dueAt)),
    due_to_tape: spread(ways.map(({ dueAt, tapedAt }) => at(tapedAt) - dueAt)),
    tape_to_rows: spread(ways.map(({ tapedAt, foldedAt }) => at(foldedAt) - at(tapedAt))),
    rows_to_card: spread(ways.map(({ foldedAt, shownAt }) => at(shownAt) - at(foldedAt))),
    ...{ frames: ways.length, cpu_cores: cores, load1: loadavg()[0] },
  }
}
