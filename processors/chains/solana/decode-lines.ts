// Events of a file as JSON lines, with the field names of the programs' IDL: the output of `decode`.
import type { BadDataCode, Parsed } from '../../../schemas/errors.ts'
import { toBase58 } from '../../../schemas/keys.ts'
import type { FrameTransaction } from '../../../schemas/types.ts'
import type { ChainFile, LooseEvent } from './chain-file.ts'
import { type FieldValue, type ReadEvent, readEvent } from './events/read-event.ts'
import { hasFailed, readTransaction } from './events/read-transaction.ts'
import { toFrameTransaction, touchesLaunchpad } from './normal-form.ts'
import type { SourceBlock } from './source-transaction.ts'

/** Where an event is; null where the file does not state it, or where the record cannot be parsed. */
interface EventLocation {
  readonly slot: number | null
  readonly tx_index: number | null
  readonly outer_ix: number | null
  readonly inner_ix: number | null
  readonly signature: string | null
}

type Json = number | string | boolean | readonly Json[] | { readonly [name: string]: Json }

export interface EventLine extends EventLocation {
  readonly chain: 'solana'
  readonly program: string
  readonly event: string
  /** The generation of the event's layout (`ReadEvent.layout`). */
  readonly layout: string | number
  readonly fields: Readonly<Record<string, Json>>
  /** The bytes after the last known field. */
  readonly tail_hex: string
}

/** A record that cannot be decoded. */
interface ErrorLine extends EventLocation {
  readonly chain: 'solana'
  readonly error: BadDataCode
  readonly reason: string
}

export type DecodeLine = EventLine | ErrorLine

const toJson = (value: FieldValue): Json => {
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object') return value
  if ('key' in value) return toBase58(value.key)
  return value.map((item) => (typeof item === 'string' ? toBase58(item) : { address: toBase58(item.address), share_bps: item.share_bps }))
}

const lineOf = (read: Parsed<ReadEvent>, location: EventLocation): DecodeLine => {
  if (!read.ok) return { chain: 'solana', error: read.code, reason: read.reason, ...location }
  const { program, event, layout, fields, tail } = read.value
  const named = Object.fromEntries([...fields].map(([name, value]) => [name, toJson(value)]))
  return { chain: 'solana', ...location, program, event, layout, fields: named, tail_hex: tail.toString('hex') }
}

const linesOfTransaction = (tx: FrameTransaction, slot: number | null): DecodeLine[] => {
  const { decoded, failed, problems, silent } = readTransaction(tx)
  const locationOf = ({ outer, inner }: { outer: number; inner: number }): EventLocation => ({
    slot,
    tx_index: tx.indexKnown ? tx.index : null,
    outer_ix: outer,
    inner_ix: inner,
    signature: toBase58(tx.signature),
  })
  const events = [
    ...decoded.map(({ found }) => ({ found, read: readEvent(found.program, found.bytes) })),
    ...failed.map(({ found, why }) => ({ found, read: why })),
  ].sort((a, b) => a.found.outer - b.found.outer || a.found.inner - b.found.inner)
  const missing = silent.flatMap((one) => (hasFailed(one, failed) ? [] : [{ ...one, code: 'event_missing' as const }]))
  const errors = [...problems, ...missing].map(
    (problem): ErrorLine => ({ chain: 'solana', error: problem.code, reason: problem.reason, ...locationOf(problem) }),
  )
  return [...events.map(({ found, read }) => lineOf(read, locationOf(found))), ...errors]
}

/** Every event of a block or transaction in order of execution; failed transactions have none. */
export function* linesOfBlock(block: SourceBlock): Generator<DecodeLine> {
  for (const tx of block.transactions) {
    if (touchesLaunchpad(tx)) yield* linesOfTransaction(toFrameTransaction(tx, tx.index ?? 0), block.slot)
  }
  for (const { index, code, reason } of block.errors) {
    yield { chain: 'solana', error: code, reason, slot: block.slot, tx_index: index, outer_ix: null, inner_ix: null, signature: null }
  }
}

/** The line of an event whose transaction is not known. */
export const lineOfLooseEvent = ({ program, bytes, slot, signature }: LooseEvent): DecodeLine =>
  lineOf(readEvent(program, bytes), { slot, tx_index: null, outer_ix: null, inner_ix: null, signature })

export function* linesOfFile(file: ChainFile): Generator<DecodeLine> {
  for (const block of file.blocks) yield* linesOfBlock(block)
  for (const event of file.events) yield lineOfLooseEvent(event)
}
