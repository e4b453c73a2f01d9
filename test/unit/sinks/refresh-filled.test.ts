// Figures of a history during a backfill: computed once its backlog is in, not during it.
import { refreshFilled } from '../../../topology/sinks/refresh-views.ts'

const LOOK_MS = 5
const running = new AbortController().signal

/** The fill position at each poll, the last one repeated; keeps the results of `compute`. */
const filledBy = (looks: readonly (number | null)[]) => {
  const computedAt: (number | null)[] = []
  let at = 0
  const upTo = (): number | null => looks[Math.min(at, looks.length - 1)] ?? null
  const timer = setInterval(() => at++, LOOK_MS)
  const compute = async (): Promise<void> => {
    computedAt.push(upTo())
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
  return { computedAt, upTo, compute, end: () => clearInterval(timer) }
}

describe('figures of a history during a backfill', () => {
  const computed = async (looks: readonly (number | null)[], stop = running): Promise<readonly (number | null)[]> => {
    const { computedAt, upTo, compute, end } = filledBy(looks)
    await refreshFilled({ compute, upTo, stop, checkMs: 2 * LOOK_MS })
    end()
    return computedAt
  }
  test('are computed once if nothing moves', async () => {
    expect(await computed([1_000])).toEqual([1_000])
  })
  test('wait for a backlog in progress', async () => {
    expect(await computed([null, 100, 5_000, 9_000, 14_000, 20_000, 25_000])).toEqual([25_000])
  })
  test('are computed again if a backlog arrives after a pause', async () => {
    let upTo = 100
    const found: number[] = []
    const compute = async (): Promise<void> => {
      found.push(upTo)
      upTo = 25_000
    }
    await refreshFilled({ compute, upTo: () => upTo, stop: running, checkMs: LOOK_MS })
    expect(found).toEqual([100, 25_000])
  })
  test('are not computed after a stop', async () => {
    expect(await computed([1_000], AbortSignal.abort())).toEqual([])
  })
  test('pass a failure of the computation to the caller', async () => {
    const failing = { compute: () => Promise.reject(new Error('away')), upTo: () => 1, stop: running, checkMs: LOOK_MS }
    await expect(refreshFilled(failing)).rejects.toThrow('away')
  })
})
