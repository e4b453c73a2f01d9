// Full cards, recomputed from the history up to the newest event of each card.
import type { Answers } from './answers.ts'
import type { Demo, Json } from './demo.ts'
import { broken, held, unobserved, type Verdict } from './verdict.ts'

/** An event's row; `place` sorts rows in the order of the chain. */
type Event = Json & { readonly mint: string; readonly place: string; readonly at: number }
/** The expected values of a card by path; without the paths that SQL cannot derive for this card. */
export type Expected = Readonly<Record<string, unknown>>

const PLACE = `concat(leftPad(toString(slot), 15, '0'), leftPad(toString(tx_index), 10, '0'), leftPad(toString(outer_ix), 10, '0'), leftPad(toString(inner_ix), 10, '0'))`
const AT = 'toInt64(toUnixTimestamp(at)) AS at'
const TILDE = '4294967295'
const LAMPORTS = 1e9
/** Base units of the whole supply, and of a token. */
const SUPPLY = 1e15
const UNITS = 1e6

/** A position as a `place` that can be compared with those of rows. */
const placeOf = (position: string): string => {
  const [slot = '', tx = TILDE, outer = TILDE, inner = TILDE] = position
    .replace('solana:', '')
    .split('.')
    .map((part) => (part === '~' ? TILDE : part))
  return slot.padStart(15, '0') + tx.padStart(10, '0') + outer.padStart(10, '0') + inner.padStart(10, '0')
}

const TABLES = {
  launches: `SELECT mint, ${PLACE} AS place, ${AT}, slot, user, creator, is_mayhem, quote_mint FROM mintfold.launches`,
  trades: `SELECT mint, ${PLACE} AS place, ${AT}, slot, user, is_buy, is_agent, token_units, quote_units, real_quote_units FROM mintfold.trades`,
  pool_trades: `SELECT mint, ${PLACE} AS place, ${AT}, slot, user, is_buy, is_agent, token_units, quote_units FROM mintfold.pool_trades`,
  liquidity: `SELECT mint, ${PLACE} AS place, ${AT}, user, is_deposit, token_units FROM mintfold.pool_liquidity`,
  late_buys: `SELECT mint, ${PLACE} AS place, ${AT}, user, token_units FROM mintfold.post_complete_buys`,
  transfers: `SELECT mint, ${PLACE} AS place, ${AT} FROM mintfold.transfers`,
  migrations: `SELECT mint, ${PLACE} AS place, ${AT}, pool FROM mintfold.migrations`,
  flags: `SELECT mint, ${PLACE} AS place, ${AT}, flag, finding_id, evidence FROM mintfold.flags`,
  outcomes: `SELECT mint, ${PLACE} AS place, ${AT}, graduated, rugged, rug_kind, rug_dt_s, n_trades, n_buyers, peak_quote_units FROM mintfold.outcomes`,
} as const
type Table = keyof typeof TABLES
type History = Readonly<Record<Table, readonly Event[]>>

const readHistory = async (demo: Demo, mints: readonly string[]): Promise<History> => {
  const list = mints.map((mint) => `'${mint}'`).join(',')
  const tables = Object.entries(TABLES).map(
    async ([name, sql]) => [name, await demo.rows<Event>(`${sql} WHERE mint IN (${list}) ORDER BY place`)] as const,
  )
  return Object.fromEntries(await Promise.all(tables)) as unknown as History
}

/** Events of one mint up to a place. */
const upTo = (history: History, mint: string, position: string): History =>
  Object.fromEntries(
    Object.entries(history).map(([name, rows]) => [name, rows.filter((row) => row.mint === mint && row.place <= position)]),
  ) as unknown as History

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

const demandOf = (deals: readonly Event[], t: number, isSol: boolean): Expected => {
  const recent = deals.filter(({ at }) => at > t - 60 && at <= t)
  const buyers = new Set(deals.flatMap(({ is_buy, user }) => (is_buy ? [user] : [])))
  return {
    'demand.unique_buyers': buyers.size,
    'demand.buys_60s': recent.filter(({ is_buy }) => is_buy).length,
    'demand.sells_60s': recent.filter(({ is_buy }) => !is_buy).length,
    ...(isSol && {
      'demand.net_sol_60s': sum(recent.map(({ is_buy, quote_units }) => (is_buy ? 1 : -1) * Number(quote_units))) / LAMPORTS,
    }),
  }
}

/** `rs_sol` is what the curve holds now: nothing once it migrated. */
const curveOf = (curveTrades: readonly Event[], isMigrated: boolean): Expected => {
  const reserves = curveTrades.map(({ real_quote_units }) => Number(real_quote_units) / LAMPORTS)
  const [peak, last] = [Math.max(0, ...reserves), reserves.at(-1) ?? 0]
  return {
    'curve.peak_rs_sol': peak,
    ...(isMigrated
      ? { 'curve.rs_sol': 0 }
      : { 'curve.rs_sol': last, 'curve.progress': Math.min(1, last / 85), 'curve.drawdown_from_peak': peak === 0 ? 0 : 1 - last / peak }),
  }
}

const holdersOf = (events: History, deals: readonly Event[], devs: readonly unknown[], slot: unknown): Expected => {
  const balances = new Map<unknown, number>()
  const add = (wallet: unknown, units: number): unknown => balances.set(wallet, (balances.get(wallet) ?? 0) + units)
  for (const { user, is_buy, token_units } of deals) add(user, is_buy ? Number(token_units) : -Number(token_units))
  for (const { user, is_deposit, token_units } of events.liquidity) add(user, is_deposit ? -Number(token_units) : Number(token_units))
  for (const { user, token_units } of events.late_buys) add(user, Number(token_units))
  const held = [...balances.values()].filter((units) => units > 0).sort((a, b) => b - a)
  const circulating = sum(held)
  const of = (wallets: readonly unknown[]): number => sum(wallets.map((wallet) => Math.max(0, balances.get(wallet) ?? 0))) / SUPPLY
  const bundle = [...new Set(deals.flatMap((deal) => (deal.is_buy && deal.slot === slot && !devs.includes(deal.user) ? [deal.user] : [])))]
  return {
    'holders.n_holders': held.length,
    'holders.top5_share': sum(held.slice(0, 5)) / SUPPLY,
    'holders.hhi': circulating === 0 ? null : sum(held.map((units) => (units / circulating) ** 2)),
    'holders.circulating_tokens': circulating / UNITS,
    'holders.dev_share': of(devs),
    'holders.n_bundle_wallets': bundle.length,
    'holders.bundle_share': of(bundle),
  }
}

const flagsOf = (fired: readonly Event[]): Expected => ({
  rug_flags: fired.map(({ flag, at, finding_id }) => `${flag} ${at} ${finding_id}`).sort(),
  flags: fired.map(({ flag }) => flag).sort(),
  'exit_signals.creator_sold': fired.some(({ flag }) => flag === 'creator_sold'),
  'holders.bundle_dumped': fired.some(({ flag }) => flag === 'bundle_dumped'),
})

/** The outcome as first settled: later events never change it. */
const outcomeOf = ([settled]: readonly Event[]): Expected =>
  settled === undefined
    ? {}
    : {
        'outcome.graduated': settled.graduated === null ? null : Boolean(settled.graduated),
        'outcome.rugged': settled.rugged === null ? null : Boolean(settled.rugged),
        'outcome.rug_kind': settled.rug_kind,
        'outcome.rug_dt_s': settled.rug_dt_s,
        'outcome.settled_at': settled.at,
        'outcome.n_trades': settled.n_trades,
        'outcome.n_buyers': settled.n_buyers,
      }

const expectedOf = (card: Json, history: History, t: number): Expected => {
  const mint = String(card.mint)
  const events = upTo(history, mint, placeOf(String((card.as_of as Json).position)))
  const [launch] = events.launches
  if (launch === undefined) return {}
  const [isSol, isMayhem] = [launch.quote_mint === null || launch.quote_mint === '', Boolean(launch.is_mayhem)]
  const curveDeals = events.trades.filter(({ is_agent }) => !is_agent)
  const deals = [...curveDeals, ...events.pool_trades.filter(({ is_agent }) => !is_agent)].sort((a, b) => (a.place < b.place ? -1 : 1))
  const devs = card.dev_wallets as readonly unknown[]
  const devBuys = curveDeals.filter(({ is_buy, slot, user }) => is_buy && slot === launch.slot && devs.includes(user))
  return {
    creator: launch.creator,
    created_at: launch.at,
    age_s: t - launch.at,
    'curve.is_mayhem': isMayhem,
    'curve.migrated': events.migrations.length > 0,
    ...(isSol && { 'curve.dev_buy_sol': sum(devBuys.map(({ quote_units }) => Number(quote_units))) / LAMPORTS }),
    ...(isSol && !isMayhem && curveOf(events.trades, events.migrations.length > 0)),
    ...demandOf(deals, t, isSol),
    ...(!isMayhem && events.transfers.length === 0 && holdersOf(events, deals, devs, launch.slot)),
    ...flagsOf(events.flags),
    ...outcomeOf(history.outcomes.filter((row) => row.mint === mint && row.at <= t)),
  }
}

const SHAPES: Readonly<Record<string, (card: Json) => unknown>> = {
  rug_flags: ({ rug_flags: flags }) =>
    (flags as readonly Json[]).map(({ flag, first_seen_at, finding_id }) => `${flag} ${first_seen_at} ${finding_id}`).sort(),
  flags: ({ flags }) =>
    Object.entries(flags as Json)
      .flatMap(([flag, hasFired]) => (hasFired === true ? [flag] : []))
      .sort(),
}
const valueIn = (card: Json, path: string): unknown =>
  SHAPES[path]?.(card) ?? path.split('.').reduce<unknown>((at, name) => (at as Json | null)?.[name] ?? null, card)

const isNear = (a: unknown, b: unknown): boolean =>
  typeof a === 'number' && typeof b === 'number'
    ? Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b))
    : JSON.stringify(a) === JSON.stringify(b)

/** Compares each path over all subjects. */
export const compare = (
  component: string,
  subjects: readonly { readonly valueAt: (path: string) => unknown; readonly expected: Expected; readonly name: string }[],
  paths: readonly string[],
): readonly Verdict[] =>
  paths.map((path) => {
    const row = `${component} ${path} = SQL`
    const known = subjects.filter(({ expected }) => path in expected)
    if (known.length === 0) return unobserved(row, 'none of the answers has it')
    const wrong = known.find(({ valueAt, expected }) => !isNear(valueAt(path), expected[path]))
    return wrong === undefined
      ? held(row)
      : broken(row, `${wrong.name}: ${JSON.stringify(wrong.valueAt(path))}, SQL ${JSON.stringify(wrong.expected[path])}`)
  })

const PATHS = [
  ...['creator', 'created_at', 'age_s', 'curve.is_mayhem', 'curve.migrated', 'curve.dev_buy_sol', 'curve.peak_rs_sol', 'curve.rs_sol'],
  ...['curve.progress', 'curve.drawdown_from_peak', 'demand.unique_buyers', 'demand.buys_60s', 'demand.sells_60s', 'demand.net_sol_60s'],
  ...['n_holders', 'top5_share', 'hhi', 'circulating_tokens', 'dev_share', 'n_bundle_wallets', 'bundle_share', 'bundle_dumped'].map(
    (name) => `holders.${name}`,
  ),
  ...['rug_flags', 'flags', 'exit_signals.creator_sold'],
  ...['graduated', 'rugged', 'rug_kind', 'rug_dt_s', 'settled_at', 'n_trades', 'n_buyers'].map((name) => `outcome.${name}`),
]

export const holdCards = async (demo: Demo, { replies }: Answers): Promise<readonly Verdict[]> => {
  const cards = replies.filter(({ path, status, body }) => path.startsWith('/v1/mint/') && status === 200 && body.coverage === 'full')
  await demo.historyHas(Math.max(...cards.map(({ body }) => Number((body.meta as Json).last_slot))))
  const history = await readHistory(
    demo,
    cards.map(({ body }) => String((body.data as Json).mint)),
  )
  const subjects = cards.map(({ body }) => {
    const card = body.data as Json
    return {
      name: String(card.mint),
      valueAt: (path: string) => valueIn(card, path),
      expected: expectedOf(card, history, Number(card.created_at) + Number(card.age_s)),
    }
  })
  return compare('FullMintCard', subjects, PATHS)
}
