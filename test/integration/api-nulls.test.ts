// Every null in an answer of any route has its own reason. The demo of nine hours has live, completed, silent and forgotten coins.

import supertest from 'supertest'
import type { AccountsRead } from '../../processors/accounts.ts'
import { solana } from '../../processors/chains/solana/chain.ts'
import { detectors } from '../../processors/mint/detectors/index.ts'
import { createApp } from '../../query-api/app/app.ts'
import { questions } from '../../query-api/app/list/questions.ts'
import { offGate } from '../../query-api/payment/off-gate.ts'
import { type Key, toBase58 } from '../../schemas/keys.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import { LogMintView } from '../../topology/views/mint-view.ts'
import { noCurves } from '../fakes/map-curves.ts'
import { fakeOdds } from '../fakes/odds.ts'
import { SetHistory } from '../fakes/set-history.ts'
import { reads } from '../fixtures/account-reads.ts'
import { DEMO_START_MS, type EmittedMarket, playDemo } from '../fixtures/demo-history.ts'
import { publishedShapes } from '../tools/shapes/guard.ts'
import { base58 } from '../unit/query-api/given-mint.ts'
import { unexplainedNulls } from '../unit/query-api/null-walk.ts'
import { harness } from './api-harness.ts'

const MINUTES = 540
const END_MS = DEMO_START_MS + (MINUTES + 1) * 60_000
/** Routes that describe answers: their schemas and shortened examples contain nulls that are no data. */
const DOCUMENTS = new Set(['/openapi.json', '/v1/x402/resources'])

interface Card {
  readonly mint: string
  readonly coverage: 'full' | 'thin'
  readonly coverage_reason?: string
  readonly status: string
  readonly rug_flags?: readonly { readonly finding_id: string }[]
}

describe('every null has a reason in the answers', () => {
  const log = createMemoryLog({ partitions: 2 })
  const history = new SetHistory()
  const view = new LogMintView(log, LAUNCH_RISK, { tip: () => null })
  let market: EmittedMarket
  let agent: ReturnType<typeof supertest>
  let walked = 0

  const walk = async (path: string) => {
    const { status, body } = await agent.get(path)
    walked += 1
    expect([path, status, unexplainedNulls(body)]).toEqual([path, 200, []])
    return body.data
  }

  beforeAll(async () => {
    market = await playDemo(log, { seed: 3, rate: 0.06, historyMinutes: MINUTES, frameMinutes: 1, forksPerHour: 120 })
    await view.start()
    const kinds = Object.values(reads)
    let asked = 0
    const accounts = { read: async () => kinds[asked++ % kinds.length] as AccountsRead }
    const clock = { now: () => END_MS }
    const app = createApp({
      curves: noCurves(),
      chain: solana,
      detectors,
      view,
      records: view.records,
      ...fakeOdds(),
      history,
      accounts,
      clock,
      wallClock: clock,
      baseUrl: 'http://127.0.0.1',
      source: 'demo',
      version: '0.1.0',
      gate: offGate(),
      sandbox: false,
      logger: { info: () => {}, warn: () => {}, error: () => {} },
      priceFactor: 1,
      cursorKeys: [Buffer.alloc(32, 1)],
      finalityOf: () => 'finalized' as const,
    })
    app.middleware.unshift(publishedShapes)
    agent = supertest(app.callback())
  })
  afterAll(() => view.stop())

  const launched = (): { readonly mint: Key; readonly user: Key; readonly creator: Key }[] =>
    market.slots.flatMap(({ events }) => (events ?? []).flatMap((event) => (event.type === 'launch' ? [event] : [])))

  test('for all coins: cards, and checks and findings of covered ones', async () => {
    const cards: Card[] = []
    for (const { mint } of launched()) cards.push(await walk(`/v1/mint/${toBase58(mint)}`))
    const kinds = new Set(
      cards.map(({ coverage, status, coverage_reason: why }) => `${coverage} ${status} ${why?.split(':')[0] ?? ''}`.trim()),
    )
    for (const kind of ['full live_curve', 'thin historical forgotten']) expect([...kinds]).toContain(kind)
    const full = cards.filter(({ coverage }) => coverage === 'full')
    for (const { mint } of full.slice(0, 10)) await walk(`/v1/check/mint/${mint}`)
    const mints = full.slice(0, 5).map(({ mint }) => mint)
    for (const name of ['watchlist', 'coverage', 'watch']) await walk(`/v1/check/${name}?mints=${mints.join(',')}`)
    const findings = cards.flatMap(({ rug_flags: flags = [] }) => flags.map(({ finding_id: id }) => id))
    expect(findings.length).toBeGreaterThan(5)
  })

  test('for addresses that were never observed, whatever their accounts are', async () => {
    for (let n = 0; n < Object.keys(reads).length; n += 1) {
      const card: Card = await walk(`/v1/mint/${toBase58(String.fromCharCode(n).repeat(32) as Key)}`)
      expect(card.coverage).toBe('thin')
    }
  })

  test('for wallets that launched and traded, and one that did neither', async () => {
    const wallets = new Set(
      launched()
        .slice(-20)
        .flatMap(({ user, creator }) => [toBase58(user), toBase58(creator)]),
    )
    for (const wallet of [...wallets, toBase58('\u0007'.repeat(32) as Key)]) {
      await walk(`/v1/creator/${wallet}`)
      await walk(`/v1/wallet/${wallet}`)
    }
  })

  test('of lists at full length, and of every route without arguments', async () => {
    await walk('/v1/launches/recent?limit=100&max_age_s=21600&exclude_mayhem=false')
    await walk('/v1/rugs/recent?limit=200&window_s=21600')
    await walk('/v1/graduations/recent?limit=100&window_s=86400')
    const plain = questions.filter(
      ({ path, example }) => !/[{?]/.test(example) && !DOCUMENTS.has(path) && !path.endsWith('.txt') && path !== '/terms',
    )
    expect(plain.length).toBeGreaterThan(5)
    for (const { example } of plain) await walk(example)
    expect(walked).toBeGreaterThan(100)
  })
})

test('every null has a reason before the first frame, while stores restore, and without history or chain', async () => {
  const api = harness()
  api.view.setStatus({ folded: null, tip: null, observedSince: null })
  const paths = ['/', '/health', '/v1/labels', '/v1/market/regime', `/v1/mint/${base58(1)}`, `/v1/check/coverage?mints=${base58(1)}`]
  for (const path of paths) {
    const { status, body } = await api.paid(path)
    expect([path, status, unexplainedNulls(body)]).toEqual([path, 200, []])
  }
  api.view.setStatus({ ready: false })
  expect(unexplainedNulls((await api.get('/health')).body)).toEqual([])
})
