// How the folds of the product scale with processes: a tape of ten times today's load, written ahead, is folded from its start by 1, 2
// and 4 processes with equal shares of the partitions.
import { readFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { LAUNCH_RISK } from '../../../topology/launch-risk.ts'
import { openKafkaLog } from '../../../topology/logs/kafka/open.ts'
import { everything } from '../../../topology/ports/assignment.ts'
import { startFolds } from '../../../topology/runtime/runtime.ts'
import { topicsOf } from '../../../topology/topology.ts'
import { TOPICS } from '../../fixtures/topics.ts'
import { fillTape } from '../fill-tape.ts'
import { syntheticTape } from '../synthetic-tape.ts'
import { reportReady, runChild, runProcesses } from './child.ts'
import type { Services } from './engine.ts'
import { cpuSeconds, startSpan } from './figures.ts'
import { PARTITIONS } from './ready-log.ts'
import { round } from './report.ts'

/** Today: 33,000 launches and 3 million trades in 216,000 slots a day. */
const TENFOLD = { eventsPerFrame: 140, eventsPerMint: 91, seed: 42 }
const PROCESSES = [1, 2, 4]
/** With a larger share of the cores' time in use, they are the limit. */
const BUSY_SHARE = 0.9

export interface ScaleOptions extends Services {
  readonly events: number
  readonly processes: number
}
interface ShareOptions extends ScaleOptions {
  /** Which of the processes this is, from 0. */
  readonly index: number
}

/** Each number of processes has topics of its own. */
const openScaleLog = ({ brokers, registryUrl, processes }: ScaleOptions) =>
  openKafkaLog({
    ...{ brokers: brokers.split(','), registry: { url: registryUrl, login: null }, security: { tls: false, sasl: null } },
    ...{ durable: 'none', prefix: `bench.scale.${processes}.`, partitions: PARTITIONS, topics: topicsOf(LAUNCH_RISK) },
    ...LAUNCH_RISK.operations.kafka.writes,
    notice: (message) => process.stderr.write(`${message}\n`),
  })

export const fillScale = async (options: ScaleOptions): Promise<object> => {
  const log = await openScaleLog(options)
  await fillTape(log, syntheticTape({ ...TENFOLD, events: options.events }))
  await log.close()
  return { events: options.events }
}

/** Folds every n-th partition to the end of the tape. */
export const foldScale = async ({ index, ...options }: ShareOptions): Promise<object> => {
  const log = await openScaleLog(options)
  const all = Array.from({ length: PARTITIONS }, (_, partition) => partition)
  const share = new Set(all.filter((one) => one % options.processes === index).map((one) => `${TOPICS.tape.name}/${one}`))
  reportReady()
  const end = startSpan(options.brokerPid, cpuSeconds())
  const assignment = {
    ...everything(),
    start: (_all: readonly string[], assigned: (to: ReadonlySet<string>) => Promise<void>) => assigned(share),
  }
  const folds = await startFolds(log, [LAUNCH_RISK], undefined, { assignment })
  await folds.caughtUp()
  const figures = end()
  await folds.stop()
  await log.close()
  return figures
}

/** CPU time of the machine, all processes: in use, and in total. */
const machineTime = (): { readonly busy: number; readonly all: number } => {
  const [, ...times] = (readFileSync('/proc/stat', 'utf8').split('\n', 1)[0] as string).split(/ +/).map(Number)
  const all = times.reduce((sum, one) => sum + one, 0)
  return { all, busy: all - (times[3] as number) - (times[4] as number) }
}

/** Prints each run, and its events per second in relation to one process. */
export const compareScale = async (services: Services, events: number, print: (line: object) => void): Promise<void> => {
  const cores = availableParallelism()
  let alone = Number.NaN
  for (const processes of PROCESSES) {
    const options = { ...services, events, processes }
    await runChild('fill-scale', options)
    const before = machineTime()
    const { seconds = Number.NaN, cpu_s = Number.NaN, broker_cpu_s = Number.NaN } = await runProcesses('scale', options)
    const after = machineTime()
    const busy = (after.busy - before.busy) / (after.all - before.all)
    const perS = events / seconds
    if (processes === 1) alone = perS
    const used = (cpu_s + broker_cpu_s) / (seconds * cores)
    const isShared = busy - used > used
    const cause = isShared ? 'the cores, of which other programs used more' : 'the cores'
    const limit = busy >= BUSY_SHARE ? cause : 'waiting: for the broker, or for the folds of other partitions'
    print({
      ...{ bench: 'kafka_scale_ratio', value: round(perS / alone), unit: 'ratio' },
      detail: {
        ...{ processes, events_per_s: Math.round(perS), events_per_cpu_s: Math.round(events / cpu_s), cpu_s, broker_cpu_s, seconds },
        ...{ cores, used_share: round(used), others_share: round(busy - used), limit, load1: loadavg()[0] },
      },
    })
  }
}
