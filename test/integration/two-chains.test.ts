// Two chains in one runtime on one log: each writes what it would write alone, whichever process is killed and when.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DEFAULT_LIMITS } from '../../topology/engine/limits.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { openLmdbLog } from '../../topology/logs/lmdb/lmdb.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import type { Log } from '../../topology/ports/log.ts'
import { ChainReplay } from '../../topology/runtime/replay.ts'
import { startFolds } from '../../topology/runtime/runtime.ts'
import { type Topology, topicsOf } from '../../topology/topology.ts'
import { stagingIn } from '../../topology/versions/rebuild/staging-stores.ts'
import { readRebuild, readStores } from '../../topology/versions/stores-record.ts'
import { marketBodies, QUICK } from '../fixtures/rebuild-market.ts'
import { TOY_TOPICS, toyTopologyOf } from '../fixtures/toy-topology.ts'
import { appendNext, chainContentsOf, toyBodies } from '../fixtures/two-chains.ts'
import { RUN } from '../tools/run.ts'

const PROCESS = fileURLToPath(new URL('two-chains-process.ts', import.meta.url))
const PARTITIONS = 3
const SECONDS = 30
const SEED = 9
const TIMEOUT_MS = 240_000
/** Times of the kills after the tasks have started. A run that is not killed takes some seconds. */
const KILLS_MS = [60, 150, 90, 200, 120]
const market = marketBodies(SECONDS, SEED)
const blocks = toyBodies()
const toy = toyTopologyOf()
let dir = ''
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'mintfold-two-'))
})
afterEach(() => rmSync(dir, { recursive: true }))

const openLog = () => openLmdbLog({ dir: join(dir, 'log'), partitions: PARTITIONS })

type Contents = Awaited<ReturnType<typeof chainContentsOf>>

const foldAll = async (log: Log, topologies: readonly Topology[]): Promise<void> => {
  const folds = await startFolds(log, topologies, QUICK, { staging: stagingIn(dir) })
  await folds.caughtUp()
  await folds.stop()
}
/** What a chain writes if it has the log to itself. */
const alone = async (topology: Topology, bodies: Parameters<typeof appendNext>[2]): Promise<Contents> => {
  const log = createMemoryLog({ partitions: PARTITIONS })
  await appendNext(log, topology, bodies, bodies.length)
  await foldAll(log, [topology])
  return chainContentsOf(log, topology)
}
const expectSame = (is: Contents, wanted: Contents): void => {
  for (const name of Object.keys(wanted)) expect([name, is[name]]).toEqual([name, wanted[name]])
}
const both = async (): Promise<Log> => {
  const log = createMemoryLog({ partitions: PARTITIONS })
  await appendNext(log, LAUNCH_RISK, market, market.length)
  await appendNext(log, toy, blocks, blocks.length)
  return log
}

/**
 * Runs the process until it has sent and folded everything, or kills it this long after its first output. Resolves to its exit code, null
 * if killed.
 */
const run = (killAfterMs?: number): Promise<number | null> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [...RUN, PROCESS, dir, String(PARTITIONS), String(SECONDS), String(SEED)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    child.stdout.once('data', () => {
      if (killAfterMs !== undefined) setTimeout(() => child.kill('SIGKILL'), killAfterMs)
    })
    child.on('close', resolve)
  })

test('the chains share the topics that are keyed by the chain, and no others', () => {
  const names = (topology: Topology): string[] => topicsOf(topology).map(({ name }) => name)
  const [first, second] = [names(LAUNCH_RISK), names(toy)]
  expect(first.filter((name) => second.includes(name)).sort()).toEqual(['exchange.early', 'owners', 'rebuilds', 'sources', 'stores'])
  const own = second.filter((name) => !first.includes(name))
  expect(own).toEqual(expect.arrayContaining(['raw.alt', 'tape.alt', 'alt-flags', 'alt-vault.changelog']))
  expect(own.filter((name) => !/^(raw|tape)\.alt$|^alt-/.test(name))).toEqual([])
})

test(
  'a process that is killed over and over and restarted loses, duplicates and mixes nothing of either chain',
  async () => {
    const wanted = [await alone(LAUNCH_RISK, market), await alone(toy, blocks)] as const
    expect(Object.entries(wanted[1]).filter(([, of]) => of.length === 0)).toEqual([])
    const sent: number[] = []
    for (const afterMs of KILLS_MS) {
      expect(await run(afterMs)).toBeNull()
      const killed = await openLog()
      sent.push(killed.end(TOY_TOPICS.raw, 0))
      await killed.close()
    }
    expect(new Set(sent).size).toBe(KILLS_MS.length)
    expect(await run()).toBe(0)
    const log = await openLog()
    expectSame(await chainContentsOf(log, LAUNCH_RISK), wanted[0])
    expectSame(await chainContentsOf(log, toy), wanted[1])
    await log.close()
  },
  TIMEOUT_MS,
)

test(
  'a newer version of one chain rebuilds its stores, and those of the other chain stay',
  async () => {
    const log = await both()
    await foldAll(log, [LAUNCH_RISK, toy])
    const before = await chainContentsOf(log, LAUNCH_RISK)
    const newer = toyTopologyOf(2)
    await foldAll(log, [LAUNCH_RISK, newer])
    expectSame(await chainContentsOf(log, LAUNCH_RISK), before)
    expectSame(await chainContentsOf(log, newer), await alone(newer, blocks))
    const [first, second] = [await readStores(log, TOY_TOPICS.stores, 'solana'), await readStores(log, TOY_TOPICS.stores, 'alt')]
    expect([first?.revision, second?.revision]).toEqual([0, 1])
    expect((await readRebuild(log, TOY_TOPICS.rebuilds, 'alt')).state).toBe('none')
    expect(existsSync(join(dir, 'alt-rebuild'))).toBe(false)
  },
  TIMEOUT_MS,
)

test(
  'a redrive decodes both chains again, and they stay as they are',
  async () => {
    const log = await both()
    const folds = await startFolds(log, [LAUNCH_RISK, toy], QUICK, { staging: stagingIn(dir) })
    await folds.caughtUp()
    const before = [await chainContentsOf(log, LAUNCH_RISK), await chainContentsOf(log, toy)] as const
    const redriven = await folds.redrive(new AbortController().signal)
    expect(redriven).toEqual({ ok: true, report: { corrected: 0, lettersRead: 0, lettersDead: 0 } })
    await folds.caughtUp()
    await folds.stop()
    expectSame(await chainContentsOf(log, LAUNCH_RISK), before[0])
    expectSame(await chainContentsOf(log, toy), before[1])
    for (const chain of ['solana', 'alt'] as const) expect((await readStores(log, TOY_TOPICS.stores, chain))?.redrive).toBe(1)
  },
  TIMEOUT_MS,
)

test(
  'a replay of the second chain’s frames gives the conclusions that are valid on the log',
  async () => {
    const replay = new ChainReplay(toy, PARTITIONS, DEFAULT_LIMITS)
    const canonical = new Map<string, string[]>()
    for (const body of blocks) {
      const conclusions = body.type === 'frame' ? (replay.frame(body)?.conclusions ?? []) : replay.control(body)
      for (const { id, number, hash8, body: of } of conclusions)
        if (of.type === 'retraction') canonical.delete(`${number}@${hash8}`)
        else canonical.set(`${number}@${hash8}`, [...(canonical.get(`${number}@${hash8}`) ?? []), id])
    }
    const { 'alt-flags': flags = [], letters = [] } = await alone(toy, blocks)
    expect(flags.length).toBeGreaterThan(0)
    expect([...canonical.values()].flat().sort()).toEqual(flags.map((text) => text.split(' ')[1]).sort())
    expect(replay.deadLetters).toBeGreaterThanOrEqual(letters.length)
    expect(replay.stores('vault')).toHaveLength(PARTITIONS)
  },
  TIMEOUT_MS,
)
