// Insiders and warm launches of the simulated market, through the engine's repartition, equal a recount of its tape without one.

import { ROLE_BUNDLE, ROLE_CREATE_TX, ROLE_FUNDED, ROLE_RECEIVED } from '../../processors/mint/rows.ts'
import type { Key } from '../../schemas/keys.ts'
import { comparePositions, hash8Of, type Position } from '../../schemas/position.ts'
import type { Conclusion, LaunchRow, TapeBatch, TapeEvent } from '../../schemas/types.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { Replay } from '../../topology/runtime/replay.ts'
import { frameCountsOf, frameHead, tapeEventsOf } from '../../topology/simulator/solana/bytes.ts'
import { DEMO_DEFAULTS } from '../../topology/simulator/solana/defaults.ts'
import { Market } from '../../topology/simulator/solana/market.ts'

const SECONDS = 2_400
/** Requests of the last launches may be in flight. */
const SETTLED_S = 30
const FUNDING_S = 1_800

type Launch = Extract<TapeEvent, { type: 'launch' }>
type RoleBody = Extract<Conclusion['body'], { type: 'role' }>
interface Moment {
  readonly at: Position
  readonly time: number
}
type Payment = Moment & { readonly funder: Key; readonly wallet: Key }
interface Mint {
  readonly launch: Launch & Moment
  readonly firstBuys: Map<Key, Moment>
  readonly received: Set<Key>
  readonly inCreate: Set<Key>
  isOpen: boolean
}

/** Recounts everything from the events in order. */
class Recount {
  readonly mints = new Map<Key, Mint>()
  readonly #payments: Payment[] = []

  see(event: TapeEvent, at: Position, time: number): void {
    if (event.type === 'transfer') this.#payments.push({ at, time, funder: event.funder, wallet: event.wallet })
    else if (event.type === 'launch')
      this.mints.set(event.mint, {
        launch: { ...event, at, time },
        firstBuys: new Map(),
        received: new Set(),
        inCreate: new Set(),
        isOpen: true,
      })
    else this.#seeMint(event, at, time)
  }
  #seeMint(event: Exclude<TapeEvent, { type: 'transfer' | 'launch' }>, at: Position, time: number): void {
    const mint = this.mints.get(event.mint)
    if (mint === undefined) return
    if (event.type === 'complete' || event.type === 'migrate') mint.isOpen = false
    if (event.type === 'balance') {
      if (event.units > 0 && event.isWallet && event.fromWallets && !event.traded && mint.isOpen) mint.received.add(event.owner)
      return
    }
    const isBuy = (event.type === 'trade' && event.isBuy && !event.isAgent) || (event.type === 'poolTrade' && event.isBuy)
    if (!isBuy && event.type !== 'postCompleteBuy') return
    const { user } = event as Extract<TapeEvent, { type: 'trade' }>
    if (!mint.firstBuys.has(user)) mint.firstBuys.set(user, { at, time: event.timestamp ?? time })
    if (at.number === mint.launch.at.number && at.tx === mint.launch.at.tx) mint.inCreate.add(user)
  }
  fundersOf(wallet: Key, { at, time }: Moment): Payment[] {
    return this.#payments.filter((one) => one.wallet === wallet && comparePositions(one.at, at) < 0 && one.time >= time - FUNDING_S)
  }
}

const isDev = ({ user, creator, creatorIsWallet }: Launch | LaunchRow, wallet: Key): boolean =>
  wallet === user || (creatorIsWallet && wallet === creator)

const expectedOf = (recount: Recount, { launch, firstBuys, received, inCreate }: Mint) => {
  const launcher = launch.creatorIsWallet ? launch.creator : launch.user
  const warm = recount.fundersOf(launcher, { at: launch.at, time: launch.timestamp ?? launch.time })
  const ofCreator = new Set(warm.map(({ funder }) => funder))
  const isFunded = (wallet: Key, buy: Moment): boolean =>
    recount.fundersOf(wallet, buy).some(({ funder }) => isDev(launch, funder) || ofCreator.has(funder))
  const others = (wallets: Iterable<Key>): Key[] => [...wallets].filter((wallet) => !isDev(launch, wallet)).sort()
  return {
    warm: warm.at(-1)?.funder ?? null,
    a: others(received),
    b: others([...firstBuys].flatMap(([wallet, buy]) => (isFunded(wallet, buy) ? [wallet] : []))),
    c: others(inCreate),
  }
}

const run = (partitions: number) => {
  const replay = new Replay(LAUNCH_RISK, partitions)
  const recount = new Recount()
  const roles = new Map<Key, RoleBody[]>()
  const endMs = DEMO_DEFAULTS.startMs + SECONDS * 1_000
  for (const slot of new Market({ ...DEMO_DEFAULTS, seed: 5, rate: 4 })) {
    if (slot.timeMs >= endMs) break
    const { number, blockTime, hash } = frameHead(slot)
    const head = { chain: 'solana', number, hash8: hash8Of(hash), sequence: number, time: blockTime ?? 0, final: true } as const
    const rest = { gapFrom: null, gapTo: null, vouched: false, placed: true, ...frameCountsOf(slot) }
    const tape: TapeBatch = { type: 'batch', ...head, ...rest, events: tapeEventsOf(slot) }
    for (const { body } of replay.batch(tape).conclusions)
      if (body.type === 'role') roles.set(body.mint, [...(roles.get(body.mint) ?? []), body])
    for (const event of tape.events) recount.see(event, { chain: 'solana', number, ...event }, tape.time)
  }
  const settledAt = endMs / 1_000 - SETTLED_S
  const found = replay.mints().flatMap(({ mint, state: { launch, holders, warm, waiting } }) => {
    const counted = recount.mints.get(mint)
    if (launch === null || counted === undefined || launch.at > settledAt) return []
    const young = new Set([...counted.firstBuys].flatMap(([wallet, { time }]) => (time > settledAt ? [wallet] : [])))
    const met = (role: number): Key[] =>
      holders.flatMap(({ wallet, roles }) => ((roles & role) !== 0 && !isDev(launch, wallet) && !young.has(wallet) ? [wallet] : [])).sort()
    const expected = expectedOf(recount, counted)
    const of = { warm: warm?.funder ?? null, a: met(ROLE_RECEIVED), b: met(ROLE_FUNDED), c: met(ROLE_CREATE_TX) }
    const walletsOf = (role: string): Key[] =>
      (roles.get(mint) ?? []).flatMap((one) => (one.role === role && !young.has(one.wallet) ? [one.wallet] : [])).sort()
    expect({ a: walletsOf('insider_a'), b: walletsOf('insider_b'), c: walletsOf('insider_c') }).toEqual({ a: of.a, b: of.b, c: of.c })
    expect(walletsOf('bundle')).toEqual(met(ROLE_BUNDLE))
    const without = (wallets: Key[]): Key[] => wallets.filter((wallet) => !young.has(wallet))
    return [
      { of, waiting: waiting.length, expected: { ...expected, a: without(expected.a), b: without(expected.b), c: without(expected.c) } },
    ]
  })
  return found
}

test.each([1, 3])(
  'equal the recount with %i partitions',
  (partitions) => {
    const found = run(partitions)
    expect(found.map(({ of }) => of)).toEqual(found.map(({ expected }) => expected))
    expect(found.every(({ waiting }) => waiting === 0)).toBe(true)
    const count = (pick: (one: (typeof found)[number]['of']) => number): number => found.reduce((sum, { of }) => sum + pick(of), 0)
    expect(count(({ warm }) => (warm === null ? 0 : 1))).toBeGreaterThan(50)
    expect(
      Math.min(
        count(({ a }) => a.length),
        count(({ b }) => b.length),
        count(({ c }) => c.length),
      ),
    ).toBeGreaterThan(2)
  },
  600_000,
)
