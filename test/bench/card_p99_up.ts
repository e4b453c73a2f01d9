// card_p99_up: the mint card at 500 requests a second while the folds process 2,000 events a second in their thread.
import type { Bench } from './bench.ts'
import { CONNECTIONS, serveView } from './card-server.ts'
import { makeMarket, paceTape, splitTape, startMarket, withDirectory } from './live-market.ts'
import { load } from './load.ts'
import { DEFAULT_SHAPE } from './synthetic-tape.ts'

const RATE = 500
const EVENTS_PER_S = 2_000
const WARM_S = 2
const SECONDS = 8
/** The tape continues until the load's process has ended. */
const SLACK_S = 4

export const bench: Bench = {
  name: 'card_p99_up',
  unit: 'ms',
  run: () =>
    withDirectory(async (dir) => {
      const { before, rest } = splitTape(DEFAULT_SHAPE, 5_000)
      await makeMarket(dir, before)
      const market = await startMarket(dir)
      const { serving, url, mints, holders } = await serveView(market.view)
      const seconds = WARM_S + SECONDS + SLACK_S
      const folding = paceTape(market.log, rest, { framesPerS: EVENTS_PER_S / DEFAULT_SHAPE.eventsPerFrame, seconds })
      const result = await load({ url, seconds: SECONDS, warmS: WARM_S, connections: CONNECTIONS, rate: RATE })
      await folding
      await serving.close(1_000)
      await market.stop()
      return {
        value: result.p99Ms,
        detail: { ...result, rate: RATE, events_per_s: EVENTS_PER_S, connections: CONNECTIONS, mints, holders },
      }
    }),
}
