// Six hours of the demo, as `npm start` plays them, have every state that the product names.
import { decodeFrame } from '../../processors/chains/solana/decode-frame.ts'
import { type Key, toBase58 } from '../../schemas/keys.ts'
import type { Conclusion, TapeBatch } from '../../schemas/types.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { Replay } from '../../topology/runtime/replay.ts'
import { CoinBook } from '../../topology/simulator/solana/bytes/coins.ts'
import { frameOf } from '../../topology/simulator/solana/bytes.ts'
import { DEMO_DEFAULTS, HISTORY_S } from '../../topology/simulator/solana/defaults.ts'
import type { DemoSlot, LaunchpadInstruction } from '../../topology/simulator/solana/market-types.ts'
import { batchOf, demoSlots } from '../fixtures/demo-tape.ts'
import { positionsIn, type Result, resultsOf } from '../fixtures/wallet-recount.ts'

/** Wallets with fewer coins have no class of their own. */
const COINS_MIN = 5
/** Wallets of each class whose coins are folded. */
const CANDIDATES = 4

const FLAGS = ['bundle_dumped', 'creator_sold', 'curve_closed_low', 'curve_drained', 'migrate_below_grad', 'pool_drained']

const has = ({ transactions }: DemoSlot, name: LaunchpadInstruction): boolean =>
  transactions.some(({ instructions }) => instructions.some((one) => one.kind === 'launchpad' && one.name === name))

const coinsByWallet = (tape: readonly TapeBatch[]): ReadonlyMap<Key, ReadonlySet<Key>> => {
  const coins = new Map<Key, Set<Key>>()
  for (const { events } of tape)
    for (const event of events)
      if (event.type === 'trade' || event.type === 'poolTrade') coins.set(event.user, (coins.get(event.user) ?? new Set()).add(event.mint))
  return coins
}
const only = (tape: readonly TapeBatch[], isKept: (event: TapeBatch['events'][number]) => boolean): readonly TapeBatch[] =>
  tape.map((batch) => ({ ...batch, events: batch.events.filter(isKept) }))

describe('six hours of the demo', () => {
  const slots = [...demoSlots({ ...DEMO_DEFAULTS, seconds: HISTORY_S })]
  const tape = slots.map(batchOf)
  const asOf = tape.at(-1)?.time ?? 0
  const held = coinsByWallet(tape)
  const traded = only(tape, (event) => event.type === 'launch' || ('user' in event && (held.get(event.user)?.size ?? 0) >= COINS_MIN))
  const classesOf = (roles: readonly Conclusion[]): readonly Result[] => resultsOf(positionsIn(traded, roles, asOf))
  const rolesless = classesOf([])
  const candidates = ['sniper', 'skilled'].flatMap((kind) => rolesless.filter((one) => one.class === kind).slice(0, CANDIDATES))
  let conclusions: readonly Conclusion[]
  let cards: ReturnType<Replay['cards']>
  beforeAll(() => {
    const wallets = new Set(candidates.map(({ wallet }) => wallet))
    const coins = new Set([...held].flatMap(([wallet, mints]) => (wallets.has(toBase58(wallet)) ? [...mints] : [])))
    for (const { events } of tape) for (const event of events) if (event.type === 'complete') coins.add(event.mint)
    const replay = new Replay(LAUNCH_RISK)
    const folded = only(tape, (event) => !('mint' in event) || coins.has(event.mint))
    conclusions = folded.flatMap((batch) => [...replay.batch(batch).conclusions])
    cards = replay.cards()
  })

  test('have every rug flag', () => {
    const flags = new Set(conclusions.flatMap(({ body }) => (body.type === 'finding' ? [body.flag] : [])))
    expect([...flags].sort()).toEqual(FLAGS)
  })
  test('have wallets of every class', () => {
    const roles = conclusions.filter(({ body }) => body.type === 'role')
    const results = classesOf(roles)
    const wallets = new Set(candidates.map(({ wallet }) => wallet))
    const some = results.filter((one) => wallets.has(one.wallet) || one.class === 'insider' || one.class === 'crowd')
    expect(new Set(some.map((one) => one.class))).toEqual(new Set(['sniper', 'skilled', 'insider', 'crowd']))
  })
  test('have cards with boosts', () => {
    const boosts = cards.flatMap(({ evidence }) => ('pool' in evidence && evidence.pool !== null ? [evidence.pool.boosts] : []))
    expect(boosts.some(({ n, spent_sol: spent, burnt_tokens: burnt }) => n > 0 && Number(spent) > 0 && burnt > 0)).toBe(true)
  })
  test('have trades over several pools in one instruction, which their bytes show', () => {
    const routes = slots.filter((slot) => has(slot, 'amm_multi_hop_swap'))
    expect(routes.length).toBeGreaterThan(100)
    const { events, deadLetters } = decodeFrame(frameOf(routes[0] as DemoSlot, new CoinBook()))
    const trades = events.filter((event) => event.type === 'poolTrade')
    const isRoute = trades.some((one) => trades.some(({ tx, outer, mint }) => tx === one.tx && outer === one.outer && mint !== one.mint))
    expect([isRoute, deadLetters]).toEqual([true, []])
  })
})
