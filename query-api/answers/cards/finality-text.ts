// Inserts the finality of each rug flag into evidence text when it is sent, because finality changes independently of evidence.
import type { RugFlag } from '../../../processors/mint/card/card-parts.ts'
import { assert } from '../../../schemas/errors.ts'
import type { FlagRow } from '../../../schemas/types.ts'
import type { ViewFinality } from '../../../topology/ports/chain-view.ts'

/** Finality of a slot when the answer was sent. */
export type FinalityLevel = 'processed' | 'confirmed' | 'finalized'

/** Evidence as JSON text, with the positions of its rug flags. */
export interface FlaggedText {
  readonly text: string
  /** In text order; `at` is the index of the closing brace of the flag's item. */
  readonly flags: readonly { readonly at: number; readonly slot: number }[]
}

/** The start of a member with a list. It cannot occur within string values, where quotes are escaped. */
const memberOf = (name: string): string => `"${name}":[`

/** The text of a card or item. @param name the member with the flags. @param rows the flags' rows. */
export const flaggedText = <Name extends string>(
  card: { readonly [Member in Name]?: readonly RugFlag[] },
  name: Name,
  rows: readonly FlagRow[],
): FlaggedText => {
  const text = JSON.stringify(card)
  const items = card[name] ?? []
  if (items.length === 0) return { text, flags: [] }
  const member = memberOf(name)
  const slots = new Map(rows.map(({ findingId, number }) => [findingId, number]))
  let end = text.indexOf(member) + member.length
  const flags = items.map((item) => {
    const slot = slots.get(item.finding_id)
    assert(slot !== undefined, `flag ${item.finding_id} has no row`)
    const at = end + JSON.stringify(item).length - 1
    end = at + '},'.length
    return { at, slot }
  })
  return { text, flags }
}

/** The text with the finality of each flag. */
export const withFinality = ({ text, flags }: FlaggedText, finalityOf: (slot: number) => FinalityLevel): string => {
  let filled = ''
  let from = 0
  for (const { at, slot } of flags) {
    filled += `${text.slice(from, at)},"finality":"${finalityOf(slot)}"`
    from = at
  }
  return from === 0 ? text : filled + text.slice(from)
}

/** Finality by the source's reports so far. */
export const finalityAt = ({ confirmed, finalized }: ViewFinality, slot: number): FinalityLevel => {
  if (slot <= finalized) return 'finalized'
  return slot <= confirmed ? 'confirmed' : 'processed'
}
