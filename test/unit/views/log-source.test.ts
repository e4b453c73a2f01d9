import { rawRecordCodec, sourceCodec } from '../../../schemas/codecs.ts'
import { LAUNCH_RISK } from '../../../topology/launch-risk.ts'
import { createMemoryLog } from '../../../topology/logs/memory/memory.ts'
import { LogSource } from '../../../topology/views/status/log-source.ts'
import { TOPICS } from '../../fixtures/topics.ts'
import { launchFrame } from '../processors/alt/fixtures.ts'

const NOW_MS = 1_790_000_000_000
const FRAME_S = 1_780_000_000

const given = async () => {
  const log = createMemoryLog({ partitions: 1 })
  const owner = await log.own('capture')
  const source = new LogSource(log, LAUNCH_RISK, () => NOW_MS)
  await source.start()
  const write = async (topic: typeof TOPICS.raw | typeof TOPICS.sources, value: Buffer): Promise<void> => {
    await owner.commit({ outputs: [{ topic, partition: 0, key: Buffer.from('solana'), value }], inputs: new Map() })
    await source.start()
  }
  return { source, write }
}
const frame = rawRecordCodec.encode({ sequence: 0, body: { ...launchFrame(7), blockTime: FRAME_S } })

test('the time of cards is not known before capture has published its clock, even once frames arrive', async () => {
  const { source, write } = await given()
  expect(source.now()).toBeNull()
  await write(TOPICS.raw, frame)
  expect([source.tip()?.time, source.now()]).toEqual([FRAME_S, null])
  const clock = { chain: 'solana' as const, facts: 'a demo', streamMs: FRAME_S * 1_000 + 5_000, wallMs: NOW_MS - 2_000, speed: 1 }
  await write(TOPICS.sources, sourceCodec.encode(clock))
  expect(source.now()).toBe(FRAME_S * 1_000 + 7_000)
  await source.stop()
})
