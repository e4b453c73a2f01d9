// The month: simulated days through the production folds and the API's view, in a separate process with the product's flags.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { BUNDLED, NODE_FLAGS } from '../tools/node-flags.ts'
import type { Day } from './month/days.ts'
import { type Verdict, verdictOf } from './month/verdict.ts'

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
  const args = [...NODE_FLAGS, BUNDLED, PROCESS, String(days), String(LAUNCHES_PER_DAY), String(seed)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const table: Day[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    const day = JSON.parse(line) as Day
    if (table.length === 0) print(Object.keys(day).join('\t'))
    print(Object.values(day).join('\t'))
    table.push(day)
  }
  const [code] = await ended
  if (code !== 0) throw new Error(`the month's process ended with code ${code} after ${table.length} days`)
  return { seed, days: table, verdict: verdictOf(table) }
}
