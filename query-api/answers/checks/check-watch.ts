// `/v1/check/watch`: free, whether something new was confirmed of some mints, and nothing of what it is.
import { keyText } from '../../../schemas/keys.ts'
import type { Answer } from '../../questions/bodies.ts'
import { type Ask, enveloped } from '../question.ts'
import { type CheckInput, cursorFor, cursorParam, groundOf, hasNews, mintsParam, NEXT_CHECK_AFTER_S } from './check-ground.ts'

export const watchParams = {
  mints: mintsParam,
  cursor: cursorParam('Cursor of an earlier answer about exactly these mints; without it a watch begins at what is known now.'),
}

/** Who begins knows all; who goes on knows what it did: only a paid check shows what is new. */
export const answerWatch = (input: CheckInput, ask: Ask): Answer => {
  const ground = groundOf(input, ask)
  if (!ground.ok) return ground.refusal
  const { subjects, young } = ground
  const seen = ground.seen ?? subjects.map(({ bits }) => bits)
  const isNew = hasNews(subjects, seen)
  const cursor = young ?? cursorFor(ask, subjects, seen)
  // Addresses and cursors are made of letters, digits, - and _: nothing that JSON would write in another way.
  const names = subjects.map(({ mint }) => keyText(mint))
  const mints = names.map((name) => `"${name}"`).join(',')
  const data = `{"has_new_events":${isNew},"cursor":"${cursor}","mints":[${mints}],"next_check_after_s":${NEXT_CHECK_AFTER_S}}`
  return enveloped(ask, { coverage: 'full', data, next: `{"check":"${checkOf(names)}"}` })
}

/** The paid check of the same mints. */
export const checkOf = (names: readonly string[]): string =>
  names.length === 1 ? `/v1/check/mint/${names[0]}` : `/v1/check/watchlist?mints=${names.join(',')}`
