// `/ready`: whether this process can answer, for whoever sends it requests. Not a question: it is about no market and in no list.
import { type Answer, refusal } from '../bodies.ts'
import type { Service } from '../service.ts'

const RETRY_AFTER_S = 5

/** 503 while stores restore; `/health` tells the rest. */
export const answerReady = (service: Service): Answer =>
  service.isReady()
    ? { status: 200, body: '{"ok":true,"ready":true}' }
    : refusal(503, 'restoring', `${service.rebuild() ?? 'the stores are being restored'}; try again in ${RETRY_AFTER_S} s`, {
        'Retry-After': String(RETRY_AFTER_S),
      })
