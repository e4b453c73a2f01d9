// The state of a transaction while it is decoded.
import type { Parsed } from '../../../schemas/errors.ts'
import { NONE } from '../../../schemas/position.ts'
import type { AltTapeEvent, AltTransaction } from '../../../schemas/types.ts'
import type { Launchpad } from './launchpad.ts'
import type { OwnLog, TransactionLogs } from './transaction-logs.ts'
import type { Move } from './wallet.ts'

export interface Scene extends Pick<TransactionLogs, 'own' | 'fills'> {
  readonly tx: AltTransaction
  readonly launchpad: Launchpad
  /** Transfers of launched tokens, in order. */
  readonly moves: readonly Move[]
}

/** Converts one log to an event of the tape; undefined for a log that belongs to another event of the transaction. */
export type ToTape = (one: OwnLog, scene: Scene) => Parsed<AltTapeEvent | undefined>

/** Where an event is. */
export const placeOf = ({ log }: OwnLog, { tx }: Scene) => ({
  ...{ tx: tx.index, outer: log.index, inner: NONE },
  signature: tx.hash,
})
