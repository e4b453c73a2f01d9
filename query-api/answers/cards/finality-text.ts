// How sure the chain is of each rug flag's slot: written into a text of evidence when it is sent, because it changes without the evidence.
import type { RugFlag } from '../../../processors/mint/card/card-parts.ts'
import { assert } from '../../../schemas/errors.ts'
import type { FlagRow } from '../../../schemas/types.ts'
import type { ViewFinality } from '../../../topology/ports/chain-view.ts'

/** How sure the chain was of a slot when the answer was sent. */
export type Finality = 'processed' | 'confirmed' | 'finalized'

/** Evidence as JSON text, and where its rug flags end. */
export interface FlaggedText {
  readonly text: string
  /** In order of the text; `at` is the place of the item's closing brace. */
  readonly flags: readonly { readonly at: number; readonly slot: number }[]
}

/** Quotes within texts are escaped, so that this is found as a member alone. */
const memberOf = (name: string): string => `"${name}":[`

/** The text of a card or an item; its flags are the member of that name, `rows` are theirs. */
export const flaggedText = <Name extends string>(
  card: { readonly [Member in Name]?: readonly RugFlag[] },
  name: Name,
  rows: readonly FlagRow[],
): FlaggedText => {
  const text = JSON.stringify(card)
  const told = card[name] ?? []
  if (told.length === 0) return { text, flags: [] }
  const member = memberOf(name)
  const slots = new Map(rows.map(({ findingId, number }) => [findingId, number]))
  let end = text.indexOf(member) + member.length
  const flags = told.map((item) => {
    const slot = slots.get(item.finding_id)
    assert(slot !== undefined, `a flag without its row: ${item.finding_id}`)
    const at = end + JSON.stringify(item).length - 1
    end = at + '},'.length
    return { at, slot }
  })
  return { text, flags }
}

/** The text with the finality of each flag. */
export const withFinality = ({ text, flags }: FlaggedText, finalityOf: (slot: number) => Finality): string => {
  let told = ''
  let from = 0
  for (const { at, slot } of flags) {
    told += `${text.slice(from, at)},"finality":"${finalityOf(slot)}"`
    from = at
  }
  return from === 0 ? text : told + text.slice(from)
}

/** From what the source said so far. */
export const finalityAt = ({ confirmed, finalized }: ViewFinality, slot: number): Finality => {
  if (slot <= finalized) return 'finalized'
  return slot <= confirmed ? 'confirmed' : 'processed'
}
