// Parts of a rebuild: the effect of a record on the valid outputs, positions on the corrected tape, the end of a read input.

import { solana } from '../../../processors/chains/solana/chain.ts'
import { conclusionCodec } from '../../../schemas/codecs.ts'
import type { Conclusion } from '../../../schemas/types.ts'
import { createMemoryLog } from '../../../topology/logs/memory/memory.ts'
import { nextTapeOffset, placeOf, tapeOffset } from '../../../topology/versions/decoding/corrected-tape.ts'
import { conclusionEffects } from '../../../topology/versions/live-records.ts'
import { OverlayLog } from '../../../topology/versions/rebuild/overlay-log.ts'
import { EVENTS, ROWS, SETUP } from '../../contract/log-topics.ts'
import { flag } from '../../integration/sink-figures-given.ts'

const effectsIn = conclusionEffects(solana.conclusions)

const finding = flag(1, 1_790_000_000, 'creator_sold')
const bytesOf = (conclusion: Conclusion): Uint8Array => conclusionCodec.encode(conclusion)
const frame = `${finding.number}@${finding.hash8}`

describe('the effect of a conclusion on the valid outputs', () => {
  const effectOf = (body: Conclusion['body']) => effectsIn(bytesOf({ ...finding, id: 'later', body } as Conclusion))
  test('a finding becomes valid', () => {
    expect(effectsIn(bytesOf(finding))).toEqual([{ type: 'publishes', id: finding.id, frame, bytes: bytesOf(finding) }])
  })
  test('a retraction removes its frame', () => {
    expect(effectOf({ type: 'retraction', sequence: 4 })).toEqual([{ type: 'frame-gone', frame }])
  })
  test('a revision withdraws one conclusion or publishes another', () => {
    const bytes = Buffer.from(bytesOf(finding))
    expect(effectOf({ type: 'revision', revision: 1, withdrawn: bytes, said: null } as never)).toEqual([
      { type: 'withdraws', id: finding.id },
    ])
    expect(effectOf({ type: 'revision', revision: 1, withdrawn: null, said: bytes } as never)).toMatchObject([
      { type: 'publishes', id: finding.id, frame },
    ])
  })
  test('other bytes have no effect', () => {
    expect(effectsIn(Buffer.from([1, 2, 3]))).toEqual([])
  })
})

test('positions on a corrected tape give the offset, and where reading continues after it', () => {
  for (const offset of [0, 1, 5, 2 ** 33 - 1]) {
    const place = placeOf(offset)
    expect([tapeOffset(place), nextTapeOffset(place)]).toEqual([offset, offset])
    expect([tapeOffset(place + 1), nextTapeOffset(place + 1)]).toEqual([offset, offset + 1])
  }
})

test('an input without records at its last offsets ends where that was detected, and its progress is a share', async () => {
  const input = {
    topic: EVENTS,
    start: () => 10,
    end: () => 20,
    position: (offset: number) => offset,
    read: async (_partition: number, offset: number) => (offset < 16 ? [{ offset, key: Buffer.from('k'), value: null }] : []),
  }
  const beside = new OverlayLog(input, createMemoryLog(SETUP))
  const limits = { recordsMax: 1, bytesMax: 1 }
  const reported: string[] = []
  const unsubscribe = beside.onCommit((topics) => reported.push(...topics))
  expect(await beside.read(EVENTS, 0, 15, limits)).toHaveLength(1)
  expect([beside.end(EVENTS, 0), beside.share]).toEqual([20, 0.5])
  expect(await beside.read(EVENTS, 0, 16, limits)).toEqual([])
  expect([beside.end(EVENTS, 0), beside.start(EVENTS, 0), beside.end(ROWS, 0)]).toEqual([16, 10, 0])
  await beside.read(EVENTS, 0, 16, limits)
  expect(reported).toEqual([EVENTS.name])
  unsubscribe()
})
