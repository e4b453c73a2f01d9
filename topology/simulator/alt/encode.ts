// Encodes logs as contracts emit them: topics and data in hex with 0x, as a node returns them.
import { EVENTS, type EventName, FILLS } from '../../../processors/chains/alt/abi.ts'

/** A log before its transaction is placed in a block. */
export interface DraftLog {
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
}

const hexOf = (latin1: string): string => `0x${Buffer.from(latin1, 'latin1').toString('hex')}`

const TOPICS = new Map([...EVENTS].map(([topic, { name }]) => [name, hexOf(topic)]))
/** The fill event of the first terminal, which names the wallet. */
const [FILL = ''] = [...FILLS.keys()].map(hexOf)

type Arg = string | bigint
/** An address or a number as a 32-byte word, without 0x. */
const word = (arg: Arg): string => (typeof arg === 'string' ? arg.slice(2) : arg.toString(16)).padStart(64, '0')

/** Addresses must be in lower case. */
export const logOf = (address: string, name: EventName, indexed: readonly string[], plain: readonly Arg[]): DraftLog => ({
  address,
  topics: [TOPICS.get(name) as string, ...indexed.map((one) => `0x${word(one)}`)],
  data: `0x${plain.map(word).join('')}`,
})

/** A router's event that names the wallet for which it trades. */
export const fillOf = (router: string, wallet: string): DraftLog => ({
  address: router,
  topics: [FILL, `0x${word(wallet)}`],
  data: '0x',
})
