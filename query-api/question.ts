// A question is one route, one MCP tool and one price: data, with the function that answers it.
import type { ParsedUrlQuery } from 'node:querystring'
import type { Answer } from './bodies.ts'
import { parseInput } from './input.ts'
import type { InputOf, Params } from './params.ts'
import type { Look, Service } from './service.ts'

/** What a request brings: decoded path parameters and the parsed query string. */
export interface RawInput {
  readonly path: Readonly<Record<string, string | undefined>>
  readonly query: ParsedUrlQuery
}

/** See `QuestionFacts.typical`. */
export interface Typical {
  readonly latencyMs: number | null
  readonly freshnessS: number | null
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
  /** Nothing that is shown is younger, seconds; absent: live. */
  readonly delayedS?: number
  /** True where the answer comes without the envelope, and so without `meta`. */
  readonly isBare?: true
  /** Name for people, without the price. */
  readonly title: string
  /** What is typical, as published: milliseconds until the answer, and age of the newest event in it, seconds. Null: not said. */
  readonly typical: Typical
  /** The same of answers whose coverage is thin, where it differs. */
  readonly typicalThin?: Typical
  /** True where the answer is given unpaid while there is nothing to sell, because it is always 200; others are refused then. */
  readonly isGivenUnsold?: true
  /** True where payments on the second network are taken too. */
  readonly secondNetwork?: true
  /** Status of the refusal where a parameter's form is right and its content is not; absent: 404 in the path, 422 in the query. */
  readonly contentStatus?: 400
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
      readonly facts: QuestionFacts
      answer(service: Service, look: Look): Answered
      /** As `Sale.instead`. */
      instead(service: Service, look: Look): Answer | null | Promise<Answer | null>
      /** What coverage the answer would have now, told before it is paid for; null where nobody says. */
      coverage(service: Service, look: Look): 'full' | 'thin' | null
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
  coverage: (input: InputOf<P>, ask: Ask) => 'full' | 'thin' | null = () => null,
): Question => ({
  ...facts,
  prepare: (raw) => {
    const parsed = parseInput(facts, raw)
    if (!parsed.ok) return parsed
    const { input } = parsed
    return {
      ok: true,
      facts,
      answer: (service, look) => answer(input, { service, look, facts }),
      instead: (service, look) => instead(input, { service, look, facts }),
      coverage: (service, look) => coverage(input, { service, look, facts }),
    }
  },
})
