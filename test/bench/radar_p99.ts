// radar_p99: the ranked preview at 1,000 requests a second, as a ratio to the mint card at the same rate on the same server.
import type { Bench } from './bench.ts'
import { CONNECTIONS, serveCards } from './card-server.ts'
import { type LoadResult, load } from './load.ts'

const RATE = 1_000
/** Each round outlasts a rebuild of the preview. */
const SECONDS = 6
const ROUNDS = ['card', 'radar', 'radar', 'card'] as const

export const bench: Bench = {
  name: 'radar_p99',
  unit: 'ratio',
  run: async () => {
    const { serving, url: card, mints } = await serveCards()
    const radar = `${serving.url}/v1/radar`
    const results: Record<'card' | 'radar', LoadResult[]> = { card: [], radar: [] }
    for (const round of ROUNDS) {
      const url = round === 'card' ? card : radar
      results[round].push(await load({ url, seconds: SECONDS, warmS: 2, connections: CONNECTIONS, rate: RATE }))
    }
    const { data } = (await (await fetch(radar)).json()) as { data: { candidates: number } }
    await serving.close(1_000)
    // Of the two rounds each, takes the one less disturbed by other jobs on the machine.
    const best = (of: readonly LoadResult[]): number => Math.min(...of.map(({ p99Ms }) => p99Ms))
    const failures = [...results.card, ...results.radar].reduce((total, one) => total + one.failures, 0)
    return {
      value: Math.round((best(results.radar) / best(results.card)) * 1_000) / 1_000,
      detail: { ...results, failures, rate: RATE, connections: CONNECTIONS, mints, candidates: data.candidates },
    }
  },
}
