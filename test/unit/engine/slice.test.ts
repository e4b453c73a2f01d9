import { Slice } from '../../../topology/engine/slice.ts'

describe('a slice that several share', () => {
  test('is over after its time, for all of them, until one has a turn', async () => {
    let nowMs = 10
    const slice = new Slice(2, () => nowMs)
    expect(slice.isOver).toBe(true)
    await slice.turn()
    expect(slice.isOver).toBe(false)
    nowMs += 2
    expect(slice.isOver).toBe(true)
  })

  test('gives turns in the order in which they were asked for, each in a turn of the event loop', async () => {
    const slice = new Slice(0)
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
