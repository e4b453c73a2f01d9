// The tape that `dev` reads: files once, or the newest hours of a log, which it then follows.

import type { TapeForm } from '../../../../schemas/record-forms.ts'
import type { Chain, TapeRecord } from '../../../../schemas/types.ts'
import { topologyOf } from '../../../launch-risk.ts'
import type { LogReader } from '../../../ports/log.ts'
import type { Topology } from '../../../topology.ts'
import { tapeRecordIn } from '../../../versions/decoding/corrected-tape.ts'
import { pause } from '../../../waiting/waiting.ts'
import { type Io, UsageError } from '../../command.ts'
import { settingsWithoutApi } from '../../settings/settings.ts'
import type { Closing } from '../../start/closing.ts'
import { openReader } from '../../wiring/open-reader.ts'
import { inOrder } from '../backtest/input.ts'
import { tapeOfFiles, wholeTapeOfLog } from '../explain/tapes.ts'
import { type Batch, openReplayFile } from '../recordings/replay-file.ts'

/** Poll interval for newer frames of a log. */
const FOLLOW_MS = 1_000
/** Each poll reads the frames of this many last seconds again, and skips those it knows. */
const OVERLAP_S = 10
/** The newest batch is searched among this many records at the end of the log. */
const RECORDS_BACK_MAX = 10_000

export interface Feed {
  readonly chain: Chain
  /** The feed's name on the page. */
  readonly words: string
  /** The batches available now. */
  readonly batches: AsyncIterable<Batch>
  /** Later batches, in groups; undefined if none will come. Ends at the stop signal. */
  readonly later?: AsyncIterable<readonly Batch[]>
}

export interface FeedOptions {
  readonly in?: readonly string[]
  readonly chain: Chain
  readonly hours: number
}

const HOUR_S = 3_600

/** @throws UsageError for files that are not tapes and for a log without a tape, EngineError if the log cannot be read */
export const openFeed = async (options: FeedOptions, closing: Closing, io: Io): Promise<Feed> => {
  if (options.in === undefined) return feedOfLog(options, closing, io)
  const [first = ''] = options.in
  const { chain } = await openReplayFile(first, { seen: () => {}, printNotice: io.printNotice, assumeComplete: false })
  return { chain, words: options.in.join(', '), batches: inOrder(tapeOfFiles(options.in, chain, io)) }
}

const feedOfLog = async ({ chain, hours }: FeedOptions, closing: Closing, io: Io): Promise<Feed> => {
  const settings = settingsWithoutApi(io.env)
  const log = await openReader(settings, closing, io)
  const topology = topologyOf(chain)
  const newest = await newestTimeOf(log, topology)
  const place = settings.kafka === null ? `the log in ${settings.dataDir}` : 'the topics of the cluster'
  if (newest === undefined) throw new UsageError(`${place} has no tape of the chain ${chain}: start mintfold up, or give files with --in`)
  const tape = (fromTime: number): AsyncGenerator<Batch> =>
    settledIn(wholeTapeOfLog(log, topology, io, fromTime), topology.chain.forkNumbersMax)
  let last: Batch | undefined
  async function* batches(): AsyncGenerator<Batch> {
    for await (const batch of tape(fromS)) {
      last = batch
      yield batch
    }
  }
  async function* later(): AsyncGenerator<readonly Batch[]> {
    while (!io.stop.aborted) {
      await pause(FOLLOW_MS, io.stop)
      const bunch: Batch[] = []
      for await (const batch of tape((last?.time ?? fromS) - OVERLAP_S)) if (batch.number > (last?.number ?? -1)) bunch.push(batch)
      if (bunch.length === 0 || io.stop.aborted) continue
      last = bunch.at(-1)
      yield bunch
    }
  }
  const fromS = newest - hours * HOUR_S
  return { chain, words: place, batches: batches(), later: later() }
}

/** Omits the frames at the end that a fork may still roll back. */
async function* settledIn(batches: AsyncIterable<Batch>, forkNumbersMax: number): AsyncGenerator<Batch> {
  const held: Batch[] = []
  for await (const batch of batches) {
    held.push(batch)
    while (held[0] !== undefined && (held[0].final || held[0].number <= batch.number - forkNumbersMax)) yield held.shift() as Batch
  }
}

/** Tick of the newest frame, unix seconds; undefined if there is none. */
const newestTimeOf = async (log: LogReader, { chain, operations }: Topology): Promise<number | undefined> => {
  const { tape } = operations.explain.reads
  const { codec } = chain.tape as TapeForm
  const end = log.end(tape, 0)
  for (let offset = end - 1; offset >= Math.max(log.start(tape, 0), end - RECORDS_BACK_MAX); offset--) {
    const [record] = await log.read(tape, 0, offset, { recordsMax: 1, bytesMax: 1 })
    const decoded = record && (tapeRecordIn(codec, record) as TapeRecord | undefined)
    if (decoded?.type === 'batch') return decoded.time
  }
  return undefined
}
