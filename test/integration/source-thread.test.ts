import type { Key } from '../../schemas/keys.ts'
import type { RawRecord } from '../../schemas/types.ts'
import type { GivenSource } from '../../topology/cli/wiring/open-source.ts'
import { openSource } from '../../topology/cli/wiring/open-source.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import type { Log } from '../../topology/ports/log.ts'
import type { SourceContext, SourceHandle } from '../../topology/sources/source.ts'
import { openInThread } from '../../topology/threads/source/thread-source.ts'
import { topicsOf } from '../../topology/topology.ts'
import { pause } from '../../topology/waiting/waiting.ts'
import { stumblingLog } from '../fakes/stumbling-log.ts'
import { rawOf, tapeOf } from '../fixtures/demo-source-log.ts'

const ENTRY = new URL('../../topology/cli/threads/source-thread.mjs', import.meta.url)
const FRAMES = 200
const HISTORY_H = 0.02
const NOBODY = 'n'.repeat(32) as Key

const optionsOf = (changes: Partial<GivenSource['options']>): GivenSource['options'] => ({
  source: 'demo',
  seed: 5,
  rate: 1,
  speed: 'max',
  history: HISTORY_H,
  frames: FRAMES,
  ...changes,
})
const topics = topicsOf(LAUNCH_RISK)
const contextOf = (changes: Partial<SourceContext> = {}): SourceContext => ({
  dataDir: null,
  stop: new AbortController().signal,
  folded: () => null,
  ...changes,
})
const inThread = (log: Log, changes: Partial<GivenSource['options']> = {}, context: Partial<SourceContext> = {}): Promise<SourceHandle> =>
  openInThread(
    log,
    { entry: ENTRY, topics, given: { chain: 'solana', options: optionsOf(changes) } satisfies GivenSource },
    contextOf(context),
  )
const play = async ({ source, close }: SourceHandle): Promise<void> => {
  try {
    await source.prepare?.(() => {})
    await source.run()
  } finally {
    await close?.()
  }
}
/** The records without the wall time of anchors, which differs between runs. */
const withoutWall = (records: readonly RawRecord[]): readonly RawRecord[] =>
  records.map((record) => (record.body.type === 'anchor' ? { ...record, body: { ...record.body, wallMs: 0 } } : record))
describe('a source in a separate thread', () => {
  let inProcess: { readonly frames: number; readonly raw: readonly RawRecord[]; readonly tape: unknown }
  beforeAll(async () => {
    const log = createMemoryLog({ partitions: 2 })
    const opened = await openSource(log, { chain: 'solana', options: optionsOf({}) }, contextOf())
    await play(opened)
    inProcess = { frames: opened.source.frames, raw: withoutWall(await rawOf(log)), tape: await tapeOf(log) }
    expect(inProcess.raw.length).toBeGreaterThan(100)
  })

  test('writes to the log what it would write in the main thread, and reports its state', async () => {
    const log = createMemoryLog({ partitions: 2 })
    const opened = await inThread(log)
    const progress: number[] = []
    await opened.source.prepare?.(({ atS }) => void progress.push(atS))
    await play(opened)
    expect(withoutWall(await rawOf(log))).toEqual(inProcess.raw)
    expect(await tapeOf(log)).toEqual(inProcess.tape)
    const { source } = opened
    expect([source.frames, source.ended, source.anchor()?.speed, source.now()]).toEqual([
      inProcess.frames,
      true,
      0,
      (source.tip()?.time ?? 0) * 1_000,
    ])
    expect(progress.length).toBeGreaterThan(0)
  })
  test('continues from the committed offsets, and retries what the log refused temporarily', async () => {
    const log = createMemoryLog({ partitions: 2 })
    await play(await inThread(stumblingLog(log), { frames: FRAMES / 2 }))
    const again = await inThread(stumblingLog(log))
    await play(again)
    const frames = (records: readonly RawRecord[]): unknown[] => records.flatMap(({ body }) => (body.type === 'frame' ? [body] : []))
    expect(frames(await rawOf(log))).toEqual(frames(inProcess.raw))
  })
  test('ignores late reports: a source that has ended stays ended', async () => {
    let onNotified: () => void = () => {}
    const notified = new Promise<void>((resolve) => {
      onNotified = resolve
    })
    const entry = new URL('../fixtures/late-thread.mjs', import.meta.url)
    const { source, close } = await openInThread(
      createMemoryLog({ partitions: 1 }),
      { entry, topics, given: null },
      contextOf({ notice: onNotified }),
    )
    await source.run()
    await notified
    expect([source.ended, source.frames]).toEqual([true, 3])
    await close?.()
  })
  test('answers account reads of its own chain', async () => {
    const log = createMemoryLog({ partitions: 1 })
    const { source, accounts, close } = await inThread(log)
    await source.prepare?.(() => {})
    await source.run()
    const read = await accounts?.read(NOBODY)
    expect(read).toMatchObject({ ok: true, value: { slot: source.tip()?.number, exists: false } })
    await close?.()
  })
  test('receives the stop and the progress of the folds', async () => {
    const log = createMemoryLog({ partitions: 1 })
    const stop = new AbortController()
    let folded = 0
    const { source, close } = await inThread(log, { history: 0, frames: 1_000_000 }, { stop: stop.signal, folded: () => folded })
    await source.prepare?.(() => {})
    const running = source.run()
    for (let sent = -1; sent === -1 || sent !== source.frames; await pause(500, stop.signal)) sent = source.frames
    const held = source.frames
    folded = (source.tip()?.number ?? 0) - 1
    while (source.frames === held) await pause(20, stop.signal)
    stop.abort()
    await running
    expect([source.frames > held, source.ended]).toEqual([true, false])
    await close?.()
  })
  test('receives a stop that came before it began', async () => {
    const log = createMemoryLog({ partitions: 1 })
    const { source, close } = await inThread(log, { history: 6, frames: 1_000_000 }, { stop: AbortSignal.abort() })
    await source.prepare?.(() => {})
    await source.run()
    expect([source.frames, source.ended]).toEqual([0, false])
    await close?.()
  })
  test('fails as in the main thread: an external failure with its code, wrong usage as such, a bug with its stack', async () => {
    const log = createMemoryLog({ partitions: 1 })
    await play(await inThread(log, { history: 0, frames: 1 }))
    await expect(inThread(log, { seed: 6 })).rejects.toMatchObject({ name: 'EngineError', code: 'data_dir_source', retriable: false })
    const without = { entry: ENTRY, topics, given: { chain: 'solana', options: optionsOf({ source: 'live' }) } }
    await expect(openInThread(log, without, contextOf())).rejects.toMatchObject({ name: 'UsageError' })
    const missing = new URL('./no-such-thread.mjs', import.meta.url)
    await expect(openInThread(log, { entry: missing, topics, given: null }, contextOf())).rejects.toThrow('no-such-thread')
    const broken = await openInThread(
      log,
      { entry: new URL('../fixtures/broken-thread.mjs', import.meta.url), topics, given: null },
      contextOf(),
    )
    await expect(broken.source.run()).rejects.toThrow('a bug outside of any call')
    await broken.close?.()
  })
})
