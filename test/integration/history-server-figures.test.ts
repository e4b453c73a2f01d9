// The History port over a real engine with the shipped tables: figures that appear, disappear and return.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HEX_KEYS, type Key, keyOf, keyText, toBase58 } from '../../schemas/keys.ts'
import { createHistoryClient, type HistoryClient } from '../../topology/history/client.ts'
import { ClickHouseHistory } from '../../topology/history/history.ts'
import { readMigrations } from '../../topology/history/tables/migrate.ts'
import type { SinkStatus } from '../../topology/ports/history.ts'
import { removeDirectory } from '../tools/remove-directory.ts'
import { until } from '../tools/until.ts'
import { DATABASE, describeEngine, type GivenEngine, givenEngine, givenFake } from './history-server-given.ts'

const T0 = 1_790_000_040 // the start of a minute
const [COIN, POOL] = [1, 2].map((byte) => keyOf(new Uint8Array(32).fill(byte))) as [Key, Key]
const TOKEN = HEX_KEYS.parse(`0x${'ab'.repeat(20)}`) as Key
const SINK: SinkStatus = { rows: 7, upTo: T0, trouble: null }
const opened = (at: ConstructorParameters<typeof ClickHouseHistory>[0]['at'], notices: string[] = []) =>
  new ClickHouseHistory({ at, sink: () => SINK, notice: (code) => notices.push(code) })

/** On a busy machine the look-up may take longer than its limit: it is asked again. */
const seriesOf = (history: ClickHouseHistory, asked: Parameters<ClickHouseHistory['series']>[0]) =>
  until(async () => (await history.series(asked)).ok).then(() => history.series(asked))

const insert = (client: HistoryClient, table: string, rows: readonly object[]): Promise<void> =>
  client.insert({ table, format: 'JSONEachRow', body: Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join('')) })

describeEngine('the history', () => {
  let given: GivenEngine
  beforeAll(async () => {
    given = await givenEngine([DATABASE])
  })
  afterAll(() => given.remove())

  test('figures of an empty history are a reason; once there are rows, a refresh computes them', async () => {
    const history = opened(given.server.target())
    expect(history.regime()).toMatchObject({ ok: false })
    const client = await history.start()
    if (client === null) throw new Error(`no client: ${history.status().trouble}`)
    await history.refresh()
    expect(history.baseRates()).toMatchObject({ ok: false, reason: expect.stringContaining('yet') })
    expect(history.regime()).toMatchObject({ ok: false, reason: expect.stringContaining('yet') })
    await client.command('SYSTEM STOP VIEWS')
    const minute = (ago: number, rest: object) => ({
      minute: T0 - 60 * ago,
      launches: 0,
      mayhem: 0,
      buys: 0,
      sells: 0,
      buy_lamports: 0,
      sell_lamports: 0,
      failed: 0,
      total: 0,
      migrations: 0,
      true_graduations: 0,
      rug_flags: {},
      frames: 150,
      is_complete: true,
      refreshed_at: T0,
      ...rest,
    })
    await insert(client, 'progress_log', [{ sink: 'clickhouse', version: 1, up_to: 1_000 * T0 }])
    await insert(client, 'regime_minutes_log', [
      minute(1, { launches: 4, mayhem: 1, buys: 10, buy_lamports: 5_000_000_000, failed: 3, total: 12, rug_flags: { curve_drained: 1 } }),
      minute(60, { launches: 6, sells: 2, sell_lamports: 9, rug_flags: { curve_drained: 2, dev_sold: 1 } }),
      minute(61, { launches: 100, migrations: 2, true_graduations: 1 }),
      minute(1_441, { launches: 1_000 }),
      minute(0, { launches: 500, is_complete: false }),
    ])
    await history.refresh()
    expect(history.regime()).toEqual({
      ok: true,
      asOf: T0,
      value: {
        minute: expect.objectContaining({
          windowS: 60,
          launches: 4,
          observedS: 60,
          mayhemShare: 0.25,
          buys: 10,
          sells: 0,
          buyLamports: 5_000_000_000,
          failedShare: 0.25,
          rugFlags: { curve_drained: 1 },
        }),
        hour: expect.objectContaining({
          windowS: 3_600,
          launches: 10,
          observedS: 120,
          mayhemShare: 0.1,
          sells: 2,
          sellLamports: 9,
          rugFlags: { curve_drained: 3, dev_sold: 1 },
        }),
        day: expect.objectContaining({ windowS: 86_400, observedS: 180, launches: 110, migrations: 2, trueGraduations: 1 }),
      },
    })
    expect(history.regime()).toBe(history.regime())
    expect(history.status()).toMatchObject({ rows: 7, upTo: T0 })
    await history.stop()
  })

  test('a coin’s series buckets its trades on the curve and in its pool, without trades of another pool and trades after its end', async () => {
    const history = opened(given.server.target())
    const client = await history.start()
    if (client === null) throw new Error(`no client: ${history.status().trouble}`)
    const at = (second: number) => ({ tick_at: 1_000 * (T0 + second), at: 1_000 * (T0 + second) })
    const position = (slot: number) => ({ slot, tx_index: 1, outer_ix: 0, inner_ix: 0, hash8: 'abcdef01', version: slot })
    const coin = { mint: toBase58(COIN) }
    const trade = (second: number, rest: object) => ({
      ...{ ...position(second + 1), ...at(second), ...coin, is_buy: true, token_units: 7, quote_units: 10, virtual_quote_units: 40 },
      ...{ virtual_token_units: 800, real_quote_units: 20, ...rest },
    })
    await insert(client, 'trades_log', [
      trade(0, {}),
      trade(9, { is_buy: false, quote_units: 4, real_quote_units: 16 }),
      trade(20, { real_quote_units: null, virtual_quote_units: 44, quote_units: '9007199254740993' }),
      trade(61, { real_quote_units: 1 }),
      { ...trade(3, {}), mint: toBase58(POOL) },
    ])
    const pooled = {
      ...coin,
      pool: toBase58(POOL),
      is_buy: false,
      token_units: 1,
      quote_units: 3,
      pool_quote_units: 85,
      pool_token_units: 200,
    }
    await insert(client, 'pool_trades_log', [
      { ...position(51), ...at(50), ...pooled, virtual_quote_units: 5 },
      { ...position(53), ...at(52), ...pooled, pool: toBase58(COIN), pool_quote_units: 1 },
    ])
    const asked = { mint: COIN, pool: POOL, from: T0, until: T0 + 60, stepS: 10 }
    const none = { sells: 0, soldUnits: 0, isInPool: false }
    const price = { quoteUnits: 40, tokenUnits: 800 }
    expect(await seriesOf(history, asked)).toEqual({
      ok: true,
      value: [
        { ...none, at: T0, buys: 1, sells: 1, boughtUnits: 10, soldUnits: 4, reserveUnits: 16, price },
        { ...none, at: T0 + 20, buys: 1, boughtUnits: 9007199254740993n, reserveUnits: null, price: { ...price, quoteUnits: 44 } },
        {
          ...{ at: T0 + 50, buys: 0, sells: 1, boughtUnits: 0, soldUnits: 3, reserveUnits: 85 },
          ...{ price: { quoteUnits: 90, tokenUnits: 200 }, isInPool: true },
        },
      ],
    })
    expect(await seriesOf(history, { ...asked, pool: null, until: T0 + 5 })).toMatchObject({ value: [{ buys: 1, sells: 0 }] })
    expect(await seriesOf(history, { ...asked, until: T0 + 1_000_000, stepS: 1 })).toMatchObject({ value: { length: 1 } })
    await history.stop()
  })
  test('a token’s series computes the reserve of the curve from trades and buybacks', async () => {
    const history = opened(given.server.target())
    const client = await history.start()
    if (client === null) throw new Error(`no client: ${history.status().trouble}`)
    const token = keyText(TOKEN).toLowerCase()
    const event = (second: number, quote: string, rest: object = {}) => ({
      ...{
        block: second + 1,
        tx_index: 0,
        log_index: 0,
        hash8: 'abcdef01',
        version: second,
        tick_at: 1_000 * (T0 + second),
        token,
        curve: token,
      },
      ...{ token_units: '2000000000000000000', quote_units: quote, ...rest },
    })
    await insert(client, 'alt_trades_log', [
      event(0, '3000000000000000000', { is_buy: true }),
      event(30, '1000000000000000000', { is_buy: false }),
    ])
    await insert(client, 'alt_buybacks_log', [event(31, '5')])
    expect(await seriesOf(history, { mint: TOKEN, pool: null, from: T0, until: T0 + 60, stepS: 10 })).toMatchObject({
      value: [
        { at: T0, buys: 1, sells: 0, reserveUnits: 3000000000000000000n },
        { at: T0 + 30, buys: 0, sells: 1, soldUnits: 1000000000000000000n, reserveUnits: 2000000000000000005n },
      ],
    })
    await history.stop()
  })

  test('reports trouble when its own engine is killed, until the engine has restarted', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'mintfold-history-'))
    const history = opened({ dir, port: 0, database: 'mintfold' })
    const client = await history.start()
    expect(history.status().trouble).toBeNull()
    const pid = history.pid()
    process.kill(pid ?? 0, 'SIGKILL')
    await until(() => history.status().trouble !== null)
    await history.refresh()
    await until(() => history.pid() !== null && history.pid() !== pid && history.status().trouble === null)
    expect(await client?.rows('SELECT 1 AS one')).toEqual([{ one: 1 }])
    await history.stop()
    removeDirectory(dir)
  })

  test('a history of a newer program is refused: figures have the reason, and the status states what to set', async () => {
    const first = opened(given.server.target())
    await first.start()
    await first.stop()
    const schema = { migrations: readMigrations().slice(0, 1), views: [] }
    const history = new ClickHouseHistory({ at: given.server.target(), sink: () => null, notice: () => undefined, schema })
    expect(await history.start()).toBeNull()
    expect(history.baseRates()).toEqual({ ok: false, reason: 'the history store has another version' })
    expect(history.status()).toMatchObject({ rows: 0, upTo: null, trouble: expect.stringContaining('CLICKHOUSE_DATABASE') })
    await history.stop()
  })
})

describe('an external server', () => {
  test('that is too old is refused by name and not queried again', async () => {
    let asked = 0
    const fake = await givenFake((_request, response) => {
      asked++
      response.end('{"version":"18.16.1"}\n')
    })
    const history = opened({ url: fake.url, username: 'default', password: '', database: 'mintfold' })
    expect(await history.start()).toBeNull()
    expect(asked).toBe(1)
    expect(history.status().trouble).toContain('18.16.1')
    expect(history.regime()).toEqual({ ok: false, reason: 'the history store has another version' })
    await history.stop()
    await fake.close()
  })
  test('that is unavailable is retried and reported once, and a stop ends the retries', async () => {
    const notices: string[] = []
    let requests = 0
    const fake = await givenFake((request) => {
      requests++
      request.socket.destroy()
    })
    const history = opened({ url: fake.url, username: 'default', password: '', database: 'mintfold' }, notices)
    const starting = history.start()
    await until(() => requests >= 2)
    expect(history.baseRates()).toEqual({ ok: false, reason: 'the history store does not answer now' })
    await history.stop()
    expect(await starting).toBeNull()
    expect(notices).toEqual(['history_not_connected'])
    await fake.close()
  })
  test('that does not answer lets its client close', async () => {
    const client = createHistoryClient({ url: 'http://127.0.0.1:1', username: 'default', password: '', database: 'mintfold' })
    await expect(client.close()).resolves.toBeUndefined()
  })
})
