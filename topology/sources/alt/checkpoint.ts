// Restores the capture's state from the raw topic: the newest frames of the canonical branch, and their finality.
import { rawRecordCodec } from '../../../schemas/codecs.ts'
import type { Topics } from '../../../schemas/topics.ts'
import type { RawRecord } from '../../../schemas/types.ts'
import type { SourceLog } from '../../ports/log.ts'
import type { Checkpoint } from './step.ts'
import { type OwnBlock, WINDOW_BLOCKS } from './window.ts'

/** Records read first: the window if every second block has a frame. If that is not enough, twice as many are read. */
const TAIL_RECORDS = 1_024
const READ = { recordsMax: 256, bytesMax: 8 * 1024 * 1024 }

/** Reads back to the start of the window, or of the topic. */
export const readCheckpoint = async (log: SourceLog, raw: Topics['raw']): Promise<Checkpoint> => {
  const start = log.start(raw, 0)
  const end = log.end(raw, 0)
  for (let records = TAIL_RECORDS; ; records *= 2) {
    const from = Math.max(start, end - records)
    const checkpoint = restored(await bodies(log, raw, from, end))
    const oldest = checkpoint.blocks[0]?.number ?? 0
    const newest = checkpoint.blocks.at(-1)?.number ?? 0
    if (from === start || newest - oldest >= WINDOW_BLOCKS) return checkpoint
  }
}

const bodies = async (log: SourceLog, raw: Topics['raw'], from: number, end: number): Promise<readonly RawRecord['body'][]> => {
  const found: RawRecord['body'][] = []
  for (let offset = from; offset < end; ) {
    const records = await log.read(raw, 0, offset, READ)
    for (const { value } of records) {
      const read = value === null ? undefined : rawRecordCodec.decode(value)
      if (read?.ok) found.push(withoutBytes(read.value.body))
    }
    offset = (records.at(-1)?.offset ?? end) + 1
  }
  return found
}

/** Drops frame bodies, because the tail of a busy chain is large. */
const withoutBytes = (body: RawRecord['body']): RawRecord['body'] => (body.type === 'frame' ? { ...body, body: Buffer.alloc(0) } : body)

const restored = (all: readonly RawRecord['body'][]): Checkpoint => {
  let blocks: OwnBlock[] = []
  let sure = { confirmed: -1, finalized: -1 }
  for (const body of all)
    if (body.type === 'frame' && body.part === 0)
      blocks.push({ number: body.number, hash: `0x${body.hash}`, time: body.blockTime ?? 0, isFrame: true })
    else if (body.type === 'revert') {
      blocks = blocks.filter(({ number }) => number <= body.number)
      sure = { ...sure, confirmed: Math.min(sure.confirmed, body.number) }
    } else if (body.type === 'finality') sure = { confirmed: body.confirmed, finalized: body.finalized }
  return { blocks, sure }
}
