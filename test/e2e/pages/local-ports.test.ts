// Ports of this machine that only programs use, attacked by a page in a real browser. Needs Chromium; skips with a notice without it.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tryResolveLibchdb } from 'chdb/libchdb'
import { Gauge } from 'prom-client'
import { READER } from '../../../topology/history/engine/access.ts'
import { createRegistry, serveMetrics } from '../../../topology/operations/metrics/server.ts'
import { startSandbox } from '../../../topology/sandbox/sandbox.ts'
import { paymentBody } from '../../fixtures/sandbox-payment.ts'
import { givenEngine } from '../../integration/history-server-given.ts'
import { inBrowser } from '../../tools/browser.ts'
import { ForeignPage, type LocalPort, type Outcome, tunnelTo } from './foreign-page.ts'

const MS_MAX = 120_000
const PORTS = ['metrics', 'sandbox RPC', ...(tryResolveLibchdb() === undefined ? [] : (['SQL'] as const))] as const

/** The attack only counts if the requests arrived: at least this many answers are seen for each way. */
const ANSWERS_MIN = 2

inBrowser('what pages can do to local ports')('a page of a stranger', () => {
  const ending: (() => Promise<unknown>)[] = []
  const ports = new Map<string, LocalPort>()
  let page: ForeignPage

  beforeAll(async () => {
    page = await ForeignPage.open()
    ending.push(() => page.close())
    for (const opened of await Promise.all(PORTS.map((name) => OPENERS[name]()))) {
      ports.set(opened.local.name, opened.local)
      ending.push(opened.close)
    }
  }, MS_MAX)
  afterAll(async () => {
    for (const end of ending.reverse()) await end()
  }, MS_MAX)

  const attack = async (name: (typeof PORTS)[number], tries: (local: LocalPort) => Promise<Outcome>): Promise<void> => {
    const local = ports.get(name) as LocalPort
    const before = await local.started()
    const { got, statuses } = await tries(local)
    expect(got.filter((text) => local.content.test(text))).toEqual([])
    expect([...new Set(statuses)]).toEqual([local.refusedWith])
    expect(statuses.length).toBeGreaterThanOrEqual(ANSWERS_MIN)
    expect(await local.started()).toEqual(before)
  }

  describe.each(PORTS)('gets nothing from %s, and starts nothing there', (name) => {
    test.each(['127.0.0.1', 'localhost'] as const)('by %s', (host) => attack(name, (local) => page.tryFromOutside(local, host)), MS_MAX)
    test('by its own name, pointed to this machine (DNS rebinding)', () => attack(name, (local) => page.tryRebound(local)), MS_MAX)
    test('through an SSH tunnel on another port', async () => {
      const tunnel = await tunnelTo((ports.get(name) as LocalPort).port)
      await attack(name, (local) => page.tryFromOutside(local, '127.0.0.1', tunnel.port)).finally(() => tunnel.close())
    }, 120_000)
  })
})

interface Opened {
  readonly local: LocalPort
  readonly close: () => Promise<unknown>
}

/** Its figures are read at each scrape: reads count as something started. */
const openMetrics = async (): Promise<Opened> => {
  const registry = createRegistry('up', '0.1.0')
  let scrapes = 0
  const collect = (): void => {
    scrapes += 1
  }
  new Gauge({ name: 'mintfold_scrapes', help: 'counts', registers: [registry], collect })
  const server = await serveMetrics(registry, { host: '127.0.0.1', port: 0, isSet: true, names: [] })
  const port = Number(new URL(server.url).port)
  const attempts = async () => [{ path: '/metrics' }]
  return {
    local: { name: 'metrics', port, attempts, refusedWith: 403, content: /mintfold_info/, started: () => scrapes },
    close: () => server.close(),
  }
}

/** The page has a payment that can be settled, which moves money, and asks for balances. */
const openSandbox = async (): Promise<Opened> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'mintfold-page-'))
  const sandbox = await startSandbox({ dataDir })
  const attempts = async () => [
    { path: '/facilitator/supported' },
    { path: '/facilitator/settle', post: JSON.stringify(await paymentBody(sandbox, '1000')) },
    { path: '/rpc', post: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getBalance', params: [sandbox.payTo] }) },
  ]
  const port = Number(new URL(sandbox.rpcUrl).port)
  return {
    local: { name: 'sandbox RPC', port, attempts, refusedWith: 403, content: /jsonrpc|kinds/, started: () => sandbox.balances() },
    close: async () => {
      await sandbox.close()
      await rm(dataDir, { recursive: true })
    },
  }
}

/** The page even knows the password of a reader, which it can only put into the URL. */
const openSql = async (): Promise<Opened> => {
  const { server, client, remove } = await givenEngine()
  const { url, username, password } = server.target(READER)
  const login = `user=${username}&password=${encodeURIComponent(password)}`
  const script = encodeURIComponent("SELECT 'window.onerror(1 + 1)' FORMAT TSVRaw")
  const attempts = async () => [
    { path: '/ping' },
    { path: `/?${login}&query=${script}` },
    { path: `/?user=default&query=${script}` },
    { path: `/?${login}`, post: "SELECT 'read by a page'" },
  ]
  let asked = 0
  const started = async (): Promise<number> => {
    asked += 1
    const [row] = await client.rows<{ n: number }>("SELECT value AS n FROM system.events WHERE event = 'SelectQuery'")
    return (row?.n ?? 0) - asked
  }
  return {
    local: { name: 'SQL', port: Number(new URL(url).port), attempts, refusedWith: 404, content: /Ok\.|onerror|read by|mintfold/, started },
    close: remove,
  }
}

const OPENERS: Readonly<Record<(typeof PORTS)[number], () => Promise<Opened>>> = {
  metrics: openMetrics,
  'sandbox RPC': openSandbox,
  SQL: openSql,
}
