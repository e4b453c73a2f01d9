// card_rps: requests a second for the full mint card at full load.
import type { Bench } from './bench.ts'
import { CONNECTIONS, serveCards } from './card-server.ts'
import { load } from './load.ts'

export const bench: Bench = {
  name: 'card_rps',
  unit: 'requests/s',
  run: async () => {
    const { serving, url, mints, holders } = await serveCards()
    // Warm-up, not measured.
    await load({ url, seconds: 2, connections: CONNECTIONS })
    const result = await load({ url, seconds: 8, connections: CONNECTIONS })
    await serving.close(1_000)
    return { value: result.rps, detail: { ...result, connections: CONNECTIONS, mints, holders } }
  },
}
