// backtest_24h: seconds that a backtest of a day takes with all shipped detectors, next to a replay of the same tape file in the same run.
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tapeBatchCodec } from '../../schemas/codecs.ts'
import type { TapeBatch } from '../../schemas/types.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { Replay } from '../../topology/runtime/replay.ts'
import { readTape, writeTape } from '../../topology/sources/recording/tape-file.ts'
import { backtestOf, closed, shippedCandidates } from '../fixtures/backtest-market.ts'
import { batchOf, demoSlots } from '../fixtures/demo-tape.ts'
import type { Bench } from './bench.ts'

/** Today's load of the chain: about 3 million trades a day. */
const RATE = 10
const HOUR_S = 3_600
const HOURS = [6, 12, 24] as const
const MB = 2 ** 20

export const bench: Bench = {
  name: 'backtest_24h',
  unit: 's',
  run: async () => {
    const dir = mkdtempSync(join(tmpdir(), 'mintfold-bench-'))
    const [path, hours] = [join(dir, 'tape.avro'), Number(process.env.BENCH_HOURS ?? 24)]
    try {
      await writeTape(path, tapeOf(hours), tapeBatchCodec)
      const replayed = await timed(path, () => {
        const folds = new Replay(LAUNCH_RISK)
        return (batch) => folds.batch(batch)
      })
      let run = backtestOf(shippedCandidates())
      const graded = await timed(path, () => {
        run = backtestOf(shippedCandidates())
        return (batch) => run.take(batch)
      })
      const { summary } = closed(run)
      return {
        value: graded.seconds,
        detail: {
          ...{
            hours,
            events: summary.events,
            launches: summary.launches,
            settings: summary.tried,
            file_mb: Math.round(statSync(path).size / 1e6),
          },
          ...{ replay_s: replayed.seconds, ratio_to_replay: round(graded.seconds / replayed.seconds) },
          ...{ seconds_by_hour: graded.byHour, heap_mb_by_hour: graded.heapMb },
        },
      }
    } finally {
      rmSync(dir, { recursive: true, force: true })
    }
  },
}

function* tapeOf(hours: number): Generator<TapeBatch> {
  for (const slot of demoSlots({ seed: 1, rate: RATE, seconds: hours * HOUR_S })) yield batchOf(slot)
}
const round = (value: number): number => Math.round(value * 100) / 100

/** Seconds in total; seconds and heap after certain hours of the tape. */
const timed = async (path: string, begin: () => (batch: TapeBatch) => unknown) => {
  const take = begin()
  const byHour: Record<string, number> = {}
  const heapMb: Record<string, number> = {}
  const started = performance.now()
  const seconds = (): number => round((performance.now() - started) / 1_000)
  let [first, lastHour] = [0, 0]
  for await (const batch of readTape(path, tapeBatchCodec)) {
    first ||= batch.time
    take(batch)
    const hour = Math.floor((batch.time - first) / HOUR_S)
    if (hour <= lastHour) continue
    lastHour = hour
    heapMb[hour] = Math.round(process.memoryUsage().heapUsed / MB)
    if ((HOURS as readonly number[]).includes(hour)) byHour[hour] = seconds()
  }
  return { seconds: seconds(), byHour, heapMb }
}
