// Restores the rows of a task from its changelogs.
import type { FrameHeader } from '../../../processors/contract.ts'
import type { Topic } from '../../../schemas/topics.ts'
import type { Commit, Log, TaskOwner } from '../../ports/log.ts'
import type { Offsets } from '../definition.ts'
import { rowsToMove } from '../rows/former-rows.ts'
import type { Task } from '../task.ts'
import { baseTurnName } from './bases.ts'
import type { ChangelogReads } from './changelog-reads.ts'
import { countIn, countName } from './record-counts.ts'

/** Poll interval while the log waits for an open transaction, which may last longer than the watchdog's limit or a stop allows. */
const CHECK_MS = 500

export interface Restoring<Event, Header extends FrameHeader> {
  readonly log: Log
  readonly task: Task<Event, Header>
  /** Owner of the task, newly taken over. */
  readonly owner: TaskOwner
  /** May have read a part of the changelogs before. */
  readonly reads: ChangelogReads<Event, Header>
  readonly isStopping: () => boolean
  /** Called whenever the restore progresses. */
  readonly progress: () => void
  commit(commit: Commit): Promise<void>
}

/** Restores the task's rows and returns the offsets at which it continues; undefined if it was stopped: the task then has partial rows. */
export const restoreRows = async <Event, Header extends FrameHeader>(restoring: Restoring<Event, Header>): Promise<Offsets | undefined> => {
  const { log, task, owner, reads, isStopping, progress, commit } = restoring
  const { id, partition, definition, changelogs } = task
  const committed = owner.committed()
  const offsetIn = (topic: Topic): number => committed.get(`${topic.name}/${partition}`) ?? log.start(topic, partition)
  const { input, exchange, bases } = definition
  const offsets: Offsets = {
    input: offsetIn(input),
    exchange: exchange === undefined ? 0 : offsetIn(exchange.topic),
    exchangeEnd: exchange && (await decidedEnd(restoring, exchange.topic)),
    baseTurn: bases && committed.get(baseTurnName(bases, partition)),
    records: countsIn(committed, changelogs, partition, offsetIn(input)),
  }
  const moved = await rowsToMove(log, { ...definition, id, partition })
  if (moved !== undefined) await commit(moved)
  const goOn = (): boolean => {
    progress()
    return !isStopping()
  }
  for (const topic of changelogs) {
    await reads.upTo(topic, await decidedEnd(restoring, topic), goOn)
    if (isStopping()) return undefined
  }
  // If another owner took over meanwhile, the rows read may come from both; an empty commit fails then because this owner is fenced.
  await commit({ outputs: [], inputs: new Map() })
  return isStopping() ? undefined : offsets
}

/** Records of the changelogs as of the newest commit, by name of the topic. */
const countsIn = (
  committed: ReadonlyMap<string, number>,
  changelogs: readonly Topic[],
  partition: number,
  input: number,
): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const topic of changelogs) {
    const records = countIn(committed.get(countName(topic, partition)), input)
    if (records !== undefined) counts.set(topic.name, records)
  }
  return counts
}

/** Returns 0 once the task is stopped. */
const decidedEnd = async <Event, Header extends FrameHeader>(
  { log, task: { partition }, isStopping, progress }: Restoring<Event, Header>,
  topic: Topic,
): Promise<number> => {
  let looking: NodeJS.Timeout | undefined
  const stopped = new Promise<number>((resolve) => {
    looking = setInterval(() => {
      progress()
      if (isStopping()) resolve(0)
    }, CHECK_MS)
  })
  return await Promise.race([log.decidedEnd(topic, partition), stopped]).finally(() => clearInterval(looking))
}
