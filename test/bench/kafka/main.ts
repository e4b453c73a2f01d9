// `npm run bench:kafka`: compares our engine with Kafka Streams on one broker, then measures the latency from an event to its card. Prints
// JSON lines on stdout like `npm run bench`; its options are in test/README.md.
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startBroker } from '../../services/broker.ts'
import { startRegistry } from '../../services/registry.ts'
import { machine } from '../machine.ts'
import { drain, keep, restore, serve } from './actions.ts'
import { eventToCard } from './card.ts'
import { CHILD, runChild } from './child.ts'
import { Comparator } from './comparator.ts'
import { compareDrains } from './drains.ts'
import { openLog, type Services } from './engine.ts'
import { compareLatency } from './latency.ts'
import { optionsOf } from './options.ts'
import type { Plan } from './plan.ts'
import { probe } from './probe.ts'
import { bePromoted, beReplaced, pollCards } from './promotion.ts'
import { becomeReady, compareReady, makeDay } from './ready.ts'
import { compareScale, fillScale, foldScale } from './scale.ts'
import { addCreators, showMarket } from './serve-figures.ts'
import { beAlone, beMember } from './takeover.ts'
import { type LoadOptions, loadTape } from './tape.ts'
import { tapeOf } from './task.ts'
import { compareWires, wire } from './wire.ts'

const print = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`)

const load = async (options: Services & LoadOptions): Promise<object> => {
  const log = await openLog(options, [tapeOf(options.tape)])
  const started = performance.now()
  const records = await loadTape(log, options)
  await log.close()
  return { records, seconds: (performance.now() - started) / 1_000 }
}

/** Parts without the comparator. */
const ALONE: readonly string[] = ['card', 'ready', 'scale']

/** Actions of a child process. */
const CHILDREN: Readonly<Record<string, (options: never) => Promise<object>>> = {
  ...{ load, drain, keep, restore, serve, probe, wire, card: eventToCard },
  ...{ day: makeDay, ready: becomeReady, member: beMember, alone: beAlone, creators: addCreators, market: showMarket },
  ...{ 'fill-scale': fillScale, scale: foldScale },
  ...{ replaced: beReplaced, promoted: bePromoted, cards: pollCards },
}

const runAll = async (args: readonly string[]): Promise<void> => {
  const { parts, comparator: source, seconds, readyEvents, readyDays, scaleEvents, ...chosen } = optionsOf(args)
  print({ machine: machine() })
  const [broker, registry] = await Promise.all([startBroker(), startRegistry()])
  try {
    const services: Services = { brokers: broker.address, registryUrl: registry.url, brokerPid: broker.pid }
    const pace = { eventsPerS: 2_000, seconds, warmS: 10 }
    if (parts.includes('card')) printCard(await runChild('card', { ...services, ...pace, framesBefore: 5_000 }))
    if (parts.includes('ready')) await compareReady({ services, events: readyEvents, rounds: chosen.rounds, days: readyDays, print })
    if (parts.includes('scale')) await compareScale(services, scaleEvents, print)
    if (parts.every((part) => ALONE.includes(part))) return
    const home = join(tmpdir(), 'mintfold-bench-kafka')
    const comparator = await Comparator.prepare({ source, home, brokerPort: broker.port, brokerPid: broker.pid })
    const plan: Plan = { services, comparator, file: await comparator.events(chosen.events), ...chosen, print }
    print({ settings: chosen, two_threads: 'mintfold: two processes in one consumer group; Kafka Streams: two stream threads' })
    if (parts.includes('drain')) await compareDrains(plan)
    if (parts.includes('latency')) await compareLatency(plan, pace)
    if (parts.includes('wire')) await compareWires(plan)
  } finally {
    await Promise.all([broker.stop(), registry.stop()])
  }
}

const printCard = ({ whole, ...detail }: Readonly<Record<string, unknown>>): void => {
  const { p99, ...rest } = whole as { readonly p99: number }
  print({ bench: 'kafka_event_to_card_p99', value: p99, unit: 'ms', detail: { ...rest, ...detail } })
}

const main = async ([first, action = '', options = '{}', ...rest]: readonly string[]): Promise<void> => {
  if (first !== CHILD) return runAll(process.argv.slice(2))
  const run = CHILDREN[action]
  if (run === undefined || rest.length > 0) throw new Error(`unknown action of a child process: ${action}`)
  print(await run(JSON.parse(options) as never))
}

await main(process.argv.slice(2))
