// What documents say of the stream: it is no question, because it has no end and answers no JSON.

export const STREAM = {
  path: '/v1/stream/flags',
  title: 'Stream of flags',
  description:
    'Flags as server-sent events: confirmed, at least 300 s old, in the order of the chain. Last-Event-ID goes on behind a flag that was read.',
} as const

/** What an id of an event looks like: a position on the chain. */
export const EVENT_ID_PATTERN = '^solana:(0|[1-9][0-9]{0,14})(\\.(0|[1-9][0-9]{0,8})){3}$'

/** By name of the event; the id of each is the position of its flag. */
export const streamEvents = {
  flag: 'a flag, as an item of /v1/rugs/recent with delayed_s; its id is its position on the chain',
  retracted: 'a flag that was told before and no longer stands',
  skipped:
    'the first event, where Last-Event-ID lies further back than flags are kept here (6 h): flags between `from` and `to` (null: none is kept) do not come',
} as const
