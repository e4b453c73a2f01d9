// A short run of the soak `losses`.
import { Seeded } from '../../processors/seeded.ts'
import { alarmsIn, isBroken } from '../fixtures/losses/alarms.ts'
import { putLosses } from '../fixtures/losses/losses.ts'
import { demoStories, realStories } from '../fixtures/losses/stories.ts'
import { realTransactions } from '../fixtures/real-transactions.ts'

const SEED = 5
const real = realStories(realTransactions().filter(({ origin }) => origin === 'chain'))
const stories = [...demoStories({ seed: SEED, rate: 2, seconds: 120 }, 60), ...real].filter((story) => !isBroken(story))
const report = putLosses(stories, 60, new Seeded(SEED))

test('every loss of each kind is found at the next trade of the same reserves', () => {
  expect(Object.values(report.kinds).map(({ put }) => put)).toEqual(Array.from({ length: 12 }, () => 5))
  expect([report.put, report.found, report.missed]).toEqual([60, 60, []])
  expect(Object.values(report.kinds).every(({ from }) => from.demo > 0 && from.real > 0)).toBe(true)
})

test('what no later trade shows is found by dead letters, parents of blocks and counts of the stream', () => {
  const by = Object.entries(report.withoutWitness).map(([name, one]) => [name, Object.keys(one.by), one.found === one.put])
  expect(by).toEqual([
    ['last_trade event_gone', ['dead_letter'], true],
    ['last_trade transaction_gone', ['count'], true],
    ['last_trade block_gone', ['gap'], true],
    ['transfer block_gone', ['gap'], true],
    ['transfer transaction_gone', ['count'], true],
    ['funding block_gone', ['gap'], true],
    ['funding transaction_gone', ['count'], true],
  ])
})

test('nothing is reported of coins of which nothing is lost', () => {
  expect(alarmsIn(stories)).toEqual([])
})

test('only coins of single recorded transactions do not follow', () => {
  expect(real.filter(isBroken).length).toBe(2)
})
