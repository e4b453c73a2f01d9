// A question is one route, one MCP tool and one price: data, with the function that answers it.

import { FRESH_LAG_S } from '../../topology/ports/chain-view.ts'
import { type Answer, invalidUnpaid, type ProblemDetail } from '../questions/bodies.ts'
import { parseInput } from '../questions/input.ts'
import type { InputOf, Params } from '../questions/params.ts'
import type { QuestionFacts, RawInput } from '../questions/question-facts.ts'
import type { EnvelopeParts, Look, Service } from './service.ts'

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
      /** As `Sale.settled`; absent where nothing begins with the sale. */
      readonly settled?: (service: Service, body: string) => Promise<void>
    }
  | { readonly ok: false; readonly refusal: Answer }

/** What is given instead of a paid answer that cannot be sold now: a refusal, or the news that there is none. Null where it can. */
type Instead<Input> = (input: Input, ask: Ask) => Answer | null | Promise<Answer | null>

/** A question with its parameters' types folded away. */
export interface Question extends QuestionFacts {
  /** Checks the request; nothing is read or computed before `answer`. */
  prepare(raw: RawInput): Prepared
}

/** An answer of the instant that was asked in, in its envelope. */
export const enveloped = ({ service, look, facts }: Ask, parts: EnvelopeParts): Answer => ({
  status: 200,
  body: service.envelope(facts, look, parts),
})

/** What most free questions have in common. */
const FREE = {
  tool: null,
  priceMicroUsdc: 0,
  params: {},
  coverageRule: 'always full: it is about no mint and no window of time',
  feedLagSMax: FRESH_LAG_S,
  /** Free answers promise no time. */
  typical: { latencyMs: null, freshnessS: null },
} as const

/** An entry of the list: what is as in `FREE` is left out, and an example that is the path. */
export interface Entry<P extends Params>
  extends Omit<QuestionFacts, keyof typeof FREE | 'example'>,
    Partial<Pick<QuestionFacts<P>, keyof typeof FREE | 'example'>> {
  readonly answer: (input: InputOf<P>, ask: Ask) => Answered
  readonly instead?: Instead<InputOf<P>>
  /** See `Prepared`. */
  readonly coverage?: (input: InputOf<P>, ask: Ask) => 'full' | 'thin' | null
  /** What is wrong with parameters that are right each for itself. */
  readonly check?: (input: InputOf<P>) => readonly ProblemDetail[]
  /** See `Prepared`. */
  readonly settled?: (input: InputOf<P>, service: Service, body: string) => Promise<void>
}

/** Makes one entry of the list. */
export const question = <P extends Params>(entry: Entry<P>): Question => {
  const { answer, instead = () => null, coverage = () => null, check = () => [], settled, ...given } = entry
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
        answer: (service, look) => answer(input, { service, look, facts }),
        instead: (service, look) => instead(input, { service, look, facts }),
        coverage: (service, look) => coverage(input, { service, look, facts }),
        ...(settled && { settled: (service: Service, body: string) => settled(input, service, body) }),
      }
    },
  }
}
