// What the events of `/v1/stream/flags` are.
import { EVENT_ID_PATTERN, SECONDS_PATTERN, streamEvents } from '../stream/facts.ts'
import { flagWords } from './card-shapes.ts'
import { rugTypes } from './record-shapes.ts'
import { oneOf, ref, type Schema, shapeOf, type Types } from './shape.ts'

const DELAYED: Types = { delayed_s: 'count' }

/** As it was asked for: a position, or unix seconds. */
const START: Schema = {
  anyOf: [
    { type: 'string', pattern: EVENT_ID_PATTERN },
    { type: 'string', pattern: SECONDS_PATTERN },
  ],
}

const dataOf: Readonly<Record<keyof typeof streamEvents, Schema>> = {
  flag: shapeOf({ ...rugTypes, ...DELAYED }),
  retracted: shapeOf({
    finding_id: 'text',
    position: 'position',
    flag: flagWords,
    mint: 'address',
    creator: 'address|null',
    t: 'time',
    ...DELAYED,
  }),
  skipped: shapeOf({ from: START, to: 'position|null', reason: 'text' }),
}

const NAMES = { flag: 'StreamedFlag', retracted: 'StreamedRetraction', skipped: 'StreamedGap' } as const

/** One event: `data` is JSON in one line. */
const eventOf = (event: keyof typeof streamEvents): Schema => ({
  type: 'object',
  title: event,
  description: streamEvents[event],
  properties: {
    id: {
      type: 'string',
      pattern: EVENT_ID_PATTERN,
      description: 'where to go on: send it as Last-Event-ID. Absent where the next event has the same place',
    },
    event: oneOf(event),
    data: { type: 'string', contentMediaType: 'application/json', contentSchema: ref(NAMES[event]) },
  },
  required: ['event', 'data'],
})

export const streamEventShape: Schema = { oneOf: [eventOf('flag'), eventOf('retracted'), eventOf('skipped')] }
/** What `data` of each event holds. */
export const streamDataShapes: Readonly<Record<string, Schema>> = Object.fromEntries(
  Object.entries(dataOf).map(([event, data]) => [NAMES[event as keyof typeof streamEvents], data]),
)
