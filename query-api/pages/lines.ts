// What the page shows of a launch, taken from the same evidence as the cards.
import { launchItem } from '../../processors/mint/card.ts'
import { curveSolOf } from '../../processors/mint/card-parts.ts'
import { graduatedOf } from '../../processors/mint/labels.ts'
import { LAMPORTS_PER_SOL } from '../../processors/mint/thresholds.ts'
import type { MintSnapshot } from '../../topology/ports/mint-view.ts'
import { DELAY_S, delayed } from '../answers/delay.ts'
import { oldLaunches } from '../answers/samples.ts'
import type { Look, Service } from '../service.ts'

/** Launches in the table, and strokes in the field. */
const LINES_MAX = 30
const STROKES_MAX = 300
/** How far the field looks back beyond the delay, seconds. */
export const FIELD_S = 3_600

/** A row of the table. SOL figures are null where the card has null. */
export interface Line {
  readonly item: ReturnType<typeof launchItem>
  /** Age now; the item is as of `DELAY_S` ago. */
  readonly ageS: number
  readonly flags: readonly { readonly flag: string; readonly ageS: number }[]
}

/** One launch of the field. */
export interface Stroke {
  readonly ageS: number
  readonly peakSol: number
  readonly nowSol: number
  readonly kind: 'plain' | 'flagged' | 'graduated'
}

/** Launches that may be shown for free: the newest as lines, those of about an hour as strokes. */
export interface Shown {
  readonly lines: readonly Line[]
  readonly strokes: readonly Stroke[]
}

export const shownOf = (service: Service, look: Look): Shown => {
  const lines: Line[] = []
  const strokes: Stroke[] = []
  const then = delayed(look)
  for (const snapshot of oldLaunches(service, look, 0)) {
    if (lines.length < LINES_MAX) lines.push(lineOf(snapshot, then))
    const stroke = strokeOf(snapshot, look)
    if (stroke !== undefined) strokes.push(stroke)
    const ageS = look.moment.asOf - (snapshot.head.launch?.at ?? 0)
    if (lines.length >= LINES_MAX && (strokes.length >= STROKES_MAX || ageS > FIELD_S)) break
  }
  return { lines, strokes }
}

const lineOf = ({ mint, state }: MintSnapshot, { moment }: Look): Line => ({
  item: launchItem(mint, state, moment),
  ageS: moment.asOf + DELAY_S - (state.launch?.at ?? 0),
  flags: state.flags
    .map(({ flag, firstSeenAt }) => ({ flag, ageS: Math.max(0, firstSeenAt - (state.launch?.at ?? firstSeenAt)) }))
    .sort((a, b) => a.ageS - b.ageS || (a.flag < b.flag ? -1 : 1)),
})

/** Undefined for curves whose SOL is not known. */
const strokeOf = ({ head: { launch, curve, flags } }: MintSnapshot, { moment: { asOf } }: Look): Stroke | undefined => {
  const nowSol = curve && curveSolOf(curve)
  if (launch === null || curve === null || nowSol === null) return undefined
  return {
    ageS: asOf - launch.at,
    peakSol: curve.peakQuoteUnits / LAMPORTS_PER_SOL,
    nowSol,
    kind: graduatedOf(curve) === true ? 'graduated' : flags.length > 0 ? 'flagged' : 'plain',
  }
}
