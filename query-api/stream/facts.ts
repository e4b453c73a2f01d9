// What documents say of the stream: it is no question, because it has no end and answers no JSON.
import { PUBLISHED } from '../answer-schemas/published-chain.ts'
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

const SLOT = '(0|[1-9][0-9]{0,14})'
const INDEX = '(0|[1-9][0-9]{0,8})'
/** An id of an event: a position on the chain, `~` for the tick of a slot and for events derived from balances. */
export const EVENT_ID_PATTERN = `^${PUBLISHED.chain}:${SLOT}\\.(~|${INDEX}\\.(~|${INDEX})\\.${INDEX})$`

/** Unix seconds as text. */
export const SECONDS_PATTERN = '^[0-9]{1,15}(\\.[0-9]{1,9})?$'

/** By name of the event; the id of each is the position of its flag. */
export const streamEvents = {
  flag: 'a flag, as an item of /v1/rugs/recent with delayed_s; its id is its position on the chain',
  retracted: 'a flag that was told before and no longer stands',
  skipped:
    'the first event, where the start lies further back than flags are kept here (6 h): flags between `from` and `to` (null: none is kept) do not come',
} as const
