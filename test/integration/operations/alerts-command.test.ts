// `mintfold alerts list|test|cancel`, next to the process that delivers.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type AlertStore, TableRows } from '../../../query-api/alerts/rows/table-rows.ts'
import { register } from '../../../topology/cli/commands/alerts.ts'
import { openLmdbTables } from '../../../topology/data-dir/lmdb-tables.ts'
import { ALERT_TABLES, ALERTS_FOLDER } from '../../../topology/operations/backup/data-dir.ts'
import { type ControlServer, serveControl } from '../../../topology/operations/control/server.ts'
import { runCommand } from '../../fakes/run-command.ts'
import { NOW_S } from '../../unit/query-api/given-mint.ts'
import { eventually, quiet } from '../alerts-checks.ts'
import { type GivenAlerts, givenAlerts } from '../alerts-given.ts'

let dataDir = ''
let given: GivenAlerts
let tables: ReturnType<typeof openLmdbTables<Record<string, never>>>
let control: ControlServer
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'mintfold-alerts-'))
  tables = openLmdbTables<Record<string, never>>(join(dataDir, ALERTS_FOLDER), ALERT_TABLES)
  given = await givenAlerts({ rows: new TableRows(tables.tables as unknown as AlertStore) })
  const handlers = {
    status: () => given.view.status(),
    'alerts-test': ({ id }: { readonly id?: unknown }) => given.alerts.test(String(id)),
  }
  control = await serveControl(dataDir, handlers)
})
afterEach(async () => {
  await control.close()
  await given.close()
  await tables.close()
  await rm(dataDir, { recursive: true, force: true })
})
const run = (...args: string[]) => runCommand(register, ['alerts', ...args], { env: { MINTFOLD_DATA_DIR: dataDir } })

test('list shows the state of each subscription, and no secret', async () => {
  const { subscription_id: id, secret } = await given.buy({ url: `${given.receiver.url}/SECRET-PATH` })
  const bot = await given.buy({ target: 'telegram', url: null, chat_id: '@SECRET', bot_token: '1:SECRET' })
  given.odds.append({ mint: 'm'.repeat(32) as never, head: 'true_graduation', ppm: 900_000, at: NOW_S })
  await eventually(
    () => given,
    () => given.receiver.taken.length === 2,
  )
  await eventually(
    () => given,
    async () => (await given.rows.all('counts')).size === 2,
  )
  const text = await run('list')
  const targets = text.out
    .trim()
    .split('\n')
    .map((line) => line.split('\t')[5]?.replace(/\d+$/, ''))
  expect(targets.sort()).toEqual(['generic 127.0.0.1:', 'telegram'])
  expect(text.out).toContain('1 delivered, 0 pending, 0 given up')
  expect(text.stderr).toEqual(['2 of 2 subscriptions (2 running, 0 expired, 0 cancelled)'])
  const json = await run('list', '--format', 'json', '--state', 'running')
  const lines = json.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(new Set(lines.map((line) => line.id))).toEqual(new Set([id, bot.subscription_id]))
  expect(lines[0]).toMatchObject({ state: 'running', delivered: 1, kinds: ['graduation_odds'], min_odds: 0.5, dead: [] })
  for (const hidden of ['SECRET', secret, bot.secret]) expect(text.out + json.out).not.toContain(hidden)
})

test('list states of a target that fails until when it is paused, why, and since when', async () => {
  await given.buy()
  given.receiver.answer = 'cut'
  given.odds.append({ mint: 'm'.repeat(32) as never, head: 'true_graduation', ppm: 900_000, at: NOW_S })
  await eventually(
    () => given,
    async () => (await given.rows.all('paused')).size === 1,
  )
  const since = new Date(given.time.wallMs).toISOString()
  const until = new Date(given.time.wallMs + 1_000).toISOString()
  expect((await run('list')).out).toContain(`\tpaused until ${until}: connection_reset, 1 times in a row since ${since}\n`)
  const json = JSON.parse((await run('list', '--format', 'json')).out) as object
  expect(json).toMatchObject({ paused: { until, since, failures: 1, reason: 'connection_reset' } })
})

test('test has the running process send one message of the kind test, and exits with 1 if the target refused it', async () => {
  const { subscription_id: id } = await given.buy()
  const taken = await run('test', id)
  expect([taken.code, taken.stderr]).toEqual([0, [`${id}: the target accepted the test`]])
  expect(JSON.parse(given.receiver.received[0]?.body ?? '')).toMatchObject({ kind: 'test', odds: null })
  given.receiver.answer = 404
  const refused = await run('test', id)
  expect([refused.code, refused.stderr]).toEqual([1, [`${id}: the target did not accept the test: status 404`]])
  expect((await run('test', 'sub_none')).error).toMatchObject({
    name: 'UsageError',
    message: expect.stringContaining('mintfold alerts list'),
  })
  await control.close()
  expect((await run('test', id)).error).toMatchObject({
    code: 'control_unreachable',
    message: expect.stringContaining('start it, then test'),
  })
})

test('list calls no subscription expired while no mintfold that knows the time of the stream runs', async () => {
  await given.buy()
  await control.close()
  const { out, stderr } = await run('list')
  expect(out).toContain('\tunknown\t')
  expect(stderr).toEqual([
    expect.stringContaining('no mintfold runs'),
    '1 of 1 subscriptions (0 running, 0 expired, 0 cancelled, 1 unknown)',
  ])
})

test('cancel ends a subscription permanently, and the running process delivers nothing more', async () => {
  const { subscription_id: id } = await given.buy()
  expect((await run('cancel', id)).stderr).toEqual([`${id} is cancelled`])
  expect((await run('cancel', id)).stderr).toEqual([`${id} was already cancelled`])
  // A round that began before the cancellation may still deliver.
  await quiet(given)
  given.odds.append({ mint: 'm'.repeat(32) as never, head: 'true_graduation', ppm: 900_000, at: NOW_S })
  await quiet(given)
  expect(given.receiver.received).toEqual([])
  expect((await run('list')).out).toContain('\tcancelled\t')
  expect((await run('cancel', 'sub_none')).error).toMatchObject({ name: 'UsageError' })
})
