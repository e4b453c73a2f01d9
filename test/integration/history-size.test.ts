// The soak of a large history, on a hundredth of a day's load: accepts all its statements, and answers every query.
import { runHistorySize } from '../soak/history-size.ts'
import { describeEngine } from './history-server-given.ts'

const TRADES = 30_000

describeEngine('the soak of a large history', () => {
  test('fills a day and runs all queries without a failure', async () => {
    const { trades, costs, bytesATrade } = await runHistorySize(1, 100, () => {})
    expect(trades).toBe(TRADES)
    expect(costs.filter(({ failure }) => failure !== undefined)).toEqual([])
    expect(costs.length).toBeGreaterThan(50)
    expect(bytesATrade).toBeGreaterThan(0)
  })
})
