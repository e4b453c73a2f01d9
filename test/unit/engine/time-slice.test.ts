import { TimeSlice } from '../../../topology/engine/time-slice.ts'

describe('a shared time budget', () => {
  test('is used up for all after its time, until one of them yields', async () => {
    let nowMs = 10
    const slice = new TimeSlice(2, () => nowMs)
    expect(slice.isOver).toBe(true)
    await slice.turn()
    expect(slice.isOver).toBe(false)
    nowMs += 2
    expect(slice.isOver).toBe(true)
  })

  test('resumes callers in request order, each in its own turn of the event loop', async () => {
    const slice = new TimeSlice(0)
    const seen: string[] = []
    const work = async (name: string): Promise<void> => {
      for (let n = 0; n < 2; n++) {
        await slice.turn()
        seen.push(name)
      }
    }
    const ticks = async (): Promise<void> => {
      for (let n = 0; n < 4; n++) {
        await new Promise((resolve) => setImmediate(resolve))
        seen.push('|')
      }
    }
    await Promise.all([work('a'), work('b'), ticks()])
    expect(seen.join('')).toBe('a|b|a|b|')
  })
})
