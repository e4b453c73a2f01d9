// Logs as contracts emit them: topics and data in hex with 0x, as a node gives them.
import { EVENTS, type EventName, FILLS } from '../../../processors/chains/alt/abi.ts'

/** Of a transaction, before it has its place in a block. */
export interface DraftLog {
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
}

const hexOf = (latin1: string): string => `0x${Buffer.from(latin1, 'latin1').toString('hex')}`

const TOPICS = new Map([...EVENTS].map(([topic, { name }]) => [name, hexOf(topic)]))
/** Of the first terminal: its event names the wallet. */
const [FILL = ''] = [...FILLS.keys()].map(hexOf)

type Arg = string | bigint
/** An address or a number as a word of 32 bytes, without 0x. */
const word = (arg: Arg): string => (typeof arg === 'string' ? arg.slice(2) : arg.toString(16)).padStart(64, '0')

/** Addresses in lower case. */
export const logOf = (address: string, name: EventName, indexed: readonly string[], plain: readonly Arg[]): DraftLog => ({
  address,
  topics: [TOPICS.get(name) as string, ...indexed.map((one) => `0x${word(one)}`)],
  data: `0x${plain.map(word).join('')}`,
})

/** A router's own event, which names the wallet that it trades for. */
export const fillOf = (router: string, wallet: string): DraftLog => ({
  address: router,
  topics: [FILL, `0x${word(wallet)}`],
  data: '0x',
})
