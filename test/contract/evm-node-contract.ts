// The contract of every implementation of the port `EvmNode`.
import type { BlockHead, EvmNode, NodeBlock } from '../../topology/sources/alt/node.ts'
import { NodeFailure } from '../../topology/sources/alt/node.ts'

export interface OpenEvm {
  readonly node: EvmNode
  readonly chainId: number
  /** First topics of the logs in blocks of `mineBlock`. */
  readonly topics: readonly string[]
  /** Makes a block, with logs on request. */
  mineBlock(isLogged: boolean): Promise<void>
  /** Replaces the newest `depth` blocks with as many others. */
  reorg(depth: number): Promise<void>
  close(): Promise<void>
}

const never = (): AbortSignal => new AbortController().signal
const UNKNOWN = `0x${'12'.repeat(32)}`

export const evmNodeContract = (name: string, open: () => Promise<OpenEvm>): void => {
  describe(`${name} as an EVM node`, () => {
    let opened: OpenEvm
    let node: EvmNode
    beforeEach(async () => {
      opened = await open()
      node = opened.node
    })
    afterEach(() => opened.close())

    const latest = (): Promise<NodeBlock> => node.latest(never())
    const blocks = async (at: readonly (number | string)[], withTransactions = false): Promise<readonly NodeBlock[]> => {
      const found = await node.blocks(at, withTransactions, never())
      return found.map((block) => {
        if (block === null) throw new Error('a block is missing')
        return block
      })
    }

    test('returns the chain id', async () => {
      expect(await node.chainId(never())).toBe(opened.chainId)
    })
    test('returns a new block as the latest, and each block names its parent', async () => {
      const before = await latest()
      for (let i = 0; i < 3; i++) await opened.mineBlock(i === 1)
      const after = await latest()
      expect(after.number).toBe(before.number + 3)
      const chain = await blocks([0, 1, 2, 3].map((i) => before.number + i))
      expect(chain.map(({ number }) => number - before.number)).toEqual([0, 1, 2, 3])
      expect(chain.slice(1).map(({ parentHash }) => parentHash)).toEqual(chain.slice(0, 3).map(({ hash }) => hash))
      expect(chain.at(-1)?.hash).toBe(after.hash)
      expect(chain.every(({ time }, i) => time >= (chain[i - 1]?.time ?? 0))).toBe(true)
    })
    test('returns null in place of unknown numbers and hashes', async () => {
      await opened.mineBlock(false)
      const { number, hash } = await latest()
      const found = await node.blocks([number + 1_000, hash, UNKNOWN, number], false, never())
      expect(found.map((block) => block?.hash ?? null)).toEqual([null, hash, null, hash])
    })
    test('returns the same logs by range and by hash, with their transaction at its index', async () => {
      const from = (await latest()).number + 1
      await opened.mineBlock(true)
      await opened.mineBlock(false)
      await opened.mineBlock(true)
      const to = (await latest()).number
      const logs = await node.logs({ from, to }, opened.topics, never())
      const chain = await blocks([from, from + 1, to], true)
      const byHash = await Promise.all(chain.map(({ hash }) => node.logs({ hash }, opened.topics, never())))
      const inOrder = [...logs].sort((a, b) => a.blockNumber - b.blockNumber || a.logIndex - b.logIndex)
      expect(byHash.flatMap((some) => [...some].sort((a, b) => a.logIndex - b.logIndex))).toEqual(inOrder)
      expect(new Set(logs.map(({ blockNumber }) => blockNumber))).toEqual(new Set([from, to]))
      for (const log of logs) {
        const block = chain.find(({ hash }) => hash === log.blockHash)
        expect(block?.number).toBe(log.blockNumber)
        expect(block?.transactions?.[log.transactionIndex]?.hash).toBe(log.transactionHash)
        expect(opened.topics).toContain(log.topics[0])
      }
    })
    test('returns null for transactions that were not requested', async () => {
      await opened.mineBlock(true)
      const { number } = await latest()
      const [bare] = await blocks([number])
      const [whole] = await blocks([number], true)
      expect(bare?.transactions).toBeNull()
      expect(whole?.transactions?.length).toBeGreaterThan(0)
      expect(whole?.transactions?.every(({ from }) => /^0x[0-9a-f]{40}$/.test(from))).toBe(true)
    })
    test('returns no logs for an unknown topic', async () => {
      const from = (await latest()).number + 1
      await opened.mineBlock(true)
      expect(await node.logs({ from, to: from }, [UNKNOWN], never())).toEqual([])
    })
    test('fails for logs of an unknown block', async () => {
      await expect(node.logs({ hash: UNKNOWN }, opened.topics, never())).rejects.toBeInstanceOf(NodeFailure)
    })
    test('after a fork returns the new blocks, and null for the hash of an old one', async () => {
      for (let i = 0; i < 4; i++) await opened.mineBlock(i % 2 === 0)
      const before = await latest()
      const [parent, old] = await blocks([before.number - 2, before.number - 1])
      await opened.reorg(2)
      expect((await latest()).hash).not.toBe(before.hash)
      const [same, other] = await blocks([before.number - 2, before.number - 1])
      expect(same?.hash).toBe(parent?.hash)
      expect(other?.hash).not.toBe(old?.hash)
      expect(other?.parentHash).toBe(parent?.hash)
      expect(await node.blocks([before.hash], false, never())).toEqual([null])
    })
    test('resolves a tag to a block of the chain that is not newer than the latest', async () => {
      for (let i = 0; i < 3; i++) await opened.mineBlock(false)
      const { number } = await latest()
      for (const tag of ['safe', 'finalized'] as const) {
        const tagged = (await node.tagged(tag, never())) as BlockHead
        expect(tagged.number).toBeLessThanOrEqual(number)
        expect((await blocks([tagged.number]))[0]?.hash).toBe(tagged.hash)
      }
    })
    test('notifies a subscription of new blocks until it is stopped', async () => {
      const stop = new AbortController()
      const received: BlockHead[] = []
      const subscribing = node.heads?.((head) => received.push(head), stop.signal)
      for (let tries = 0; received.length < 2 && tries < 200; tries++) {
        await opened.mineBlock(false)
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
      stop.abort()
      await subscribing
      const [first] = received
      expect((await blocks([first?.number as number]))[0]).toMatchObject(first as BlockHead)
    })
    test('fails a request that was aborted', async () => {
      await expect(node.latest(AbortSignal.abort())).rejects.toBeInstanceOf(NodeFailure)
    })
  })
}
