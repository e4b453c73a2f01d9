// The clock of the streams: it runs while there is any reader, including one that arrives after all others left.
import type { FlagFeed } from '../../../query-api/stream/feed.ts'
import { beginningAt } from '../../../query-api/stream/flag-pages.ts'
import { Hub, TICK_MS } from '../../../query-api/stream/hub.ts'
import type { StreamReader } from '../../../query-api/stream/reader.ts'

const given = () => {
  const start = beginningAt(1_000)
  const feed = { newest: () => start, after: () => ({ entries: [], cursor: start }), retractedUpTo: () => [], textOf: () => 'text' }
  const hub = new Hub(feed as never as FlagFeed, () => 5)
  const reader = () => {
    const seen = { looks: 0, ends: 0 }
    const one = { caller: 'a', cursor: start, isStalled: false, send: () => {}, tick: () => seen.looks++, end: () => seen.ends++ }
    return { seen, reader: one as never as StreamReader }
  }
  hub.begin()
  return { hub, reader }
}

describe('open streams', () => {
  beforeEach(() => void jest.useFakeTimers())
  afterEach(() => void jest.useRealTimers())

  test('a reader that arrives after another left is served, and the clock stops once both have left', () => {
    const { hub, reader } = given()
    const [first, second] = [reader(), reader()]
    hub.add(first.reader)
    jest.advanceTimersByTime(3 * TICK_MS)
    hub.remove(first.reader)
    jest.advanceTimersByTime(3 * TICK_MS)
    hub.add(second.reader)
    jest.advanceTimersByTime(2 * TICK_MS)
    expect([first.seen.looks, second.seen.looks, hub.size]).toEqual([3, 2, 1])
    hub.remove(second.reader)
    jest.advanceTimersByTime(2 * TICK_MS)
    expect([second.seen.looks, jest.getTimerCount()]).toEqual([2, 0])
  })
  test('two readers share one clock, and are ended together', () => {
    const { hub, reader } = given()
    const [first, second] = [reader(), reader()]
    for (const one of [first, second]) hub.add(one.reader)
    expect([hub.size, jest.getTimerCount()]).toEqual([2, 1])
    hub.remove(first.reader)
    jest.advanceTimersByTime(TICK_MS)
    expect([first.seen.looks, second.seen.looks]).toEqual([0, 1])
    hub.close()
    expect([first.seen.ends, second.seen.ends]).toEqual([0, 1])
  })
})
