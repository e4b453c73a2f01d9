// Parses the arguments of one log, by their Solidity offsets: every argument of the launchpad's events is one word of 32 bytes.
import { type Amount, amountOf } from '../../../schemas/amount.ts'
import { asBuffer } from '../../../schemas/bytes.ts'
import { bad, good, type Parsed } from '../../../schemas/errors.ts'
import type { Key } from '../../../schemas/keys.ts'
import type { AltLog } from '../../../schemas/types.ts'
import { EVENTS, type EventAbi, type EventArg } from './abi.ts'

const WORD_BYTES = 32
const ADDRESS_AT = 12
const NO_TOPIC = ''

/** The value of an argument: an address, a number, or 32 bytes as latin1 text. */
export type ArgValue = Amount | Key | string

/** A log whose topics and data match its event's declaration. */
export interface ReadLog {
  readonly abi: EventAbi
  /** Arguments in topics, in their order. */
  readonly indexed: readonly ArgValue[]
  /** The other arguments, in their order. */
  readonly nonIndexed: readonly ArgValue[]
}

/** The exact sum, which may have more than 256 bits. */
export const sumOf = (values: readonly Amount[]): Amount => amountOf(values.reduce<bigint>((sum, value) => sum + BigInt(value), 0n))

/** The event that a log's first topic names; undefined for events that are not the launchpad's. */
export const eventOf = ({ topics }: Pick<AltLog, 'topics'>): EventAbi | undefined => EVENTS.get(topics[0] ?? NO_TOPIC)

const ADDRESS_HEAD = '\0'.repeat(ADDRESS_AT)

/** The address in a word of latin1 text; undefined where the upper bytes are not zero. */
export const addressIn = (word: string): Key | undefined =>
  word.length === WORD_BYTES && word.startsWith(ADDRESS_HEAD) ? (word.slice(ADDRESS_AT) as Key) : undefined

/** An unsigned number of 32 bytes. */
const uintAt = (data: Buffer, at: number): Amount => {
  const low = data.readBigUInt64BE(at + 24)
  const high = data.readBigUInt64BE(at + 16)
  const top = data.readBigUInt64BE(at + 8)
  const first = data.readBigUInt64BE(at)
  if (first === 0n && top === 0n) return amountOf(high === 0n ? low : (high << 64n) | low)
  return amountOf((first << 192n) | (top << 128n) | (high << 64n) | low)
}

const valueAt = ({ type }: EventArg, word: Buffer, at: number): ArgValue | undefined => {
  if (type === 'uint256') return uintAt(word, at)
  const text = word.toString('latin1', at, at + WORD_BYTES)
  return type === 'address' ? addressIn(text) : text
}

const valuesOf = (args: readonly EventArg[], words: Buffer): Parsed<ArgValue[]> => {
  const values: ArgValue[] = []
  for (const [index, arg] of args.entries()) {
    const value = valueAt(arg, words, index * WORD_BYTES)
    if (value === undefined) return bad('bad_encoding', `${arg.name} is not an address`)
    values.push(value)
  }
  return good(values)
}

/** Parses a log as event `abi`. Bad data where its topics or data do not match the declaration. */
export const readLog = ({ topics, data }: Pick<AltLog, 'topics' | 'data'>, abi: EventAbi): Parsed<ReadLog> => {
  const topicCount = abi.indexed.length + 1
  if (topics.length !== topicCount) return bad('bad_encoding', `${abi.name} must have ${topicCount} topics, not ${topics.length}`)
  const size = abi.nonIndexed.length * WORD_BYTES
  if (data.length !== size) {
    return bad(data.length < size ? 'truncated' : 'bad_encoding', `${abi.name} must have ${size} bytes of data, not ${data.length}`)
  }
  const indexed = valuesOf(abi.indexed, Buffer.from(topics.slice(1).join(''), 'latin1'))
  if (!indexed.ok) return { ...indexed, reason: `${abi.name}: ${indexed.reason}` }
  const nonIndexed = valuesOf(abi.nonIndexed, asBuffer(data))
  if (!nonIndexed.ok) return { ...nonIndexed, reason: `${abi.name}: ${nonIndexed.reason}` }
  return good({ abi, indexed: indexed.value, nonIndexed: nonIndexed.value })
}
