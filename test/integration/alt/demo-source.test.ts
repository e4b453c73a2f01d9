// The demo of the chain of curves as a source: its canonical frames do not depend on the number of starts, and it keeps its pace.
import { nodeLogs } from '../../../processors/chains/alt/chain.ts'
import { LAUNCH_RISK } from '../../../topology/launch-risk.ts'
import { createMemoryLog } from '../../../topology/logs/memory/memory.ts'
import type { Log } from '../../../topology/ports/log.ts'
import { FIRST_BLOCK } from '../../../topology/simulator/alt/chain.ts'
import { openAltDemo } from '../../../topology/simulator/alt/open-demo.ts'
import type { DemoPlay, Source, SourceContext } from '../../../topology/sources/source.ts'
import { standingFrames } from '../../fixtures/alt-given.ts'
import { dying } from '../../fixtures/demo-source-log.ts'
import { sent } from '../../fixtures/live-given.ts'
import { Dice } from '../../simulation/dice.ts'
import { until } from '../../tools/until.ts'

const DEFAULTS = { seed: 1, rate: 50, startMs: 1_790_000_000_000, forksPerHour: 0 }
/** Blocks that may still be reorged at the end of a run. */
const UNSURE_BLOCKS = 25

const open = async (log: Log, play: DemoPlay, context: Partial<SourceContext> = {}): Promise<Source> => {
  const whole = { dataDir: null, stop: new AbortController().signal, folded: () => null, ...context }
  return (await openAltDemo(log, LAUNCH_RISK.sources.live, nodeLogs, DEFAULTS, play, whole)).source
}
const run = async (log: Log, play: DemoPlay): Promise<Source> => {
  const source = await open(log, play)
  await source.run()
  return source
}
const unlessKilled = (failure: Error): undefined => {
  if (failure.message !== 'killed') throw failure
}
const memoryLog = (): Log => createMemoryLog({ partitions: 1 })
const countsOf = async (log: Log): Promise<{ frames: number; reverts: number }> => {
  const bodies = await sent(log)
  const count = (type: string): number => bodies.filter((body) => body.type === type && (body.type !== 'frame' || body.part === 0)).length
  return { frames: count('frame'), reverts: count('revert') }
}

describe('at full speed', () => {
  const FRAMES = 1_200
  const play: DemoPlay = { frames: FRAMES, speed: 'max', rate: 9 }
  const whole = memoryLog()
  let expected: readonly string[]
  beforeAll(async () => {
    const source = await run(whole, play)
    expect([source.ended, source.frames]).toEqual([true, FRAMES])
    // The lead of the source over the folds is limited to 3,000 blocks; without folds it ran further.
    expect(source.tip()?.number).toBeGreaterThan(FIRST_BLOCK + 3_000)
    expected = await standingFrames(whole)
  })

  test('without folds runs to its last frame, and its clock shows the time of the newest block', async () => {
    expect([expected.length, (await countsOf(whole)).frames]).toEqual([FRAMES, FRAMES])
    const source = await open(whole, play)
    expect(source.frames).toBe(FRAMES)
    await source.run()
    expect([source.now(), source.ended]).toEqual([(source.tip()?.time ?? 0) * 1_000, true])
    expect((await countsOf(whole)).frames).toBe(FRAMES)
  })
  test('after a kill at any commit the log equals that of an uninterrupted run', async () => {
    let kills = 0
    for (let isDead = true; isDead; kills++) {
      const log = memoryLog()
      isDead = (await run(dying(log, kills), play).catch(unlessKilled)) === undefined
      await run(log, play)
      expect(await standingFrames(log)).toEqual(expected)
    }
    expect(kills).toBeGreaterThan(3)
  })
  test('waits for stalled folds', async () => {
    const log = memoryLog()
    const stop = new AbortController()
    const source = await open(log, { speed: 'max', rate: 9 }, { stop: stop.signal, folded: () => FIRST_BLOCK + 500 })
    const running = source.run()
    await until(async () => source.tip()?.number === FIRST_BLOCK + 3_500)
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(source.tip()?.number).toBe(FIRST_BLOCK + 3_500)
    stop.abort()
    await running
    expect(source.ended).toBe(false)
  })
  test('refuses a directory of another seed', async () => {
    await expect(open(whole, { ...play, seed: 2 })).rejects.toMatchObject({ code: 'data_dir_source' })
  })
})

describe('on the wall clock', () => {
  const { now } = Date
  afterEach(() => {
    Date.now = now
  })

  test('leaves a gap before the last six hours of a longer stop', async () => {
    const startMs = DEFAULTS.startMs
    const log = memoryLog()
    const playAt = async (nowMs: number, isEnough: (source: Source) => boolean): Promise<Source> => {
      Date.now = () => nowMs
      const stop = new AbortController()
      const source = await open(log, { start: startMs, isOnWall: true, history: 0.01, rate: 9 }, { stop: stop.signal })
      const running = source.run()
      await until(async () => isEnough(source))
      stop.abort()
      await running
      return source
    }
    const first = await playAt(startMs, (source) => (source.tip()?.time ?? 0) * 1_000 >= startMs)
    expect(first.now()).toBe(startMs)
    const before = first.frames
    await playAt(startMs + 7 * 3_600_000, (source) => source.frames > before)
    const times = (await sent(log)).flatMap((body) => (body.type === 'frame' ? [(body.blockTime ?? 0) * 1_000 - startMs] : []))
    expect(times.filter((ms) => ms > 0 && ms < 3_599_000)).toEqual([])
    expect(Math.min(...times.filter((ms) => ms > 0))).toBeLessThan(3_601_000)
  })
})

describe('at a pace', () => {
  /** A fork begins every 21 blocks on average. */
  const play: DemoPlay = { frames: 900, speed: 60, history: 0, forks: 1_700 }

  test('after kills at random commits during forks, canonical frames equal a run without forks', async () => {
    const dice = new Dice(1, 'kills of the demo')
    const log = memoryLog()
    let [source, kills]: [Source | undefined, number] = [undefined, 0]
    while (source === undefined) {
      source = await run(kills < 12 ? dying(log, dice.int(1, 12)) : log, play).catch(unlessKilled)
      if (source === undefined) kills += 1
    }
    expect([source.ended, source.frames, (await countsOf(log)).frames]).toEqual([true, play.frames, play.frames])
    expect(kills).toBeGreaterThan(3)
    expect((await countsOf(log)).reverts).toBeGreaterThan(0)
    const straight = memoryLog()
    await run(straight, { ...play, speed: 'max', forks: 0 })
    const surely = (source.tip()?.number ?? 0) - UNSURE_BLOCKS
    const upTo = (frames: readonly string[]): string[] => frames.filter((text) => (JSON.parse(text) as { number: number }).number <= surely)
    const canonical = upTo(await standingFrames(log))
    expect(canonical.length).toBeGreaterThan(300)
    expect(canonical).toEqual(upTo(await standingFrames(straight)))
  })
  test('continues the block schedule that another source began', async () => {
    const stop = new AbortController()
    const source = await open(memoryLog(), { speed: 10, history: 0.01 }, { stop: stop.signal })
    const wallMs = Date.now() - 1_000
    const running = source.run({ streamMs: DEFAULTS.startMs + 5_000, wallMs })
    await until(async () => source.tip() !== null)
    await until(async () => Math.abs((source.tip()?.time ?? 0) * 1_000 - (source.now() ?? 0)) < 2_000)
    const streamMs = DEFAULTS.startMs + 5_000 + (Date.now() - wallMs) * 10
    expect(Math.abs((source.now() ?? 0) - streamMs)).toBeLessThan(2_000)
    expect(source.anchor()).toEqual({ type: 'anchor', streamMs: DEFAULTS.startMs + 5_000, wallMs, speed: 10 })
    stop.abort()
    await running
  })
})
