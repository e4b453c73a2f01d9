// Plots the lead time: the share of the hits that came at least this long before the rug.
import * as Plot from '@observablehq/plot'
import type { Graded } from '../../report-types.ts'
import { percent, span } from '../words.ts'
import { type Drawing, GROUND, isNumber, SEEN, SHARE_DOMAIN, shareAxisY } from './canvas.ts'

const TICKS_S = [1, 10, 60, 600, 3_600, 36_000, 360_000]

interface Point {
  readonly leadS: number
  /** Share of the hits with a longer lead. */
  readonly share: number
}

const pointsOf = ({ leads, hits }: Graded): readonly Point[] =>
  leads.flatMap(({ upToS, hits: within }) =>
    hits > 0 && isNumber(upToS) && upToS > 0 ? [{ leadS: upToS, share: Math.max(0, 1 - within / hits) }] : [],
  )

export const leadTimes = (graded: Graded): Drawing | undefined => {
  const points = pointsOf(graded)
  const [first, last] = [points[0]?.leadS, points.at(-1)?.leadS]
  if (first === undefined || last === undefined || first >= last) return undefined
  const { leadP50S } = graded
  const half = isNumber(leadP50S) && leadP50S >= first && leadP50S <= last ? [{ leadS: leadP50S, share: 0.5 }] : []
  const titles = points.map(({ leadS, share }) => `${percent(share)} more than ${span(leadS)}`)
  return {
    title: 'Time left before the rug',
    text: `Of the hits of ${graded.name}: ${titles.slice(0, 12).join(', ')}.`,
    draw: () => ({
      ...{ marginLeft: 44, marginRight: 16, marginTop: 24, marginBottom: 40, height: 220 },
      ...{ x: { type: 'log', domain: [first, last] }, y: { domain: SHARE_DOMAIN } },
      marks: [
        ...shareAxisY('hits with more time'),
        Plot.axisX(
          TICKS_S.filter((tick) => tick >= first && tick <= last),
          { tickSize: 4, text: span, label: 'log scale', labelArrow: 'none', labelAnchor: 'center', labelOffset: 34 },
        ),
        Plot.areaY(points, { x: 'leadS', y: 'share', fill: SEEN, fillOpacity: 0.12 }),
        Plot.line(points, { x: 'leadS', y: 'share', stroke: SEEN, strokeWidth: 1.75 }),
        Plot.dot(half, { x: 'leadS', y: 'share', r: 4, fill: SEEN, stroke: GROUND }),
        Plot.text(half, {
          ...{ x: 'leadS', y: 'share', text: (p: Point) => `half: ${span(p.leadS)}`, textAnchor: 'start', dx: 8, dy: -8 },
          ...{ fill: 'currentColor', stroke: GROUND, strokeWidth: 4 },
        }),
      ],
    }),
  }
}
