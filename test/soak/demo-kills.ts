// Kills a running demo and its ClickHouse at random times; afterwards log, stores, truth and history equal those of an undisturbed run.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { randomOf } from '../bench/synthetic-tape.ts'
import { copyHistory } from '../fixtures/migrated-history.ts'
import { freePort } from '../tools/free-port.ts'
import { removeDirectory } from '../tools/remove-directory.ts'
import { differences } from './compare.ts'
import { both, ENV, headOf, PLAYED, playToEnd, type World } from './demo-run.ts'
import type { DemoPlan } from './demo-up.ts'
import { reachOf } from './history-reader.ts'
import { askSteadily } from './requests.ts'
import { demoArgs, UpProcess } from './up-process.ts'

const HISTORY_S = 120
const CATCH_UP_S = 30
const SPEED = 20
/** High enough that orphaned branches have their own findings. */
const FORKING_RATE = 3
/** Stream seconds played between two kills, approximately: later kills fall after the end of the stream. */
const STREAM_S_PER_KILL = 14
/** This share of kills comes a random time after the start or the previous kill, whatever goes on: most hit the startup. */
const EARLY_SHARE = 0.4
const EARLY_MS_MIN = 50
const EARLY_MS_MAX = 3_000
/** The other kills come up to this long after the history answers again: most hit the sink at work. */
const LATE_MS_MAX = 1_500
/** ClickHouse restarts after up to 30 s. */
const ENGINE_MS_MAX = 60_000
const LOOK_MS_MAX = 150
const JITTER_MS_MAX = 60
/** The sink is level with the head if it is at most this far behind: one second of wall time. */
const LEVEL_S = SPEED
const ASK_EVERY_MS = 200
const SAY_EVERY = 20

const VICTIMS = ['process', 'engine', 'both'] as const
type Victim = (typeof VICTIMS)[number]

/** The result. `differences` must be empty. */
export interface DemoKillReport {
  readonly seed: number
  readonly kills: Readonly<Record<string, number>>
  /** Number of kills by what was going on. */
  readonly moments: Readonly<Record<string, number>>
  readonly differences: readonly string[]
  /** Reverts on the log. */
  readonly forks: number
  /** Number of findings that forks retracted for good; `notFound`: those that view or history do not show as retracted, or wrongly do. */
  readonly retracted: number
  readonly notFound: readonly string[]
  /** Number of rows in the undisturbed run's history, by table. */
  readonly rows: Readonly<Record<string, number>>
  /** Duplicate rows that the sink inserted after kills, not merged yet. */
  readonly insertedAgain: number
  readonly answered: number
  /** From the last start until the history was complete. */
  readonly lastRunMs: number
  readonly exitCode: number | null
  readonly seconds: number
}

/**
 * Runs in its own directory under the system's temporary one. With `forks` (a number an hour) the run is compared with two undisturbed
 * runs: one with the same forks, and one that saw only the canonical branch. With `isMigrated` the tables exist before the first start.
 */
export const runDemoKills = async (
  kills: number,
  seed: number,
  print: (line: string) => void,
  { forks = 0, historyS = HISTORY_S, isMigrated = false } = {},
): Promise<DemoKillReport> => {
  const startedMs = performance.now()
  const dir = mkdtempSync(join(tmpdir(), 'mintfold-demo-kills-'))
  const endS = historyS + CATCH_UP_S + kills * STREAM_S_PER_KILL
  const plan = {
    seed,
    rate: forks === 0 ? 1 : FORKING_RATE,
    historyS,
    catchUpS: CATCH_UP_S,
    endS,
    speed: SPEED,
    crowd: 0,
    forks,
    measured: null,
  }
  try {
    const worldOf = (name: string, changes: Partial<DemoPlan> = {}): World => ({ dir: join(dir, name), plan: { ...plan, ...changes } })
    if (isMigrated) await copyHistory(worldOf('killed').dir)
    const [clean, killed] = await both(playToEnd(worldOf('clean')), killedRun(worldOf('killed'), kills, seed, print))
    const branch = forks === 0 ? clean : await playToEnd(worldOf('branch', { forks: 0 }))
    return {
      seed,
      kills: countOf(killed.victims),
      moments: countOf(killed.moments),
      differences: [
        ...differences(clean.contents, killed.contents),
        ...differences(branch.canonical.contents, killed.canonical.contents).map((line) => `the canonical branch: ${line}`),
      ],
      forks: killed.canonical.forks,
      retracted: killed.canonical.retracted.length,
      notFound: [...killed.canonical.forgotten, ...apart(killed.canonical.retracted, killed.retracted)],
      rows: Object.fromEntries(Object.entries(clean.stored.rows).map(([table, rows]) => [table, rows.length])),
      insertedAgain: killed.stored.again,
      answered: killed.answered,
      lastRunMs: Math.round(killed.tookMs),
      exitCode: killed.exitCode,
      seconds: Math.round((performance.now() - startedMs) / 1_000),
    }
  } finally {
    removeDirectory(dir)
  }
}

/** Elements that only one of the two has. */
const apart = (a: readonly string[], b: readonly string[]): string[] => [
  ...a.filter((one) => !b.includes(one)),
  ...b.filter((one) => !a.includes(one)),
]

const countOf = (values: readonly string[]): Record<string, number> =>
  Object.fromEntries([...new Set(values)].sort().map((value) => [value, values.filter((other) => other === value).length]))

const killedRun = async (world: World, kills: number, seed: number, print: (line: string) => void) => {
  const { dir, plan } = world
  const random = randomOf(seed)
  const port = await freePort()
  const stop = new AbortController()
  const { asked, done } = askSteadily(`http://127.0.0.1:${port}`, ASK_EVERY_MS, stop.signal)
  const victims: Victim[] = []
  const moments: string[] = []
  const start = (): UpProcess => new UpProcess({ dataDir: dir, port, args: demoArgs(plan), env: ENV })
  let up = start()
  const firstVictim = Math.floor(random() * VICTIMS.length)
  try {
    for (let kill = 0; kill < kills; kill++) {
      const victim = VICTIMS[(firstVictim + kill) % VICTIMS.length] ?? 'both'
      const isEarly = random() < EARLY_SHARE
      if (!isEarly) await soon(up, async () => (await reachOf(dir, LOOK_MS_MAX)) !== null)
      await pause(isEarly ? EARLY_MS_MIN + random() * (EARLY_MS_MAX - EARLY_MS_MIN) : random() * LATE_MS_MAX)
      if (victim !== 'process') await soon(up, async () => up.enginePid() !== null)
      moments.push(await momentOf(up, dir))
      victims.push(victim)
      if ((kill + 1) % SAY_EVERY === 0) print(`${kill + 1} kills of ${kills}`)
      await pause(random() * JITTER_MS_MAX)
      if (!up.isAlive) throw new Error(`the product exited without being killed\n${up.lines.join('\n')}`)
      killEngine(victim === 'process' ? null : up.enginePid())
      if (victim === 'engine') continue
      await up.kill()
      up = start()
    }
    if (up.has('mintfold answers on')) await up.stop()
    else await up.kill()
    return { victims, moments, ...(await playToEnd(world, port)), answered: asked.answered }
  } finally {
    stop.abort()
    await done
    if (up.isAlive) await up.kill()
  }
}

const killEngine = (pid: number | null): void => {
  if (pid === null) return
  try {
    process.kill(pid, 'SIGKILL')
  } catch (failure) {
    if ((failure as NodeJS.ErrnoException).code !== 'ESRCH') throw failure
  }
}

/** Resolves when the condition holds, or when the product has ended. */
const soon = async (up: UpProcess, holds: () => Promise<boolean>): Promise<void> => {
  for (const endMs = performance.now() + ENGINE_MS_MAX; up.isAlive && !(await holds()); await pause(10))
    if (performance.now() > endMs) throw new Error(`no ClickHouse within ${ENGINE_MS_MAX} ms\n${up.lines.join('\n')}`)
}

/** Describes what goes on, observed from outside just before the kill. */
const momentOf = async (up: UpProcess, dir: string): Promise<string> => {
  const stage = !up.has('mintfold answers on') ? 'starts' : up.has(PLAYED) ? 'after the end' : 'plays'
  if (up.enginePid() === null) return `${stage}, no ClickHouse`
  const reach = await reachOf(dir, LOOK_MS_MAX)
  if (reach === null) return `${stage}, ClickHouse starts`
  const head = await headOf(up, LOOK_MS_MAX)
  if (head === null) return `${stage}, ClickHouse answers`
  return head.folded - reach.upTo > LEVEL_S ? `${stage}, sink behind` : `${stage}, sink level`
}
