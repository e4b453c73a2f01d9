// Parts of a rebuild: what a record says of what stands, places on the corrected tape, the end of an input that was read.

import { solana } from '../../../processors/chains/solana/chain.ts'
import { conclusionCodec } from '../../../schemas/codecs.ts'
import type { Conclusion } from '../../../schemas/types.ts'
import { createMemoryLog } from '../../../topology/logs/memory/memory.ts'
import { nextTapeOffset, placeOf, tapeOffset } from '../../../topology/versions/decoding/corrected-tape.ts'
import { BesideLog } from '../../../topology/versions/rebuild/beside-log.ts'
import { tellConclusion } from '../../../topology/versions/standing.ts'
import { EVENTS, ROWS, SETUP } from '../../contract/log-topics.ts'
import { flag } from '../../integration/sink-figures-given.ts'

const tellOf = tellConclusion(solana.conclusions)

const finding = flag(1, 1_790_000_000, 'creator_sold')
const bytesOf = (conclusion: Conclusion): Uint8Array => conclusionCodec.encode(conclusion)
const frame = `${finding.number}@${finding.hash8}`

describe('what a conclusion does to what stands', () => {
  const told = (body: Conclusion['body']) => tellOf(bytesOf({ ...finding, id: 'later', body } as Conclusion))
  test('a finding stands from then on', () => {
    expect(tellOf(bytesOf(finding))).toEqual([{ type: 'says', id: finding.id, frame, bytes: bytesOf(finding) }])
  })
  test('a retraction takes its frame back', () => {
    expect(told({ type: 'retraction', sequence: 4 })).toEqual([{ type: 'frame-gone', frame }])
  })
  test('a revision withdraws one and says another', () => {
    const bytes = Buffer.from(bytesOf(finding))
    expect(told({ type: 'revision', revision: 1, withdrawn: bytes, said: null } as never)).toEqual([{ type: 'withdraws', id: finding.id }])
    expect(told({ type: 'revision', revision: 1, withdrawn: null, said: bytes } as never)).toMatchObject([
      { type: 'says', id: finding.id, frame },
    ])
  })
  test('bytes of something else do nothing', () => {
    expect(tellOf(Buffer.from([1, 2, 3]))).toEqual([])
  })
})

test('places of a corrected tape: the offset of a place, and where reading goes on after it', () => {
  for (const offset of [0, 1, 5, 2 ** 33 - 1]) {
    const place = placeOf(offset)
    expect([tapeOffset(place), nextTapeOffset(place)]).toEqual([offset, offset])
    expect([tapeOffset(place + 1), nextTapeOffset(place + 1)]).toEqual([offset, offset + 1])
  }
})

test('an input whose last offsets hold nothing ends where it was found to end, and what was read of it is a share', async () => {
  const input = {
    topic: EVENTS,
    start: () => 10,
    end: () => 20,
    position: (offset: number) => offset,
    read: async (_partition: number, offset: number) => (offset < 16 ? [{ offset, key: Buffer.from('k'), value: null }] : []),
  }
  const beside = new BesideLog(input, createMemoryLog(SETUP))
  const limits = { recordsMax: 1, bytesMax: 1 }
  expect(await beside.read(EVENTS, 0, 15, limits)).toHaveLength(1)
  expect([beside.end(EVENTS, 0), beside.share]).toEqual([20, 0.5])
  expect(await beside.read(EVENTS, 0, 16, limits)).toEqual([])
  expect([beside.end(EVENTS, 0), beside.start(EVENTS, 0), beside.end(ROWS, 0)]).toEqual([16, 10, 0])
})
