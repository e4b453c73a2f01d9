// Counts what a rebuild, or a wait for one, does: while the count grows, somebody gets on with it.
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
