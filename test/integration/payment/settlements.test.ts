// The ledger of settlements, read and reconciled while a seller runs.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { TableLog } from '../../../query-api/payment/stores/table-log.ts'
import type { Io } from '../../../topology/cli/command.ts'
import { register as registerSettlements } from '../../../topology/cli/commands/settlements.ts'
import { openPaymentTables } from '../../../topology/cli/selling/payment-tables.ts'
import { send, startWorld, type World } from './world.ts'

let world: World
let dataDir = ''
let payments: ReturnType<typeof openPaymentTables>
beforeAll(async () => {
  world = await startWorld()
  dataDir = await mkdtemp(join(tmpdir(), 'mintfold-settlements-'))
  payments = openPaymentTables(dataDir)
})
afterAll(async () => {
  await payments.close()
  await world.close()
  await rm(dataDir, { recursive: true, force: true })
})

const run = async (...args: string[]): Promise<{ readonly lines: string[]; readonly stderr: string; readonly code: number }> => {
  const data: string[] = []
  const stderr: string[] = []
  let code = 0
  const io: Io = {
    out: async (text) => void data.push(String(text)),
    printNotice: (line) => void stderr.push(line),
    env: { MINTFOLD_DATA_DIR: dataDir, X402_RPC_URL: world.sandbox.rpcUrl },
    terminal: false,
    stop: new AbortController().signal,
    setExitCode: (value) => {
      code = value
    },
  }
  const program = new Command().exitOverride()
  registerSettlements(program.command('settlements'), io)
  await program.parseAsync(['settlements', ...args], { from: 'user' })
  return { lines: data.join('').split('\n').slice(0, -1), stderr: stderr.join('\n'), code }
}

test('lists sales of every outcome; reconcile settles the open one from the chain, and the payer still gets the answer', async () => {
  const shop = await world.open({
    table: payments.tables.book,
    log: new TableLog(payments.tables.settlements),
    facilitatorTimeoutMs: 20_000,
  })
  const { pay } = await world.buyer()
  expect((await pay(`${shop.url}/v1/a`)).status).toBe(200)
  world.facilitator.fault = 'reject'
  const refused = await world.signed(`${shop.url}/v1/b`)
  expect((await send(`${shop.url}/v1/b`, refused)).status).toBe(402)
  world.facilitator.fault = 'settle-then-drop'
  const header = await world.signed(`${shop.url}/v1/c`)
  expect((await send(`${shop.url}/v1/c`, header)).status).toBe(409)
  world.facilitator.fault = 'none'

  const before = await run('list')
  expect(before.stderr).toContain('3 of 3 payments (0 settling, 1 settled, 1 uncertain, 1 refused, 0 unreached)')
  expect(before.lines.map((line) => line.split('\t').slice(1, 4))).toEqual([
    ['uncertain', '0.025', '/v1/{any}'],
    ['refused', '0.025', '/v1/{any}'],
    ['settled', '0.025', '/v1/{any}'],
  ])
  const uncertain = (await run('list', '--state', 'uncertain', '--format', 'json')).lines.map((line) => JSON.parse(line) as object)
  expect(uncertain).toEqual([
    expect.objectContaining({ state: 'uncertain', amount: '25000', payTo: world.sandbox.payTo, transaction: null }),
  ])
  expect(JSON.stringify(uncertain)).not.toContain('signed')

  const reconciled = await run('reconcile')
  expect([reconciled.code, reconciled.lines.length, reconciled.stderr]).toEqual([0, 1, 'no outcome is open'])
  expect(reconciled.lines[0]).toMatch(/settled.*on the chain: landed/)
  const all = (await run('export')).lines.map((line) => JSON.parse(line) as { readonly state: string; readonly transaction: string | null })
  expect(all.map(({ state }) => state)).toEqual(['settled', 'refused', 'settled'])
  expect(all[2]?.transaction).toMatch(/^[1-9A-HJ-NP-Za-km-z]{80,90}$/)
  expect((await run('reconcile', '--all')).lines).toHaveLength(2)
  expect((await send(`${shop.url}/v1/c`, header)).status).toBe(200)
  expect((await run('export')).lines.map((line) => JSON.parse(line).state)).toEqual(['settled', 'refused', 'settled'])
})

test('names wrong usage', async () => {
  await expect(run('list', '--state', 'lost')).rejects.toMatchObject({ name: 'UsageError' })
  await expect(run('list', '--limit', '0')).rejects.toMatchObject({ name: 'UsageError' })
})
