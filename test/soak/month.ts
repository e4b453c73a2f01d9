// Days of a market and days of creators, each in a process of its own with the product's Node flags: memory after each day.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { BUNDLED, NODE_FLAGS } from '../tools/node-flags.ts'
import type { Day } from './month-folds.ts'

const PROCESS = fileURLToPath(new URL('./month-process.ts', import.meta.url))
/** Launches on the launchpad a day. */
const LAUNCHES_PER_DAY = 33_000

export interface MonthReport {
  readonly seed: number
  readonly days: readonly Day[]
  readonly verdict: Verdict
}

/** Runs this many days; `print` gets one table line per day. @throws if the process fails */
export const runMonth = async (days: number, seed: number, print: (line: string) => void): Promise<MonthReport> => {
  const table = await daysOf<Day>(['month', days, LAUNCHES_PER_DAY, seed], (day, n) => {
    if (n === 0) print(Object.keys(day).join('\t'))
    print(Object.values(day).join('\t'))
  })
  return { seed, days: table, verdict: verdictOf(table) }
}

/** What the process prints, one line a day. @throws if it fails */
const daysOf = async <Line extends object>(
  words: readonly (string | number)[],
  onDay: (day: Line, n: number) => void,
): Promise<readonly Line[]> => {
  const child = spawn(process.execPath, [...NODE_FLAGS, BUNDLED, PROCESS, ...words.map(String)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const table: Line[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    const day = JSON.parse(line) as Line
    onDay(day, table.length)
    table.push(day)
  }
  const [code] = await ended
  if (code !== 0) throw new Error(`the process of ${words.join(' ')} ended with code ${code} after ${table.length} days`)
  return table
}

/** A mint's stub is removed a day later, a wallet within the hour: from this day on only creators grow, for 90 days. */
const WINDOWS_FULL_DAY = 3
/** Number of days over which the bytes per creator are measured. */
const MEASURED_DAYS = 7
/** Later days may exceed the extrapolation from the measured ones by this share. */
const OVER_SHARE_MAX = 0.1
/** Folds and view together: pages of about 200 bytes each, a name and a number, the folds' timer. */
const CREATOR_BYTES_MAX = 1_500
/** Resident memory beyond committed heap and buffers: the allocator's. It may vary by this much, but not grow further. */
const RESIDENT_MB_MAX = 250

const MB = 1e6

interface Verdict {
  /** Heap and external memory per additional creator, folds and view together. */
  readonly creatorBytes: number
  /** Memory that does not grow with creators, MB. */
  readonly baseMB: number
  /** The largest excess of a later day over the extrapolation, as a share. */
  readonly overShare: number
  readonly faults: readonly string[]
}

const heldMB = ({ heapMB, externalMB }: Day): number => heapMB + externalMB

/** Least squares of memory over creators, on the measured days. */
const lineOf = (days: readonly Day[]): { readonly creatorBytes: number; readonly baseMB: number } => {
  const [x, y] = [meanOf(days.map(({ creators }) => creators)), meanOf(days.map(heldMB))]
  let [over, under] = [0, 0]
  for (const day of days) {
    over += (day.creators - x) * (heldMB(day) - y)
    under += (day.creators - x) ** 2
  }
  const slope = under === 0 ? 0 : over / under
  return { creatorBytes: Math.round(slope * MB), baseMB: Math.round(y - slope * x) }
}

/** @param days all days of a run, in order */
const verdictOf = (days: readonly Day[]): Verdict => {
  const full = days.filter(({ day }) => day >= WINDOWS_FULL_DAY)
  const { creatorBytes, baseMB } = lineOf(full.slice(0, MEASURED_DAYS))
  const later = full.slice(MEASURED_DAYS)
  const overs = later.map((day) => heldMB(day) / (baseMB + (day.creators * creatorBytes) / MB) - 1)
  const overShare = Math.round(1_000 * Math.max(0, ...overs)) / 1_000
  const faults: string[] = []
  if (creatorBytes > CREATOR_BYTES_MAX) faults.push(`a creator takes ${creatorBytes} bytes, at most ${CREATOR_BYTES_MAX}`)
  if (overShare > OVER_SHARE_MAX) faults.push(`a later day holds ${overShare} more than the days ${WINDOWS_FULL_DAY} to 9 foretell`)
  const beyond = full.map(({ rssMB, heapKeptMB, externalMB }) => rssMB - heapKeptMB - externalMB)
  const grownMB = Math.round((beyond.at(-1) ?? 0) - (beyond[0] ?? 0))
  if (grownMB > RESIDENT_MB_MAX) faults.push(`resident memory grew by ${grownMB} MB beyond heap and buffers`)
  return { creatorBytes, baseMB, overShare, faults }
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

/** The end of a day, after a garbage collection. */
interface CreatorsDay {
  readonly role: string
  readonly adapter: string
  readonly day: number
  readonly creators: number
  readonly heapMB: number
  readonly externalMB: number
}

export interface CreatorsReport {
  readonly seed: number
  /** Heap and external memory that each creator adds on the last two thirds of the days, by role and adapter. */
  readonly creatorBytes: Readonly<Record<string, number>>
  /** True if a creator on disk takes at most a tenth of the memory that it takes without the disk. */
  readonly isBounded: boolean
}

/** `print` gets each day of each run as JSON. @throws if a process fails */
export const runCreators = async (
  days: number,
  launchesPerDay: number,
  seed: number,
  print: (line: string) => void,
): Promise<CreatorsReport> => {
  const creatorBytes: Record<string, number> = {}
  for (const role of ['fold', 'view'])
    for (const adapter of ['memory', 'disk']) {
      const table = await daysOf<CreatorsDay>([role, adapter, days, launchesPerDay, seed], (day) => print(JSON.stringify(day)))
      creatorBytes[`${role} ${adapter}`] = bytesPerCreator(table)
    }
  const isBounded = ['fold', 'view'].every((role) => 10 * (creatorBytes[`${role} disk`] ?? 0) <= (creatorBytes[`${role} memory`] ?? 0))
  return { seed, creatorBytes, isBounded }
}

/** Skips the first third of the days: after it, the keys in memory have reached their limit, and the disk takes the rest. */
const bytesPerCreator = (table: readonly CreatorsDay[]): number => {
  const [from, to] = [table[Math.floor(table.length / 3)], table.at(-1)]
  if (from === undefined || to === undefined || to.creators === from.creators) return 0
  const heldMb = ({ heapMB, externalMB }: CreatorsDay): number => heapMB + externalMB
  return Math.round((1e6 * (heldMb(to) - heldMb(from))) / (to.creators - from.creators))
}
