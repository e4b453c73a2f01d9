// Which chains a process plays, how they are opened, and how several share one time line.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Chain } from '../../../schemas/types.ts'
import { sourceName } from '../../../topology/cli/settings/source-name.ts'
import { checkSource } from '../../../topology/cli/settings/source-options.ts'
import { Closing } from '../../../topology/cli/start/closing.ts'
import { hereOf, openChains, wordsOf } from '../../../topology/cli/start/open-chains.ts'
import { runOnOneLine } from '../../../topology/cli/start/play.ts'
import { chainsPlayed, type GivenSource, openSource } from '../../../topology/cli/wiring/open-source.ts'
import { CURVE_RISK } from '../../../topology/curve-risk.ts'
import { LAUNCH_RISK } from '../../../topology/launch-risk.ts'
import { createMemoryLog } from '../../../topology/logs/memory/memory.ts'
import { writeRecording } from '../../../topology/sources/recording/recording-file.ts'
import type { Line, Source, SourceHandle } from '../../../topology/sources/source.ts'
import { launchFrame } from '../processors/alt/fixtures.ts'

const PRIMARY_NODE = { rpcUrl: 'http://node', wsUrl: null, grpcUrl: null, grpcToken: null, checkUrl: null, acceptedFork: null }
const ALT_NODE = { rpcUrl: 'http://alt-node', wsUrl: null, checkUrl: null, addresses: null }
const [NO_NODE, NO_ALT_NODE] = [
  { ...PRIMARY_NODE, rpcUrl: null },
  { ...ALT_NODE, rpcUrl: null },
]
const SOLANA_RECORDING = join(process.cwd(), 'test/recordings/launches.avro')

let folder: string
let altRecording: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'open-chains-'))
  altRecording = join(folder, 'alt.avro')
  await writeRecording(altRecording, [launchFrame()])
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('the value of --source', () => {
  test.each([
    ['demo', { kind: 'demo', chain: null, path: null }],
    ['demo:alt', { kind: 'demo', chain: 'alt', path: null }],
    ['live:solana', { kind: 'live', chain: 'solana', path: null }],
    ['log:alt', { kind: 'log', chain: 'alt', path: null }],
    ['recording:a:b.avro', { kind: 'recording', chain: null, path: 'a:b.avro' }],
  ])('%s gives its kind, and the chain or path in it', (text, named) => {
    expect(sourceName(text)).toEqual(named)
  })
  test.each(['', 'demo:', 'demo:base', 'demo:alt:alt', 'recording:', 'recording', 'alt', 'Demo', ' demo'])(
    '"%s" is unknown, and the command refuses it and lists the valid values',
    (text) => {
      expect(sourceName(text)).toBeUndefined()
      expect(() => checkSource({ source: text })).toThrow(/use demo, live or recording:PATH.* with :CHAIN \(solana or alt\)/)
    },
  )
})

describe('the chains that are played', () => {
  const both: readonly Chain[] = ['solana', 'alt']
  test.each([
    ['demo', both],
    ['demo:alt', ['alt']],
    ['demo:solana', ['solana']],
    ['live:alt', ['alt']],
  ])('%s without a node plays %j', async (source, chains) => {
    expect(await chainsPlayed({ source }, {})).toEqual(chains)
  })
  test.each([
    ['both chains', PRIMARY_NODE, ALT_NODE, both],
    ['gRPC of the primary chain', { ...NO_NODE, grpcUrl: 'http://grpc' }, NO_ALT_NODE, ['solana']],
    ['the alt chain', NO_NODE, ALT_NODE, ['alt']],
    ['none', NO_NODE, NO_ALT_NODE, []],
  ])('live plays the chains of the configured nodes: %s', async (_words, live, liveAlt, chains) => {
    expect(await chainsPlayed({ source: 'live' }, { live, liveAlt })).toEqual(chains)
  })
  test('recordings play the chain of each', async () => {
    expect(await chainsPlayed({ source: `recording:${altRecording}` }, {})).toEqual(['alt'])
    expect(await chainsPlayed({ source: `recording:${SOLANA_RECORDING}` }, {})).toEqual(['solana'])
  })
  test('a file that is not a recording is refused', async () => {
    await expect(chainsPlayed({ source: `recording:${__filename}` }, {})).rejects.toMatchObject({ code: 'not_a_recording' })
  })
})

describe('chains of a process', () => {
  const stop = new AbortController().signal
  const openedOf = async (source: string, isShared: boolean) => {
    const closed: string[] = []
    const asked: GivenSource[] = []
    const open = async (given: GivenSource): Promise<SourceHandle> => {
      asked.push(given)
      const close = async (): Promise<void> => void closed.push(given.chain)
      return { source: new FakeSource(), facts: `facts of ${given.chain}`, words: `words of ${given.chain}`, close }
    }
    const closing = new Closing()
    const log = createMemoryLog({ partitions: 1 })
    const given = { options: { source }, live: NO_NODE, liveAlt: ALT_NODE }
    const chains = await openChains({ given, open, log, isShared, stop, notice: () => {} }, closing)
    await closing.run()
    return { chains, asked, closed }
  }

  test('the demo opens both chains, the primary one first, and closes them at the end', async () => {
    const { chains, asked, closed } = await openedOf('demo', false)
    expect(asked).toMatchObject([
      { chain: 'solana', liveAlt: ALT_NODE },
      { chain: 'alt', options: { source: 'demo' } },
    ])
    expect(chains.map(({ topology }) => topology)).toEqual([LAUNCH_RISK, CURVE_RISK])
    expect(wordsOf(chains)).toBe('words of solana, and words of alt')
    expect(closed).toEqual(['alt', 'solana'])
  })
  test('one chain on its own log has no source for the other, whose clock is the wall', async () => {
    const { chains, asked } = await openedOf('live', false)
    expect(asked.map(({ chain }) => chain)).toEqual(['alt'])
    const [primary, alt] = [hereOf(chains, LAUNCH_RISK), hereOf(chains, CURVE_RISK)]
    expect([primary.own, primary.facts(), primary.source.tip(), primary.source.now()]).toEqual([
      null,
      'nothing: no source of this chain is played',
      null,
      expect.any(Number),
    ])
    expect([alt.own?.source, alt.facts(), wordsOf(chains)]).toEqual([alt.source, 'facts of alt', 'words of alt'])
  })
  test('one chain on a shared log describes the other by its capture', async () => {
    const { chains } = await openedOf('demo:alt', true)
    expect([hereOf(chains, LAUNCH_RISK).own, hereOf(chains, LAUNCH_RISK).facts()]).toEqual([null, 'a source whose name is not known yet'])
  })
  test('a recording of the alt chain writes its frames to the topic of that chain', async () => {
    const log = createMemoryLog({ partitions: 1 })
    const context = { dataDir: null, stop, folded: () => null }
    const { source, facts } = await openSource(log, { chain: 'alt', options: { source: `recording:${altRecording}` } }, context)
    await source.run()
    expect(facts).toBe('recording alt.avro')
    const { raw } = CURVE_RISK.sources.recording.writes
    expect([log.end(raw, 0), log.end(LAUNCH_RISK.sources.recording.writes.raw, 0)]).toEqual([2, 0])
  })
  test('the live alt chain without a node is refused by name', async () => {
    const given: GivenSource = { chain: 'alt', options: { source: 'live:alt' }, liveAlt: NO_ALT_NODE }
    const opening = openSource(createMemoryLog({ partitions: 1 }), given, { dataDir: null, stop, folded: () => null })
    await expect(opening).rejects.toThrow('--source live needs a node of the chain alt')
  })
})

/** Runs until the test ends or fails it. */
class FakeSource implements Source {
  readonly frames = 0
  ended = false
  line: Line | undefined | 'not run' = 'not run'
  speed: number | undefined
  #end: () => void = () => {}
  #fail: (failure: Error) => void = () => {}

  tip(): null {
    return null
  }
  now(): number {
    return 0
  }
  anchor() {
    return this.speed === undefined
      ? undefined
      : { type: 'anchor' as const, streamMs: 7_000, wallMs: 9, speed: this.ended ? 0 : this.speed }
  }
  run(line?: Line): Promise<void> {
    this.line = line
    return new Promise((resolve, reject) => {
      this.#end = resolve
      this.#fail = reject
    })
  }
  end(): void {
    this.ended = true
    this.#end()
  }
  fail(failure: Error): void {
    this.#fail(failure)
  }
}

describe('sources on one time line', () => {
  const started = (lining: Partial<Parameters<typeof runOnOneLine>[1]> = {}) => {
    const [first, second] = [new FakeSource(), new FakeSource()]
    const ended: FakeSource[] = []
    const stop = new AbortController()
    const running = runOnOneLine([{ source: first }, { source: second }], { stop: stop.signal, ...lining }, ({ source }) =>
      ended.push(source),
    )
    running.catch(() => {})
    return { first, second, ended, stop, running }
  }
  /** Longer than one poll of the first source. */
  const awhile = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 250))

  test('without a line, the second waits until the first has a pace, and runs on its line', async () => {
    const { first, second, ended, running } = started()
    first.speed = 0
    await awhile()
    expect([first.line, second.line]).toEqual([undefined, 'not run'])
    first.speed = 2
    await awhile()
    expect(second.line).toMatchObject({ streamMs: 7_000, wallMs: 9 })
    second.end()
    first.end()
    await running
    expect(ended).toEqual([second, first])
  })
  test('at full speed, all run at once, each on its own', async () => {
    const { first, second } = started({ speed: 'max' })
    await Promise.resolve()
    await Promise.resolve()
    expect([first.line, second.line]).toEqual([undefined, undefined])
  })
  test('with a line, all run on it, the second once `after` resolves', async () => {
    const line = { streamMs: 1, wallMs: 2 }
    let go = (): void => {}
    const after = new Promise<void>((resolve) => {
      go = resolve
    })
    const { first, second } = started({ line, after })
    await awhile()
    expect([first.line, second.line]).toEqual([line, 'not run'])
    go()
    await awhile()
    expect(second.line).toEqual(line)
  })
  test('if the first source ends before its pace is known, the second runs without it', async () => {
    const { first, second, running } = started()
    first.end()
    await awhile()
    expect(second.line).toBeUndefined()
    second.end()
    await running
  })
  test('a stop during the wait for the pace starts the second too, which sees the stop itself', async () => {
    const { second, stop } = started()
    stop.abort()
    await awhile()
    expect(second.line).toBeUndefined()
  })
  test('a failing source rejects, and counts as ended', async () => {
    const { first, ended, running } = started({ speed: 'max' })
    await Promise.resolve()
    first.fail(new Error('the log is full'))
    await expect(running).rejects.toThrow('the log is full')
    expect(ended).toEqual([first])
  })
})
