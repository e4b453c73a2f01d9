// card_p99: the full mint card at 1,000 requests a second.
import type { Bench } from './bench.ts'
import { CONNECTIONS, serveCards } from './card-server.ts'
import { load } from './load.ts'

const RATE = 1_000

export const bench: Bench = {
  name: 'card_p99',
  unit: 'ms',
  run: async () => {
    const { serving, url, mints, holders } = await serveCards()
    const result = await load({ url, seconds: 8, warmS: 2, connections: CONNECTIONS, rate: RATE })
    await serving.close(1_000)
    return { value: result.p99Ms, detail: { ...result, rate: RATE, connections: CONNECTIONS, mints, holders } }
  },
}
