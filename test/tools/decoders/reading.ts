// What a decoder reads of an event, and the decoders that nobody of this project wrote.
import type { RealTransaction } from '../../fixtures/real-transactions.ts'

export interface Reading {
  readonly program: 'pump' | 'pump_amm'
  readonly event: string
  /** Position in the transaction: `inner` counts from 1. */
  readonly outer: number
  readonly inner: number
  /** By the IDL's names: numbers as digits, keys in base58, others as JSON. */
  readonly fields: Readonly<Record<string, string>>
  /** Both mints of a trade in alphabetical order, where the decoder derives them from the transaction. */
  readonly mints?: string
}

export interface OtherDecoder {
  readonly name: string
  /** Events that it knows, `PROGRAM.EVENT`; it skips others. */
  readonly events: ReadonlySet<string>
  /** What it reads of each transaction. */
  readonly read: (transactions: readonly RealTransaction[]) => Promise<readonly (readonly Reading[])[]>
}
