// Curves that are shown for free: as of five minutes ago, those whose rows have not changed since.
import { type CurveCardContext, curveItem } from '../../../processors/curve/card/card.ts'
import type { CurveSnapshot } from '../../../topology/ports/curve-view.ts'
import { DELAY_S } from '../delay.ts'
import type { Look } from '../service.ts'
import type { CurveDesk } from './desk.ts'

export type CurveItem = ReturnType<typeof curveItem>

/** The newest of them, at most so many; `look` is one at curves. */
export const restedCurves = ({ ground }: CurveDesk, { moment, status }: Look, most: number): readonly CurveItem[] => {
  const asOf = moment.asOf - DELAY_S
  const context: CurveCardContext = ground
  const items: CurveItem[] = []
  if (!status.ready) return items
  for (const { token, head, state } of launchedBefore(ground.view.launchesSince(0, asOf))) {
    if (items.length >= most) break
    if (rests(head, asOf)) items.push(curveItem(token, state, { ...moment, asOf, tip: null }, context))
  }
  return items
}

const LOOKED_AT_MAX = 1_000
function* launchedBefore(snapshots: Iterable<CurveSnapshot>): Iterable<CurveSnapshot> {
  let looked = 0
  for (const snapshot of snapshots) {
    if (++looked > LOOKED_AT_MAX) return
    yield snapshot
  }
}

const rests = ({ figures, flags }: CurveSnapshot['head'], second: number): boolean =>
  figures !== null && figures.lastAt <= second && figures.lastMoveAt <= second && flags.every(({ firstSeenAt }) => firstSeenAt <= second)
