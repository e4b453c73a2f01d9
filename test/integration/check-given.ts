// The app with three mints under full coverage, and its compact checks.
import type { MintState } from '../../schemas/types.ts'
import { base58, curveRow, flagRow, key, launchRow, liveState, NOW_S } from '../unit/query-api/given-mint.ts'
import { type Harness, harness } from './api-harness.ts'

export const [MINT, OTHER, THIRD] = [base58(1), base58(2), base58(3)]
export const THIN = base58(9)
export const SOLD = flagRow('creator_sold')

export const step = (name: string, number = 1_045): MintState['steps'][number] => ({
  step: name,
  number,
  tx: 2,
  outer: 0,
  inner: 0,
  hash8: 'AAAAAAAA',
  at: NOW_S - 10,
})

/** Rows of a curve that moved to its pool. */
export const migratedState = (change: Partial<MintState> = {}): MintState =>
  liveState({
    curve: curveRow({ completeAt: NOW_S - 12, migratedAt: NOW_S - 10, pool: key(230), peakQuoteUnits: 85_000_000_000 }),
    steps: [step('curve_complete', 1_044), step('migrated_graduated')],
    ...change,
  })

export const given = (changes: Parameters<typeof harness>[0] = {}): Harness => {
  const api = harness(changes)
  for (const byte of [1, 2, 3]) api.view.put(key(byte), liveState())
  api.view.put(key(9), liveState({ launch: launchRow({ placed: false }) }))
  return api
}

/** The answer of the paid check. */
export const checked = async (api: Harness, mints: string, cursor?: string) => {
  const { status, body } = await api.paid(`/v1/check/watchlist?mints=${mints}${cursor === undefined ? '' : `&cursor=${cursor}`}`)
  expect(status).toBe(200)
  return body.data
}
/** The answer of the free watch. */
export const watched = async (api: Harness, mints: string, cursor?: string) => {
  const { status, body } = await api.get(`/v1/check/watch?mints=${mints}${cursor === undefined ? '' : `&cursor=${cursor}`}`)
  expect(status).toBe(200)
  return body.data
}
/** Kinds of gate calls since the last call. */
export const charges = ({ gate }: Harness): string[] => gate.calls.splice(0).map(({ kind }) => kind)
