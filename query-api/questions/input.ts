// Parses a request's parameters into the input of a question, or a refusal.
import { type Answer, invalid, invalidUnpaid, type ProblemDetail, refusal, refusedUnpaid } from './bodies.ts'
import { nearest } from './nearest.ts'
import { type InputOf, NOT_HEX, type Param, type Params, type Problem } from './params.ts'
import type { QuestionFacts, RawInput } from './question-facts.ts'

export type ParsedInput<P extends Params> =
  | { readonly ok: true; readonly input: InputOf<P> }
  | { readonly ok: false; readonly refusal: Answer }

/** Unknown names are echoed up to this length. */
const NAME_CHARS_MAX = 64

/** Whether `name` is a parameter of a path template. */
export const isPathParam = (path: string, name: string): boolean => path.includes(`{${name}}`)

type Facts<P extends Params> = Pick<QuestionFacts<P>, 'path' | 'params' | 'contentStatus' | 'priceMicroUsdc'>

/**
 * A bad path parameter is refused first. All bad query parameters are listed in one 422. If the question has `contentStatus` and every bad
 * value has a valid form (only its content is wrong), the first is refused with that status instead. Paid routes refuse unknown query
 * parameters, so that nobody pays for a misspelt request; free routes ignore them.
 */
export const parseInput = <P extends Params>(facts: Facts<P>, raw: RawInput): ParsedInput<P> => {
  const { path, params, contentStatus, priceMicroUsdc } = facts
  const input: Record<string, unknown> = {}
  const detail: ProblemDetail[] = []
  for (const [name, param] of Object.entries(params)) {
    if (isPathParam(path, name)) {
      const result = param.parse(raw.path[name] ?? '')
      if (!result.ok)
        return {
          ok: false,
          refusal: contentStatus === undefined ? notAnAddress(path, name, result.problem) : wrongContent(name, result.problem),
        }
      input[name] = result.value
    } else {
      const problem = readQuery(name, param, raw.query[name], input)
      if (problem !== undefined) detail.push(problem)
    }
  }
  const isSold = priceMicroUsdc > 0
  if (isSold) detail.push(...unknownIn(facts, raw.query))
  const [first] = detail
  if (first === undefined) return { ok: true, input: input as InputOf<P> }
  const isContent = contentStatus !== undefined && detail.every(({ isOfContent }) => isOfContent === true)
  return { ok: false, refusal: isContent ? wrongContent(String(first.loc[1]), first) : isSold ? invalidUnpaid(detail) : invalid(detail) }
}

/** Echoes no value if the route has secrets: an unknown name may be a misspelt secret. */
const unknownIn = ({ path, params }: Pick<QuestionFacts, 'path' | 'params'>, query: RawInput['query']): ProblemDetail[] => {
  const hasSecrets = Object.values(params).some(({ isSecret }) => isSecret === true)
  const known = Object.keys(params).filter((name) => !isPathParam(path, name))
  return Object.keys(query)
    .filter((name) => !known.includes(name))
    .map((name) => ({
      ...unknownName(name, known, 'parameter', 'this route'),
      loc: ['query', cutName(name)],
      input: hasSecrets ? null : query[name],
    }))
}

/** The problem of an unknown name, with the nearest known name and all known names. */
export const unknownName = (name: string, known: readonly string[], what: 'argument' | 'parameter', taker: string): Problem => {
  const near = nearest(name.toLowerCase(), known)
  const takes = known.length === 0 ? `${taker} takes no ${what}s` : `${taker} takes ${known.join(', ')}`
  return { type: 'extra_forbidden', msg: `Unknown ${what}: ${near === undefined ? takes : `did you mean ${near}? ${takes}`}` }
}

/** A name as echoed: truncated. */
const cutName = (name: string): string => (name.length > NAME_CHARS_MAX ? `${name.slice(0, NAME_CHARS_MAX)}…` : name)

const readQuery = (
  name: string,
  param: Param<unknown>,
  value: string | string[] | undefined,
  input: Record<string, unknown>,
): ProblemDetail | undefined => {
  const loc = ['query', name]
  if (value === undefined) {
    if (param.fallback === undefined) return { type: 'missing', loc, msg: 'Field required', input: null }
    input[name] = param.fallback
    return undefined
  }
  const shown = param.isSecret === true ? null : value
  if (typeof value !== 'string') return { type: 'multiple_values', loc, msg: 'Parameter should be given once', input: shown }
  const result = param.parse(value)
  if (!result.ok) return { ...result.problem, loc, input: shown }
  input[name] = result.value
  return undefined
}

const notAnAddress = (path: string, name: string, { type, msg }: Problem): Answer =>
  refusal(
    404,
    'not_an_address',
    type === NOT_HEX
      ? `${path}: ${msg}`
      : `${path} needs a base58 ${name === 'mint' ? 'token' : 'wallet'} address of 32 bytes (32 to 44 characters, without 0, O, I and l)`,
  )

/** Such as `invalid_mint` and `invalid_mints`; nothing is charged. */
const wrongContent = (name: string, { msg }: Problem): Answer => refusedUnpaid(400, `invalid_${name}`, `${name}: ${msg}`)
