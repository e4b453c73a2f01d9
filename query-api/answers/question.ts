// A question: a route with its price and MCP tool as data, and the function that answers it.

import { FRESH_LAG_S } from '../../topology/ports/chain-view.ts'
import { type Answer, invalidUnpaid, type ProblemDetail } from '../questions/bodies.ts'
import { parseInput } from '../questions/input.ts'
import type { InputOf, Params } from '../questions/params.ts'
import type { QuestionFacts, RawInput } from '../questions/question-facts.ts'
import type { EnvelopeParts, Instant, Service } from './service.ts'

/** The context of an answer. `instant` is one snapshot, so the answer is consistent; after an `await`, take a new one. */
export interface RequestContext {
  readonly service: Service
  readonly instant: Instant
  readonly facts: QuestionFacts
}

/** Most answers are synchronous; those that query a store or a node take at most the port's timeout. */
export type Answered = Answer | Promise<Answer>

export type ValidatedRequest =
  | {
      readonly ok: true
      readonly facts: QuestionFacts
      answer(service: Service, instant: Instant): Answered
      /** As `Sale.precheck`. */
      precheck(service: Service, instant: Instant): Answer | null | Promise<Answer | null>
      /** The coverage that the answer would have now, for 402s; null if not known. */
      coverage(service: Service, instant: Instant): 'full' | 'thin' | null
      /** As `Sale.settled`; absent if a sale starts nothing. */
      readonly settled?: (service: Service, body: string) => Promise<void>
    }
  | { readonly ok: false; readonly refusal: Answer }

/** The free answer if a paid one cannot be sold now: a refusal, or `no_new_events`. Null if it can be sold. */
type Precheck<Input> = (input: Input, ask: RequestContext) => Answer | null | Promise<Answer | null>

/** A question without its parameters' types. */
export interface Question extends QuestionFacts {
  /** Validates the request; reads and computes nothing. */
  prepare(raw: RawInput): ValidatedRequest
}

/** A 200 answer with its envelope. */
export const enveloped = ({ service, instant, facts }: RequestContext, parts: EnvelopeParts): Answer => ({
  status: 200,
  body: service.envelope(facts, instant, parts),
})

/** Defaults of free questions. */
const FREE = {
  tool: null,
  priceMicroUsdc: 0,
  params: {},
  coverageRule: 'always full: not about a mint or a time window',
  feedLagSMax: FRESH_LAG_S,
  /** Not specified for free answers. */
  typical: { latencyMs: null, freshnessS: null },
} as const

/** An entry of the list; defaults are `FREE`, and the path as the example. */
export interface Entry<P extends Params>
  extends Omit<QuestionFacts, keyof typeof FREE | 'example'>,
    Partial<Pick<QuestionFacts<P>, keyof typeof FREE | 'example'>> {
  readonly answer: (input: InputOf<P>, ask: RequestContext) => Answered
  readonly precheck?: Precheck<InputOf<P>>
  /** See `ValidatedRequest`. */
  readonly coverage?: (input: InputOf<P>, ask: RequestContext) => 'full' | 'thin' | null
  /** Validates combinations of parameters. */
  readonly check?: (input: InputOf<P>) => readonly ProblemDetail[]
  /** See `ValidatedRequest`. */
  readonly settled?: (input: InputOf<P>, service: Service, body: string) => Promise<void>
}

/** Creates an entry of the list. */
export const question = <P extends Params>(entry: Entry<P>): Question => {
  const { answer, precheck = () => null, coverage = () => null, check = () => [], settled, ...given } = entry
  const facts: QuestionFacts = { ...FREE, example: given.path, ...given }
  return {
    ...facts,
    prepare: (raw) => {
      const parsed = parseInput(facts, raw)
      if (!parsed.ok) return parsed
      const input = parsed.input as InputOf<P>
      const problems = check(input)
      if (problems.length > 0) return { ok: false, refusal: invalidUnpaid(problems) }
      return {
        ok: true,
        facts,
        answer: (service, instant) => answer(input, { service, instant, facts }),
        precheck: (service, instant) => precheck(input, { service, instant, facts }),
        coverage: (service, instant) => coverage(input, { service, instant, facts }),
        ...(settled && { settled: (service: Service, body: string) => settled(input, service, body) }),
      }
    },
  }
}
