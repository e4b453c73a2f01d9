// Free and unpaid answers never read the holders of a mint: strangers control how many there are.
import { given, MINT } from './check-given.ts'

test.each([
  [`/v1/check/coverage?mints=${MINT}`, 200],
  [`/v1/check/watch?mints=${MINT}`, 200],
  [`/v1/mint/${MINT}`, 402],
  [`/v1/check/mint/${MINT}`, 402],
  [`/v1/check/watchlist?mints=${MINT}`, 402],
])('%s reads no holders without a payment', async (path, expected) => {
  const api = given()
  const { status } = await api.get(path)
  expect(status).toBe(expected)
  expect(api.view.stateReads).toBe(0)
})

test('a paid card reads them', async () => {
  const api = given()
  const { status } = await api.paid(`/v1/mint/${MINT}`)
  expect(status).toBe(200)
  expect(api.view.stateReads).toBeGreaterThan(0)
})
