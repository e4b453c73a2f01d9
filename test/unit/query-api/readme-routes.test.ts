import { readFileSync } from 'node:fs'
import { questions } from '../../../query-api/app/list/questions.ts'

/** Price by route, from the rows of the table in query-api/README.md. */
const documentedPrices = (): Map<string, string> => {
  const text = readFileSync(new URL('../../../query-api/README.md', import.meta.url), 'utf8')
  const rows = [...text.matchAll(/^\| (`\/[^|]*) \| ([\d., ]+) \|/gm)]
  return new Map(
    rows.flatMap(([, routes = '', prices = '']) => {
      const all = prices.split(', ')
      return routes.split(', ').map((route, n): [string, string] => [route.replaceAll('`', ''), all[n] ?? all[0] ?? ''])
    }),
  )
}

test('query-api/README.md names every route with its price', () => {
  const list = questions.map(({ path, priceMicroUsdc }): [string, string] => [path, String(priceMicroUsdc / 1e6)])
  expect(Object.fromEntries(documentedPrices())).toMatchObject(Object.fromEntries(list))
})
