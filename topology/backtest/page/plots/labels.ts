// Places names next to the points of a plot without overlaps. A point with no free place next to it gets no name.

export interface Spot {
  /** Pixels from the left and from the top. */
  readonly x: number
  readonly y: number
  readonly text: string
}

export interface Label extends Spot {
  readonly anchor: 'start' | 'middle' | 'end'
}

interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

const CHARACTER_PX = 6.6
const LINE_PX = 14
/** Distance from the centre of a point to the text. */
const GAP_PX = 9
/** Half the size of the area around a point that must stay free. */
const POINT_PX = 5

/** Candidate positions; those off the bars, which are horizontal and vertical, come first. */
const PLACES = [
  { anchor: 'start', dx: GAP_PX, dy: -GAP_PX - 1 },
  { anchor: 'start', dx: GAP_PX, dy: GAP_PX + 1 },
  { anchor: 'end', dx: -GAP_PX, dy: -GAP_PX - 1 },
  { anchor: 'end', dx: -GAP_PX, dy: GAP_PX + 1 },
  { anchor: 'start', dx: GAP_PX, dy: 0 },
  { anchor: 'end', dx: -GAP_PX, dy: 0 },
  { anchor: 'middle', dx: 0, dy: -GAP_PX - 4 },
  { anchor: 'middle', dx: 0, dy: GAP_PX + 4 },
] as const

const START = { start: 0, middle: -0.5, end: -1 } as const

const boxOf = ({ x, y, text, anchor }: Label): Box => {
  const width = text.length * CHARACTER_PX
  const left = x + START[anchor] * width
  return { left, right: left + width, top: y - LINE_PX / 2, bottom: y + LINE_PX / 2 }
}
const aroundOf = ({ x, y }: Pick<Spot, 'x' | 'y'>): Box => ({
  left: x - POINT_PX,
  right: x + POINT_PX,
  top: y - POINT_PX,
  bottom: y + POINT_PX,
})
const isApart = (a: Box, others: readonly Box[]): boolean =>
  others.every((b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top)
const isWithin = (inner: Box, outer: Box): boolean =>
  inner.left >= outer.left && inner.right <= outer.right && inner.top >= outer.top && inner.bottom <= outer.bottom

/**
 * The first free position for each, in the given order: one that avoids `points` if possible, else one that avoids other names and named
 * points. `within` is the plot.
 */
export const labelsOf = (spots: readonly Spot[], within: Box, points: readonly Pick<Spot, 'x' | 'y'>[]): readonly Label[] => {
  const [avoided, taken] = [points.map(aroundOf), spots.map(aroundOf)]
  return spots.flatMap((spot) => {
    const candidates = PLACES.map(({ anchor, dx, dy }): Label => ({ text: spot.text, x: spot.x + dx, y: spot.y + dy, anchor }))
    const free = candidates.filter((candidate) => isWithin(boxOf(candidate), within) && isApart(boxOf(candidate), taken))
    const best = free.find((candidate) => isApart(boxOf(candidate), avoided)) ?? free[0]
    if (best === undefined) return []
    taken.push(boxOf(best))
    return [best]
  })
}
