// What documents say of the stream: it is no question, because it has no end and answers no JSON.
import { startParam } from './start.ts'

export const STREAM = {
  path: '/v1/stream/flags',
  title: 'Stream of flags',
  description:
    'Flags as server-sent events: confirmed, at least 300 s old, in the order of the chain. Without a start it sends what comes of age from now on; after or Last-Event-ID starts it behind a position or a time.',
  priceMicroUsdc: 0,
  params: { after: startParam },
  example: '/v1/stream/flags',
  headers: {
    'Last-Event-ID': 'id of the last event that was read; browsers send it when they connect again, and it goes before after',
  },
} as const
