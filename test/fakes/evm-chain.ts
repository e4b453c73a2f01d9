// An EVM chain in memory with launches and trades of a launchpad among foreign logs: blocks of 100 ms, forks of any depth.
import { createHash } from 'node:crypto'
import { keccak256 } from 'viem'
import type { NodeBlock, NodeLog, NodeTransaction } from '../../topology/sources/alt/node.ts'
import { BUY, FACTORY, TOKEN_LAUNCHED, TRANSFER } from '../fixtures/alt-logs.ts'
import { Dice } from '../simulation/dice.ts'

export interface EvmBlock extends NodeBlock {
  readonly transactions: readonly NodeTransaction[]
  /** All logs of the block, foreign ones included. */
  readonly logs: readonly NodeLog[]
}

const START_S = 1_780_000_000
const BLOCKS_PER_S = 10
const SENDER = addressOf('sender')

/** What a block contains: numbers of launches, of buys of the branch's curves, and of transfers of foreign tokens. */
export interface Content {
  readonly launches: number
  readonly buys: number
  readonly strangers: number
}
export const QUIET: Content = { launches: 0, buys: 0, strangers: 0 }

interface Draft {
  readonly address: string
  readonly topics: readonly string[]
}

/** Does not simulate: execution, state, gas, fees. */
export class EvmChain {
  /** The canonical branch; the index is the block number. */
  blocks: EvmBlock[] = []
  #made = 0

  constructor() {
    this.mineBlock(QUIET)
  }
  get head(): EvmBlock {
    return this.blocks.at(-1) as EvmBlock
  }
  /** Appends a block. */
  mineBlock(content: Content): EvmBlock {
    const parent = this.blocks.at(-1)
    const number = this.blocks.length
    const hash = `0x${createHash('sha256')
      .update(`${parent?.hash} ${this.#made++}`)
      .digest('hex')}`
    const drafts = this.#draftsOf(content)
    const transactions = drafts.map((_, index) => ({ hash: wordOf(`${hash} ${index}`), from: SENDER, to: FACTORY }))
    let logIndex = 0
    const logs = drafts.flatMap((logs, transactionIndex) =>
      logs.map(({ address, topics }): NodeLog => {
        const at = { blockNumber: number, blockHash: hash, transactionIndex, logIndex: logIndex++ }
        return { ...at, transactionHash: (transactions[transactionIndex] as NodeTransaction).hash, address, topics, data: '0x' }
      }),
    )
    const time = START_S + Math.floor(number / BLOCKS_PER_S)
    const block = { number, hash, parentHash: parent?.hash ?? wordOf('none'), time, logsBloom: bloomOf(logs), transactions, logs }
    this.blocks = [...this.blocks, block]
    return block
  }
  /** Removes the newest `depth` blocks, never the first. Returns the branch before that; a test may assign it to `blocks` later. */
  cut(depth: number): EvmBlock[] {
    const before = this.blocks
    this.blocks = before.slice(0, Math.max(1, before.length - depth))
    return before
  }

  #draftsOf({ launches, buys, strangers }: Content): readonly (readonly Draft[])[] {
    const curves = this.blocks.flatMap(({ logs }) => logs.flatMap(({ address, topics }) => (address === FACTORY ? [topics] : [])))
    const made = Array.from({ length: launches }, () => {
      const [token, curve] = [`token ${this.#made++}`, `curve ${this.#made++}`].map(addressOf) as [string, string]
      // The token moves before it is announced, and the creator buys in the same transaction.
      return [
        { address: token, topics: [TRANSFER, padded(SENDER), padded(curve)] },
        { address: FACTORY, topics: [TOKEN_LAUNCHED, padded(token), padded(curve), padded(SENDER)] },
        { address: curve, topics: [BUY, padded(SENDER), padded(SENDER)] },
      ]
    })
    const bought = Array.from({ length: curves.length === 0 ? 0 : buys }, (_, index) => {
      const [, token = '', curve = ''] = curves[(this.#made + index) % curves.length] as readonly string[]
      return [
        { address: `0x${token.slice(26)}`, topics: [TRANSFER, curve, padded(SENDER)] },
        { address: `0x${curve.slice(26)}`, topics: [BUY, padded(SENDER), padded(SENDER)] },
      ]
    })
    const strange = Array.from({ length: strangers }, () => [
      { address: addressOf(`stranger ${this.#made++}`), topics: [TRANSFER, padded(SENDER), padded(FACTORY)] },
    ])
    return [...made, ...bought, ...strange]
  }
}

/** Random content from a seed: of ten blocks about four are quiet and one has launches. */
export const someContent = (seed: number): (() => Content) => {
  const dice = new Dice(seed, 'content of blocks')
  return () => {
    const kind = dice.int(0, 9)
    if (kind < 4) return QUIET
    return { launches: kind === 9 ? dice.int(1, 3) : 0, buys: kind < 6 ? 0 : dice.int(0, 3), strangers: dice.int(0, 2) }
  }
}

function addressOf(name: string): string {
  return `0x${createHash('sha256').update(name).digest('hex').slice(0, 40)}`
}
const wordOf = (name: string): string => `0x${createHash('sha256').update(name).digest('hex')}`
const padded = (address: string): string => `0x${'00'.repeat(12)}${address.slice(2)}`

const bits = new Map<string, readonly number[]>()
const bitsOf = (value: string): readonly number[] => {
  const known = bits.get(value)
  if (known !== undefined) return known
  const hash = Buffer.from(keccak256(value as `0x${string}`).slice(2), 'hex')
  const made = [0, 2, 4].map((at) => hash.readUInt16BE(at) % 2_048)
  bits.set(value, made)
  return made
}
export const bloomOf = (logs: readonly NodeLog[]): string => {
  const bloom = Buffer.alloc(256)
  for (const { address, topics } of logs)
    for (const value of [address, ...topics])
      for (const bit of bitsOf(value)) bloom.writeUInt8(bloom.readUInt8(255 - (bit >> 3)) | (1 << (bit & 7)), 255 - (bit >> 3))
  return `0x${bloom.toString('hex')}`
}
