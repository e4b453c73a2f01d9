// Assignment of places to the members of a group: balanced, and sticky: a member keeps its places up to its share.

/** A process of the group, with the places it reported. */
export interface Member {
  readonly id: string
  readonly has: readonly string[]
}

/** A place and the cost of its work, in units of one partition's folds. */
export interface Weighed {
  readonly place: string
  readonly weight: number
}

interface Share {
  readonly id: string
  readonly places: Weighed[]
  load: number
}

/** Each place goes to exactly one member. The result does not depend on the order of members or of their places. */
export const planAssignment = (members: readonly Member[], places: readonly Weighed[]): ReadonlyMap<string, readonly string[]> => {
  const shares = [...members].sort((a, b) => (a.id < b.id ? -1 : 1)).map(({ id }): Share => ({ id, places: [], load: 0 }))
  const give = (share: Share, weighed: Weighed): void => {
    share.places.push(weighed)
    share.load += weighed.weight
  }
  const free: Weighed[] = []
  for (const weighed of [...places].sort((a, b) => b.weight - a.weight)) {
    const keeper = shares.find(({ id }) => members.some((member) => member.id === id && member.has.includes(weighed.place)))
    if (keeper === undefined) free.push(weighed)
    else give(keeper, weighed)
  }
  for (const weighed of free) {
    const least = leastOf(shares)
    if (least !== undefined) give(least, weighed)
  }
  even(shares, give)
  return new Map(shares.map(({ id, places: mine }) => [id, mine.map(({ place }) => place)]))
}

const leastOf = (shares: readonly Share[]): Share | undefined =>
  shares.reduce<Share | undefined>((least, share) => (least === undefined || share.load < least.load ? share : least), undefined)

/** Moves places from the most to the least loaded member while that balances the two. */
const even = (shares: readonly Share[], give: (share: Share, weighed: Weighed) => void): void => {
  for (;;) {
    const least = leastOf(shares)
    const most = shares.reduce<Share | undefined>((top, share) => (top === undefined || share.load > top.load ? share : top), undefined)
    if (least === undefined || most === undefined) return
    const at = most.places.findLastIndex(({ weight }) => least.load + weight < most.load)
    const moved = at < 0 ? undefined : most.places.splice(at, 1)[0]
    if (moved === undefined) return
    most.load -= moved.weight
    give(least, moved)
  }
}
