// Counts the steps of a rebuild, or of a wait for one: a growing count means progress.
import { withOwners } from '../logs/with-owners.ts'
import type { Log } from '../ports/log.ts'
import type { Scratches } from './rebuild/scratches.ts'

export class Steps {
  count = 0

  /** The log, with reads counted. */
  log(inner: Log): Log {
    return {
      ...withOwners(inner, (id) => inner.own(id)),
      read: (...where) => {
        this.count++
        return inner.read(...where)
      },
    }
  }
  scratches(inner: Scratches): Scratches {
    return { ...inner, open: async (...name) => this.log(await inner.open(...name)) }
  }
}
