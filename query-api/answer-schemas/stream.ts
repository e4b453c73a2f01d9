// Schemas of the events of `/v1/stream/flags`.

import * as z from 'zod'
import type { FlagSchemas } from './flags.ts'
import { ref } from './json-schema.ts'
import { rugShape } from './market.ts'
import { PUBLISHED } from './published-chain.ts'
import { address, fields, position, text, unixSeconds, wholeSeconds } from './vocabulary.ts'

const SLOT = '(0|[1-9][0-9]{0,14})'
const INDEX = '(0|[1-9][0-9]{0,8})'
/** An event id: a chain position, with `~` for the tick of a slot and for events derived from balances. */
export const EVENT_ID_PATTERN = `^${PUBLISHED.chain}:${SLOT}\\.(~|${INDEX}\\.(~|${INDEX})\\.${INDEX})$`

/** Unix seconds as text. */
const SECONDS_PATTERN = '^[0-9]{1,15}(\\.[0-9]{1,9})?$'

/** Meanings by event name; the id of each event is the position of its flag. */
export const streamEvents = {
  flag: 'a flag, as an item of /v1/rugs/recent with delayed_s; its id is its chain position',
  retracted: 'a flag that was sent before is no longer valid',
  skipped:
    'the first event if the requested start is before the kept flags (6 h): flags between `from` and `to` (null: no flag is kept) are not sent',
} as const

const delayed = { delayed_s: wholeSeconds }
const eventId = z.string().regex(new RegExp(EVENT_ID_PATTERN))

/** Schemas of each event's `data`, by name. */
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
    /** As requested: a position, or unix seconds. */
    from: eventId.or(z.string().regex(new RegExp(SECONDS_PATTERN))),
    to: position.nullable(),
    reason: text,
  }),
})

/** `data` is JSON in one line. */
const eventOf = <Event extends keyof typeof streamEvents>(event: Event, data: keyof ReturnType<typeof streamData>) =>
  z
    .object({
      id: eventId.optional().describe('where to resume: send it as Last-Event-ID. Absent if the next event has the same position'),
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
