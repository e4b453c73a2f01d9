// The logs of one transaction, as the input of each conversion to a tape event.
import type { Parsed } from '../../../schemas/errors.ts'
import { NONE } from '../../../schemas/position.ts'
import type { AltTapeEvent, AltTransaction } from '../../../schemas/types.ts'
import type { Launchpad } from './launchpad.ts'
import type { OwnLog, TransactionLogs } from './transaction-logs.ts'
import type { Move } from './wallet.ts'

export interface TransactionScope extends Pick<TransactionLogs, 'own' | 'fills'> {
  readonly tx: AltTransaction
  readonly launchpad: Launchpad
  /** Transfers of launched tokens, in order. */
  readonly moves: readonly Move[]
}

/** Converts one log to an event of the tape; undefined for a log that belongs to another event of the transaction. */
export type ToTape = (one: OwnLog, scope: TransactionScope) => Parsed<AltTapeEvent | undefined>

/** The event's position within its block, and the transaction's hash. */
export const locationOf = ({ log }: OwnLog, { tx }: TransactionScope) => ({
  ...{ tx: tx.index, outer: log.index, inner: NONE },
  signature: tx.hash,
})
