// Events of a file as JSON lines, with the field names of the contracts' ABI: the output of `decode`.
import type { BadDataCode } from '../../../schemas/errors.ts'
import { HEX_KEYS, type Key, signatureText } from '../../../schemas/keys.ts'
import type { AltLog, AltTransaction } from '../../../schemas/types.ts'
import type { FileBlock, RecordedFile } from '../chain.ts'
import type { EventArg } from './abi.ts'
import type { AltFileBlock } from './file-blocks.ts'
import { type ArgValue, eventOf, readLog } from './read-log.ts'

/** Where an event is; null where the file does not state it, or where the record cannot be parsed. */
interface EventLocation {
  readonly block: number | null
  readonly tx_index: number | null
  readonly log_index: number | null
  readonly signature: string | null
}

interface EventLine extends EventLocation {
  readonly chain: 'alt'
  readonly address: string
  readonly event: string
  /** Numbers as decimal text. */
  readonly fields: Readonly<Record<string, string>>
}

/** A record that cannot be decoded. */
interface ErrorLine extends EventLocation {
  readonly chain: 'alt'
  readonly error: BadDataCode
  readonly reason: string
}

export type DecodeLine = EventLine | ErrorLine

const textOf = ({ type }: EventArg, value: ArgValue | undefined): string => {
  if (type === 'uint256') return String(value)
  return type === 'address' ? HEX_KEYS.print(value as Key) : `0x${Buffer.from(String(value), 'latin1').toString('hex')}`
}

/** Undefined for events that the launchpad's ABI does not declare. */
const lineOf = (log: AltLog, location: EventLocation): DecodeLine | undefined => {
  const abi = eventOf(log)
  if (abi === undefined) return undefined
  if (log.blockHash !== null)
    return { chain: 'alt', error: 'bad_transaction', reason: 'the log names another block than its transaction', ...location }
  const read = readLog(log, abi)
  if (!read.ok) return { chain: 'alt', error: read.code, reason: read.reason, ...location }
  const { indexed, nonIndexed } = read.value
  const fields = [
    ...abi.indexed.map((arg, i) => [arg.name, textOf(arg, indexed[i])]),
    ...abi.nonIndexed.map((arg, i) => [arg.name, textOf(arg, nonIndexed[i])]),
  ]
  return { chain: 'alt', ...location, address: HEX_KEYS.print(log.address), event: abi.name, fields: Object.fromEntries(fields) }
}

const linesOfTransaction = (block: number | null, { index, hash, logs }: AltTransaction): DecodeLine[] =>
  logs.flatMap((log) => lineOf(log, { block, tx_index: index, log_index: log.index, signature: signatureText(hash) }) ?? [])

/**
 * Every event of the launchpad's ABI in the file, in order of block, transaction and log; also those that an unrelated contract emitted.
 * Records that cannot be decoded have a line too.
 */
export function* linesOfFile(file: RecordedFile): Generator<DecodeLine> {
  for (const block of file.blocks as readonly (FileBlock & AltFileBlock)[]) {
    for (const tx of block.transactions) yield* linesOfTransaction(block.number, tx)
    for (const { index, code, reason } of block.errors)
      yield { chain: 'alt', error: code, reason, block: block.number, tx_index: index, log_index: null, signature: null }
  }
}
