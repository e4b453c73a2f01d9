// Days of creators in the fold's store and in the view, in memory and on disk, each in its own process with the product's Node flags.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { BUNDLED, NODE_FLAGS } from '../../tools/node-flags.ts'

const PROCESS = fileURLToPath(new URL('./process.ts', import.meta.url))

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
      const table = await daysOf([role, adapter, days, launchesPerDay, seed].map(String), print)
      creatorBytes[`${role} ${adapter}`] = bytesPerCreator(table)
    }
  const isBounded = ['fold', 'view'].every((role) => 10 * (creatorBytes[`${role} disk`] ?? 0) <= (creatorBytes[`${role} memory`] ?? 0))
  return { seed, creatorBytes, isBounded }
}

const daysOf = async (args: readonly string[], print: (line: string) => void): Promise<readonly CreatorsDay[]> => {
  const child = spawn(process.execPath, [...NODE_FLAGS, BUNDLED, PROCESS, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const table: CreatorsDay[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    print(line)
    table.push(JSON.parse(line) as CreatorsDay)
  }
  const [code] = await ended
  if (code !== 0) throw new Error(`the process of ${args.join(' ')} ended with code ${code}`)
  return table
}

/** Skips the first third of the days: after it, the keys in memory have reached their limit, and the disk takes the rest. */
const bytesPerCreator = (table: readonly CreatorsDay[]): number => {
  const [from, to] = [table[Math.floor(table.length / 3)], table.at(-1)]
  if (from === undefined || to === undefined || to.creators === from.creators) return 0
  const heldMb = ({ heapMB, externalMB }: CreatorsDay): number => heapMB + externalMB
  return Math.round((1e6 * (heldMb(to) - heldMb(from))) / (to.creators - from.creators))
}
