// A chain of cursors against a client with a memory: whatever happens, including forks of confirmed slots, the server reports news exactly
// when an event is confirmed that the client does not know, and shows it once. The server keeps no state: every call is to a new one.

import fc from 'fast-check'
import { solana } from '../../processors/chains/solana/chain.ts'
import { detectors } from '../../processors/mint/detectors/index.ts'
import { answerWatchlist, watchlistPrecheck } from '../../query-api/answers/checks/check.ts'
import { answerWatch } from '../../query-api/answers/checks/check-watch.ts'
import type { RequestContext } from '../../query-api/answers/question.ts'
import { type Instant, Service } from '../../query-api/answers/service.ts'
import { questions } from '../../query-api/app/list/questions.ts'
import { assert } from '../../schemas/errors.ts'
import type { Key } from '../../schemas/keys.ts'
import { noCurves } from '../fakes/map-curves.ts'
import { MapRecords } from '../fakes/map-records.ts'
import { MapView } from '../fakes/map-view.ts'
import { fakeOdds } from '../fakes/odds.ts'
import { curveRow, flagRow, key, liveState, NOW_S } from '../unit/query-api/given-mint.ts'

const MINTS = [key(1), key(2), key(3)]
const STEPS = ['curve_complete', 'migrated_graduated', 'migrated_below_grad']
const KINDS = ['creator_sold', 'bundle_dumped', 'curve_drained', 'pool_drained', 'curve_closed_low', 'migrate_below_grad', ...STEPS]

interface Happening {
  readonly mint: number
  readonly kind: string
  readonly number: number
}

/** The events of the chain, and which of them are confirmed. */
class World {
  tip = 1_000
  confirmed = 1_000
  happened: Happening[] = []
  readonly view = new MapView()

  happen(mint: number, kind: string): void {
    this.tip += 1
    if (!this.happened.some((one) => one.mint === mint && one.kind === kind)) this.happened.push({ mint, kind, number: this.tip })
  }
  fork(slots: number): void {
    this.tip -= slots
    this.happened = this.happened.filter(({ number }) => number <= this.tip)
    this.confirmed = Math.min(this.confirmed, this.tip)
  }
  /** Names of confirmed events, `mint/kind`. */
  known(): Set<string> {
    return new Set(this.happened.filter(({ number }) => number <= this.confirmed).map(({ mint, kind }) => `${mint}/${kind}`))
  }
  show(): void {
    for (const [mint, at] of MINTS.entries()) {
      const of = this.happened.filter((one) => one.mint === mint)
      const flags = of
        .filter(({ kind }) => !STEPS.includes(kind))
        .map(({ kind, number }) => flagRow(kind, { number, findingId: `${kind}@${number}` }))
      const steps = of
        .filter(({ kind }) => STEPS.includes(kind))
        .map(({ kind, number }) => ({ step: kind, number, tx: 0, outer: 0, inner: 0, hash8: 'AAAAAAAA', at: NOW_S }))
      this.view.put(at, liveState({ curve: curveRow(), flags, steps }))
    }
    this.view.setStatus({ folded: { number: this.tip, time: NOW_S }, tip: { number: this.tip, time: NOW_S } })
    this.view.sure({ confirmed: this.confirmed, finalized: 0 })
  }
}

const askOf = (view: MapView, path: string): RequestContext => {
  const service = new Service({
    chain: solana,
    detectors,
    curves: noCurves(),
    view,
    records: new MapRecords(),
    ...fakeOdds(),
    clock: { now: () => NOW_S * 1_000 },
    wallClock: { now: () => NOW_S * 1_000 },
    source: 'test',
    baseUrl: 'http://127.0.0.1',
    sandbox: false,
    version: '0.1.0',
    priceFactor: 1,
    charges: true,
    finalityOf: () => 'finalized',
    questions,
    cursorKeys: [Buffer.alloc(32, 1)],
  })
  const facts = questions.find((one) => one.path === path)
  assert(facts !== undefined, path)
  return { service, instant: service.instant() as Instant, facts }
}

interface Item {
  readonly mint: string
  readonly lifecycle: string
  readonly findings: readonly { readonly code: string }[]
}

/** A caller with a cursor, who also remembers. */
class Holder {
  cursor: string | null = null
  memory: Set<string> | undefined

  /** Free. True if there is news. */
  watch(world: World, mints: readonly Key[]): boolean {
    const { data } = JSON.parse(answerWatch({ mints, cursor: this.cursor }, askOf(world.view, '/v1/check/watch')).body)
    this.cursor = data.cursor
    this.memory ??= world.known()
    return data.has_new_events
  }
  /** Paid if there is news: returns the shown items, as `code` and `lifecycle` by index of the mint; undefined if there is none. */
  check(world: World, mints: readonly Key[]): readonly Item[] | undefined {
    const ask = askOf(world.view, '/v1/check/watchlist')
    const input = { mints, cursor: this.cursor }
    const given = watchlistPrecheck(input, ask)
    const { data } = JSON.parse((given ?? answerWatchlist(input, ask)).body)
    this.cursor = data.cursor
    if (given !== null) return undefined
    this.memory = world.known()
    return data.items
  }
}

const move = fc.oneof(
  { weight: 5, arbitrary: fc.record({ what: fc.constant('happen' as const), mint: fc.nat(2), kind: fc.constantFrom(...KINDS) }) },
  { weight: 3, arbitrary: fc.record({ what: fc.constant('confirm' as const), slots: fc.nat(4) }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('fork' as const), slots: fc.integer({ min: 1, max: 6 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      what: fc.constantFrom('watch' as const, 'check' as const),
      order: fc.shuffledSubarray([0, 1, 2], { minLength: 3 }),
    }),
  },
)

const shownIn = (items: readonly Item[], world: World, mints: readonly Key[]): void => {
  const flags = items.flatMap(({ findings }, index) => findings.map(({ code }) => `${MINTS.indexOf(mints[index] as Key)}/${code}`))
  const known = [...world.known()]
  expect(flags.sort()).toEqual(known.filter((name) => !STEPS.some((step) => name.endsWith(step))).sort())
}

test('each confirmed event is news until it is shown, and never after', () => {
  fc.assert(
    fc.property(fc.array(move, { maxLength: 40 }), (moves) => {
      const world = new World()
      const holder = new Holder()
      world.show()
      holder.watch(world, MINTS)
      for (const one of moves) {
        if (one.what === 'happen') world.happen(one.mint, one.kind)
        else if (one.what === 'confirm') world.confirmed = Math.min(world.tip, world.confirmed + one.slots)
        else if (one.what === 'fork') world.fork(one.slots)
        else {
          world.show()
          const mints = one.order.map((index) => MINTS[index] as Key)
          const isNews = [...world.known()].some((name) => holder.memory?.has(name) === false)
          if (one.what === 'watch') expect(holder.watch(world, mints)).toBe(isNews)
          else {
            const items = holder.check(world, mints)
            expect(items !== undefined).toBe(isNews)
            if (items !== undefined) shownIn(items, world, mints)
            expect(holder.watch(world, mints)).toBe(false)
          }
        }
      }
    }),
    { numRuns: 150 },
  )
})

describe('a fork that rolls back a confirmed event that was shown', () => {
  const shown = () => {
    const world = new World()
    const holder = new Holder()
    world.happen(0, 'creator_sold')
    world.confirmed = world.tip
    world.show()
    holder.check(world, MINTS)
    return { world, holder }
  }
  test('changes nothing if the event repeats on the canonical branch', () => {
    const { world, holder } = shown()
    world.fork(1)
    world.happen(1, 'unwatched')
    world.happen(0, 'creator_sold')
    world.confirmed = world.tip
    world.show()
    expect(holder.watch(world, MINTS)).toBe(false)
  })
  test('is news, once, for events that only the canonical branch has', () => {
    const { world, holder } = shown()
    world.fork(1)
    world.happen(0, 'curve_drained')
    world.confirmed = world.tip
    world.show()
    expect(holder.check(world, MINTS)?.[0]?.findings.map(({ code }) => code)).toEqual(['curve_drained'])
    expect(holder.check(world, MINTS)).toBeUndefined()
    // The client was shown the retraction, so the repeated event is news.
    world.happen(0, 'creator_sold')
    world.confirmed = world.tip
    world.show()
    expect(holder.check(world, MINTS)?.[0]?.findings).toHaveLength(2)
  })
})
