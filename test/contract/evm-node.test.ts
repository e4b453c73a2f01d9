// The contract suite over all adapters: JSON-RPC against an in-process server and a real node, the hostile node while it is honest, and the
// node of the demo.
import { nodeLogs } from '../../processors/chains/alt/chain.ts'
import { DemoChain, FIRST_BLOCK } from '../../topology/simulator/alt/chain.ts'
import { DemoNode } from '../../topology/simulator/alt/node.ts'
import { viemNode } from '../../topology/sources/alt/viem-node.ts'
import { EvmChain, QUIET } from '../fakes/evm-chain.ts'
import { HostileNode } from '../fakes/evm-node.ts'
import { EvmServer } from '../fakes/evm-server.ts'
import { FACTORY, launchpadLogs, TOKEN_LAUNCHED } from '../fixtures/alt-logs.ts'
import { AnvilLaunchpad, isCompiled } from '../fixtures/anvil-launchpad.ts'
import { Anvil, describeAnvil } from '../services/anvil.ts'
import { evmNodeContract } from './evm-node-contract.ts'

const LOGGED = { launches: 1, buys: 2, strangers: 1 }
const { topics } = launchpadLogs()

const reorg = (chain: EvmChain, depth: number): void => {
  chain.cut(depth)
  for (let i = 0; i < depth; i++) chain.mineBlock(QUIET)
}

evmNodeContract('the hostile node', () => {
  const chain = new EvmChain()
  const node = new HostileNode(chain)
  const mineBlock = async (isLogged: boolean): Promise<void> => node.announce(chain.mineBlock(isLogged ? LOGGED : QUIET))
  return Promise.resolve({
    node,
    chainId: 4_663,
    topics,
    mineBlock,
    reorg: async (depth) => reorg(chain, depth),
    close: async () => {},
  })
})

evmNodeContract('JSON-RPC of a server in the process', async () => {
  const chain = new EvmChain()
  const server = new EvmServer(chain)
  await server.start()
  const { rpcUrl, wsUrl } = server
  const mineBlock = async (isLogged: boolean): Promise<void> => server.announce(chain.mineBlock(isLogged ? LOGGED : QUIET))
  return {
    ...{ node: viemNode({ rpcUrl, wsUrl }), chainId: 4_663, topics, mineBlock },
    reorg: async (depth) => reorg(chain, depth),
    close: () => server.stop(),
  }
})

/** The newest block of the first branch that is orphaned at this depth. */
const dyingHead = (chain: DemoChain, depth: number): number => {
  for (let head = FIRST_BLOCK; ; head++)
    if (chain.isDying(head - depth + 1, head) && !chain.isDying(head - depth, head) && !chain.isDying(head + 1, head + 1)) return head
}
const DEMO_FORK = 2

evmNodeContract('the node of the demo', () => {
  const chain = new DemoChain({ seed: 1, startMs: 1_790_000_000_000, forksPerHour: 600 })
  // The suite makes four blocks before it forks: they lead up to an orphaned branch.
  let head = dyingHead(chain, DEMO_FORK) - 4
  const logged = new Set<number>()
  let number = FIRST_BLOCK
  const block = () => {
    const made = { address: FACTORY, topics: [TOKEN_LAUNCHED], data: '0x' }
    const transactions = logged.has(number) ? [1, 2].map(() => ({ from: FACTORY, to: FACTORY, logs: [made, made] })) : []
    return { number: number++, transactions }
  }
  const mineBlock = async (isLogged: boolean): Promise<void> => {
    head++
    if (isLogged) logged.add(head)
  }
  const forked = async (depth: number): Promise<void> => {
    expect(depth).toBe(DEMO_FORK)
    head++
  }
  const node = new DemoNode({ chain, market: { block }, head: () => head })
  return Promise.resolve({ node, chainId: 4_663, topics: nodeLogs.topics, mineBlock, reorg: forked, close: async () => {} })
})

describeAnvil('anvil', () => {
  evmNodeContract('JSON-RPC of anvil', async () => {
    const anvil = await Anvil.start([])
    const launchpad = await AnvilLaunchpad.deploy(anvil)
    const { rpcUrl, wsUrl } = anvil
    const mineBlock = async (isLogged: boolean): Promise<void> => {
      if (isLogged) await launchpad.launched(await launchpad.launch(launchpad.accounts[1] as string, 10n ** 16n))
      else await anvil.ask('evm_mine')
    }
    return {
      ...{ node: viemNode({ rpcUrl, wsUrl }), chainId: 4_663, topics, mineBlock },
      reorg: async (depth) => void (await anvil.ask('anvil_reorg', depth, [])),
      close: () => anvil.stop(),
    }
  })
})

test('the deployed contracts were compiled from their source', () => {
  expect(isCompiled()).toBe(true)
})
