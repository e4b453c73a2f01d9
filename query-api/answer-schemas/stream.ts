// Events of `/v1/stream/flags`.
import { z } from 'zod'
import { EVENT_ID_PATTERN, SECONDS_PATTERN, streamEvents } from '../stream/facts.ts'
import type { FlagSchemas } from './flags.ts'
import { ref } from './json-schema.ts'
import { rugShape } from './market.ts'
import { address, fields, position, text, unixSeconds, wholeSeconds } from './vocabulary.ts'

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
