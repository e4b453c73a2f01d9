// Conclusions as lists show them: flags and migrations.

import type { Position } from '../../../schemas/position.ts'
import type { ConclusionForm } from '../../../schemas/record-forms.ts'
import type { Conclusion } from '../../../schemas/types.ts'
import type { FlagRecord } from '../../ports/chain-view.ts'
import type { MigrationRecord } from '../../ports/mint-view.ts'

/** A conclusion at a position. */
export interface FlagRecords extends Position {
  /** Block time of the cause, unix seconds. */
  readonly at: number
}

/** Decodes the conclusion of a record, or of a part of one; undefined for other bytes. */
export const conclusionIn = ({ codec }: ConclusionForm, value: Uint8Array | null): Conclusion | undefined => {
  const read = value === null ? undefined : codec.decode(value)
  return read?.ok === true ? read.value : undefined
}
/** The flag that a finding raised; undefined for any other conclusion. */
export const flagOf = ({ id, chain, number, tx, outer, inner, at, body }: Conclusion): FlagRecord | undefined => {
  if (body.type !== 'finding') return undefined
  const { mint, creator, flag, mintAgeS, evidence } = body
  return { mint, creator, flag, findingId: id, at, mintAgeS, evidence, chain, number, tx, outer, inner }
}
/** The migration of a transition; undefined for any other step or conclusion. */
export const migrationOf = ({ id, chain, number, tx, outer, inner, at, body }: Conclusion): MigrationRecord | undefined => {
  if (body.type !== 'transition' || body.pool === null) return undefined
  const { mint, creator, graduated, peakQuoteUnits, quoteMint, pool } = body
  return { mint, creator, id, at, graduated, peakQuoteUnits, quoteMint, pool, chain, number, tx, outer, inner }
}
