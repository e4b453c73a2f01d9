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

describe('whether the feed was fresh', () => {
  const given = (speed: number) => {
    const world = { nowMs: 1_000_000 }
    const tasks = new FoldedTasks({ now: () => world.nowMs, anchor: () => ({ streamMs: 0, wallMs: 0, speed }) })
    const fold = (time: number) => {
      tasks.hold(at(time))
      tasks.show()
      return tasks.freshness().wasFresh
    }
    return { world, fold }
  }
  test('is not before it came within 30 s, and stays so when it is late again', () => {
    const { world, fold } = given(1)
    expect([fold(900), fold(969), fold(970)]).toEqual([false, false, true])
    world.nowMs += 600_000
    expect(fold(971)).toBe(true)
  })
  test('counts the seconds of the wall where the stream is played faster', () => {
    const { fold } = given(20)
    expect([fold(399), fold(400)]).toEqual([false, true])
  })
  test('is not told where the source has no clock', () => {
    const tasks = new FoldedTasks()
    tasks.hold(at(1))
    tasks.show()
    expect(tasks.freshness()).toEqual({})
  })
})
