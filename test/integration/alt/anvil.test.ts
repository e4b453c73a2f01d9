// The source against a real node with 100 ms blocks and the launchpad's contracts, through forks, restarts and a dropped WebSocket.
import { createServer, type Server, Socket } from 'node:net'
import { createMemoryLog } from '../../../topology/logs/memory/memory.ts'
import type { NodeBlock, NodeTransaction } from '../../../topology/sources/alt/node.ts'
import { viemNode } from '../../../topology/sources/alt/viem-node.ts'
import { pause } from '../../../topology/waiting/waiting.ts'
import type { EvmBlock } from '../../fakes/evm-chain.ts'
import { canonicalFrames, type RunningAlt, runAlt, standingFrames } from '../../fixtures/alt-given.ts'
import { launchpadLogs } from '../../fixtures/alt-logs.ts'
import { AnvilLaunchpad, type LaunchedCurve } from '../../fixtures/anvil-launchpad.ts'
import { sent } from '../../fixtures/live-given.ts'
import { Anvil, describeAnvil } from '../../services/anvil.ts'

const never = (): AbortSignal => new AbortController().signal
const WEI = 10n ** 15n

/** Proxy between client and node that drops connections on command. */
class SocketProxy {
  readonly #sockets = new Set<Socket>()
  readonly #server: Server

  constructor(port: number) {
    this.#server = createServer((client) => {
      const node = new Socket().connect(port, '127.0.0.1')
      for (const [from, to] of [
        [client, node],
        [node, client],
      ] as const) {
        this.#sockets.add(from)
        from.pipe(to)
        from.on('error', () => to.destroy())
        from.on('close', () => this.#sockets.delete(from))
      }
    })
  }
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return `ws://127.0.0.1:${(this.#server.address() as { port: number }).port}`
  }
  cut(): void {
    for (const socket of this.#sockets) socket.destroy()
  }
  async stop(): Promise<void> {
    this.cut()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}

describeAnvil('the source on a real node', () => {
  let anvil: Anvil
  let launchpad: AnvilLaunchpad
  let proxy: SocketProxy
  let live: RunningAlt
  let start: () => Promise<void>
  let isTrading: boolean
  const lagsMs: number[] = []
  const announcedAtMs = new Map<number, number>()
  const watching = new AbortController()
  let trading: Promise<void>
  const log = createMemoryLog({ partitions: 1 })

  beforeAll(async () => {
    anvil = await Anvil.start(['--block-time', '0.1'])
    launchpad = await AnvilLaunchpad.deploy(anvil)
    proxy = new SocketProxy(anvil.port)
    const node = viemNode({ rpcUrl: anvil.rpcUrl, wsUrl: await proxy.start() })
    start = async () => {
      live = await runAlt(node, log, { answerMsMax: 5_000, launchpad: launchpadLogs([launchpad.factory]) })
    }
    await start()
    log.onCommit(() => {
      const atMs = announcedAtMs.get(live.source.tip()?.number ?? -1)
      if (atMs !== undefined) lagsMs.push(performance.now() - atMs)
    })
    const watcher = viemNode({ rpcUrl: anvil.rpcUrl, wsUrl: anvil.wsUrl })
    void watcher.heads?.(({ number }) => announcedAtMs.set(number, performance.now()), watching.signal)
    isTrading = true
    trading = trade()
  })
  afterAll(async () => {
    isTrading = false
    await trading
    watching.abort()
    await live.stop()
    const sorted = lagsMs.sort((a, b) => a - b)
    const lagOf = (share: number): string => (sorted[Math.floor(sorted.length * share)] ?? Number.NaN).toFixed(1)
    process.stderr.write(`head lag of ${sorted.length} frames, ms: median ${lagOf(0.5)}, p99 ${lagOf(0.99)}\n`)
    await proxy.stop()
    await anvil.stop()
  })

  /** Launches, buys and buys through a terminal, several in a block. Transactions that a fork removes fail from then on. */
  const trade = async (): Promise<void> => {
    const curves: LaunchedCurve[] = []
    for (let n = 0; isTrading; n++) {
      const from = launchpad.accounts[1 + (n % 8)] as string
      const curve = curves[n % curves.length]
      try {
        if (curve === undefined || n % 10 === 0) curves.push(await launchpad.launched(await launchpad.launch(from, WEI)))
        else if (n % 3 === 0) await launchpad.buyByTerminal(from, curve, WEI)
        else await launchpad.buy(from, curve, WEI)
      } catch {
        curves.pop()
      }
      await pause(15)
    }
  }
  /** The node's whole chain, block by block. */
  const wholeChain = async (): Promise<EvmBlock[]> => {
    const node = viemNode({ rpcUrl: anvil.rpcUrl, wsUrl: null })
    const { number } = await node.latest(never())
    const blocks: EvmBlock[] = []
    for (let at = 0; at <= number; at++) {
      const [block] = (await node.blocks([at], true, never())) as readonly [NodeBlock]
      const logs = await node.logs({ hash: block.hash }, launchpadLogs().topics, never())
      blocks.push({ ...block, transactions: block.transactions as readonly NodeTransaction[], logs })
    }
    return blocks
  }
  const reverts = async (): Promise<number> => (await sent(log)).filter(({ type }) => type === 'revert').length
  /** Waits for this many more blocks. */
  const untilHeight = async (blocks: number): Promise<void> => {
    const { number } = await viemNode({ rpcUrl: anvil.rpcUrl, wsUrl: null }).latest(never())
    await live.until(() => (live.source.tip()?.number ?? -1) >= number + blocks)
  }
  const isCanonical = async (): Promise<void> => {
    const blocks = await wholeChain()
    const { number } = blocks.at(-1) as EvmBlock
    await live.until(() => (live.source.tip()?.number ?? -1) > number)
    const frames = await standingFrames(log)
    const upToThere = frames.filter((frame) => (JSON.parse(frame) as { number: number }).number <= number)
    expect(upToThere).toEqual(canonicalFrames(blocks, launchpadLogs([launchpad.factory])))
  }

  test('frames equal the chain’s blocks', async () => {
    await pause(2_000)
    await isCanonical()
    expect((await standingFrames(log)).some((frame) => frame.includes(launchpad.terminal))).toBe(true)
    expect(await reverts()).toBe(0)
    expect(live.notices).toEqual([])
  })
  test.each([1, 7, 20])(
    'after a fork of depth %i, and another during which the process dies, frames equal the chain’s blocks',
    async (depth) => {
      const before = await reverts()
      await untilHeight(depth + 5)
      await anvil.ask('anvil_reorg', depth, [])
      await isCanonical()
      expect(await reverts()).toBeGreaterThan(before)
      await untilHeight(depth + 5)
      const dying = live.stop()
      await anvil.ask('anvil_reorg', depth, [])
      await dying
      await start()
      await isCanonical()
    },
  )
  test('loses nothing when the WebSocket drops, and receives announcements again', async () => {
    proxy.cut()
    await isCanonical()
    expect(live.notices.some((one) => one.startsWith('chain_heads_not_announced'))).toBe(true)
  })
})
