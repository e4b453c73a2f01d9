// Assigns partitions to the members of a group: balanced, and sticky: a member keeps its partitions up to its share.

/** A process of the group, with the partitions it reported. */
export interface Member {
  readonly id: string
  readonly has: readonly string[]
}

/** A partition and the cost of its tasks, in units of one partition's folds. */
export interface Weighed {
  readonly topicPartition: string
  readonly weight: number
}

interface Share {
  readonly id: string
  readonly partitions: Weighed[]
  load: number
}

/** Each partition goes to exactly one member. The result does not depend on the order of members or of their partitions. */
export const planAssignment = (members: readonly Member[], partitions: readonly Weighed[]): ReadonlyMap<string, readonly string[]> => {
  const shares = [...members].sort((a, b) => (a.id < b.id ? -1 : 1)).map(({ id }): Share => ({ id, partitions: [], load: 0 }))
  const give = (share: Share, weighed: Weighed): void => {
    share.partitions.push(weighed)
    share.load += weighed.weight
  }
  const free: Weighed[] = []
  for (const weighed of [...partitions].sort((a, b) => b.weight - a.weight)) {
    const keeper = shares.find(({ id }) => members.some((member) => member.id === id && member.has.includes(weighed.topicPartition)))
    if (keeper === undefined) free.push(weighed)
    else give(keeper, weighed)
  }
  for (const weighed of free) {
    const least = leastOf(shares)
    if (least !== undefined) give(least, weighed)
  }
  even(shares, give)
  return new Map(shares.map(({ id, partitions }) => [id, partitions.map(({ topicPartition }) => topicPartition)]))
}

const leastOf = (shares: readonly Share[]): Share | undefined =>
  shares.reduce<Share | undefined>((least, share) => (least === undefined || share.load < least.load ? share : least), undefined)

/** Moves partitions from the most to the least loaded member while that balances the two. */
const even = (shares: readonly Share[], give: (share: Share, weighed: Weighed) => void): void => {
  for (;;) {
    const least = leastOf(shares)
    const most = shares.reduce<Share | undefined>((top, share) => (top === undefined || share.load > top.load ? share : top), undefined)
    if (least === undefined || most === undefined) return
    const at = most.partitions.findLastIndex(({ weight }) => least.load + weight < most.load)
    const moved = at < 0 ? undefined : most.partitions.splice(at, 1)[0]
    if (moved === undefined) return
    most.load -= moved.weight
    give(least, moved)
  }
}
