// `npm run bench:kafka [-- --comparator DIR] [--rounds N] [--only drain,latency,card,wire]`: compares our engine with Kafka Streams on one
// broker, then measures the latency from an event to its card. Prints JSON lines on stdout like `npm run bench`.
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startBroker } from '../../services/broker.ts'
import { startRegistry } from '../../services/registry.ts'
import { machine } from '../machine.ts'
import { eventToCard } from './card.ts'
import { CHILD, reportReady, runChild } from './child.ts'
import { Comparator } from './comparator.ts'
import { compareDrains, compareLatency, type Plan } from './compare.ts'
import { drain, openLog, type RunOptions, restore, type Services, serve } from './engine.ts'
import { probe } from './probe.ts'
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

/** Actions of a child process. */
const CHILDREN: Readonly<Record<string, (options: never) => Promise<object>>> = {
  ...{ load, drain, restore, probe, wire, card: eventToCard },
  serve: (options: RunOptions) => serve(options, reportReady),
}

const runAll = async (args: readonly string[]): Promise<void> => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      comparator: { type: 'string', default: '../shared/bench/kafka-streams' },
      events: { type: 'string', default: '2000000' },
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '30' },
      only: { type: 'string', default: 'drain,latency,card,wire' },
    },
  })
  print({ machine: machine() })
  const [broker, registry] = await Promise.all([startBroker(), startRegistry()])
  try {
    const services: Services = { brokers: broker.address, registryUrl: registry.url, brokerPid: broker.pid }
    const parts = values.only.split(',')
    const pace = { eventsPerS: 2_000, seconds: Number(values.seconds), warmS: 10 }
    if (parts.includes('card')) printCard(await runChild('card', { ...services, ...pace, framesBefore: 5_000 }))
    if (['drain', 'latency', 'wire'].some((part) => parts.includes(part))) {
      const home = join(tmpdir(), 'mintfold-bench-kafka')
      const comparator = await Comparator.prepare({ source: values.comparator, home, brokerPort: broker.port, brokerPid: broker.pid })
      const events = Number(values.events)
      const plan: Plan = { services, comparator, file: await comparator.events(events), events, rounds: Number(values.rounds), print }
      if (parts.includes('drain')) await compareDrains(plan)
      if (parts.includes('latency')) await compareLatency(plan, pace)
      if (parts.includes('wire')) await compareWires(plan)
    }
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
