// `/ready`: the readiness probe for load balancers. Not a question, and not listed.
import { type Answer, feedUnavailable, RETRY_AFTER_S, refusal } from '../../questions/bodies.ts'
import type { Service } from '../service.ts'

const STOPPING = refusal(503, 'stopping', 'this process is stopping: use another one, or retry in a few seconds')

/**
 * 503 while stores are restored, while there is nothing to sell yet, while the log cannot be read, and after the shutdown began. A 200 also
 * reports a rebuild in progress; `/health` reports everything else.
 */
export const answerReady = (service: Service): Answer => {
  if (service.options.stopping?.aborted) return STOPPING
  const { trouble } = service.options.view.status()
  if (trouble) return refusal(503, 'log_away', `the log cannot be read: ${trouble.reason}; answers use the data read before`)
  const rebuilding = service.rebuild()
  const doing = service.doing()
  if (doing !== null) return refusal(503, 'restoring', `${doing}; retry in ${RETRY_AFTER_S} s`)
  const { unsold } = service.look()
  return unsold === null
    ? { status: 200, body: JSON.stringify({ ok: true, ready: true, ...(rebuilding !== null && { rebuilding }) }) }
    : feedUnavailable(unsold)
}
