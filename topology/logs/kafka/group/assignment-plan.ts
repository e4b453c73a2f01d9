// Assigns partitions to the members of a group: balanced, and sticky: a member keeps its partitions up to its share. Other members stand by
// for them; a partition moves to a member that can stand by only once its standby there is warm.

/** A process of the group, as it describes itself. */
export interface Member {
  readonly id: string
  /** Partitions that it runs. */
  readonly has: readonly string[]
  /** Partitions that it could take over fast. */
  readonly warm: readonly string[]
  /** False for programs without standbys. */
  readonly canStandBy: boolean
}

/** A partition and the cost of its tasks, in units of one partition's folds. */
export interface Weighed {
  readonly topicPartition: string
  readonly weight: number
}

/** What one member is assigned. */
export interface Share {
  readonly partitions: readonly string[]
  readonly standbys: readonly string[]
  /** The standbys that move to the member once they are warm: it then joins the group again. */
  readonly awaited: readonly string[]
}

interface Load {
  readonly member: Member
  readonly partitions: Weighed[]
  load: number
}

/**
 * Each partition goes to exactly one member, and to `standbys` others if there are so many. The result does not depend on the order of
 * members or of their partitions.
 */
export const planAssignment = (
  members: readonly Member[],
  partitions: readonly Weighed[],
  standbys: number,
): ReadonlyMap<string, Share> => {
  const sorted = [...members].sort((a, b) => (a.id < b.id ? -1 : 1))
  const balanced = balance(sorted, partitions)
  const shares = new Map(sorted.map(({ id }) => [id, { partitions: [] as string[], standbys: [] as string[], awaited: [] as string[] }]))
  for (const { topicPartition } of partitions) {
    const target = balanced.get(topicPartition)
    if (target === undefined) continue
    const ready = readyOf(sorted, topicPartition)
    const isCold = standbys > 0 && target.canStandBy && !target.warm.includes(topicPartition)
    const runner = isCold ? (ready ?? target) : target
    shares.get(runner.id)?.partitions.push(topicPartition)
    if (runner !== target) shares.get(target.id)?.awaited.push(topicPartition)
    const others = sorted.filter((member) => member.canStandBy && member !== runner)
    for (const { id } of standbysOf(others, topicPartition, target, standbys, (member) => shares.get(member.id)?.standbys.length ?? 0))
      shares.get(id)?.standbys.push(topicPartition)
  }
  return shares
}

/** The member to which a partition moves, then the warm ones, then those with the fewest standbys. */
const standbysOf = (
  others: readonly Member[],
  topicPartition: string,
  target: Member,
  count: number,
  loadOf: (member: Member) => number,
): readonly Member[] => {
  const rankOf = (member: Member): number => (member === target ? 0 : member.warm.includes(topicPartition) ? 1 : 2)
  return [...others].sort((a, b) => rankOf(a) - rankOf(b) || loadOf(a) - loadOf(b)).slice(0, count)
}

/** The member that runs a partition, else one that could take it over fast. */
const readyOf = (members: readonly Member[], topicPartition: string): Member | undefined =>
  members.find(({ has }) => has.includes(topicPartition)) ?? members.find(({ warm }) => warm.includes(topicPartition))

/** The balanced owner of each partition; what no member has goes to one that is warm, if there is one. */
const balance = (members: readonly Member[], partitions: readonly Weighed[]): ReadonlyMap<string, Member> => {
  const loads = members.map((member): Load => ({ member, partitions: [], load: 0 }))
  const give = (to: Load, weighed: Weighed): void => {
    to.partitions.push(weighed)
    to.load += weighed.weight
  }
  const free: Weighed[] = []
  for (const weighed of [...partitions].sort((a, b) => b.weight - a.weight)) {
    const keeper = loads.find(({ member }) => member.has.includes(weighed.topicPartition))
    if (keeper === undefined) free.push(weighed)
    else give(keeper, weighed)
  }
  for (const weighed of free) {
    const warm = loads.filter(({ member }) => member.warm.includes(weighed.topicPartition))
    const least = leastOf(warm.length > 0 ? warm : loads)
    if (least !== undefined) give(least, weighed)
  }
  even(loads, give)
  return new Map(loads.flatMap(({ member, partitions: own }) => own.map(({ topicPartition }) => [topicPartition, member])))
}

const leastOf = (loads: readonly Load[]): Load | undefined =>
  loads.reduce<Load | undefined>((least, one) => (least === undefined || one.load < least.load ? one : least), undefined)

/** Moves partitions from the most to the least loaded member while that balances the two. */
const even = (loads: readonly Load[], give: (to: Load, weighed: Weighed) => void): void => {
  for (;;) {
    const least = leastOf(loads)
    const most = loads.reduce<Load | undefined>((top, one) => (top === undefined || one.load > top.load ? one : top), undefined)
    if (least === undefined || most === undefined) return
    const at = most.partitions.findLastIndex(({ weight }) => least.load + weight < most.load)
    const moved = at < 0 ? undefined : most.partitions.splice(at, 1)[0]
    if (moved === undefined) return
    most.load -= moved.weight
    give(least, moved)
  }
}
