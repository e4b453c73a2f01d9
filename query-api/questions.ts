// The one list of what is asked: an entry is a route, a price, a row of the index and, where named, an MCP tool.
import type { Question } from './question.ts'
import { cardQuestions } from './questions/cards.ts'
import { checkQuestions } from './questions/checks.ts'
import { documentQuestions } from './questions/documents.ts'
import { serviceQuestions } from './questions/service.ts'

export const questions: readonly Question[] = [...cardQuestions, ...checkQuestions, ...serviceQuestions, ...documentQuestions]
