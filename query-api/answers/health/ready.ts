// `/ready`: whether this process can answer, for whoever sends it requests. Not a question: it is about no market and in no list.
import { type Answer, RETRY_AFTER_S, refusal, unheard } from '../../questions/bodies.ts'
import type { Service } from '../service.ts'

const STOPPING = refusal(503, 'stopping', 'this process stops: ask another, or again in a few seconds')

/**
 * 503 while stores restore, while there is nothing to sell yet, while the log is away, and from the moment it is asked to stop; a rebuild
 * beside the stores is told. `/health` tells the rest.
 */
export const answerReady = (service: Service): Answer => {
  if (service.options.closing?.aborted) return STOPPING
  const { trouble } = service.options.view.status()
  if (trouble) return refusal(503, 'log_away', `nothing new can be read: ${trouble.reason}; what was read before is still answered`)
  const rebuilding = service.rebuild()
  const doing = service.doing()
  if (doing !== null) return refusal(503, 'restoring', `${doing}; try again in ${RETRY_AFTER_S} s`)
  const { unsold } = service.look()
  return unsold === null
    ? { status: 200, body: JSON.stringify({ ok: true, ready: true, ...(rebuilding !== null && { rebuilding }) }) }
    : unheard(unsold)
}
