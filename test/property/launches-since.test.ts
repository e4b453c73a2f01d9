// Every launch exactly once, whatever happens between two pages: forks (of confirmed frames too), servers that lag each other, pages of any
// size, restarts.
import fc from 'fast-check'
import {
  before,
  canGoOn,
  GIVEN_MAX,
  LOOKED_AT_MAX,
  type PlacedLaunch,
  pageOf,
  type Reached,
} from '../../query-api/answers/since/page-of.ts'
import { SinceCursors } from '../../query-api/answers/since/since-cursors.ts'
import { type Key, keyOf } from '../../schemas/keys.ts'
import { LaunchOrder } from '../../topology/views/launch-order.ts'

const NOW_S = 2_000
const SERVERS = 2
/** Two frames a second: two frames share one time. */
const timeOf = (number: number): number => 1_000 + Math.floor(number / 2)
const mintOf = (n: number): Key => {
  const bytes = new Uint8Array(32)
  new DataView(bytes.buffer).setUint32(0, n)
  return keyOf(bytes)
}

interface Frame {
  readonly number: number
  readonly mints: readonly Key[]
}
/** The state of a server: folded frames, confirmed and final numbers. */
interface Folded {
  readonly frames: readonly Frame[]
  readonly confirmed: number
  readonly final: number
}
const lastOf = ({ frames }: Folded): number => frames.at(-1)?.number ?? -1

type Step =
  | { readonly does: 'grow'; readonly skips: number; readonly launches: number; readonly again: number }
  | { readonly does: 'fork'; readonly frames: number }
  | { readonly does: 'confirm' | 'finalize'; readonly behind: number }
  | { readonly does: 'fold'; readonly server: number }
  | { readonly does: 'ask'; readonly server: number; readonly limit: number }

const nat = (max: number) => fc.nat({ max })
const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ does: fc.constant('grow' as const), skips: nat(1), launches: nat(3), again: nat(2) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('fork' as const), frames: nat(5) }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constantFrom('confirm' as const, 'finalize' as const), behind: nat(4) }) },
  { weight: 4, arbitrary: fc.record({ does: fc.constant('fold' as const), server: nat(SERVERS - 1) }) },
  {
    weight: 6,
    arbitrary: fc.record({ does: fc.constant('ask' as const), server: nat(SERVERS - 1), limit: fc.integer({ min: 1, max: 5 }) }),
  },
)

/** The canonical chain, and the launches that forks dropped and that may return. */
class Chain {
  now: Folded = { frames: [], confirmed: -1, final: -1 }
  #launched = 0
  #dropped: Key[] = []

  grow({ skips, launches, again }: Extract<Step, { does: 'grow' }>): void {
    const fresh = Array.from({ length: launches }, () => mintOf(this.#launched++))
    const frame = { number: Math.max(lastOf(this.now), this.now.final) + 1 + skips, mints: [...this.#dropped.splice(0, again), ...fresh] }
    this.now = { ...this.now, frames: [...this.now.frames, frame] }
  }
  fork(frames: number): void {
    const { confirmed, final } = this.now
    const kept = this.now.frames.filter(({ number }, at, all) => number <= final || at < all.length - frames)
    this.#dropped.push(...this.now.frames.slice(kept.length).flatMap(({ mints }) => mints))
    const last = kept.at(-1)?.number ?? -1
    this.now = { frames: kept, confirmed: Math.min(confirmed, last), final }
  }
  confirm(behind: number): void {
    this.now = { ...this.now, confirmed: Math.max(this.now.confirmed, lastOf(this.now) - behind) }
  }
  finalize(behind: number): void {
    this.now = { ...this.now, final: Math.max(this.now.final, this.now.confirmed - behind) }
  }
}

const cursors = new SinceCursors([Buffer.alloc(32, 3)])

/** A client that requests page after page from any server, with only the cursor. */
class Reader {
  readonly got: Key[] = []
  #cursor: string | undefined
  readonly #since: number
  constructor(since: number) {
    this.#since = since
  }
  ask(folded: Folded, limit: number): { readonly hasMore: boolean } {
    const order = new LaunchOrder()
    const placed = new Map<Key, PlacedLaunch>()
    for (const { number, mints } of folded.frames)
      for (const [tx, mint] of mints.entries()) {
        const launch = { mint, number, tx, outer: 0, inner: 0, at: timeOf(number), isCovered: true }
        placed.set(mint, launch)
        order.add(mint, launch)
      }
    const { confirmed, final } = folded
    const reached = this.#reached(order, final)
    if (!canGoOn(reached, { final })) return { hasMore: false }
    const launches = [...order.after(reached.place)].map((mint) => placed.get(mint) as PlacedLaunch)
    const options = { limit, final, finalAt: timeOf(final), from: 0, isGivable: (number: number) => number <= confirmed }
    const page = pageOf(launches, reached, options)
    expect(page.items.map(({ number, tx }) => number * 100 + tx)).toEqual(
      page.items.map(({ number, tx }) => number * 100 + tx).sort((a, b) => a - b),
    )
    this.got.push(...page.items.map(({ mint }) => mint))
    this.#cursor = cursors.issue(page.next, NOW_S)
    return { hasMore: page.hasMore }
  }
  #reached(order: LaunchOrder, final: number): Reached {
    const read = this.#cursor === undefined ? undefined : cursors.read(this.#cursor, NOW_S)
    if (read?.ok) return read.reached
    const next = final + 1
    const position = before(Math.min(order.firstSince(this.#since)?.number ?? next, next))
    return { since: this.#since, at: this.#since, place: position, given: new Map() }
  }
}

test('each launch that remains is returned exactly once, over forks, servers that lag each other and pages of any size', () => {
  fc.assert(
    fc.property(fc.array(steps, { minLength: 20, maxLength: 120, size: 'max' }), nat(8), (all, sinceAt) => {
      const since = timeOf(sinceAt)
      const chain = new Chain()
      const servers: Folded[] = Array.from({ length: SERVERS }, () => chain.now)
      const reader = new Reader(since)
      for (const step of all) {
        if (step.does === 'grow') chain.grow(step)
        else if (step.does === 'fork') chain.fork(step.frames)
        else if (step.does === 'fold') servers[step.server] = chain.now
        else if (step.does === 'ask') reader.ask(servers[step.server] as Folded, step.limit)
        else chain[step.does](step.behind)
      }
      chain.confirm(0)
      chain.finalize(0)
      for (let more = true; more; ) more = reader.ask(chain.now, 3).hasMore
      const stays = chain.now.frames.filter(({ number }) => timeOf(number) >= since).flatMap(({ mints }) => mints)
      expect(stays.filter((mint) => !reader.got.includes(mint))).toEqual([])
      expect(new Set(reader.got).size).toBe(reader.got.length)
    }),
    { numRuns: 200 },
  )
})

describe('a page', () => {
  const launch = (n: number, number: number, isCovered = true): PlacedLaunch => ({
    ...{ mint: mintOf(n), number, tx: n, outer: 0, inner: 0, at: timeOf(number), isCovered },
  })
  const start: Reached = { since: 0, at: 0, place: before(0), given: new Map() }
  const options = { limit: 100, final: 10, finalAt: timeOf(10), from: 0, isGivable: (number: number) => number <= 20 }

  test('ends when the maximum of remembered launches awaits finality, and continues once they are final', () => {
    const all = Array.from({ length: GIVEN_MAX + 6 }, (_, n) => launch(n, 15))
    const first = pageOf(all, start, options)
    expect([first.items.length, first.hasMore]).toEqual([GIVEN_MAX, false])
    expect(pageOf(all, first.next, options).items).toHaveLength(0)
    const rest = pageOf(all, first.next, { ...options, final: 15, finalAt: timeOf(15) })
    expect(rest.items.map(({ mint }) => mint)).toEqual(all.slice(GIVEN_MAX).map(({ mint }) => mint))
    expect(rest.next.given.size).toBe(0)
  })
  test('keeps its cursor within 1,024 characters with the maximum number of remembered launches', () => {
    const all = Array.from({ length: GIVEN_MAX }, (_, n) => launch(n, 15))
    const { next } = pageOf(all, start, options)
    const text = cursors.issue(next, NOW_S)
    expect(text.length).toBeLessThanOrEqual(1_024)
    expect(cursors.read(text, NOW_S)).toEqual({ ok: true, reached: next })
  })
  test('skips launches that are not covered, counts them once final, and returns them if they become covered before', () => {
    const [thin, late] = [launch(1, 5, false), launch(2, 15, false)]
    const first = pageOf([thin, late], start, options)
    expect([first.items, first.notCovered]).toEqual([[], 1])
    const again = pageOf([{ ...late, isCovered: true }], first.next, options)
    expect(again.items.map(({ mint }) => mint)).toEqual([late.mint])
  })
  test('examines a bounded number of launches and continues after them', () => {
    const thin = Array.from({ length: LOOKED_AT_MAX + 1 }, (_, n) => launch(n, 5, false))
    const first = pageOf(thin, start, options)
    expect([first.hasMore, first.notCovered, first.next.place.tx]).toEqual([true, LOOKED_AT_MAX, LOOKED_AT_MAX - 1])
    expect(pageOf(thin.slice(LOOKED_AT_MAX), first.next, options)).toMatchObject({ hasMore: false, notCovered: 1 })
  })
  test('returns no launch of unconfirmed frames', () => {
    expect(pageOf([launch(1, 20), launch(2, 21)], start, options).items).toHaveLength(1)
  })
})

describe('a cursor', () => {
  const reached: Reached = { since: 7, at: 1_500, place: before(300), given: new Map([[mintOf(1).slice(0, 8), 310]]) }
  test('is accepted with any of the keys, for a day', () => {
    const text = cursors.issue(reached, NOW_S)
    expect(new SinceCursors([Buffer.alloc(32, 4), Buffer.alloc(32, 3)]).read(text, NOW_S + 86_400)).toEqual({ ok: true, reached })
    expect(cursors.read(text, NOW_S + 86_401)).toEqual({ ok: false, reason: 'expired' })
    expect(new SinceCursors([Buffer.alloc(32, 4)]).read(text, NOW_S)).toEqual({ ok: false, reason: 'foreign' })
  })
  test('is refused if a byte changes, and any other text is foreign', () => {
    const bytes = Buffer.from(cursors.issue(reached, NOW_S), 'base64url')
    for (let at = 0; at < bytes.length; at += 1) {
      const forged = Buffer.from(bytes)
      forged[at] = (forged[at] as number) ^ 1
      expect(cursors.read(forged.toString('base64url'), NOW_S).ok).toBe(false)
    }
    fc.assert(fc.property(fc.string(), (text) => expect(cursors.read(text, NOW_S)).toEqual({ ok: false, reason: 'foreign' })))
  })
})
