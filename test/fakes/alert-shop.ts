// Alerts as an app sells them in tests: kept in memory, names resolve to a public address, and nothing is delivered. It does not
// simulate: a worker, DNS, the network (every target returns its challenge, unless a test opens a sender), or a store that fails.
import { Alerts } from '../../query-api/alerts/alerts.ts'
import type { AlertContext } from '../../query-api/alerts/context.ts'
import { messageContextOf } from '../../query-api/alerts/messages.ts'
import { memoryRows } from '../integration/alerts-given.ts'

export type ShopGiven = Pick<AlertContext, 'view' | 'clock' | 'wallClock' | 'odds' | 'feed'> & Partial<AlertContext>

/** Its ids and secrets are the same in every run: the first, the second, ... */
export const alertShop = (given: ShopGiven): Alerts => {
  let drawn = 0
  return new Alerts({
    ...{ rows: memoryRows(), message: messageContextOf('http://127.0.0.1:8402'), rules: { allowsLoopback: false } },
    ...{ resolve: async () => ['93.184.215.14'], notice: () => undefined, random: (bytes) => Buffer.alloc(bytes, ++drawn) },
    openSender: () => ({ send: async ({ body }) => ({ kind: 'delivered', body }), close: async () => undefined }),
    ...{ challengeWaitS: async () => 0, ...given },
  })
}
