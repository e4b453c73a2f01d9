// Figures of the comparison with Kafka Streams.
import { optionsOf } from '../../bench/kafka/options.ts'
import { casesOf, isGoal, limitsOf, nameOf, type Plan } from '../../bench/kafka/plan.ts'
import { Report } from '../../bench/kafka/report.ts'
import { together } from '../../bench/kafka/together.ts'

const planOf = (args: readonly string[], print: Plan['print'] = () => {}): Plan => ({ ...optionsOf(args), print }) as unknown as Plan

describe('the figures of a run of several processes', () => {
  const span = { from_ms: 1_000, to_ms: 3_000, broker_from_s: 5, broker_to_s: 6, cpu_s: 1, peak_rss_mb: 100, load1: 2 }
  test('span the first start and the last end, and sum CPU and memory', () => {
    const later = { ...span, from_ms: 1_500, to_ms: 4_000, broker_from_s: 5.5, broker_to_s: 7, load1: 3 }
    expect(together([span, later])).toEqual({ seconds: 3, broker_cpu_s: 2, cpu_s: 2, peak_rss_mb: 200, load1: 3 })
  })
  test('are those of the process if there is only one', () => {
    expect(together([{ ...span, joined_ms: 500 }])).toMatchObject({ seconds: 2, to_running_s: 2.5, cpu_s: 1 })
  })
})

describe('the cases', () => {
  test('are all combinations by default; only those with undo and one thread are goals', () => {
    const plan = planOf([])
    const cases = plan.threads.flatMap((threads) => casesOf(plan, threads))
    expect(cases.map(nameOf).sort()).toEqual([
      ...['events-final-1', 'events-final-2', 'events-undo-1', 'events-undo-2'],
      ...['frames-final-1', 'frames-final-2', 'frames-undo-1', 'frames-undo-2'],
    ])
    expect(cases.filter(isGoal).map(nameOf)).toEqual(['frames-undo-1', 'events-undo-1'])
  })
  test('commit at the interval of the comparator, with a backlog too', () => {
    expect(limitsOf(planOf(['--commit-ms', '100']))).toEqual({ commitIntervalMs: 100, catchUpIntervalMs: 100, promptIntervalMs: 100 })
    expect(limitsOf(planOf(['--prompt-ms', '20']))).toEqual({ commitIntervalMs: 100, catchUpIntervalMs: 100, promptIntervalMs: 20 })
  })
  test('unknown values are refused', () => {
    expect(() => optionsOf(['--undo', 'maybe'])).toThrow('--undo must be a list of yes, no, not maybe')
    expect(() => optionsOf(['--rounds', '0'])).toThrow('--rounds must be a whole number above 0, not 0')
  })
})

test('a ratio is the median of the ratios within each round', () => {
  const lines: object[] = []
  const report = new Report(
    'drain',
    planOf([], (line) => lines.push(line)),
  )
  const variant = { layout: 'frames', undo: true, threads: 1 } as const
  for (const [ours, on, object] of [
    [10, 10, 20],
    [8, 4, 16],
    [9, 3, 90],
  ]) {
    report.addMintfold(variant, { events_per_s: ours as number })
    report.addKafkaStreams('on', 1, { events_per_s: on as number })
    report.addKafkaStreams('object', 1, { events_per_s: object as number })
  }
  report.ratios([variant], [{ bench: 'kafka_events_ratio', figure: 'events_per_s' }])
  expect(lines.at(-1)).toMatchObject({ bench: 'kafka_events_ratio', goal: true, value: 2, detail: { ratio_to_object: 0.5 } })
})
