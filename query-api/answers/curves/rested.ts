// Curves that may be shown for free: as of five minutes ago, and not changed since.
import { type CurveCardContext, curveItem } from '../../../processors/curve/card/card.ts'
import type { CurveSnapshot } from '../../../topology/ports/curve-view.ts'
import { DELAY_S } from '../delay.ts'
import type { Instant } from '../service.ts'
import type { CurveDesk } from './desk.ts'

export type CurveItem = ReturnType<typeof curveItem>

const LOOKED_AT_MAX = 1_000

/** The newest such curves, at most `most`. @param instant of the alt chain; null while its clock is not known: none. */
export const restedCurves = ({ context }: CurveDesk, instant: Instant | null, most: number): readonly CurveItem[] => {
  if (!instant?.status.ready) return []
  const { moment } = instant
  const asOf = moment.asOf - DELAY_S
  const cardContext: CurveCardContext = context
  const items: CurveItem[] = []
  let looked = 0
  for (const snapshot of context.view.launchesSince(0, asOf)) {
    if (items.length >= most || ++looked > LOOKED_AT_MAX) break
    // Reading the state decodes all holders: only for shown curves.
    if (rests(snapshot.head, asOf)) items.push(curveItem(snapshot.token, snapshot.state, { ...moment, asOf, tip: null }, cardContext))
  }
  return items
}

/** Whether a curve's rows have not changed since `second`, unix seconds. */
export const rests = ({ figures, flags }: CurveSnapshot['head'], second: number): boolean =>
  figures !== null && figures.lastAt <= second && figures.lastMoveAt <= second && flags.every(({ firstSeenAt }) => firstSeenAt <= second)
