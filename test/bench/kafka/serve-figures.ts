// Memory of a `serve`, and the time until it is ready, on a log with a day of the market and the creators of more days: from its snapshots,
// and from the log. Creators are what grows beyond a day: other rows are deleted within it.
import { join } from 'node:path'
import { type Key, toBase58 } from '../../../schemas/keys.ts'
import { Closing } from '../../../topology/cli/start/closing.ts'
import { openScratchPages } from '../../../topology/data-dir/scratch-pages.ts'
import { createPartitioner } from '../../../topology/engine/partition.ts'
import { IN_MEMORY } from '../../../topology/engine/rows/memory-pages.ts'
import { parsePageKey } from '../../../topology/engine/rows/state-type.ts'
import { LAUNCH_RISK } from '../../../topology/launch-risk.ts'
import type { OutRecord } from '../../../topology/ports/log.ts'
import { LogMintView } from '../../../topology/views/mint-view.ts'
import { pause } from '../../../topology/waiting/waiting.ts'
import { areCovered, countRecords } from '../../fixtures/compacted-reads.ts'
import { TOPICS } from '../../fixtures/topics.ts'
import { Creators, FRAMES_PER_DAY } from '../../soak/creators.ts'
import { collect } from '../../tools/memory.ts'
import { runChild } from './child.ts'
import { openKept, type Services } from './engine.ts'
import { cpuSeconds } from './figures.ts'
import type { ReadyOptions } from './ready.ts'
import { openReadyLog, PARTITIONS } from './ready-log.ts'
import { inRounds } from './report.ts'

const LAUNCHES_PER_DAY = 33_000
const SEED = 1
const RECORDS_PER_COMMIT = 5_000
const POLL_MS = 50
const MB = 1e6
const MB_PER_KB = 1_024 / MB

export interface CreatorsOptions extends Services {
  readonly days: number
}

/** Writes the rows of the creators of this many days to their changelog. More days have the creators of fewer days, too. */
export const addCreators = async ({ days, ...services }: CreatorsOptions): Promise<object> => {
  const log = await openReadyLog(services)
  const owner = await log.own('bench')
  const creators = new Creators(IN_MEMORY, LAUNCHES_PER_DAY, SEED)
  const partitionOf = createPartitioner(PARTITIONS, (key) => toBase58(key as Key))
  let outputs: OutRecord[] = []
  const commit = async (): Promise<void> => {
    await owner.commit({ outputs, inputs: new Map() })
    outputs = []
  }
  for (let frame = 0; frame < days * FRAMES_PER_DAY; frame++) {
    for (const { key, value } of creators.next())
      outputs.push({ topic: TOPICS.creatorChangelog, partition: partitionOf(parsePageKey(key).key), key, value })
    if (outputs.length >= RECORDS_PER_COMMIT) await commit()
  }
  await commit()
  await log.close()
  return { creators: creators.size }
}

/** Opens the log and starts the view of mints as `serve` does. Times begin when the log is open; memory is that of the process. */
export const showMarket = async ({ dataDir, keeps, ...services }: ReadyOptions & { readonly scratch: string }): Promise<object> => {
  const closing = new Closing()
  const kafka = await openReadyLog(services)
  closing.add('log', () => kafka.close())
  const records = countRecords(kafka)
  const [cpu, started] = [cpuSeconds(), performance.now()]
  const log = dataDir === null ? kafka : await openKept(kafka, { dataDir, keeps }, closing)
  const pages = openScratchPages(services.scratch)
  closing.add('scratch file', () => pages.close())
  const view = new LogMintView(log, LAUNCH_RISK, { tip: () => null }, Date.now, () => {}, pages)
  await view.start()
  closing.add('view', () => view.stop())
  const times = { ready_s: (performance.now() - started) / 1_000, cpu_s: cpuSeconds() - cpu }
  const peak_rss_mb = process.resourceUsage().maxRSS * MB_PER_KB
  collect()
  const figures = { ...times, peak_rss_mb, rss_mb: process.memoryUsage().rss / MB, records: records(), mints: view.status().tracked }
  while (keeps && !(await areCovered(log))) await pause(POLL_MS)
  await closing.run()
  return figures
}

export interface ServePlan {
  readonly services: Services
  /** Ascending; 1 is the market of the log. */
  readonly days: readonly number[]
  readonly rounds: number
  /** An empty directory for snapshots and scratch files. */
  readonly dir: string
  readonly print: (line: object) => void
}

/** Prints each run. */
export const measureServes = async ({ services, days, rounds, dir, print }: ServePlan): Promise<void> => {
  const dataDir = join(dir, 'serve')
  const options = { ...services, scratch: join(dir, 'serve-scratch') }
  for (const count of days) {
    const { creators = 0 } = count > 1 ? await runChild('creators', { ...services, days: count - 1 }) : {}
    await runChild('market', { ...options, dataDir, keeps: true })
    const step = (from: 'log' | 'snapshots') => async (): Promise<void> => {
      const figures = await runChild('market', { ...options, dataDir: from === 'log' ? null : dataDir, keeps: false })
      print({ run: 'serve', days: count, from, more_creators: creators, ...figures })
    }
    await inRounds(rounds, [step('log'), step('snapshots')])
  }
}
