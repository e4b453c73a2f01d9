// Real blocks through capture, folds and verify-tape: as the JSON-RPC and the gRPC source of a live start take them.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { splitFrame } from '../../../processors/chains/frame-parts.ts'
import { decodeFrame } from '../../../processors/chains/solana/decode-frame.ts'
import { readTransaction } from '../../../processors/chains/solana/events/read-transaction.ts'
import { toFrameTransaction, touchesLaunchpad } from '../../../processors/chains/solana/normal-form.ts'
import { keyText } from '../../../schemas/keys.ts'
import type { RawFrame, TapeEvent } from '../../../schemas/types.ts'
import { register as registerVerifyTape } from '../../../topology/cli/commands/recordings/verify-tape.ts'
import { LAUNCH_RISK } from '../../../topology/launch-risk.ts'
import { Replay } from '../../../topology/runtime/replay.ts'
import { writeRecording } from '../../../topology/sources/recording/recording-file.ts'
import { RpcBlocks } from '../../../topology/sources/solana/rpc/blocks.ts'
import { RpcClient } from '../../../topology/sources/solana/rpc/client.ts'
import { RpcFeed } from '../../../topology/sources/solana/rpc/feed.ts'
import { clockWake } from '../../../topology/sources/solana/rpc/wake.ts'
import { YellowstoneFeed } from '../../../topology/sources/solana/yellowstone/feed.ts'
import { GrpcNode } from '../../fakes/grpc-node.ts'
import { RpcNode, SECRET } from '../../fakes/rpc-node.ts'
import { runCommand } from '../../fakes/run-command.ts'
import type { ChainBlock } from '../../fixtures/chain-blocks.ts'
import { canonicalOn, runLive } from '../../fixtures/live-given.ts'
import { closeUp, composedBlocks, readBlock, type WHOLE, wholeBlock } from '../../fixtures/recorded-blocks.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mintfold-recorded-blocks-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Captures this many frames of what a gRPC node sends. */
const captureGrpc = async (blocks: readonly ChainBlock[]): Promise<RawFrame[]> => {
  const node = new GrpcNode()
  await node.start()
  const live = await runLive((notice) => ({
    feed: new YellowstoneFeed({ url: node.url, token: SECRET, fill: null, reader: null, notice, silentMsMax: 60_000, retryMsMin: 10 }),
    reader: null,
    check: null,
  }))
  await live.until(() => node.subscribers > 0)
  for (const block of blocks) node.block(block)
  await live.until(() => live.source.frames === blocks.length)
  const frames = await canonicalOn(live.log)
  await live.stop()
  await node.stop()
  return frames
}

/** Captures what a JSON-RPC node serves, from its first block on. `fill` gives it the blocks after the first. */
const captureRpc = async (give: (node: RpcNode) => void, count: number, fill: (node: RpcNode) => void = () => {}): Promise<RawFrame[]> => {
  const node = new RpcNode()
  await node.start()
  give(node)
  const live = await runLive((notice) => {
    const client = new RpcClient({ url: node.url, name: 'test', notice, answerMsMax: 10_000, retryMsMin: 5 })
    const blocks = new RpcBlocks(client, 5_000)
    return { feed: new RpcFeed(client, blocks, clockWake(5)), reader: blocks, check: null }
  })
  await live.until(() => live.source.frames >= 1)
  fill(node)
  await live.until(() => live.source.frames === count)
  const frames = await canonicalOn(live.log)
  await live.stop()
  await node.stop()
  return frames
}

const eventsIn = (frames: readonly RawFrame[]): TapeEvent[] => frames.flatMap((frame) => decodeFrame(frame).events)
const unplaced = <Event extends { readonly tx?: number }>({ tx: _tx, ...event }: Event): object => event
/** The launchpad's events as they are in the blocks; transfers are found by the frame, with the mints that it knows. */
const recordedIn = (blocks: readonly ChainBlock[]): object[] =>
  blocks.flatMap(({ transactions }) =>
    transactions
      .filter(touchesLaunchpad)
      .flatMap((tx, n) =>
        readTransaction(toFrameTransaction(tx, n)).decoded.flatMap(({ event }) => (event === undefined ? [] : [unplaced(event)])),
      ),
  )
const MOVES: ReadonlySet<string> = new Set(['transfer', 'balance'])
const launchpadEvents = (frames: readonly RawFrame[]): object[] =>
  eventsIn(frames).flatMap((event) => (MOVES.has(event.type) ? [] : [unplaced(event)]))

const verify = async (frames: readonly RawFrame[]) => {
  const path = join(folder, 'captured.avro')
  await writeRecording(path, frames.flatMap(splitFrame))
  const { out, stderr, code, error } = await runCommand(registerVerifyTape, ['verify-tape', path])
  expect(error).toBeUndefined()
  const lines = out.split('\n').filter(Boolean)
  return { code, last: stderr.at(-1), findings: lines.map((line): { finding: string; mint: string; position: string } => JSON.parse(line)) }
}

/** After each frame, the folds have the reserves of each curve's last trade in it, and a card of each. */
const expectFolded = (frames: readonly RawFrame[]): void => {
  const folds = new Replay(LAUNCH_RISK)
  for (const frame of frames) {
    const events = folds.frame(frame)?.tape.events ?? []
    const last = new Map(events.flatMap((event) => (event.type === 'trade' ? [[event.mint, event] as const] : [])))
    const curves = new Map(folds.mints().map(({ mint, state }) => [mint, state.curve]))
    for (const [mint, { virtualTokenUnits, virtualQuoteUnits }] of last)
      expect([mint, curves.get(mint)]).toEqual([mint, expect.objectContaining({ virtualTokenUnits, virtualQuoteUnits })])
    expect(folds.cards().map(({ mint }) => mint)).toEqual(expect.arrayContaining([...last.keys()].map(keyText)))
  }
  expect(folds.deadLetters).toBe(0)
}

/** As the file has it, where it is an answer of getBlock. */
const serve = (node: RpcNode, name: keyof typeof WHOLE): void => {
  const block = wholeBlock(name)
  if (name === 'stored') node.add(block)
  else {
    const { result, ...answer } = JSON.parse(gunzipSync(readBlock(name)).toString())
    node.recorded.set(block.slot, JSON.stringify(result ?? answer))
  }
}

describe('whole blocks', () => {
  test.each([
    ['older', 12],
    ['stored', 51],
    ['converted', 51],
  ] as const)(
    '%s, as JSON-RPC and gRPC nodes send it, gives the same %i events and nothing that verify-tape reports',
    async (name, events) => {
      const block = wholeBlock(name)
      const served = await captureRpc((node) => serve(node, name), 1)
      const sent = await captureGrpc([block])
      expect(launchpadEvents(served)).toHaveLength(events)
      expect(eventsIn(sent)).toEqual(eventsIn(served))
      expect(launchpadEvents(served)).toEqual(recordedIn([block]))
      expect(served.flatMap(({ missing, whole }) => [...missing, whole])).toEqual([true])
      for (const frames of [served, sent]) {
        expectFolded(frames)
        expect(await verify(frames)).toEqual({ code: 0, last: 'nothing is missing', findings: [] })
      }
    },
  )
})

describe('blocks composed of single transactions', () => {
  const blocks = composedBlocks()
  /** Only trades between two transactions are missing, never within one, and nothing else is reported. */
  const expectTrueFindings = async (frames: readonly RawFrame[]): Promise<void> => {
    const { findings, last } = await verify(frames)
    expect(last).toBe('found: 11 reserves')
    const opening = new Set<string>()
    for (const { number, ...frame } of frames) {
      const seen = new Set<string>()
      for (const event of decodeFrame({ ...frame, number }).events) {
        if (MOVES.has(event.type) || !('mint' in event) || seen.has(`${event.tx} ${event.mint}`)) continue
        seen.add(`${event.tx} ${event.mint}`)
        opening.add(`solana:${number}.${event.tx}.${event.outer}.${event.inner} ${keyText(event.mint)}`)
      }
    }
    expect(findings.filter(({ position, mint }) => !opening.has(`${position} ${mint}`))).toEqual([])
  }

  test('give the events of the transactions by gRPC, in their own slots', async () => {
    const frames = await captureGrpc(blocks)
    expect(frames.map(({ number }) => number)).toEqual(blocks.map(({ slot }) => slot))
    expect(launchpadEvents(frames)).toEqual(recordedIn(blocks))
    expectFolded(frames)
    await expectTrueFindings(frames)
  })

  test('give the same by JSON-RPC, in slots that follow each other', async () => {
    const [first, ...others] = closeUp(blocks) as [ChainBlock, ...ChainBlock[]]
    const frames = await captureRpc(
      (node) => node.add(first),
      blocks.length,
      (node) => node.add(...others),
    )
    expect(launchpadEvents(frames)).toEqual(recordedIn(blocks))
    expectFolded(frames)
    await expectTrueFindings(frames)
  })
})
