import { progressCodec } from '../../../schemas/codecs.ts'
import type { Progress } from '../../../schemas/types.ts'
import { FoldedTasks } from '../../../topology/views/status/folded.ts'

const at = (time: number) => {
  const progress: Progress = {
    ...{ task: 'a', chain: 'solana', number: time, hash8: 'abcdefgh', time },
    ...{ gapFrom: null, gapTo: null, confirmed: null, finalized: null, forks: 0 },
  }
  return { offset: 0, key: Buffer.from('a'), value: progressCodec.encode(progress) }
}

describe('wasFresh', () => {
  const given = (speed: number) => {
    const world = { nowMs: 1_000_000, isKnown: true }
    const tasks = new FoldedTasks({ now: () => (world.isKnown ? world.nowMs : null), anchor: () => ({ streamMs: 0, wallMs: 0, speed }) })
    const read = () => tasks.freshness().wasFresh
    const fold = (time: number) => {
      tasks.hold(at(time))
      tasks.show()
      return read()
    }
    return { world, fold, read }
  }
  test('is false until a folded frame is at most 30 s old, and then stays true', () => {
    const { world, fold } = given(1)
    expect([fold(900), fold(969), fold(970)]).toEqual([false, false, true])
    world.nowMs += 600_000
    expect(fold(971)).toBe(true)
  })
  test('measures the 30 s in wall-clock time if the stream is played faster than real time', () => {
    const { fold } = given(20)
    expect([fold(399), fold(400)]).toEqual([false, true])
  })
  test('is false while the clock of the source is not known, whatever frames are folded, and is measured once it is', () => {
    const { world, fold, read } = given(1)
    world.isKnown = false
    expect([fold(900), fold(901)]).toEqual([false, false])
    world.isKnown = true
    expect(read()).toBe(false)
    world.nowMs = 931_000
    expect(read()).toBe(true)
  })
  test('is absent if the source has no clock', () => {
    const tasks = new FoldedTasks()
    tasks.hold(at(1))
    tasks.show()
    expect(tasks.freshness()).toEqual({})
  })
})
