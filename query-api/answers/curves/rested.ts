// Curves that are shown for free: as of five minutes ago, those whose rows have not changed since.
import { type CurveCardContext, curveItem } from '../../../processors/curve/card/card.ts'
import type { CurveSnapshot } from '../../../topology/ports/curve-view.ts'
import { DELAY_S } from '../delay.ts'
import type { Look } from '../service.ts'
import type { CurveDesk } from './desk.ts'

export type CurveItem = ReturnType<typeof curveItem>

const LOOKED_AT_MAX = 1_000

/** The newest of them, at most so many; `look` is one at curves. */
export const restedCurves = ({ ground }: CurveDesk, { moment, status }: Look, most: number): readonly CurveItem[] => {
  const asOf = moment.asOf - DELAY_S
  const context: CurveCardContext = ground
  const items: CurveItem[] = []
  if (!status.ready) return items
  let looked = 0
  for (const snapshot of ground.view.launchesSince(0, asOf)) {
    if (items.length >= most || ++looked > LOOKED_AT_MAX) break
    // The state is decoded with all holders once it is read: only of those shown.
    if (rests(snapshot.head, asOf)) items.push(curveItem(snapshot.token, snapshot.state, { ...moment, asOf, tip: null }, context))
  }
  return items
}

/** Whether its rows are now what they were at a time in unix seconds. */
export const rests = ({ figures, flags }: CurveSnapshot['head'], second: number): boolean =>
  figures !== null && figures.lastAt <= second && figures.lastMoveAt <= second && flags.every(({ firstSeenAt }) => firstSeenAt <= second)
