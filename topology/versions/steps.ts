// Counts the steps of a rebuild, or of a wait for one: a growing count means progress.
import { withOwners } from '../logs/with-owners.ts'
import type { Log } from '../ports/log.ts'
import type { StagingStores } from './rebuild/staging-stores.ts'

export class Steps {
  count = 0

  /** The log, with reads counted. */
  log(inner: Log): Log {
    return {
      ...withOwners(inner, (id, isShared) => inner.own(id, isShared)),
      read: (...where) => {
        this.count++
        return inner.read(...where)
      },
    }
  }
  staging(inner: StagingStores): StagingStores {
    return { ...inner, open: async (...name) => this.log(await inner.open(...name)) }
  }
}
