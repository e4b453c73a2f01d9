// A demo in a history: its lookup views for one event, one coin, one wallet, compared with the tables.
import type { HistoryClient } from '../../topology/history/client.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import { playDemo } from '../fixtures/demo-history.ts'
import { fillHistory } from '../tools/two-ways/history-of.ts'
import { describeEngine } from './history-server-given.ts'
import { type GivenHistories, givenHistories } from './sink-given.ts'

const PLAY = { seed: 7, rate: 1, historyMinutes: 20, frameMinutes: 2, forksPerHour: 600 }
const PATIENCE_MS = 600_000
const EVENTS = [
  ...['launches', 'trades', 'completions', 'post_complete_buys', 'migrations', 'pools', 'pool_trades', 'pool_liquidity', 'pool_boosts'],
  ...['creator_changes', 'mayhem_reserves', 'transfers', 'funding', 'frames'],
]

interface FoundEvent {
  readonly table: string
  readonly event_id: string
  readonly mint: string | null
  readonly signature: string | null
}

describeEngine('lookup views', () => {
  let given: GivenHistories
  let client: HistoryClient
  const rows = <Row>(sql: string, params: Record<string, string | number> = {}): Promise<readonly Row[]> =>
    client.rows<Row>(sql.replaceAll('mintfold.', `${client.database}.`), params)
  beforeAll(async () => {
    given = await givenHistories({ views: false })
    const log = createMemoryLog({ partitions: 2 })
    await playDemo(log, PLAY)
    client = await given.fresh()
    await fillHistory(log, client)
  }, PATIENCE_MS)
  afterAll(() => given.remove())

  const found = (id: string): Promise<readonly FoundEvent[]> => rows<FoundEvent>('SELECT * FROM mintfold.event(id = {id:String})', { id })

  test(
    'an event id leads to the row of the event in its table',
    async () => {
      const seen: string[] = []
      for (const table of EVENTS) {
        const ids = await rows<{ event_id: string }>(`SELECT event_id FROM mintfold.${table} ORDER BY cityHash64(event_id) LIMIT 2`)
        for (const { event_id: id } of ids) {
          const [event, ...more] = await found(id)
          expect([event, more]).toEqual([expect.objectContaining({ table, event_id: id }), []])
          seen.push(table)
        }
      }
      expect(new Set(seen).size).toBeGreaterThanOrEqual(9)
      const derived = await rows<{ event_id: string }>("SELECT event_id FROM mintfold.transfers WHERE event_id LIKE '%.~.%' LIMIT 1")
      expect((await found(derived[0]?.event_id ?? ''))[0]).toMatchObject({ table: 'transfers' })
    },
    PATIENCE_MS,
  )
  test(
    'each event that proves a flag is found, with the coin of the flag',
    async () => {
      const flags = await rows<{ mint: string; events: readonly string[] }>(
        'SELECT mint, events FROM mintfold.flags ORDER BY finding_id LIMIT 6',
      )
      expect(flags.length).toBeGreaterThan(5)
      for (const { mint, events } of flags)
        for (const id of events) {
          const [event, ...more] = await found(id)
          expect([event, more]).toEqual([expect.objectContaining({ event_id: id }), []])
          expect([mint, null]).toContain(event?.mint)
        }
    },
    PATIENCE_MS,
  )
  test.each(['', 'solana:1.2.3.4@abcdef01', "x' OR 1 = 1", 'solana:99999999999999999999.1.1.1@abcdef01'])('%j has no row', async (id) => {
    expect(await rows('SELECT * FROM mintfold.event(id = {id:String})', { id })).toEqual([])
  })

  test('a coin has what its bundle bought in the slot of the launch', async () => {
    const launches = await rows<{ mint: string; slot: number; supply: number; wallets: number; units: number }>(
      `SELECT l.mint AS mint, l.slot AS slot, ifNull(l.supply_units, 1000000000000000) AS supply,
         uniqExact(t.user) AS wallets, sum(t.token_units) AS units
       FROM mintfold.launches AS l JOIN mintfold.wallet_roles AS r ON r.mint = l.mint
       JOIN mintfold.trades AS t ON t.mint = l.mint AND t.user = r.wallet
       WHERE r.role = 'bundle' AND t.slot = l.slot AND t.is_buy GROUP BY mint, slot, supply ORDER BY mint`,
    )
    expect(launches.length).toBeGreaterThan(5)
    for (const { mint, supply, wallets, units } of launches)
      expect(await rows(`SELECT * FROM mintfold.coin(mint = '${mint}')`)).toEqual([
        expect.objectContaining({
          ...{ mint, is_before_history: false, bundle_wallets: wallets, bundle_units: units, bundle_reason: null },
          bundle_share: expect.closeTo(units / supply, 9),
        }),
      ])
  })
  test('a coin without its launch, without the trades of its create slot, or unknown: null with the reason', async () => {
    const [launched] = await rows<{ mint: string }>('SELECT mint FROM mintfold.launches ORDER BY slot LIMIT 1')
    const mint = launched?.mint ?? ''
    const ofCoin = async (asked: string) => (await rows(`SELECT * FROM mintfold.coin(mint = '${asked}')`))[0]
    const none = { bundle_wallets: null, bundle_units: null, bundle_share: null }
    expect(await ofCoin('unknown')).toMatchObject({
      ...none,
      is_before_history: null,
      first_seen_at: null,
      bundle_reason: 'its launch is not known here',
    })
    await client.command(
      `INSERT INTO ${client.database}.dropped_days_log (day) SELECT toDate(min(tick_at)) FROM ${client.database}.launches`,
    )
    const reason = 'trades of its create slot are not known any more'
    expect(await ofCoin(mint)).toMatchObject({ ...none, is_before_history: false, bundle_reason: reason })
    await client.command(`TRUNCATE TABLE ${client.database}.dropped_days_log`)
    await client.command(`DELETE FROM ${client.database}.launches_log WHERE mint = '${mint}'`)
    expect(await ofCoin(mint)).toMatchObject({ ...none, is_before_history: true, launched_at: null, first_seen_at: expect.any(String) })
  })

  test(
    'a first buy has the last payer of the wallet before it',
    async () => {
      interface Buy {
        readonly mint: string
        readonly place: readonly number[]
      }
      interface Payment extends Buy {
        readonly funder: string
      }
      const before = (one: readonly number[], other: readonly number[]): boolean => {
        const at = one.findIndex((part, n) => part !== other[n])
        return at >= 0 && (one[at] as number) < (other[at] as number)
      }
      const wallets = await rows<{ wallet: string }>(
        `SELECT user AS wallet FROM mintfold.trades WHERE is_buy AND user IN (SELECT wallet FROM mintfold.funding)
       GROUP BY wallet ORDER BY uniqExact(mint) DESC, wallet LIMIT 8`,
      )
      const [unpaid] = await rows<{ wallet: string }>(
        'SELECT user AS wallet FROM mintfold.trades WHERE is_buy AND user NOT IN (SELECT wallet FROM mintfold.funding) ORDER BY wallet LIMIT 1',
      )
      const counts = { paid: 0, unpaid: 0 }
      for (const wallet of [...wallets.map((row) => row.wallet), unpaid?.wallet ?? '']) {
        const position = '[slot, tx_index, outer_ix, inner_ix] AS place'
        const payments = await rows<Payment>(`SELECT funder, '' AS mint, ${position} FROM mintfold.funding WHERE wallet = '${wallet}'`)
        const buys = await rows<Buy>(
          `SELECT mint, ${position} FROM mintfold.trades WHERE user = '${wallet}' AND is_buy
         UNION ALL SELECT mint, ${position} FROM mintfold.pool_trades WHERE user = '${wallet}' AND is_buy`,
        )
        const first = new Map<string, Buy>()
        for (const buy of buys) if (!first.has(buy.mint) || before(buy.place, (first.get(buy.mint) as Buy).place)) first.set(buy.mint, buy)
        const expected = [...first.values()].map(({ mint, place: bought }) => {
          const earlier = payments.filter((payment) => before(payment.place, bought))
          const last = earlier.reduce<Payment | null>(
            (newest, payment) => (newest === null || before(newest.place, payment.place) ? payment : newest),
            null,
          )
          counts[last === null ? 'unpaid' : 'paid']++
          return { mint, funder: last?.funder ?? null, has_reason: last === null }
        })
        const found = await rows<{ mint: string; funder: string | null; has_reason: boolean }>(
          `SELECT mint, funder, funder_reason IS NOT NULL = 1 AS has_reason FROM mintfold.first_buys(wallet = '${wallet}')`,
        )
        const byMint = (list: readonly { mint: string }[]) => [...list].sort((one, other) => (one.mint < other.mint ? -1 : 1))
        expect(byMint(found.map((row) => ({ ...row, has_reason: Boolean(row.has_reason) })))).toEqual(byMint(expected))
      }
      expect(Math.min(counts.paid, counts.unpaid)).toBeGreaterThan(0)
    },
    PATIENCE_MS,
  )
})
