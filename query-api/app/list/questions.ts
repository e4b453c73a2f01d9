// The list of all questions: each entry is a route with its price, a row of the index and, if named, an MCP tool.

import type { Question } from '../../answers/question.ts'
import { alertQuestions } from './alerts.ts'
import { cardQuestions } from './cards.ts'
import { checkQuestions } from './checks.ts'
import { curveQuestions } from './curves.ts'
import { documentQuestions } from './documents.ts'
import { oddsQuestions } from './odds.ts'
import { serviceQuestions } from './service.ts'

export const questions: readonly Question[] = [
  ...cardQuestions,
  ...checkQuestions,
  ...alertQuestions,
  ...curveQuestions,
  ...oddsQuestions,
  ...serviceQuestions,
  ...documentQuestions,
]
