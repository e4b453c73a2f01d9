import { EngineError } from '../../schemas/errors.ts'
import type { Part, Work } from '../../topology/runtime/work.ts'
import { TAKE_BACKS_MAX } from '../../topology/runtime/worker.ts'
import { Workers } from '../../topology/runtime/workers.ts'

/** Work that ends when it is stopped or told to fail; it says what happens to it. */
class Told implements Work {
  readonly isCaughtUp = true
  readonly progress = 0
  readonly #name: string
  readonly #says: string[]
  #end: { resolve: () => void; reject: (failure: unknown) => void } = { resolve: () => {}, reject: () => {} }
  #isStopped = false
  /** Another process takes the part over meanwhile. */
  isOvertaken = false

  constructor(name: string, says: string[]) {
    this.#name = name
    this.#says = says
  }
  async restore(): Promise<void> {
    this.#says.push(`${this.#name} restores`)
    if (this.isOvertaken) throw new EngineError('fenced', `${this.#name} was taken over`)
  }
  run(): Promise<void> {
    this.#says.push(`${this.#name} runs`)
    return new Promise((resolve, reject) => {
      this.#end = { resolve, reject }
      if (this.#isStopped) resolve()
    })
  }
  stop(): void {
    this.#isStopped = true
    this.#says.push(`${this.#name} stops`)
    this.#end.resolve()
  }
  fail(code: 'fenced' | 'log_full'): void {
    this.#end.reject(new EngineError(code, `${this.#name} failed`))
  }
}

const given = (settleMs: number, names: readonly string[], overtakenFirst = false) => {
  const says: string[] = []
  const works = new Map<string, Told>()
  const parts = names.map(
    (name): Part => ({
      name,
      place: name,
      create: () => {
        const work = new Told(name, says)
        work.isOvertaken = overtakenFirst && !works.has(name)
        works.set(name, work)
        return work
      },
    }),
  )
  return { workers: new Workers(parts, settleMs), says, works }
}
const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1))

describe('workers', () => {
  test('given places, then what goes with them is restored and run, and ended when they are lost', async () => {
    const { workers, says } = given(0, ['a', 'b'])
    await workers.setMine(new Set(['a']))
    expect(says).toEqual(['a restores', 'a runs'])
    await workers.setMine(new Set(['b']))
    expect(says.slice(2).sort()).toEqual(['a stops', 'b restores', 'b runs'])
    await workers.stop()
    expect(says).toContain('b stops')
    await workers.done
  })
  test('given the same places again, then nothing happens', async () => {
    const { workers, says } = given(0, ['a'])
    await workers.setMine(new Set(['a']))
    await workers.setMine(new Set(['a']))
    expect(says).toEqual(['a restores', 'a runs'])
    await workers.stop()
  })
  test('given a place that is lost before its work is restored, then it does not stay at work', async () => {
    const { workers, says } = given(0, ['a'])
    await Promise.all([workers.setMine(new Set(['a'])), workers.setMine(new Set())])
    await turn()
    await workers.setMine(new Set(['a']))
    await workers.stop()
    expect(says.filter((line) => line === 'a runs').length).toBe(says.filter((line) => line === 'a stops').length)
  })
  test('given a failure, then all end and it is told', async () => {
    const { workers, says, works } = given(1_000, ['a', 'b'])
    await workers.setMine(new Set(['a', 'b']))
    works.get('a')?.fail('log_full')
    await expect(workers.done).rejects.toMatchObject({ code: 'log_full' })
    await turn()
    expect(says).toContain('b stops')
    await expect(workers.stop()).rejects.toMatchObject({ code: 'log_full' })
  })
  test('given a part that another process took over, when its place is lost or comes again, then nothing has failed', async () => {
    const { workers, says, works } = given(50, ['a', 'b'])
    await workers.setMine(new Set(['a', 'b']))
    works.get('a')?.fail('fenced')
    works.get('b')?.fail('fenced')
    await turn()
    await workers.setMine(new Set(['b']))
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(says.filter((line) => line === 'b runs')).toHaveLength(2)
    await workers.stop()
    await workers.done
  })
  test('given a part that another process takes over while it restores, then it waits for its place to move or to come again', async () => {
    const { workers, says } = given(50, ['a', 'b'], true)
    await workers.setMine(new Set(['a', 'b']))
    await workers.setMine(new Set(['b']))
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(says.filter((line) => line.endsWith('runs'))).toEqual(['b runs'])
    await workers.stop()
    await workers.done
  })
  test('given a part that another process had for a moment while its place stays here, then it is taken back', async () => {
    const { workers, says, works } = given(80, ['a'])
    await workers.setMine(new Set(['a']))
    works.get('a')?.fail('fenced')
    await new Promise((resolve) => setTimeout(resolve, 40))
    expect(says).toEqual(['a restores', 'a runs', 'a restores', 'a runs'])
    await workers.stop()
    await workers.done
  })
  test('given a part that is taken over again each time it is taken back, then that is told after some times', async () => {
    const { workers, says, works } = given(16, ['a'])
    await workers.setMine(new Set(['a']))
    for (let time = 0; time < TAKE_BACKS_MAX; time++) {
      const before = works.get('a')
      before?.fail('fenced')
      while (works.get('a') === before) await turn()
      await turn()
    }
    works.get('a')?.fail('fenced')
    await expect(workers.done).rejects.toMatchObject({ code: 'fenced' })
    expect(says.filter((line) => line === 'a runs')).toHaveLength(TAKE_BACKS_MAX + 1)
  })
  test('given a part that was taken back, when the group says again that it is here, then it may be taken back again', async () => {
    const { workers, says, works } = given(16, ['a'])
    await workers.setMine(new Set(['a']))
    for (let word = 0; word < 6; word++) {
      const before = works.get('a')
      before?.fail('fenced')
      while (works.get('a') === before) await turn()
      await turn()
      await workers.setMine(new Set(['a']))
    }
    expect(says.filter((line) => line === 'a runs')).toHaveLength(7)
    await workers.stop()
    await workers.done
  })
  test('given places that do not move, then being taken over is told at once', async () => {
    const { workers, works } = given(0, ['a'])
    await workers.setMine(new Set(['a']))
    works.get('a')?.fail('fenced')
    await expect(workers.done).rejects.toMatchObject({ code: 'fenced' })
  })
  test('given a part whose restore does not end, when all stop, then that is not waited for longer than a lost part may take', async () => {
    const stuck: Work = { isCaughtUp: false, progress: 0, restore: () => new Promise(() => {}), run: async () => {}, stop: () => {} }
    const workers = new Workers([{ name: 'a', place: 'a', create: () => stuck }], 0)
    void workers.setMine(new Set(['a']))
    await turn()
    jest.useFakeTimers()
    try {
      const stopped = workers.stop()
      await jest.advanceTimersByTimeAsync(4_001)
      await stopped
    } finally {
      jest.useRealTimers()
    }
  })
})
