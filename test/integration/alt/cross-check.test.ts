// Two nodes of the alt chain: what the first lacks and the second has is reported, and no block waits for the second.
import { HEX_KEYS, mustHexKey } from '../../../schemas/keys.ts'
import type { RawFrame } from '../../../schemas/types.ts'
import { createMemoryLog } from '../../../topology/logs/memory/memory.ts'
import type { Log } from '../../../topology/ports/log.ts'
import { AltCheck } from '../../../topology/sources/alt/cross-check.ts'
import type { NodeLog } from '../../../topology/sources/alt/node.ts'
import { type EvmBlock, EvmChain, QUIET } from '../../fakes/evm-chain.ts'
import { HostileNode } from '../../fakes/evm-node.ts'
import { type RunningAlt, runAlt } from '../../fixtures/alt-given.ts'
import { launchpadLogs } from '../../fixtures/alt-logs.ts'
import { canonicalOn } from '../../fixtures/live-given.ts'

const BUSY = { launches: 1, buys: 2, strangers: 1 }
const STRANGE = { launches: 0, buys: 0, strangers: 2 }

let chain: EvmChain
let node: HostileNode
let second: HostileNode
let live: RunningAlt | undefined
beforeEach(() => {
  chain = new EvmChain()
  node = new HostileNode(chain)
  second = new HostileNode(chain)
  for (const content of [BUSY, QUIET, STRANGE]) chain.mineBlock(content)
})
afterEach(() => live?.stop())

const start = async (
  options: { waitMsMax?: number; framesMax?: number; log?: Log; waitsForChecks?: boolean } = {},
): Promise<RunningAlt> => {
  const { waitMsMax = 10_000, log = createMemoryLog({ partitions: 1 }), ...others } = options
  const notices: string[] = []
  const notice = (code: string, facts: object): void => void notices.push(`${code} ${JSON.stringify(facts)}`)
  const check = new AltCheck({ node: second, launchpad: launchpadLogs(), notice, waitMsMax })
  const running = await runAlt(node, log, { answerMsMax: 400, check, ...others })
  live = { ...running, notices }
  return live
}
const mineBlocks = (...contents: (typeof BUSY)[]): EvmBlock[] => {
  const blocks = contents.map((content) => chain.mineBlock(content))
  node.announce(chain.head)
  return blocks
}
const missingOf = (frames: readonly RawFrame[]) => frames.flatMap(({ missing }) => missing)
/** The first node omits these logs from its answers by range and by hash, and the bloom filters of all its blocks are empty. */
const hidden = (isHidden: (log: NodeLog) => boolean): void => {
  const blank = `0x${'00'.repeat(256)}`
  node.fault = ({ method }) =>
    method === 'logs'
      ? { logs: (honest) => honest.filter((log) => !isHidden(log)) }
      : { blocks: (honest) => honest.map((block) => block && { ...block, logsBloom: blank }) }
}

test('with two honest nodes every frame is whole, nothing is missing and nothing is logged', async () => {
  for (let n = 0; n < 40; n++) chain.mineBlock(n % 3 === 0 ? BUSY : STRANGE)
  const run = await start({ framesMax: 12, waitsForChecks: true })
  await run.until(() => run.source.ended)
  const frames = await canonicalOn(run.log)
  expect(frames.map(({ whole, missing }) => [whole, missing.length])).toEqual(Array.from({ length: 12 }, () => [true, 0]))
  expect(run.notices).toEqual([])
  expect(second.asked.length).toBeGreaterThan(0)
})

test('names each transaction that the first node omits, with its tokens, and marks the frames that name one incomplete', async () => {
  const [lost, , whole] = [chain.mineBlock(BUSY), chain.mineBlock(QUIET), chain.mineBlock(BUSY)]
  const [own] = whole.transactions
  hidden(({ blockNumber, transactionHash }) => blockNumber === lost.number || transactionHash === own?.hash)
  for (let n = 0; n < 30; n++) chain.mineBlock(BUSY)
  const run = await start({ framesMax: 20 })
  await run.until(() => run.source.ended)
  const frames = await canonicalOn(run.log)
  const ofLost = launchpadLogs().kept(lost.logs, () => false).logs
  const expected = [...new Set(ofLost.map(({ transactionHash }) => transactionHash)), own?.hash].sort()
  const missing = missingOf(frames)
  expect(missing.map(({ signature }) => signature).sort()).toEqual(expected)
  const [launch] = launchpadLogs().kept(lost.logs, () => false).launched
  expect(missing.filter(({ from }) => from === lost.number).flatMap(({ mints }) => mints)).toContain(
    HEX_KEYS.print(mustHexKey(launch as string)),
  )
  expect(missing.find(({ signature }) => signature === own?.hash)).toMatchObject({ from: whole.number, to: whole.number })
  for (const frame of frames) expect(frame.whole).toBe(frame.missing.length === 0)
  expect(frames.every(({ number, missing: named }) => named.every(({ to }) => to <= number))).toBe(true)
  expect(run.notices).toContain(`first_source_lacks ${JSON.stringify({ block: whole.number, transactions: expected.length })}`)
})

test('reports a transaction whose log data differs as lacking in both nodes', async () => {
  const block = chain.mineBlock(BUSY)
  const strange = launchpadLogs()
    .kept(block.logs, () => false)
    .logs.at(-1)?.transactionHash
  second.fault = ({ method }) =>
    method === 'logs'
      ? { logs: (honest) => honest.map((log) => (log.transactionHash === strange ? { ...log, data: '0x01' } : log)) }
      : undefined
  const run = await start({ framesMax: 3 })
  await run.until(() => run.source.ended)
  const frames = await canonicalOn(run.log)
  expect(missingOf(frames).map(({ signature }) => signature)).toEqual([strange])
  expect(run.notices.map((line) => line.split(' ')[0])).toEqual(['second_source_lacks', 'first_source_lacks'])
})

test('reports transactions that the second node lacks, and keeps frames whole', async () => {
  const [block] = [chain.mineBlock(BUSY)]
  second.fault = ({ method }) =>
    method === 'logs' ? { logs: (honest) => honest.filter((log) => log.blockNumber !== block?.number) } : undefined
  const run = await start({ framesMax: 3 })
  await run.until(() => run.source.ended)
  expect((await canonicalOn(run.log)).map(({ whole, missing }) => [whole, missing])).toEqual([
    [true, []],
    [true, []],
    [true, []],
  ])
  expect(run.notices).toEqual([expect.stringMatching(new RegExp(`^second_source_lacks .*"block":${block?.number}`))])
})

test('logs nothing about a second node that starts a block or two behind', async () => {
  second.fault = ({ method, times }) => (times % 3 === 1 && method !== 'tagged' ? { lag: 2 } : undefined)
  const run = await start({ framesMax: 3 })
  mineBlocks(BUSY)
  await run.until(() => run.source.ended)
  expect(missingOf(await canonicalOn(run.log))).toEqual([])
  expect(run.notices).toEqual([])
})

// The first request is about the first frame, which has no logs.
test('asks again if the second node has a block before its logs, and logs nothing', async () => {
  second.fault = ({ method, times }) => (method === 'logs' && times === 2 ? { logs: () => [] } : undefined)
  const run = await start({ framesMax: 2 })
  await run.until(() => run.source.ended)
  expect(missingOf(await canonicalOn(run.log))).toEqual([])
  expect(run.notices).toEqual([])
})

test('leaves blocks unchecked while the second node stays behind', async () => {
  second.fault = () => ({ lag: 10 })
  const run = await start({ waitMsMax: 50, framesMax: 2 })
  await run.until(() => run.source.ended)
  expect(missingOf(await canonicalOn(run.log)).map(({ signature, reason }) => [signature, reason.slice(0, 11)])).toEqual([
    [null, 'not checked'],
  ])
  expect(run.notices).toEqual([expect.stringMatching(/^second_source_away /)])
})

test('with a hanging second node no frame waits, unchecked blocks are named, and one notice is logged', async () => {
  second.fault = () => ({ hang: true })
  const run = await start({ waitMsMax: 20 })
  await run.until(() => run.source.frames >= 1)
  for (let n = 0; n < 30; n++) mineBlocks(BUSY)
  await run.until(() => run.source.tip()?.number === chain.head.number)
  await run.until(() => run.notices.length > 0)
  const [last] = mineBlocks(BUSY)
  await run.until(async () => run.source.tip()?.number === last?.number)
  const frames = await canonicalOn(run.log)
  expect(frames.every(({ whole }) => whole)).toBe(true)
  const away = 'not checked: the second source is away'
  expect(missingOf(frames).some(({ reason, signature }) => reason === away && signature === null)).toBe(true)
  expect(run.notices).toEqual([expect.stringMatching(/^second_source_away /)])
  second.fault = () => undefined
  await run.until(async () => {
    mineBlocks(QUIET, BUSY)
    return run.notices.length > 1
  })
  expect(run.notices[1]).toMatch(/^second_source_checks_again /)
})

test('ignores logs of a second node on another branch and leaves the blocks unchecked', async () => {
  const other = new EvmChain()
  for (const content of [QUIET, BUSY, BUSY, BUSY]) other.mineBlock(content)
  other.cut(4)
  for (const content of [BUSY, BUSY, BUSY]) other.mineBlock(content)
  second = new HostileNode(other)
  const run = await start({ waitMsMax: 50, framesMax: 2 })
  await run.until(() => run.source.ended)
  const frames = await canonicalOn(run.log)
  expect(missingOf(frames).map(({ signature, reason }) => [signature, reason.slice(0, 11)])).toEqual([[null, 'not checked']])
  expect(frames.every(({ whole }) => whole)).toBe(true)
})

test('after a restart names the newest earlier frames as possibly unchecked, once', async () => {
  const log = createMemoryLog({ partitions: 1 })
  const before = await start({ log })
  await before.until(() => before.source.tip()?.number === chain.head.number || before.source.frames > 0)
  await before.stop()
  const { length } = await canonicalOn(log)
  const run = await start({ log })
  mineBlocks(BUSY, BUSY)
  await run.until(() => run.source.tip()?.number === chain.head.number)
  const named = missingOf((await canonicalOn(log)).slice(length))
  expect(named.map(({ reason }) => reason)).toEqual(['perhaps not checked: capture was started again'])
})
