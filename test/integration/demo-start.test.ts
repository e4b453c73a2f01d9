// The start of a demo without `--start`: the log decides, and on a new log the wall clock.
import type { SourceOptions } from '../../topology/cli/settings/source-options.ts'
import { openSource, withStart } from '../../topology/cli/wiring/open-source.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import type { Log } from '../../topology/ports/log.ts'

const NOW_MS = 1_790_000_000_123
const LATER_MS = NOW_MS + 10 * 3_600_000
const OPTIONS: SourceOptions = { source: 'demo', history: 0.1 }
const memoryLog = (): Log => createMemoryLog({ partitions: 1 })
const context = { dataDir: null, stop: new AbortController().signal, folded: () => null }

/** Opens the demo, and plays its first frames. */
const begin = async (log: Log, chain: 'solana' | 'alt', options: SourceOptions): Promise<void> => {
  const { source } = await openSource(log, { chain, options: { ...options, speed: 'max', frames: 3 } }, context)
  await source.prepare?.(() => {})
  await source.run()
}

describe('the start of a demo without --start', () => {
  test('is now in whole seconds, on the wall clock, on a log without a demo', async () => {
    expect(await withStart(memoryLog(), OPTIONS, NOW_MS)).toEqual({ ...OPTIONS, start: 1_790_000_000_000, isOnWall: true })
  })
  test.each(['solana', 'alt'] as const)('is that of the demo on the log: %s', async (chain) => {
    const log = memoryLog()
    const options = await withStart(log, OPTIONS, NOW_MS)
    await begin(log, chain, options)
    expect(await withStart(log, OPTIONS, LATER_MS)).toEqual(options)
  })
  test.each(['solana', 'alt'] as const)('continues a demo with its own clock, such as one of an older version: %s', async (chain) => {
    const log = memoryLog()
    await begin(log, chain, OPTIONS)
    const options = await withStart(log, OPTIONS, LATER_MS)
    expect(options).toEqual({ ...OPTIONS, start: Date.UTC(2026, 9, 15, 12), isOnWall: false })
    expect((await openSource(log, { chain, options }, context)).facts).toContain('with its own clock')
  })
  test('leaves a given start and other sources as they are', async () => {
    const fixed = { ...OPTIONS, start: 1_790_000_000_000 }
    expect(await withStart(memoryLog(), fixed, NOW_MS)).toBe(fixed)
    const live = { source: 'live' }
    expect(await withStart(memoryLog(), live, NOW_MS)).toBe(live)
  })
  test('is refused if another one is given for a log on the wall clock', async () => {
    const log = memoryLog()
    await openSource(log, { chain: 'solana', options: await withStart(log, OPTIONS, NOW_MS) }, context)
    const fixed = openSource(log, { chain: 'solana', options: { ...OPTIONS, start: NOW_MS } }, context)
    await expect(fixed).rejects.toMatchObject({ code: 'data_dir_source' })
  })
  test.each([
    [1, 'on the wall clock', 'at 1x'],
    [20, 'with its own clock', 'at 20x, away from the wall clock'],
  ])('is stated with the clock: --speed %s', async (speed, facts, words) => {
    const options = await withStart(memoryLog(), { ...OPTIONS, speed }, NOW_MS)
    const opened = await openSource(memoryLog(), { chain: 'solana', options }, context)
    expect([opened.facts, opened.words]).toEqual([expect.stringContaining(facts), expect.stringContaining(words)])
  })
})
