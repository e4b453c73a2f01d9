// The description of the stream's route for documents. The stream is not in the list of questions: it does not end or return JSON.
import { startParam } from './start.ts'

export const STREAM = {
  path: '/v1/stream/flags',
  title: 'Stream of flags',
  description:
    'Flags as server-sent events: confirmed, at least 300 s old, in chain order. By default it sends the flags that reach this age from now on; after or Last-Event-ID starts it after a position or a time.',
  priceMicroUsdc: 0,
  params: { after: startParam },
  example: '/v1/stream/flags',
  headers: {
    'Last-Event-ID': 'id of the last received event; browsers send it when they reconnect. It takes precedence over after',
  },
} as const
