// A ClickHouse that fails while figures are read: queries fail one after the other, and the process survives.
import { setTimeout as sleep } from 'node:timers/promises'
import { EngineError } from '../../../schemas/errors.ts'
import { readFigures } from '../../../topology/history/all-figures.ts'
import type { HistoryClient } from '../../../topology/history/client.ts'

const QUERIES = 8
const STEP_MS = 2

/** Refuses every query; `first` is refused first. */
const refusing = (first: number): HistoryClient => {
  let asked = 0
  return {
    database: 'mintfold',
    rows: async () => {
      const turn = (asked++ - first + QUERIES) % QUERIES
      await sleep(turn * STEP_MS)
      throw new EngineError('history_down', `query ${turn} is refused`)
    },
  } as Partial<HistoryClient> as HistoryClient
}

describe('figures of a failing ClickHouse', () => {
  const unhandled: unknown[] = []
  const note = (failure: unknown): void => void unhandled.push(failure)
  beforeAll(() => process.on('unhandledRejection', note))
  afterAll(() => process.off('unhandledRejection', note))

  test.each(Array.from({ length: QUERIES }, (_, first) => first))(
    'query %i refused first and the others after it: the read fails once, without an unhandled rejection',
    async (first) => {
      await expect(readFigures(refusing(first))).rejects.toMatchObject({ code: 'history_down' })
      await sleep(3 * QUERIES * STEP_MS)
      expect(unhandled).toEqual([])
    },
  )
})
