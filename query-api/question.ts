// A question is one route, one MCP tool and one price: data, with the function that answers it.
import type { ParsedUrlQuery } from 'node:querystring'
import type { Answer, ProblemDetail } from './bodies.ts'
import { invalid, refusal } from './bodies.ts'
import type { InputOf, Param, Params } from './params.ts'
import type { Look, Service } from './service.ts'

/** What a request brings: decoded path parameters and the parsed query string. */
export interface RawInput {
  readonly path: Readonly<Record<string, string | undefined>>
  readonly query: ParsedUrlQuery
}

/** What the list says of a question; derived documents (index, labels, 402, OpenAPI, MCP) read it. */
export interface QuestionFacts<P extends Params = Params> {
  /** Path template of the contract, `{name}` for path parameters. */
  readonly path: string
  /** Name of the MCP tool; null where the contract names none. */
  readonly tool: string | null
  /** Micro-USDC before the price factor; 0 is free. */
  readonly priceMicroUsdc: number
  /** By name; those not named in `path` are query parameters. */
  readonly params: P
  /** When `coverage` is full, in words. */
  readonly coverageRule: string
  /** `meta.is_stale` is true above this feed lag, seconds. */
  readonly feedLagSMax: number
  /** One sentence for buyers. */
  readonly description: string
  /** A request that shows the parameters. */
  readonly example: string
}

/** What an answer is made of beside its parameters; `look` is read once, so that all of an answer is of one instant. Who waited looks again. */
export interface Ask {
  readonly service: Service
  readonly look: Look
  readonly facts: QuestionFacts
}

/** Most answers are there at once; one that asks the world takes as long as its port allows. */
export type Answered = Answer | Promise<Answer>

export type Prepared =
  | {
      readonly ok: true
      answer(service: Service, look: Look): Answered
      /** As `Sale.instead`. */
      instead(service: Service, look: Look): Answer | null | Promise<Answer | null>
    }
  | { readonly ok: false; readonly refusal: Answer }

/** What is given instead of a paid answer that cannot be sold now: a refusal, or the news that there is none. Null where it can. */
export type Instead<Input> = (input: Input, ask: Ask) => Answer | null | Promise<Answer | null>

/** A question with its parameters' types folded away. */
export interface Question extends QuestionFacts {
  /** Checks the request; nothing is read or computed before `answer`. */
  prepare(raw: RawInput): Prepared
}

/** Makes one entry of the list. */
export const question = <P extends Params>(
  facts: QuestionFacts<P>,
  answer: (input: InputOf<P>, ask: Ask) => Answered,
  instead: Instead<InputOf<P>> = () => null,
): Question => ({
  ...facts,
  prepare: (raw) => {
    const parsed = parseInput(facts, raw)
    if (!parsed.ok) return parsed
    const { input } = parsed
    return {
      ok: true,
      answer: (service, look) => answer(input, { service, look, facts }),
      instead: (service, look) => instead(input, { service, look, facts }),
    }
  },
})

/** Whether the question names `name` in its path. */
export const isPathParam = (path: string, name: string): boolean => path.includes(`{${name}}`)

type ParsedInput<P extends Params> = { readonly ok: true; readonly input: InputOf<P> } | { readonly ok: false; readonly refusal: Answer }

/** A bad path parameter is a 404, told first; all bad query parameters together are one 422. Unknown query parameters are ignored. */
const parseInput = <P extends Params>({ path, params }: QuestionFacts<P>, raw: RawInput): ParsedInput<P> => {
  const input: Record<string, unknown> = {}
  const detail: ProblemDetail[] = []
  for (const [name, param] of Object.entries(params)) {
    if (isPathParam(path, name)) {
      const result = param.parse(raw.path[name] ?? '')
      if (!result.ok) return { ok: false, refusal: notAnAddress(path, name) }
      input[name] = result.value
    } else {
      const problem = readQuery(name, param, raw.query[name], input)
      if (problem !== undefined) detail.push(problem)
    }
  }
  return detail.length > 0 ? { ok: false, refusal: invalid(detail) } : { ok: true, input: input as InputOf<P> }
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
