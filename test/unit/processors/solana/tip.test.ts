// The decoder's state of the chain: its newest frame, and counts since the first.
import { decoder } from '../../../../processors/chains/solana/decoder.ts'
import { rawRecordCodec, tapeRecordCodec } from '../../../../schemas/codecs.ts'
import { DEFAULT_LIMITS } from '../../../../topology/engine/limits.ts'
import { Task } from '../../../../topology/engine/task.ts'
import { LAUNCH_RISK } from '../../../../topology/launch-risk.ts'
import { TOPICS } from '../../../fixtures/topics.ts'
import { framesOf, open } from './fixtures.ts'

const BLOCKS = ['mainnet-285000037.getBlock.json.gz', 'mainnet-332254908.ConfirmedBlock.pb.gz']

test('two blocks that do not link up give counts of frames, events and the gap between them', () => {
  const task = new Task(LAUNCH_RISK.decode(1), 0, DEFAULT_LIMITS)
  task.begin({ input: 0, exchange: 0 })
  for (const [offset, body] of BLOCKS.flatMap((name) => framesOf(open(`blocks/${name}`))).entries())
    task.step({ offset, key: Buffer.alloc(0), value: rawRecordCodec.encode({ sequence: offset + 1, body }) })
  const store = task.store(decoder.processor.name)
  const { tip } = store.type.decode(store.pagesOf('solana')[0]?.value as Buffer)
  const tape = task.takeCommit().outputs.filter(({ topic }) => topic === TOPICS.tape)
  const events = tape.reduce((sum, { value }) => {
    const read = tapeRecordCodec.decode(value as Uint8Array)
    return sum + (read.ok && read.value.type === 'batch' ? read.value.events.length : 0)
  }, 0)
  expect(events).toBe(84)
  expect(tip).toMatchObject({ number: 332254908, frames: 2, gaps: 1, gapFrom: 285000038, gapTo: 332254907, deadLetters: 0, events })
})
