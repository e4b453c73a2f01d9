// The requested start of the stream: the parameter `after`, or the header `Last-Event-ID`.
import { type PositionInChain, parsePosition } from '../../schemas/position.ts'
import { POSITION_EXAMPLE, PUBLISHED } from '../answer-schemas/published-chain.ts'
import { NOT_AHEAD } from '../answers/moments.ts'
import type { Param, ParamResult } from '../questions/params.ts'

/** The stream starts after a chain position, or after all flags up to a block time (unix seconds). */
export type Start = { readonly position: PositionInChain } | { readonly second: number }

const CHARS_MAX = 64
const SECOND = /^\d{1,15}(\.\d{1,9})?$/
const DOC = `Where to start: after the id of an event (its position, ${POSITION_EXAMPLE}), or with flags whose block time is later than this, unix seconds, ${NOT_AHEAD}. 0 starts with the oldest kept flag. Omitted: starts with the flags that reach an age of 300 s from now on.`

export const startOf = (text: string): Start | undefined => {
  if (SECOND.test(text)) return { second: Number(text) }
  const position = parsePosition(text, PUBLISHED)
  return position && { position }
}

const parse = (text: string): ParamResult<Start | null> => {
  const start = startOf(text)
  const msg = `Input should be the id of an event of this stream (${POSITION_EXAMPLE}) or unix seconds (1763000000)`
  return start === undefined ? { ok: false, problem: { type: 'position_or_seconds', msg } } : { ok: true, value: start }
}

export const startParam: Param<Start | null> = {
  schema: { type: 'string', maxLength: CHARS_MAX, description: DOC },
  fallback: null,
  parse,
}
