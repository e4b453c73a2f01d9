// Logs with failing commits.
import { EngineError } from '../../schemas/errors.ts'
import { withOwners } from '../../topology/logs/with-owners.ts'
import type { Log } from '../../topology/ports/log.ts'

/** A log whose every commit fails once before it is accepted. */
export const stumblingLog = (log: Log): Log =>
  withOwners(log, async (id) => {
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
      release: () => owner.release(),
    }
  })
