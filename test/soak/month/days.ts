// Simulates consecutive days of the chain and reports the memory of the process at the end of each.
import { collect } from '../../tools/memory.ts'
import { type LiveKeys, MonthChain } from './chain.ts'
import { FRAMES_PER_DAY, type MonthLoad, MonthTape } from './tape.ts'

export interface MonthPlan extends MonthLoad {
  readonly days: number
}

/** The end of a simulated day, after a collection. */
export interface Day extends LiveKeys {
  readonly day: number
  readonly launches: number
  readonly heapMB: number
  /** Heap size as committed by the collector, including free space. */
  readonly heapKeptMB: number
  readonly externalMB: number
  readonly arrayBuffersMB: number
  readonly rssMB: number
  /** Mints in the view. */
  readonly viewMints: number
  /** Seconds that simulating the day took. */
  readonly tookS: number
}

const MB = 1e6
const inMb = (bytes: number): number => Math.round(bytes / 1e5) / (MB / 1e5)

/** Simulates the days; `onDay` is called at the end of each. */
export const simulateDays = async (plan: MonthPlan, onDay: (day: Day) => void): Promise<void> => {
  const [tape, chain] = [new MonthTape(plan), new MonthChain()]
  await chain.start()
  for (let day = 1; day <= plan.days; day++) {
    const started = performance.now()
    for (let frame = 0; frame < FRAMES_PER_DAY; frame++) await chain.take(tape.next())
    const tookS = Math.round((performance.now() - started) / 100) / 10
    onDay({ day, launches: tape.launches, ...memoryNow(), ...chain.keys(), viewMints: chain.view.status().tracked, tookS })
  }
}

const memoryNow = (): Pick<Day, 'heapMB' | 'heapKeptMB' | 'externalMB' | 'arrayBuffersMB' | 'rssMB'> => {
  collect()
  const { heapUsed, heapTotal, external, arrayBuffers, rss } = process.memoryUsage()
  return {
    heapMB: inMb(heapUsed),
    heapKeptMB: inMb(heapTotal),
    externalMB: inMb(external),
    arrayBuffersMB: inMb(arrayBuffers),
    rssMB: inMb(rss),
  }
}
