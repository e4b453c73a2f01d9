// Reads the queries of the SQL guide.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export interface GuideQuestion {
  readonly title: string
  /** The text between title and query. */
  readonly text: string
  readonly query: string
}

const GUIDE = fileURLToPath(new URL('../../../query-api/guides/sql.md', import.meta.url))
const QUESTION = /^## (.+)\n([\s\S]*?)```sql\n([\s\S]*?)\n```$/gm

/** Whether a query reads the alt chain's tables. */
export const isOfCurves = ({ title }: GuideQuestion): boolean => title.startsWith('Curves: ')

export const guideQuestions = (): readonly GuideQuestion[] =>
  [...readFileSync(GUIDE, 'utf8').matchAll(QUESTION)].map(([, title = '', text = '', query = '']) => ({
    title,
    text: text.trim(),
    query,
  }))
