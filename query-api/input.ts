// From what a request brings to the input of a question, or to what is wrong with it.
import { type Answer, invalid, type ProblemDetail, refusal, refusedUnpaid } from './bodies.ts'
import type { InputOf, Param, Params, Problem } from './params.ts'
import type { QuestionFacts, RawInput } from './question.ts'

export type ParsedInput<P extends Params> =
  | { readonly ok: true; readonly input: InputOf<P> }
  | { readonly ok: false; readonly refusal: Answer }

/** Whether a path template names `name`. */
export const isPathParam = (path: string, name: string): boolean => path.includes(`{${name}}`)

type Facts<P extends Params> = Pick<QuestionFacts<P>, 'path' | 'params' | 'contentStatus'>

/**
 * A bad path parameter is told first; all bad query parameters together are one 422, unless all of them are wrong in content alone and the
 * question has a status for that. Unknown query parameters are ignored.
 */
export const parseInput = <P extends Params>(facts: Facts<P>, raw: RawInput): ParsedInput<P> => {
  const { path, params, contentStatus } = facts
  const input: Record<string, unknown> = {}
  const detail: ProblemDetail[] = []
  for (const [name, param] of Object.entries(params)) {
    if (isPathParam(path, name)) {
      const result = param.parse(raw.path[name] ?? '')
      if (!result.ok)
        return { ok: false, refusal: contentStatus === undefined ? notAnAddress(path, name) : wrongContent(name, result.problem) }
      input[name] = result.value
    } else {
      const problem = readQuery(name, param, raw.query[name], input)
      if (problem !== undefined) detail.push(problem)
    }
  }
  const [first] = detail
  if (first === undefined) return { ok: true, input: input as InputOf<P> }
  const isContent = contentStatus !== undefined && detail.every(({ isOfContent }) => isOfContent === true)
  return { ok: false, refusal: isContent ? wrongContent(String(first.loc[1]), first) : invalid(detail) }
}

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
  if (typeof value !== 'string') return { type: 'multiple_values', loc, msg: 'Parameter should be given once', input: value }
  const result = param.parse(value)
  if (!result.ok) return { ...result.problem, loc, input: value }
  input[name] = result.value
  return undefined
}

const notAnAddress = (path: string, name: string): Answer =>
  refusal(
    404,
    'not_an_address',
    `${path} takes a base58 ${name === 'mint' ? 'token' : 'wallet'} address of 32 bytes (32 to 44 characters, without 0, O, I and l)`,
  )

/** `invalid_mint`, `invalid_mints`: nothing is charged. */
const wrongContent = (name: string, { msg }: Problem): Answer => refusedUnpaid(400, `invalid_${name}`, `${name}: ${msg}`)
