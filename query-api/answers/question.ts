// A question: a route with its price and MCP tool as data, and the function that answers it.

import { FRESH_LAG_S } from '../../topology/ports/chain-view.ts'
import { type Answer, feedUnavailableUnpaid, invalidUnpaid, type ProblemDetail, RESTORING_UNPAID } from '../questions/bodies.ts'
import { parseInput } from '../questions/input.ts'
import type { InputOf, Params } from '../questions/params.ts'
import type { QuestionFacts, RawInput } from '../questions/question-facts.ts'
import { NO_CLOCK } from './feed.ts'
import type { EnvelopeParts, Instant, Look, Service } from './service.ts'

/** The context of an answer. `instant` is one snapshot, so the answer is consistent; after an `await`, take the `newest`. */
export interface RequestContext {
  readonly service: Service
  readonly instant: Instant
  readonly facts: QuestionFacts
}
/** The context of an answer that needs no clock. */
export type TimelessContext = Omit<RequestContext, 'instant'> & { readonly instant: Look }

/** Most answers are synchronous; those that query a store or a node take at most the port's timeout. */
export type Answered = Answer | Promise<Answer>

export type ValidatedRequest =
  | {
      readonly ok: true
      readonly facts: QuestionFacts
      /** The answer as of now; a refusal while it needs the service clock, which is not known. */
      answer(service: Service): Answered
      /** As `Sale.precheck`. */
      precheck(service: Service): Answer | null | Promise<Answer | null>
      /** The coverage that the answer would have now, for 402s; null if not known. */
      coverage(service: Service): 'full' | 'thin' | null
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
export const enveloped = ({ service, instant, facts }: TimelessContext, parts: EnvelopeParts): Answer => ({
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
interface Entry<P extends Params>
  extends Omit<QuestionFacts, keyof typeof FREE | 'example'>,
    Partial<Pick<QuestionFacts<P>, keyof typeof FREE | 'example'>> {
  readonly precheck?: Precheck<InputOf<P>>
  /** See `ValidatedRequest`. */
  readonly coverage?: (input: InputOf<P>, ask: RequestContext) => 'full' | 'thin' | null
  /** Validates combinations of parameters. */
  readonly check?: (input: InputOf<P>) => readonly ProblemDetail[]
  /** See `ValidatedRequest`. */
  readonly settled?: (input: InputOf<P>, service: Service, body: string) => Promise<void>
}

/** `timeless`: answers also while the service clock is not known, because nothing in the answer depends on it. */
type Answering<P extends Params> =
  | { readonly answer: (input: InputOf<P>, ask: RequestContext) => Answered; readonly timeless?: never }
  | { readonly timeless: (input: InputOf<P>, ask: TimelessContext) => Answered; readonly answer?: never }

/** Creates an entry of the list. */
export const question = <P extends Params>(entry: Entry<P> & Answering<P>): Question => {
  const { answer, timeless, precheck = () => null, coverage = () => null, check = () => [], settled, ...given } = entry
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
        answer: (service) =>
          timeless === undefined
            ? atInstant(service, facts, (ask) => answer(input, ask))
            : timeless(input, { service, facts, instant: service.look(facts.market) }),
        precheck: (service) => atInstant(service, facts, (ask) => precheck(input, ask)),
        coverage: (service) => {
          const instant = service.instant(facts.market)
          return instant && coverage(input, { service, instant, facts })
        },
        ...(settled && { settled: (service: Service, body: string) => settled(input, service, body) }),
      }
    },
  }
}

/** A snapshot of now. */
export const newest = ({ service, instant, facts }: RequestContext): Instant => service.instant(facts.market) ?? instant

/** Refuses while the service clock is not known. */
const atInstant = <Result>(service: Service, facts: QuestionFacts, use: (ask: RequestContext) => Result): Result | Answer => {
  const instant = service.instant(facts.market)
  return instant === null ? withoutClock(service.look(facts.market)) : use({ service, instant, facts })
}

/** The refusal of whatever needs the service clock, which is not known yet. */
export const withoutClock = ({ status, unsold }: Look): Answer =>
  status.ready ? feedUnavailableUnpaid(unsold ?? NO_CLOCK) : RESTORING_UNPAID
