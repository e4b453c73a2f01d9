// What mintfold reads of a transaction's events: every field by the IDL's names, and the event of the tape.
import { lineOfLooseEvent } from '../../../processors/chains/solana/decode-lines.ts'
import { readTransaction } from '../../../processors/chains/solana/events/read-transaction.ts'
import { toFrameTransaction } from '../../../processors/chains/solana/normal-form.ts'
import { toBase58 } from '../../../schemas/keys.ts'
import type { TapeEvent } from '../../../schemas/types.ts'
import type { RealTransaction } from '../../fixtures/real-transactions.ts'
import type { Reading } from './reading.ts'

export interface OurEvent extends Omit<Reading, 'mints'> {
  readonly bytes: Buffer
  /** Undefined for events that the tape does not carry. */
  readonly tape: TapeEvent | undefined
}

const KEYS: ReadonlySet<string> = new Set(['mint', 'user', 'creator', 'bondingCurve', 'pool', 'tokenProgram', 'quoteMint'])

/** A field of a tape event as decoders print it. */
export const tapeText = (event: TapeEvent, name: string): string => {
  const value = (event as unknown as Readonly<Record<string, unknown>>)[name]
  return KEYS.has(name) && typeof value === 'string' ? toBase58(value as never) : String(value)
}

const textOf = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))

/** In order of execution. */
export const ourEvents = ({ tx }: RealTransaction): OurEvent[] => {
  const { decoded, failed } = readTransaction(toFrameTransaction(tx, 0))
  const tapes = [...decoded, ...failed.map(({ found }) => ({ found, event: undefined }))]
  return tapes.flatMap(({ found: { program, outer, inner, bytes }, event: tape }) => {
    const line = lineOfLooseEvent({ program, bytes, slot: null, signature: null })
    if ('error' in line) return []
    const fields = Object.fromEntries(Object.entries(line.fields).map(([name, value]) => [name, textOf(value)]))
    return [{ program, event: line.event, outer, inner, bytes, fields, tape }]
  })
}
