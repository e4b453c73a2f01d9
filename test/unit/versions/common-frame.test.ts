// The stretch that a diff compares: up to the frame that both sides have folded, without what a fork since has removed for one of them.
import { solana } from '../../../processors/chains/solana/chain.ts'
import { tapeRecordCodec } from '../../../schemas/codecs.ts'
import type { Progress, TapeRecord } from '../../../schemas/types.ts'
import { createMemoryLog } from '../../../topology/logs/memory/memory.ts'
import { commonFrame } from '../../../topology/versions/shadow/common-frame.ts'
import { TOPICS } from '../../fixtures/topics.ts'

/** More than are searched first. */
const MANY = 1_500

const frame = (number: number, hash8 = `hash${number}`): TapeRecord => ({
  ...{ type: 'batch', chain: 'solana', number, hash8, sequence: number, time: number, gapFrom: null, gapTo: null, vouched: false },
  ...{ final: false, placed: true, launchpadTransactions: 0, launchpadFailed: 0, events: [] },
})
const revert = (number: number): TapeRecord => ({
  ...{ type: 'revert', chain: 'solana', sequence: 0, number, hash8: `hash${number}`, dead: [] },
})
const at = (number: number, hash8 = `hash${number}`): Progress => ({
  ...{
    task: 'mint-0',
    chain: 'solana',
    number,
    hash8,
    time: number,
    gapFrom: null,
    gapTo: null,
    confirmed: null,
    finalized: null,
    forks: 0,
  },
})
const frames = (from: number, to: number): TapeRecord[] => Array.from({ length: to - from + 1 }, (_, n) => frame(from + n))

const common = async (tape: readonly TapeRecord[], ...positions: readonly Progress[]): Promise<number> => {
  const log = createMemoryLog({ partitions: 1 })
  const key = Buffer.from('solana')
  const outputs = tape.map((record) => ({ topic: TOPICS.tape, partition: 0, key, value: tapeRecordCodec.encode(record) }))
  await (await log.own('decoder')).commit({ outputs, inputs: new Map() })
  return commonFrame(log, TOPICS.tape, solana.tape, 0, positions)
}

test('without forks it is the older of both positions, however far the newer one and the tape are ahead', async () => {
  expect(await common(frames(1, 9), at(7), at(5))).toBe(5)
  expect(await common(frames(1, MANY), at(2), at(MANY))).toBe(2)
})

test('a fork after the older position lowers it to the fork point, also where the newer side has folded the fork already', async () => {
  expect(await common([...frames(1, 6), revert(3), frame(4, 'other')], at(6), at(5))).toBe(3)
  expect(await common([...frames(1, 6), revert(3), frame(4, 'other')], at(4, 'other'), at(6))).toBe(3)
  expect(await common([...frames(1, MANY), revert(3)], at(MANY), at(2))).toBe(2)
})

test('a fork before both positions changes nothing', async () => {
  const tape = [...frames(1, 6), revert(3), frame(4, 'other'), ...frames(7, 9)]
  expect(await common(tape, at(8), at(9))).toBe(8)
})
