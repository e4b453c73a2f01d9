// Wallets in the history: positions, results, class and rank, rule by rule.
import { type Key, toBase58 } from '../../schemas/keys.ts'
import type { Conclusion } from '../../schemas/types.ts'
import { computeWallets, readWallet } from '../../topology/history/wallets.ts'
import { historyDaysOf } from '../../topology/sinks/retention/history-days.ts'
import { key } from '../unit/processors/mint/market.ts'
import { describeEngine } from './history-server-given.ts'
import { fill, leaderboardOf, positionsOf } from './history-wallets-given.ts'
import { DAY, frame, launch, place, poolTrade, SOL, T0, trade } from './sink-figures-given.ts'
import { type GivenHistories, givenHistories } from './sink-given.ts'

const [ALICE, BOB] = [key(70), key(71)]
const [ONE, TWO] = [key(1), key(2)]

const sell = (tx: number, mint: Key, user: Key, lamports: number, tokenUnits: number) =>
  trade(tx, mint, user, lamports, 9, { isBuy: false, tokenUnits })
const buy = (tx: number, mint: Key, user: Key, lamports: number, tokenUnits: number) => trade(tx, mint, user, lamports, 9, { tokenUnits })
const role = (wallet: Key, mint: Key, at: number, number = 1): Conclusion => ({
  ...{ id: `role of ${number}`, chain: 'solana', number, tx: 0, outer: 0, inner: 1, hash8: `h${number}`, at },
  body: { type: 'role', mint, wallet, role: 'bundle', counterpart: null, t0: at, slot0: number },
})

describeEngine('wallets in the history', () => {
  let given: GivenHistories
  beforeAll(async () => {
    given = await givenHistories({ copied: 2 })
  })
  afterEach(() => given.rollBack())
  afterAll(() => given.remove())

  test('sold coins cost the mean price of purchases in the window; fees raise purchases and reduce sales; the cost of free coins is unknown', async () => {
    const client = await given.lent()
    const fees = { feeUnits: 10, creatorFeeUnits: 5 }
    await fill(client, T0 + 60, (batch) =>
      batch.tape(
        frame(1, T0, [
          trade(1, ONE, ALICE, 1_000, 9, { tokenUnits: 10, ...fees }),
          trade(2, ONE, ALICE, 3_000, 9, { tokenUnits: 10 }),
          trade(3, ONE, ALICE, 1_500, 9, { isBuy: false, tokenUnits: 5, ...fees }),
          { ...poolTrade(4, ONE, 700), user: ALICE, tokenUnits: 3, userQuoteUnits: 650 },
          sell(5, TWO, ALICE, 5_000, 7),
          // Not counted: the agent, and coins against another quote.
          trade(6, ONE, ALICE, 9, 9, { isAgent: true }),
          trade(7, ONE, ALICE, 9, 9, { quoteMint: key(90) }),
        ]),
        true,
      ),
    )
    const [one, two] = await positionsOf(client)
    const cost = Math.floor((8 * 4_015) / 20)
    expect(one).toMatchObject({ trades: 4, bought_units: '20', sold_units: '8', paid_lamports: '4015', got_lamports: '2135' })
    expect(one).toMatchObject({
      realized_lamports: 2_135 - cost,
      is_closed: false,
      first_position: 'solana:1.1.0.1',
      position: 'solana:1.4.0.1',
    })
    expect(two).toMatchObject({ bought_units: '0', sold_units: '7', got_lamports: '5000', realized_lamports: null, is_closed: false })
    expect(await leaderboardOf(client)).toEqual([
      { rank: 1, wallet: toBase58(ALICE), class: 'crowd', realized_lamports: 2_135 - cost, n_positions: 2 },
    ])
  })
  test('after a fork that rolls back some frames of a span, only valid rows count, and a role is removed with its frame', async () => {
    const client = await given.lent()
    const old = frame(1, T0, [launch(0, ONE), buy(1, ONE, ALICE, 100, 10)])
    const dead = frame(2, T0 + 1_200, [sell(1, ONE, ALICE, 500, 10), buy(2, TWO, BOB, 7, 1)])
    await fill(client, T0 + 1_300, (batch) => {
      for (const one of [old, dead]) batch.tape(one, true)
      batch.conclusion(role(BOB, TWO, T0 + 1_200, 2), 0)
    })
    expect((await leaderboardOf(client)).map(({ class: kind }) => kind)).toEqual(['crowd', 'insider'])
    await fill(client, T0 + 1_300, (batch) => {
      batch.tape(dead, true, 5)
      batch.conclusion(role(BOB, TWO, T0 + 1_200, 2), 1, 'a retraction')
    })
    const bought = {
      wallet: toBase58(ALICE),
      mint: toBase58(ONE),
      sold_units: '0',
      realized_lamports: 0,
      is_sniped: true,
      event_id: 'solana:1.1.0.1@h1',
    }
    expect(await positionsOf(client)).toEqual([expect.objectContaining(bought)])
    expect(await leaderboardOf(client)).toEqual([expect.objectContaining({ wallet: toBase58(ALICE), class: 'crowd' })])
    expect(await client.rows(`SELECT * FROM ${client.database}.wallet_roles`)).toEqual([])
    // The branch becomes canonical again.
    await fill(client, T0 + 1_300, (batch) => batch.tape({ ...dead, sequence: 6 }, true))
    expect((await positionsOf(client)).map(({ realized_lamports }) => realized_lamports)).toEqual([400, 0])
  })
  test('the window moves: trades older than 3 days do not count', async () => {
    const client = await given.lent()
    await fill(client, T0 + 60, (batch) => batch.tape(frame(1, T0, [buy(1, ONE, ALICE, 100, 10), buy(2, TWO, BOB, 100, 10)]), true))
    expect(await positionsOf(client)).toHaveLength(2)
    const later = T0 + 3 * DAY + 700
    await fill(client, later, (batch) => batch.tape(frame(2, later, [sell(1, ONE, ALICE, 300, 10)]), true))
    expect(await positionsOf(client)).toEqual([expect.objectContaining({ wallet: toBase58(ALICE), trades: 1, realized_lamports: null })])
  })
  test('late trades of a minute that was summed up long ago are counted', async () => {
    const client = await given.lent()
    await fill(client, T0 + 7_200, (batch) => batch.tape(frame(1, T0, [buy(1, ONE, ALICE, 100, 10)]), true))
    await client.command(
      `ALTER TABLE ${client.database}.trades_log UPDATE received_at = received_at - INTERVAL 1 HOUR WHERE 1 SETTINGS mutations_sync = 2`,
    )
    await fill(client, T0 + 7_200, (batch) => batch.tape(frame(2, T0 + 1, [sell(1, ONE, ALICE, 300, 10)]), true))
    expect(await positionsOf(client)).toEqual([expect.objectContaining({ trades: 2, realized_lamports: 200, is_closed: true })])
  })
  test('a wallet has the first class that applies, exactly at the limits of each rule', async () => {
    const client = await given.lent()
    const mints = Array.from({ length: 20 }, (_, n) => key(100 + n))
    const closed = (user: Key, mint: Key, gain: number) => [
      buy(next(), mint, user, 1_000, 10),
      trade(next(), mint, user, 1_000 + gain, 9, { isBuy: false, tokenUnits: 10 }),
    ]
    const [insider, notInsider, sniper, notSniper, skilled, unlucky, few] = [80, 81, 82, 83, 84, 85, 86].map((n) => key(n)) as [
      Key,
      Key,
      Key,
      Key,
      Key,
      Key,
      Key,
    ]
    const nth = (n: number): Key => mints[n] as Key
    const launches = mints.map((mint, n) => launch(n, mint))
    let tx = 0
    const next = (): number => (tx += 1)
    const sniped = (user: Key, n: number) => mints.slice(0, n).map((mint) => buy(next(), mint, user, 10, 1))
    const late = (user: Key, n: number) => mints.slice(10, 10 + n).map((mint) => buy(next(), mint, user, 10, 1))
    const traded = (user: Key, wins: number, all: number) =>
      mints.slice(0, all).flatMap((mint, i) => closed(user, mint, i < wins ? 1_000 : -100))
    await fill(client, T0 + 300, (batch) => {
      const frames = [frame(1, T0, launches), frame(3, T0 + 1, [...sniped(sniper, 3), ...sniped(notSniper, 2)])]
      const rest = [...late(sniper, 3), ...late(notSniper, 3), ...traded(skilled, 6, 10), ...traded(unlucky, 5, 10), ...traded(few, 9, 9)]
      const inside = [
        ...mints.slice(0, 10).map((mint) => buy(next(), mint, insider, 10, 1)),
        ...mints.slice(0, 11).map((mint) => buy(next(), mint, notInsider, 10, 1)),
      ]
      for (const one of [...frames, frame(9, T0 + 2, [...rest, ...inside])]) batch.tape(one, true)
      for (let n = 0; n < 3; n++) {
        batch.conclusion(role(insider, nth(n), T0, 1), 2 * n)
        batch.conclusion(role(notInsider, nth(n), T0, 1), 2 * n + 1)
      }
    })
    const classes = new Map((await leaderboardOf(client)).map(({ wallet, class: kind }) => [wallet, kind]))
    const listed = [insider, notInsider, sniper, notSniper, skilled, unlucky, few].map((wallet) => classes.get(toBase58(wallet)))
    expect(listed).toEqual(['insider', 'crowd', 'sniper', 'crowd', 'skilled', 'crowd', 'crowd'])
  })
  test('amounts that add up to more than 64 bits never overflow', async () => {
    const client = await given.lent()
    const most = Number.MAX_SAFE_INTEGER
    await fill(client, T0 + 60, (batch) => {
      const pool = (tx: number, isBuy: boolean) => ({ ...poolTrade(tx, ONE, 1_000), user: ALICE, tokenUnits: most, isBuy })
      batch.tape(
        frame(
          1,
          T0,
          Array.from({ length: 2_600 }, (_, tx) => pool(tx, tx % 2 === 0)),
        ),
        true,
      )
      batch.tape(frame(2, T0 + 1, [buy(1, TWO, BOB, most - 1, 1), sell(2, TWO, BOB, 1, most)]), true)
    })
    const [alice, bob] = await positionsOf(client)
    expect(alice).toMatchObject({ bought_units: String(BigInt(most) * 1_300n), realized_lamports: 0, is_closed: true })
    expect(bob?.realized_lamports).toBe(Number(1n - BigInt(most) * BigInt(most - 1)))
    expect((await leaderboardOf(client)).map(({ rank }) => rank)).toEqual([1, 2])
  })
  test('with amounts beyond 64 bits, positions, results and ranks are exact to the unit; beyond 127 bits a result is exact to 12 digits', async () => {
    const client = await given.lent()
    const [paid, got, units] = [2n ** 100n + 1n, 2n ** 101n + 3n, 2n ** 120n + 7n]
    const huge = 2n ** 180n
    await fill(client, T0 + 60, (batch) => {
      const of = (tx: number, user: Key, isBuy: boolean, quoteUnits: bigint, tokenUnits: bigint) =>
        trade(tx, ONE, user, 0, 9, { isBuy, tokenUnits, quoteUnits, feeUnits: 2n ** 80n, creatorFeeUnits: 1 })
      const more = { ...poolTrade(5, ONE, 0), user: ALICE, tokenUnits: 5n * 2n ** 70n, userQuoteUnits: 2n ** 90n, isBuy: true }
      batch.tape(frame(1, T0, [of(1, ALICE, true, paid, units), of(2, ALICE, false, got, units), more]), true)
      batch.tape(frame(2, T0 + 1, [of(1, BOB, true, paid, huge), of(2, BOB, false, paid, huge / 2n)]), true)
    })
    const fees = 2n ** 80n + 1n
    const [bought, spent] = [units + 5n * 2n ** 70n, paid + fees + 2n ** 90n]
    const realized = got - fees - (units * spent) / bought
    const [alice, bob] = await positionsOf(client)
    expect(alice).toMatchObject({
      bought_units: String(bought),
      sold_units: String(units),
      paid_lamports: String(spent),
      got_lamports: String(got - fees),
    })
    expect(bob).toMatchObject({ bought_units: String(huge), sold_units: String(huge / 2n) })
    const { result } = await readWallet(client, ALICE, null)
    expect(result).toMatchObject({ rank: 1, realizedLamports: realized })
    const expected = Number(paid - fees - (paid + fees) / 2n)
    expect(Math.abs((bob?.realized_lamports ?? 0) - expected) / expected).toBeLessThan(1e-12)
  })
  test('the record of a wallet has its rank and last payment, is current if it is not ranked yet, and empty if it never traded', async () => {
    const client = await given.lent()
    const paid = { type: 'transfer' as const, ...place(9), timestamp: null, funder: BOB, wallet: ALICE, amountLamports: SOL }
    await fill(client, T0 + 60, (batch) => {
      batch.tape(frame(1, T0, [buy(1, ONE, ALICE, 100, 10), sell(2, ONE, ALICE, 150, 10), { ...paid, amountLamports: 2 * SOL }]), true)
      batch.tape(frame(2, T0 + 1, [paid]), true)
    })
    const payment = { funder: BOB, amountLamports: SOL, at: T0 + 1, place: { number: 2, tx: 9, outer: 0, inner: 1 } }
    const figures = { class: 'crowd', positions: 1, closed: 1, won: 1, sniped: 0, withRole: 0, trades: 2, realizedLamports: 50 }
    const context = { ranked: 1, rankedMax: 100_000, since: T0 }
    expect(await readWallet(client, ALICE, T0)).toEqual({ ...context, result: { ...figures, rank: 1 }, asOf: T0 + 60, payment })
    expect(await readWallet(client, BOB, T0)).toEqual({ ...context, result: null, asOf: T0 + 60, payment: null })
    await client.command(`TRUNCATE TABLE ${client.database}.wallet_leaderboard`)
    expect(await readWallet(client, ALICE, T0)).toMatchObject({ ranked: 0, result: { ...figures, rank: null }, asOf: T0 + 60 })
    const empty = await given.lent()
    await computeWallets(empty)
    expect(await readWallet(empty, ALICE, null)).toEqual({
      ranked: 0,
      rankedMax: 100_000,
      result: null,
      asOf: null,
      since: null,
      payment: null,
    })
  })
  test('results that a refresh inserts after a day was dropped, and that include it, are computed again', async () => {
    const client = await given.lent()
    const { database } = client
    await fill(client, T0 + DAY + 60, (batch) => {
      batch.tape(frame(1, T0, [buy(1, ONE, ALICE, 100, 10), sell(2, ONE, ALICE, 150, 10)]), true)
      batch.tape(frame(2, T0 + DAY, [buy(1, ONE, BOB, 100, 10), sell(2, ONE, BOB, 120, 10)]), true)
    })
    const ranked = async () => (await leaderboardOf(client)).map(({ wallet }) => wallet)
    expect(await ranked()).toEqual([ALICE, BOB].map((wallet) => toBase58(wallet)))
    await client.command(`CREATE TABLE ${database}.in_flight ENGINE = Memory AS SELECT * FROM ${database}.wallet_results_log`)
    await historyDaysOf(client).drop(new Date(T0 * 1_000).toISOString().slice(0, 10).replaceAll('-', ''))
    await client.command(`INSERT INTO ${database}.wallet_results_log SELECT * FROM ${database}.in_flight`)
    await client.command(`DROP TABLE ${database}.in_flight`)
    await computeWallets(client)
    expect(await ranked()).toEqual([toBase58(BOB)])
  })
})
