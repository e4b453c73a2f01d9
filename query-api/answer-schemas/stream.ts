// Events of `/v1/stream/flags`.

import { z } from 'zod'
import type { FlagSchemas } from './flags.ts'
import { ref } from './json-schema.ts'
import { rugShape } from './market.ts'
import { PUBLISHED } from './published-chain.ts'
import { address, fields, position, text, unixSeconds, wholeSeconds } from './vocabulary.ts'

const SLOT = '(0|[1-9][0-9]{0,14})'
const INDEX = '(0|[1-9][0-9]{0,8})'
/** An id of an event: a position on the chain, `~` for the tick of a slot and for events derived from balances. */
export const EVENT_ID_PATTERN = `^${PUBLISHED.chain}:${SLOT}\\.(~|${INDEX}\\.(~|${INDEX})\\.${INDEX})$`

/** Unix seconds as text. */
const SECONDS_PATTERN = '^[0-9]{1,15}(\\.[0-9]{1,9})?$'

/** By name of the event; the id of each is the position of its flag. */
export const streamEvents = {
  flag: 'a flag, as an item of /v1/rugs/recent with delayed_s; its id is its position on the chain',
  retracted: 'a flag that was told before and no longer stands',
  skipped:
    'the first event, where the start lies further back than flags are kept here (6 h): flags between `from` and `to` (null: none is kept) do not come',
} as const

const delayed = { delayed_s: wholeSeconds }
const eventId = z.string().regex(new RegExp(EVENT_ID_PATTERN))

/** What `data` of each event holds, by name of its schema. */
export const streamData = (flags: FlagSchemas) => ({
  StreamedFlag: fields({ ...rugShape(flags), ...delayed }),
  StreamedRetraction: fields({
    finding_id: text,
    position,
    flag: flags.name,
    mint: address,
    creator: address.nullable(),
    t: unixSeconds,
    ...delayed,
  }),
  StreamedGap: fields({
    /** As it was asked for: a position, or unix seconds. */
    from: eventId.or(z.string().regex(new RegExp(SECONDS_PATTERN))),
    to: position.nullable(),
    reason: text,
  }),
})

/** `data` is JSON in one line. */
const eventOf = <Event extends keyof typeof streamEvents>(event: Event, data: keyof ReturnType<typeof streamData>) =>
  z
    .object({
      id: eventId.optional().describe('where to go on: send it as Last-Event-ID. Absent where the next event has the same place'),
      event: z.literal(event),
      data: z.string().meta({ contentMediaType: 'application/json', contentSchema: ref(data) }),
    })
    .catchall(z.unknown())
    .meta({ title: event, description: streamEvents[event] })

export const streamEvent = z.discriminatedUnion('event', [
  eventOf('flag', 'StreamedFlag'),
  eventOf('retracted', 'StreamedRetraction'),
  eventOf('skipped', 'StreamedGap'),
])
