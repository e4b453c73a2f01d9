// A question is one route, one MCP tool and one price: data, with the function that answers it.

import type { Answer } from '../questions/bodies.ts'
import { parseInput } from '../questions/input.ts'
import type { InputOf, Params } from '../questions/params.ts'
import type { QuestionFacts, RawInput } from '../questions/question-facts.ts'
import type { Look, Service } from './service.ts'

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
