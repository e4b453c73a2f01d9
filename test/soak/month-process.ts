// Process of the soaks of days: `month days launchesPerDay seed`, or `fold|view memory|disk days launchesPerDay seed`. Prints a JSON line a
// day.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openScratchPages } from '../../topology/data-dir/scratch-pages.ts'
import { IN_MEMORY } from '../../topology/engine/rows/memory-pages.ts'
import { collect } from '../tools/memory.ts'
import { Creators, FRAMES_PER_DAY, ViewedCreators } from './creators.ts'
import { simulateDays } from './month-folds.ts'

const MB = 1e6
const inMb = (bytes: number): number => Math.round((10 * bytes) / MB) / 10

/** Linux: resident memory of the process's own, and of mapped files. */
const resident = (): { readonly anonMB: number; readonly fileMB: number } => {
  const status = readFileSync('/proc/self/status', 'utf8')
  const kbOf = (name: string): number => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0)
  return { anonMB: inMb(kbOf('RssAnon') * 1_024), fileMB: inMb(kbOf('RssFile') * 1_024) }
}
const diskMb = (dir: string): number => {
  const files = readdirSync(dir, { recursive: true, encoding: 'utf8' }).map((name) => statSync(join(dir, name)))
  return inMb(files.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0))
}

const creatorDays = async (
  role: string,
  adapter: string,
  [days, launchesPerDay, seed]: readonly [number, number, number],
): Promise<void> => {
  const dir = mkdtempSync(join(tmpdir(), 'mintfold-creators-'))
  const pages = adapter === 'disk' ? openScratchPages(dir) : undefined
  const Side = role === 'view' ? ViewedCreators : Creators
  const side = new Side(pages ?? IN_MEMORY, launchesPerDay, seed)
  for (let day = 1; day <= days; day++) {
    const started = process.cpuUsage()
    for (let frame = 0; frame < FRAMES_PER_DAY; frame++) side.next()
    const { user, system } = process.cpuUsage(started)
    collect()
    const { heapUsed, external, rss } = process.memoryUsage()
    const memory = { heapMB: inMb(heapUsed), externalMB: inMb(external), rssMB: inMb(rss), ...resident(), diskMB: diskMb(dir) }
    const cpuS = Math.round((user + system) / 1e4) / 100
    print({ role, adapter, day, creators: side.size, timers: side.timers, ...memory, cpuS })
  }
  await pages?.close()
  rmSync(dir, { recursive: true })
}

const print = (day: object): void => void process.stdout.write(`${JSON.stringify(day)}\n`)
const [what = '', ...words] = process.argv.slice(2)
const [days, launchesPerDay, seed] = words.slice(-3).map(Number) as [number, number, number]
if (what === 'month') await simulateDays({ days, launchesPerDay, paymentsPerFrame: 4, seed }, print)
else await creatorDays(what, words[0] ?? '', [days, launchesPerDay, seed])
