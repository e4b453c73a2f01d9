// The one list of what is asked: an entry is a route, a price, a row of the index and, where named, an MCP tool.

import type { Question } from '../../answers/question.ts'
import { cardQuestions } from './cards.ts'
import { checkQuestions } from './checks.ts'
import { curveQuestions } from './curves.ts'
import { documentQuestions } from './documents.ts'
import { oddsQuestions } from './odds.ts'
import { serviceQuestions } from './service.ts'

export const questions: readonly Question[] = [
  ...cardQuestions,
  ...checkQuestions,
  ...curveQuestions,
  ...oddsQuestions,
  ...serviceQuestions,
  ...documentQuestions,
]
