// Reads a tape: from files of one chain, or from one or all partitions of the log that the settings name.
import { compareWithin } from '../../../../schemas/position.ts'
import type { ChainEvent, TapeForm } from '../../../../schemas/record-forms.ts'
import type { Chain } from '../../../../schemas/types.ts'
import { logTape } from '../../../operations/explain/log-tape.ts'
import type { Batch } from '../../../operations/explain/recompute.ts'
import type { LogReader } from '../../../ports/log.ts'
import type { Topology } from '../../../topology.ts'
import { type Io, UsageError } from '../../command.ts'
import { showFileProgress } from '../../output/file-progress.ts'
import { showProgress } from '../../output/progress.ts'
import { openReplayFile, replayOf } from '../recordings/replay-file.ts'

const WORK = { what: 'reading the tape', unit: 'frames' }

/** Frames of recordings, tape files or node responses, oldest first. @throws UsageError for files of another chain */
export async function* tapeOfFiles(paths: readonly string[], chain: Chain, io: Io): AsyncGenerator<Batch> {
  const progress = await showFileProgress(io, WORK, paths)
  const decoder = replayOf(chain).folds()
  try {
    for (const path of paths) {
      const file = await openReplayFile(path, { seen: progress.file(path), printNotice: io.printNotice, assumeComplete: false })
      if (file.chain !== chain) throw new UsageError(`${path} is of the chain ${file.chain}, not of ${chain}`)
      if ('batches' in file)
        for await (const batch of file.batches) {
          progress.one()
          yield batch
        }
      else
        for await (const frame of file.frames) {
          const batch = decoder.decode(frame)
          if (batch === undefined) continue
          progress.one()
          yield batch
        }
    }
  } finally {
    progress.hide()
  }
}

/** Merges all partitions frame by frame: a frame has one record in each. Starts at about `fromTime`, as `tapeOfLog`. */
export async function* wholeTapeOfLog(log: LogReader, topology: Topology, io: Io, fromTime: number | null = null): AsyncGenerator<Batch> {
  const { tape } = topology.operations.explain.reads
  const partitions = Array.from({ length: log.partitions(tape) }, (_, partition) => tapeOfLog(log, topology, partition, fromTime, io))
  const heads = await Promise.all(partitions.map(async (batches) => (await batches.next()).value as Batch | undefined))
  for (;;) {
    const open = heads.filter((head) => head !== undefined)
    const next = open.sort((a, b) => a.sequence - b.sequence)[0]
    if (next === undefined) return
    const events: ChainEvent[] = []
    for (const [partition, head] of heads.entries()) {
      if (head?.sequence !== next.sequence) continue
      events.push(...head.events)
      heads[partition] = (await partitions[partition]?.next())?.value as Batch | undefined
    }
    yield { ...next, events: events.sort(compareWithin) }
  }
}

/** Reads one partition, from about `fromTime` (unix seconds) on; null reads all of it. */
export async function* tapeOfLog(
  log: LogReader,
  { chain, operations }: Topology,
  partition: number,
  fromTime: number | null,
  io: Io,
): AsyncGenerator<Batch> {
  const progress = showProgress(io, WORK)
  let frames = 0
  try {
    const topics = operations.explain.reads
    const form = chain.tape as TapeForm<ChainEvent>
    for await (const batch of logTape({ log, topics, form, partition, forkNumbersMax: chain.forkNumbersMax }, fromTime)) {
      progress.at(++frames, undefined)
      yield batch
    }
  } finally {
    progress.hide()
  }
}
