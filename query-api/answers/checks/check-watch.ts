// `/v1/check/watch`: whether new events of some mints were confirmed, without details; free.
import { keyText } from '../../../schemas/keys.ts'
import type { Answer } from '../../questions/bodies.ts'
import { enveloped, type RequestContext } from '../question.ts'
import { type CheckInput, checkInputsOf, cursorFor, cursorParam, hasNews, mintsParam, NEXT_CHECK_AFTER_S } from './check-inputs.ts'

export const watchParams = {
  mints: mintsParam,
  cursor: cursorParam('Cursor of an earlier answer about exactly these mints; without it, a new watch starts from now.'),
}

/**
 * The cursor of a new watch contains all events so far. A continued watch returns a cursor with the same events as the one it received,
 * because only a paid check shows new events.
 */
export const answerWatch = (input: CheckInput, ask: RequestContext): Answer => {
  const inputs = checkInputsOf(input, ask)
  if (!inputs.ok) return inputs.refusal
  const { subjects, young } = inputs
  const seen = inputs.seen ?? subjects.map(({ bits }) => bits)
  const isNew = hasNews(subjects, seen)
  const cursor = young ?? cursorFor(ask, subjects, seen)
  // Addresses and cursors have only letters, digits, - and _, which need no JSON escapes.
  const names = subjects.map(({ mint }) => keyText(mint))
  const mints = names.map((name) => `"${name}"`).join(',')
  const data = `{"has_new_events":${isNew},"cursor":"${cursor}","mints":[${mints}],"next_check_after_s":${NEXT_CHECK_AFTER_S}}`
  return enveloped(ask, { coverage: 'full', data, next: `{"check":"${checkOf(names)}"}` })
}

/** The paid check of the same mints. */
export const checkOf = (names: readonly string[]): string =>
  names.length === 1 ? `/v1/check/mint/${names[0]}` : `/v1/check/watchlist?mints=${names.join(',')}`
