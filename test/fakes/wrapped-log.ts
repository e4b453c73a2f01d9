// Logs with owners of their own making over another log, which does everything else.
import { EngineError } from '../../schemas/errors.ts'
import type { Log, TaskOwner } from '../../topology/ports/log.ts'

/** `own` replaces the inner log's. */
export const wrappedLog = (inner: Log, own: (id: string) => Promise<TaskOwner>): Log => ({
  partitions: (topic) => inner.partitions(topic),
  read: (topic, partition, offset, limits) => inner.read(topic, partition, offset, limits),
  start: (topic, partition) => inner.start(topic, partition),
  end: (topic, partition) => inner.end(topic, partition),
  refresh: () => inner.refresh(),
  own,
  onCommit: (listener) => inner.onCommit(listener),
  trim: (topic, partition, offset) => inner.trim(topic, partition, offset),
  close: () => inner.close(),
})

/** A log whose every commit fails once before it is taken. */
export const stumblingLog = (log: Log): Log =>
  wrappedLog(log, async (id) => {
    const owner = await log.own(id)
    let isRefused = true
    return {
      id,
      committed: () => owner.committed(),
      commit: (commit) => {
        isRefused = !isRefused
        const full = new EngineError('log_full', 'the medium is full: free some space', { retriable: true, facts: { bytes: 1 } })
        return isRefused ? Promise.reject(full) : owner.commit(commit)
      },
    }
  })
