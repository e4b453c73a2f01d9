// The contract suite over both adapters: JSON-RPC against a server in the process and a real node, and the hostile node while it is honest.
import { viemNode } from '../../topology/sources/alt/viem-node.ts'
import { EvmChain, QUIET } from '../fakes/evm-chain.ts'
import { HostileNode } from '../fakes/evm-node.ts'
import { EvmServer } from '../fakes/evm-server.ts'
import { launchpadLogs } from '../fixtures/alt-logs.ts'
import { AnvilLaunchpad, isCompiled } from '../fixtures/anvil-launchpad.ts'
import { Anvil, describeAnvil } from '../services/anvil.ts'
import { evmNodeContract } from './evm-node-contract.ts'

const LOGGED = { launches: 1, buys: 2, strangers: 1 }
const { topics } = launchpadLogs()

const reorg = (chain: EvmChain, depth: number): void => {
  chain.cut(depth)
  for (let i = 0; i < depth; i++) chain.mine(QUIET)
}

evmNodeContract('the hostile node', () => {
  const chain = new EvmChain()
  const node = new HostileNode(chain)
  const mine = async (isLogged: boolean): Promise<void> => node.announce(chain.mine(isLogged ? LOGGED : QUIET))
  return Promise.resolve({ node, chainId: 4_663, topics, mine, reorg: async (depth) => reorg(chain, depth), close: async () => {} })
})

evmNodeContract('JSON-RPC of a server in the process', async () => {
  const chain = new EvmChain()
  const server = new EvmServer(chain)
  await server.start()
  const { rpcUrl, wsUrl } = server
  const mine = async (isLogged: boolean): Promise<void> => server.announce(chain.mine(isLogged ? LOGGED : QUIET))
  return {
    ...{ node: viemNode({ rpcUrl, wsUrl }), chainId: 4_663, topics, mine },
    reorg: async (depth) => reorg(chain, depth),
    close: () => server.stop(),
  }
})

describeAnvil('anvil', () => {
  evmNodeContract('JSON-RPC of anvil', async () => {
    const anvil = await Anvil.start([])
    const launchpad = await AnvilLaunchpad.deploy(anvil)
    const { rpcUrl, wsUrl } = anvil
    const mine = async (isLogged: boolean): Promise<void> => {
      if (isLogged) await launchpad.launched(await launchpad.launch(launchpad.accounts[1] as string, 10n ** 16n))
      else await anvil.ask('evm_mine')
    }
    return {
      ...{ node: viemNode({ rpcUrl, wsUrl }), chainId: 4_663, topics, mine },
      reorg: async (depth) => void (await anvil.ask('anvil_reorg', depth, [])),
      close: () => anvil.stop(),
    }
  })
})

test('given the source of the contracts, then what is deployed was compiled from it', () => {
  expect(isCompiled()).toBe(true)
})
