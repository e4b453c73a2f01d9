// The first part of the stop of a server behind a load balancer: it answers until the load balancer sends to others.
import { atStop, pause } from '../../waiting/waiting.ts'
import type { Io } from '../command.ts'

/** Fires `drainMs` after the stop, or at once if the server is not ready then: no load balancer sends to it. */
export const drainedAfter = (
  { stop, extendStop, printNotice }: Pick<Io, 'stop' | 'extendStop' | 'printNotice'>,
  drainMs: number,
  isReady: () => boolean,
): AbortSignal => {
  const drained = new AbortController()
  extendStop?.(drainMs)
  atStop(stop, async () => {
    if (drainMs > 0 && isReady()) {
      printNotice(`stopping: answers for ${drainMs / 1_000} s more, while /ready tells load balancers to send to other servers`)
      await pause(drainMs)
    }
    drained.abort()
  })
  return drained.signal
}
