// Two sources of one chain: both protocols give the same bytes, and a cross-check reports what one source has and the other lacks.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { gapAt } from '../../../processors/chains/decoder.ts'
import { decodeFrame } from '../../../processors/chains/solana/decode-frame.ts'
import { type Signature, toBase58 } from '../../../schemas/keys.ts'
import { tapeKeyOf } from '../../../schemas/tape-key.ts'
import type { RawFrame, TipRow } from '../../../schemas/types.ts'
import { register as registerRecord } from '../../../topology/cli/commands/recordings/record.ts'
import { register as registerVerifyTape } from '../../../topology/cli/commands/recordings/verify-tape.ts'
import { createMemoryLog } from '../../../topology/logs/memory/memory.ts'
import { CrossCheck } from '../../../topology/sources/solana/cross-check.ts'
import { RpcBlocks } from '../../../topology/sources/solana/rpc/blocks.ts'
import { RpcClient } from '../../../topology/sources/solana/rpc/client.ts'
import { RpcFeed } from '../../../topology/sources/solana/rpc/feed.ts'
import { clockWake } from '../../../topology/sources/solana/rpc/wake.ts'
import { YellowstoneFeed } from '../../../topology/sources/solana/yellowstone/feed.ts'
import { GrpcNode } from '../../fakes/grpc-node.ts'
import { RpcNode, SECRET } from '../../fakes/rpc-node.ts'
import { runCommand } from '../../fakes/run-command.ts'
import { type ChainBlock, chainBlockOf, marketBlocks } from '../../fixtures/chain-blocks.ts'
import { canonicalOn, type Running, runLive } from '../../fixtures/live-given.ts'
import { open, readData } from '../../unit/processors/solana/fixtures.ts'

const CHAIN = marketBlocks()
const at = (index: number): ChainBlock => CHAIN[index] as ChainBlock
const last = CHAIN.at(-1) as ChainBlock

let grpc: GrpcNode
let rpc: RpcNode
let second: RpcNode
const runs: Running[] = []
beforeEach(async () => {
  grpc = new GrpcNode()
  rpc = new RpcNode()
  second = new RpcNode()
  await Promise.all([grpc.start(), rpc.start(), second.start()])
})
afterEach(async () => {
  for (const run of runs.splice(0)) await run.stop()
  await Promise.all([grpc.stop(), rpc.stop(), second.stop()])
})

const startRpc = async ({ isChecked = false, waitMsMax = 10_000, framesMax = Number.POSITIVE_INFINITY } = {}): Promise<Running> => {
  const run = await runLive((notice) => {
    const client = new RpcClient({ url: rpc.url, name: 'first', notice, retryMsMin: 5 })
    const blocks = new RpcBlocks(client, 5_000)
    const other = new RpcClient({ url: second.url, name: 'second', notice, retryMsMin: 5 })
    const check = isChecked ? new CrossCheck({ client: other, notice, waitMsMax }) : null
    return { feed: new RpcFeed(client, blocks, clockWake(5)), reader: blocks, check, framesMax }
  })
  runs.push(run)
  return run
}
const startGrpc = async (): Promise<Running> => {
  const run = await runLive((notice) => ({
    feed: new YellowstoneFeed({ url: grpc.url, token: null, fill: null, reader: null, notice }),
    reader: null,
    check: null,
  }))
  runs.push(run)
  await run.until(() => grpc.subscribers > 0)
  return run
}
/** Waits until the source has sent the first block. */
const begin = async (run: Running): Promise<void> => run.until(() => run.source.frames === 1)
const bytesOf = (frames: readonly RawFrame[]) =>
  frames.map(({ status: _status, ...frame }) => ({ ...frame, body: Buffer.from(frame.body).toString('hex') }))

describe('the same chain by both protocols', () => {
  test('gives frames of the same bytes for every kind of event of the launchpad, which decode to the same events', async () => {
    rpc.add(at(0))
    const [one, two] = [await startRpc(), await startGrpc()]
    await begin(one)
    rpc.add(...CHAIN)
    for (const block of CHAIN) grpc.block(block)
    await Promise.all([one, two].map((run) => run.until(() => run.source.tip()?.number === last.slot)))
    const [byRpc, byGrpc] = [await canonicalOn(one.log), await canonicalOn(two.log)]
    expect(bytesOf(byRpc)).toEqual(bytesOf(byGrpc))
    expect(byRpc.map((frame) => decodeFrame(frame).events)).toEqual(byGrpc.map((frame) => decodeFrame(frame).events))
  })

  test('gives the same bytes for a recorded block of mainnet', async () => {
    const slot = 332_254_908
    const json = JSON.parse(gunzipSync(readData('blocks/mainnet-332254908.getBlock-converted.json.gz')).toString())
    rpc.recorded.set(slot, JSON.stringify(json.result ?? json))
    const [stored] = open('blocks/mainnet-332254908.ConfirmedBlock.pb.gz').blocks
    const block = chainBlockOf({ ...stored, slot } as never)
    const [one, two] = [await startRpc(), await startGrpc()]
    grpc.block(block)
    await Promise.all([one, two].map((run) => run.until(() => run.source.frames === 1)))
    const [byRpc, byGrpc] = [await canonicalOn(one.log), await canonicalOn(two.log)]
    expect(bytesOf(byRpc)).toEqual(bytesOf(byGrpc))
    expect(byRpc[0]).toMatchObject({ number: slot, whole: true, missing: [] })
    expect(decodeFrame(byRpc[0] as RawFrame).events.filter(({ type }) => type === 'trade' || type === 'poolTrade')).toHaveLength(51)
  })
})

describe('a second source', () => {
  test('names each transaction that the first lacks, with the mints it touched, and nothing else', async () => {
    const lacking = CHAIN.map((block, index) => (index % 3 === 1 ? { ...block, transactions: block.transactions.slice(1) } : block))
    rpc.add(lacking[0] as ChainBlock)
    second.add(...CHAIN)
    const run = await startRpc({ isChecked: true, framesMax: CHAIN.length })
    await begin(run)
    rpc.add(...lacking)
    await run.until(() => run.source.ended)
    const frames = await canonicalOn(run.log)
    const named = frames.flatMap(({ missing }) => missing)
    for (const [index, block] of CHAIN.entries()) {
      const [lost] = index % 3 === 1 ? block.transactions : []
      const found = named.filter(({ from }) => from === block.slot)
      expect(found.map(({ signature, to }) => [signature, to])).toEqual(lost === undefined ? [] : [[toBase58(lost.signature), block.slot]])
      if (lost === undefined) continue
      const whole = decodeFrame(await frameOf(block))
      const touched = whole.events
        .filter((event) => event.tx === lost.index && event.type !== 'transfer' && event.type !== 'balance')
        .map(tapeKeyOf)
      const mints = found[0]?.mints ?? []
      expect(mints).toEqual(expect.arrayContaining(touched.map((key) => toBase58(key as never))))
      const moved = new Set([...lost.tokensBefore, ...lost.tokensAfter].map(({ mint }) => toBase58(mint)))
      expect(mints.filter((mint) => !moved.has(mint) && !touched.some((key) => toBase58(key as never) === mint))).toEqual([])
    }
    for (const { number, whole, missing } of frames)
      expect([whole, missing.every(({ to }) => to <= number)]).toEqual([missing.length === 0, true])
    expect(run.notices.filter((line) => line.startsWith('first_source_lacks'))).toHaveLength(named.length)
  })

  test('names a failed transaction that the first lacks, and keeps the frame whole, because it touched no coin', async () => {
    const failedOf = ({ transactions }: ChainBlock) => transactions.find(({ failure }) => failure !== null)
    const index = CHAIN.findIndex((block) => failedOf(block) !== undefined)
    const failed = failedOf(at(index))
    rpc.add({ ...at(index), transactions: at(index).transactions.filter((tx) => tx !== failed) })
    second.add(at(index))
    const run = await startRpc({ isChecked: true, framesMax: 1 })
    await begin(run)
    const [frame] = await canonicalOn(run.log)
    expect([frame?.whole, frame?.missing[0]?.signature]).toEqual([true, toBase58(failed?.signature as Signature)])
  })

  test('that lacks transactions, has another block or is down leaves the frames whole, and unchecked blocks are named', async () => {
    rpc.add(at(0))
    second.add(at(0), { ...at(1), transactions: at(1).transactions.slice(1) }, { ...at(2), hash: 'Z'.repeat(44) })
    second.fault = ({ params }) => (params[0] === at(3).slot ? { hang: true } : undefined)
    const run = await startRpc({ isChecked: true, waitMsMax: 700, framesMax: 4 })
    await begin(run)
    rpc.add(...CHAIN.slice(1, 4))
    await run.until(() => run.source.ended)
    const frames = await canonicalOn(run.log)
    expect(frames.map(({ whole }) => whole)).toEqual(CHAIN.slice(0, 4).map(() => true))
    const unchecked = frames.flatMap(({ missing }) => missing.map(({ from, to, reason }) => [from, to, reason.slice(0, 11)]))
    expect(unchecked).toEqual([[at(2).slot, at(3).slot, 'not checked']])
    for (const code of ['second_source_lacks', 'second_source_away']) expect(run.notices.join()).toContain(code)
    expect(run.notices.join()).not.toContain(SECRET)
  })

  test('that never responds delays no frame', async () => {
    rpc.add(at(0))
    second.fault = () => ({ hang: true })
    const run = await startRpc({ isChecked: true, waitMsMax: 60_000 })
    await begin(run)
    rpc.add(...CHAIN)
    await run.until(() => run.source.tip()?.number === last.slot)
    expect(second.asked.length).toBeLessThan(CHAIN.length)
  })

  test('that is down is queried for one block at a time, and the others are named as unchecked', async () => {
    rpc.add(at(0))
    second.fault = () => ({ hang: true })
    const run = await startRpc({ isChecked: true, waitMsMax: 50 })
    await begin(run)
    await run.until(() => run.notices.some((line) => line.startsWith('second_source_away')))
    const { length } = second.asked
    rpc.add(...CHAIN.slice(1, 20))
    await run.until(() => run.source.frames === 20)
    expect(second.asked.length - length).toBeLessThan(19)
    const named = (await canonicalOn(run.log)).flatMap(({ missing }) => missing.map(({ reason }) => reason))
    expect(named.some((reason) => reason.includes('away'))).toBe(true)
  })

  test('makes coins thin from the block that the first source has only in part, though a later frame reports it', async () => {
    const index = 1 + CHAIN.slice(1).findIndex(({ transactions }) => transactions[0]?.failure === null)
    const lacking = { ...at(index), transactions: at(index).transactions.slice(1) }
    rpc.add(at(index - 1))
    second.add(...CHAIN)
    const run = await startRpc({ isChecked: true, framesMax: 6 })
    await begin(run)
    rpc.add(lacking, ...CHAIN.slice(index + 1))
    await run.until(() => run.source.ended)
    const frames = await canonicalOn(run.log)
    const carrier = frames.find(({ whole }) => !whole) as RawFrame
    const before = frames[frames.indexOf(carrier) - 1] as RawFrame
    expect(gapAt({ number: before.number, hash: before.hash } as TipRow, carrier)).toEqual({
      gapFrom: at(index).slot,
      gapTo: carrier.number,
      isNew: true,
    })
  })
})

/** The frame of a block as capture makes it. */
const frameOf = async (block: ChainBlock): Promise<RawFrame> => {
  const node = new RpcNode()
  await node.start()
  node.add(block)
  const client = new RpcClient({ url: node.url, name: 'lone', notice: () => {} })
  const run = await runLive(
    () => {
      const reader = new RpcBlocks(client, 5_000)
      return { feed: new RpcFeed(client, reader, clockWake(5)), reader, check: null }
    },
    createMemoryLog({ partitions: 1 }),
  )
  await run.until(() => run.source.frames === 1)
  const [frame] = await canonicalOn(run.log)
  await run.stop()
  await node.stop()
  return frame as RawFrame
}

test('`verify-tape` names the lost transaction of a `record --source live` with a second source; no API key is printed', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'mintfold-live-'))
  const out = join(dir, 'live.avro')
  const lost = at(3).transactions[0]
  rpc.add(...CHAIN.slice(0, 3), { ...at(3), transactions: at(3).transactions.slice(1) }, ...CHAIN.slice(4))
  rpc.confirmed = at(0).slot
  second.add(...CHAIN)
  const stop = new AbortController()
  const env = { SOLANA_RPC_URL: rpc.url, SOLANA_WS_URL: rpc.wsUrl, SOLANA_CHECK_RPC_URL: second.url }
  const recording = runCommand(registerRecord, ['record', '--source', 'live', '--out', out, '--frames', '8'], { env, stop: stop.signal })
  for (let n = 0; rpc.asked.every(({ method }) => method !== 'getBlock') && n < 1_000; n++)
    await new Promise((done) => setTimeout(done, 10))
  rpc.confirmed = undefined
  rpc.finalized = last.slot
  const { error, stderr } = await recording
  const verified = await runCommand(registerVerifyTape, ['verify-tape', out])
  rmSync(dir, { recursive: true })
  expect(error).toBeUndefined()
  expect(stderr.at(-1)).toContain('8 frames')
  expect([...stderr, verified.out].join()).not.toContain(SECRET)
  const named = verified.out
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
    .filter(({ mint, finding }) => mint !== undefined && finding === 'partial')
  expect(named.map(({ words: line }) => line).join()).toContain(toBase58(lost?.signature as Signature))
  expect(verified.code).toBe(1)
})
