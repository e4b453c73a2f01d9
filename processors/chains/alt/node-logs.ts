// Selects the logs that a polling source keeps. Its logs are as in the node's JSON-RPC answers, hex in lower case with 0x.
import { type Key, mustHexKey, type Signature } from '../../../schemas/keys.ts'
import type { AltLog, AltTransaction, RawFrame } from '../../../schemas/types.ts'
import { EVENTS, FILLS } from './abi.ts'
import { toFrame } from './frame.ts'
import { keptOf, launchedToken } from './kept-logs.ts'
import type { Launchpad } from './launchpad.ts'

interface NodeLog {
  readonly transactionHash: string
  readonly transactionIndex: number
  /** Index among all logs of the block. */
  readonly logIndex: number
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
}

/** A block that becomes a frame of its own (the rules are in frame.ts), with its kept logs. */
interface NodeFrame<Log extends NodeLog> {
  readonly block: {
    readonly number: number
    readonly hash: string
    /** Unix seconds. */
    readonly time: number
    /** All transactions of the block in order; null where they are not known. */
    readonly transactions: readonly { readonly from: string; readonly to: string | null }[] | null
  }
  /** The block of the previous frame. */
  readonly parent: { readonly number: number; readonly hash: string }
  readonly logs: readonly Log[]
}

const bytesOf = (hex: string): Buffer => Buffer.from(hex.slice(2), 'hex')
const latin1 = (hex: string): string => bytesOf(hex).toString('latin1')
const hexOf = (text: string): string => `0x${Buffer.from(text, 'latin1').toString('hex')}`

const logOf = ({ logIndex, address, topics, data }: NodeLog): AltLog => ({
  ...{ index: logIndex, address: mustHexKey(address), blockHash: null },
  ...{ topics: topics.map(latin1), data: bytesOf(data) },
})

const transactionsOf = (logs: readonly NodeLog[], senders: NodeFrame<NodeLog>['block']['transactions']): AltTransaction[] => {
  const byIndex = new Map<number, AltTransaction>()
  for (const log of logs) {
    const { transactionIndex: index, transactionHash } = log
    const { from = null, to = null } = senders?.[index] ?? {}
    const tx = byIndex.get(index) ?? {
      ...{ index, hash: latin1(transactionHash) as Signature, logs: [] },
      ...{ from: from === null ? null : mustHexKey(from), to: to === null ? null : mustHexKey(to) },
    }
    tx.logs.push(logOf(log))
    byIndex.set(index, tx)
  }
  return [...byIndex.values()]
}

const topicsOf = (name: string): Set<string> => new Set([...EVENTS].flatMap(([topic, abi]) => (abi.name === name ? [hexOf(topic)] : [])))
const TRANSFER = topicsOf('Transfer')
const LAUNCHES = topicsOf('TokenLaunched')
/** First topics of all logs that may be kept. */
const FIRST_TOPICS = [...EVENTS].flatMap(([topic, { emitter }]) => (emitter === 'unkept' ? [] : [topic])).concat(...FILLS.keys())

const isOf = (topics: ReadonlySet<string>, log: NodeLog): boolean => topics.has(log.topics[0] ?? '')

/** Tokens that moved in transactions with events of curves: they are still traded on curves. */
const tradedTokens = (transactions: readonly AltTransaction[]): string[] => {
  const emitters = (tx: AltTransaction, emitter: string): Key[] =>
    tx.logs.flatMap(({ topics, address }) => (EVENTS.get(topics[0] ?? '')?.emitter === emitter ? [address] : []))
  const tokens = transactions.flatMap((tx) => (emitters(tx, 'curve').length === 0 ? [] : emitters(tx, 'token')))
  return [...new Set(tokens)].map(hexOf)
}

/** Selects the logs of a node that frames keep, and builds the frame of a block. */
export const nodeLogsOf = (launchpad: Launchpad) => ({
  topics: FIRST_TOPICS.map(hexOf),
  /**
   * Takes the logs of one block, of any contract. Returns the logs that the block's frame keeps, in the given order, the tokens that the
   * block launches, and the tokens that it trades on curves. `hasToken`: true for tokens launched in earlier blocks.
   */
  kept<Log extends NodeLog>(logs: readonly Log[], hasToken: (address: string) => boolean) {
    const launched = new Set<string>()
    for (const log of logs) {
      const token = isOf(LAUNCHES, log) ? launchedToken(logOf(log), launchpad) : undefined
      if (token !== undefined) launched.add(hexOf(token))
    }
    const isToken = (address: string): boolean => launched.has(address) || hasToken(address)
    // Most logs are transfers of unrelated tokens: drop them before the costlier `keptOf`.
    const candidates = logs.filter((log) => !isOf(TRANSFER, log) || isToken(log.address))
    const transactions = keptOf(transactionsOf(candidates, null), { hasToken: (token) => isToken(hexOf(token)) }, launchpad)
    const indexes = new Set(transactions.flatMap((tx) => tx.logs.map(({ index }) => index)))
    return { logs: candidates.filter(({ logIndex }) => indexes.has(logIndex)), launched: [...launched], traded: tradedTokens(transactions) }
  },
  /** The frame of a block with its kept logs, not yet split in parts; hashes without 0x. */
  frameOf<Log extends NodeLog>({ block, parent, logs }: NodeFrame<Log>): RawFrame {
    const { number, hash, time, transactions } = block
    const head = { number, hash: hash.slice(2), parentNumber: parent.number, parentHash: parent.hash.slice(2), blockTime: time }
    const kept = transactionsOf(logs, transactions).sort((a, b) => a.index - b.index)
    for (const tx of kept) tx.logs.sort((a, b) => a.index - b.index)
    return toFrame({ ...head, status: 'processed', whole: true }, kept)
  },
})
