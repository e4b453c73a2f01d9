// Options of `npm run bench:kafka`.
import { parseArgs } from 'node:util'
import type { Layout } from './tape.ts'

const PARTS = ['drain', 'latency', 'card', 'wire', 'ready', 'scale'] as const
const UNDO = ['yes', 'no'] as const
const LAYOUTS = ['frames', 'events'] as const satisfies readonly Layout[]
const THREADS = ['1', '2'] as const

const OPTIONS = {
  comparator: { type: 'string', default: '../shared/bench/kafka-streams' },
  events: { type: 'string', default: '2000000' },
  rounds: { type: 'string', default: '3' },
  seconds: { type: 'string', default: '30' },
  'ready-events': { type: 'string', default: '3030000' },
  'scale-events': { type: 'string', default: '1000000' },
  'ready-days': { type: 'string', default: '1,7,30' },
  only: { type: 'string', default: PARTS.join() },
  undo: { type: 'string', default: UNDO.join() },
  threads: { type: 'string', default: THREADS.join() },
  layouts: { type: 'string', default: LAYOUTS.join() },
  'commit-ms': { type: 'string', default: '100' },
  'prompt-ms': { type: 'string' },
} as const

/** The values of a list such as `frames,events`. @throws Error that names what is unknown */
const listOf = <Value extends string>(name: string, text: string, known: readonly Value[]): readonly Value[] =>
  text.split(',').map((part) => {
    const value = known.find((one) => one === part)
    if (value === undefined) throw new Error(`--${name} must be a list of ${known.join(', ')}, not ${text}`)
    return value
  })

const positive = (name: string, text: string): number => {
  const value = Number(text)
  if (!Number.isInteger(value) || value <= 0) throw new Error(`--${name} must be a whole number above 0, not ${text}`)
  return value
}

export const optionsOf = (args: readonly string[]) => {
  const { values } = parseArgs({ args: [...args], options: OPTIONS })
  return {
    comparator: values.comparator,
    events: positive('events', values.events),
    rounds: positive('rounds', values.rounds),
    seconds: positive('seconds', values.seconds),
    readyEvents: positive('ready-events', values['ready-events']),
    scaleEvents: positive('scale-events', values['scale-events']),
    readyDays: values['ready-days'].split(',').map((text) => positive('ready-days', text)),
    parts: listOf('only', values.only, PARTS),
    undo: listOf('undo', values.undo, UNDO).map((answer) => answer === 'yes'),
    threads: listOf('threads', values.threads, THREADS).map(Number),
    layouts: listOf('layouts', values.layouts, LAYOUTS),
    commitMs: positive('commit-ms', values['commit-ms']),
    promptMs: positive('prompt-ms', values['prompt-ms'] ?? values['commit-ms']),
  }
}
