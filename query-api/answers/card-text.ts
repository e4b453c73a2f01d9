// Evidence as JSON text with what only changes with it: finality and links. Context of the instant is added where the answer is sent.
import { launchItem, mintEvidence } from '../../processors/mint/card.ts'
import type { RugFlag } from '../../processors/mint/card-parts.ts'
import type { Moment } from '../../processors/mint/moment.ts'
import { assert } from '../../schemas/errors.ts'
import type { Key } from '../../schemas/keys.ts'
import { toBase58 } from '../../schemas/keys.ts'
import type { FlagRow, MintState } from '../../schemas/types.ts'
import type { MintSnapshot } from '../../topology/ports/mint-view.ts'
import type { Finality } from '../service.ts'
import { linksText } from './links.ts'

/** A card's text, open at its end: context and the closing brace follow. */
export interface CardText {
  readonly text: string
  readonly coverage: 'full' | 'thin'
  /** Trades that the card rests on. */
  readonly trades: number
}
/** An item of the launch list, whole. */
export interface LaunchText {
  readonly text: string
}

/** What the text depends on that is neither row nor moment. */
export interface TextContext {
  finalityOf(slot: number): Finality
  serves(path: string): boolean
}

export const cardText = (context: TextContext, mint: Key, state: MintState, moment: Moment): CardText => {
  const evidence = mintEvidence(mint, state, moment)
  const creator = state.launch === null ? null : toBase58(state.launch.creator)
  const links = linksText(evidence.coverage === 'full' ? ['creator', 'regime', 'rugs'] : ['creator', 'regime'], creator, (path) =>
    context.serves(path),
  )
  const data = JSON.stringify(withFinality(evidence, state.flags, context))
  return { text: `${data.slice(0, -1)},"next":${links}`, coverage: evidence.coverage, trades: state.curve?.trades ?? 0 }
}

export const launchText = (context: TextContext, { mint, state }: MintSnapshot, moment: Moment): LaunchText => ({
  text: JSON.stringify(withFinality(launchItem(mint, state, moment), state.flags, context)),
})

/** Adds to each rug flag how sure the chain is of its slot. A text is at most a second old, and so is this. */
const withFinality = <T extends { readonly rug_flags?: readonly RugFlag[] }>(
  card: T,
  flags: readonly FlagRow[],
  context: TextContext,
): T => {
  if (card.rug_flags === undefined || card.rug_flags.length === 0) return card
  const slots = new Map(flags.map(({ findingId, number }) => [findingId, number]))
  const rugFlags = card.rug_flags.map((item) => {
    const slot = slots.get(item.finding_id)
    assert(slot !== undefined, `a flag without its row: ${item.finding_id}`)
    return { ...item, finality: context.finalityOf(slot) }
  })
  return { ...card, rug_flags: rugFlags }
}
