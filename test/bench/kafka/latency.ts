// The latency from an event's append to its flag at a steady rate, one event per record: each side in turn has the machine to itself,
// except for its probe.
import { runChild, runProcesses } from './child.ts'
import type { Cache } from './comparator.ts'
import { CACHES, type Case, casesOf, nameOf, type Plan, runOptions } from './plan.ts'
import { makeLiveTape } from './probe.ts'
import { type Compared, inRounds, Report } from './report.ts'
import type { Figures } from './together.ts'

export interface Pace {
  readonly eventsPerS: number
  readonly seconds: number
  readonly warmS: number
}

const COMPARED: readonly Compared[] = [{ bench: 'kafka_flag_p99_ratio', figure: 'p99_ms' }]

export const compareLatency = async (plan: Plan, pace: Pace): Promise<void> => {
  const report = new Report('latency', plan)
  const streamsStep = (cache: Cache, threads: number) => async (): Promise<void> =>
    report.addKafkaStreams(cache, threads, await plan.comparator.latency({ cache, threads, commitMs: plan.commitMs }, pace))
  const mintfoldStep =
    (variant: Case) =>
    async (round: number): Promise<void> =>
      report.addMintfold(variant, await latencyHere(plan, pace, variant, `live-${nameOf(variant)}-${round}`))
  for (const threads of plan.threads) {
    const cases = casesOf({ ...plan, layouts: ['events'] }, threads)
    const [on, object] = CACHES.map((cache) => streamsStep(cache, threads)) as [() => Promise<void>, () => Promise<void>]
    await inRounds(plan.rounds, [on, ...cases.map(mintfoldStep), object])
    report.ratios(cases, COMPARED)
  }
}

const latencyHere = async (plan: Plan, { eventsPerS: rate, seconds, warmS }: Pace, variant: Case, run: string): Promise<Figures> => {
  const options = runOptions(plan, variant, run, `${run}.tape`)
  await makeLiveTape(options)
  let probed: Figures = {}
  const served = await runProcesses('serve', options, async () => {
    probed = await runChild('probe', { ...options, file: plan.file, rate, seconds, warmS })
  })
  return { ...served, ...probed }
}
