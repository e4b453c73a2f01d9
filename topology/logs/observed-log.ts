// Wraps a log so that an observer sees every commit of its owners.
import type { Commit, Log, TaskOwner } from '../ports/log.ts'
import { withOwners } from './with-owners.ts'

/** A commit that succeeded, without its contents. */
export interface CommitSeen {
  /** Id of the owner. */
  readonly owner: string
  /** Number of records by topic. */
  readonly records: ReadonlyMap<string, number>
  readonly inputs: ReadonlyMap<string, number>
  readonly ms: number
}

/** Listeners are fast and never throw. */
export interface CommitObserver {
  /** A task was taken over; its committed input offsets. */
  owned(inputs: ReadonlyMap<string, number>): void
  committed(commit: CommitSeen): void
  /** A commit of this owner failed. */
  failed(owner: string): void
}

/** Reads are passed through. */
export const observedLog = (inner: Log, observer: CommitObserver): Log =>
  withOwners(inner, async (id, isShared) => {
    const owner = await inner.own(id, isShared)
    observer.owned(owner.committed())
    return observedOwner(owner, observer)
  })

const observedOwner = (owner: TaskOwner, observer: CommitObserver): TaskOwner => ({
  id: owner.id,
  committed: () => owner.committed(),
  commit: async (commit) => {
    const startedMs = performance.now()
    try {
      await owner.commit(commit)
    } catch (failure) {
      observer.failed(owner.id)
      throw failure
    }
    observer.committed({ owner: owner.id, records: countsOf(commit), inputs: commit.inputs, ms: performance.now() - startedMs })
  },
  release: () => owner.release(),
})

const countsOf = ({ outputs }: Commit): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const { topic } of outputs) counts.set(topic.name, (counts.get(topic.name) ?? 0) + 1)
  return counts
}
