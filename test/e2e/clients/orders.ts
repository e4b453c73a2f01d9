// A valid request for each paid question, over HTTP and over MCP.
import { questions } from '../../../query-api/app/list/questions.ts'
import { keyText } from '../../../schemas/keys.ts'
import { CURVE_CONTRACT } from '../../fixtures/curve-market.ts'
import { ALERT_QUERY, ALERTS } from '../contract/answers.ts'
import type { Shop } from './shop.ts'

export const PAID = questions.filter(({ priceMicroUsdc }) => priceMicroUsdc > 0)

const CURVE = keyText(CURVE_CONTRACT)
const subjectOf = (path: string, { mint }: Shop): string => (path.startsWith('/v1/alt/') ? CURVE : mint)

/** @param path template of a question. @returns path and query. */
export const requestOf = (path: string, shop: Shop): string => `${path.replaceAll(/\{\w+\}/g, subjectOf(path, shop))}${queryOf(path, shop)}`

const queryOf = (path: string, { mints }: Shop): string => {
  if (path === ALERTS) return `?${ALERT_QUERY}`
  if (path === '/v1/launches/since') return '?since=0'
  return path.endsWith('watchlist') ? `?mints=${mints.join(',')}` : ''
}

export const argumentsOf = (path: string, shop: Shop): Record<string, unknown> => {
  if (path === '/v1/launches/since') return { since: '0' }
  if (path.endsWith('watchlist')) return { mints: shop.mints }
  const [name] = /(?<=\{)\w+/.exec(path) ?? []
  return name === undefined ? {} : { [name]: subjectOf(path, shop) }
}
