// The launches that the home page shows: those unchanged for five minutes, from the same evidence as the cards.
import { solOf } from '../../../processors/mint/card/amounts.ts'
import { type CardContext, launchItem } from '../../../processors/mint/card/card.ts'
import { curveSolOf } from '../../../processors/mint/card/card-parts.ts'
import { graduatedOf } from '../../../processors/mint/card/labels.ts'
import type { DetectorSet } from '../../../processors/mint/detectors/set.ts'
import type { MintSnapshot } from '../../../topology/ports/mint-view.ts'
import { DELAY_S, delayed, restsSince } from '../../answers/delay.ts'
import type { Instant, Service } from '../../answers/service.ts'
import { isGrave, type ShownFlag, shownFlags } from '../flags.ts'

const LINES_MAX = 20
/** The launches of this time, seconds, are counted and drawn, but at most the newest `FIELD_MAX`. */
export const FIELD_S = 3_600
const FIELD_MAX = 1_500
/** How far back the table searches, seconds: as far as the list routes. */
const REACH_S = 21_600

/** A row of the table. SOL figures are null if they are null in the card. */
export interface Line {
  readonly item: ReturnType<typeof launchItem>
  /** Age now; the item is as of `DELAY_S` ago. */
  readonly ageS: number
  readonly flags: readonly ShownFlag[]
}

export type Kind = 'plain' | 'flagged' | 'grave' | 'graduated'
/** One launch of the plot. */
export interface Stroke {
  readonly ageS: number
  readonly peakSol: number
  readonly nowSol: number
  readonly kind: Kind
}

/** Counts of all launches within the plot's time; each launch counts once, by its current kind. */
export interface Counted {
  readonly launches: number
  readonly byKind: Readonly<Record<Kind, number>>
  /** Number of launches with a flag (graduated ones included), and number of their flags. */
  readonly withFlag: number
  readonly flags: number
  /** How far back the counted launches reach, seconds: an hour, or less if there are more than `FIELD_MAX`. */
  readonly reachS: number
}

/** Launches that may be shown for free, as table lines and plot strokes; and counts of all launches, shown or not. */
export interface Shown {
  readonly lines: readonly Line[]
  readonly strokes: readonly Stroke[]
  readonly counted: Counted
}

export const shownOf = ({ options }: Service, instant: Instant): Shown => {
  const { view } = options
  const { asOf } = instant.moment
  const then = delayed(instant)
  const lines: Line[] = []
  const strokes: Stroke[] = []
  const byKind = { plain: 0, flagged: 0, grave: 0, graduated: 0 }
  let [launches, withFlag, flags, reachS] = [0, 0, 0, FIELD_S]
  for (const snapshot of view.launchesSince(asOf - REACH_S, asOf)) {
    const { head } = snapshot
    const ageS = asOf - (head.launch?.at ?? asOf)
    const isOfField = ageS <= FIELD_S && launches < FIELD_MAX
    if (!isOfField && lines.length >= LINES_MAX) break
    const isShown = ageS >= DELAY_S && restsSince(head, then.moment.asOf)
    if (isShown && lines.length < LINES_MAX) lines.push(lineOf(snapshot, ageS, then, options))
    if (!isOfField) continue
    const kind = kindOf(head, options.detectors)
    const stroke = isShown ? strokeOf(head, ageS, kind) : undefined
    if (stroke !== undefined) strokes.push(stroke)
    byKind[kind] += 1
    launches += 1
    if (launches === FIELD_MAX) reachS = ageS
    flags += head.flags.length
    if (head.flags.length > 0) withFlag += 1
  }
  return { lines, strokes, counted: { launches, byKind, withFlag, flags, reachS } }
}

const lineOf = ({ mint, state }: MintSnapshot, ageS: number, { moment }: Instant, context: CardContext): Line => {
  const item = launchItem(mint, state, moment, context.chain)
  return { item, ageS, flags: shownFlags(state, context) }
}

const kindOf = ({ curve, flags }: MintSnapshot['head'], { byFlag }: DetectorSet): Kind => {
  if (curve !== null && graduatedOf(curve) === true) return 'graduated'
  if (flags.length === 0) return 'plain'
  return flags.some(({ flag, evidence }) => isGrave(byFlag.get(flag)?.headline, JSON.parse(evidence))) ? 'grave' : 'flagged'
}

/** Undefined if the curve's SOL is not known. */
const strokeOf = ({ curve }: MintSnapshot['head'], ageS: number, kind: Kind): Stroke | undefined => {
  const nowSol = curve && curveSolOf(curve)
  return curve === null || nowSol === null ? undefined : { ageS, peakSol: solOf(curve.peakQuoteUnits), nowSol, kind }
}
