// A first start, from outside: a page at once, a fresh check before the history is written, and later the whole history, uninterrupted.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { questions } from '../../query-api/app/list/questions.ts'
import { BIN, UpProcess } from '../soak/up-process.ts'
import { freePort } from '../tools/free-port.ts'
import { removeDirectory } from '../tools/remove-directory.ts'

const MS_MAX = 240_000
let dir = ''
let up: UpProcess | undefined
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'mintfold-first-start-'))
})
afterEach(async () => {
  await up?.kill()
  removeDirectory(dir)
})
const start = async (args: readonly string[], env: Record<string, string>): Promise<UpProcess> => {
  up = new UpProcess({ dataDir: join(dir, 'data'), port: await freePort(), args: [BIN, 'up', ...args], env })
  return up
}
type Body = Record<string, never> & { readonly t: number }
const get = async (path: string, accept = 'application/json') => {
  const response = await fetch(`${up?.url}${path}`, { headers: { accept } })
  return { status: response.status, text: await response.text() }
}
const json = async (path: string): Promise<{ readonly status: number; readonly body: Body }> => {
  const { status, text } = await get(path)
  return { status, body: JSON.parse(text) as Body }
}

test(
  'the demo serves a check before its history is written and the whole history later, and its time never goes back',
  async () => {
    const demo = await start(['--source', 'demo:solana', '--history', '1', '--seed', '3', '--rate', '0.5'], { MINTFOLD_PAYMENTS: 'off' })
    const page = await firstPage()
    expect([page.status, page.text]).toEqual([
      503,
      expect.stringMatching(/http-equiv="refresh".*mintfold is starting.*The market is being simulated/s),
    ])
    await demo.printed('try:', MS_MAX)
    expect(demo.has('of 1 h written')).toBe(false)
    expect((await json('/ready')).status).toBe(200)
    const mint = /buy \/v1\/mint\/(\w+)/.exec(demo.lines.join('\n'))?.[1]
    const early = await json(`/v1/check/mint/${mint}`)
    expect(early).toMatchObject({ status: 200, body: { coverage: 'full', meta: { is_stale: false } } })
    expect((await json('/v1/launches/recent?max_age_s=3600')).body).toMatchObject({ coverage: 'thin' })

    const times = [early.body.t]
    const readiness = new Set<number>()
    while (!demo.has('the whole history can be queried now')) {
      const [{ status }, { body }] = [await json('/ready'), await json('/health')]
      readiness.add(status)
      times.push(body.t)
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
    const full = await json(`/v1/check/mint/${mint}`)
    times.push(full.body.t)
    expect([...readiness]).toEqual([200])
    expect(times).toEqual([...times].sort((a, b) => a - b))
    expect(full).toMatchObject({ status: 200, body: { coverage: 'full' } })
    const codes = ({ body }: typeof full): string[] =>
      (body as unknown as { data: { items: { findings: { code: string }[] }[] } }).data.items.flatMap(({ findings }) =>
        findings.map(({ code }) => code),
      )
    expect(codes(full)).toEqual(expect.arrayContaining(codes(early)))
    expect((await json('/v1/launches/recent?max_age_s=3600')).body).toMatchObject({ coverage: 'full' })
    expect(await demo.stop()).toBe(0)
  },
  MS_MAX,
)

const firstPage = async () => {
  for (;;)
    try {
      return await get('/', 'text/html')
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
}

test(
  'a stop while the early capture begins ends cleanly, and starts no ClickHouse',
  async () => {
    const demo = await start(['--source', 'demo'], { MINTFOLD_PAYMENTS: 'off' })
    await firstPage()
    expect(await demo.stop()).toBe(0)
    expect(demo.lines.filter((line) => /history_|bug/.test(line))).toEqual([])
  },
  MS_MAX,
)

test(
  'with a live chain that does not respond nothing is sold, and no answer names 1970',
  async () => {
    const live = await start(['--source', 'live'], { SOLANA_RPC_URL: 'http://127.0.0.1:1', MINTFOLD_PAYMENTS: 'sandbox' })
    await live.printed('mintfold answers on', MS_MAX)
    const mint = 'So11111111111111111111111111111111111111112'
    const texts: string[] = []
    const curve = `0x${'77'.repeat(20)}`
    for (const { path, example, priceMicroUsdc, isGivenUnsold } of questions) {
      const asked = example.replace('{mint},{mint}', mint).replace('{curve}', curve)
      const { status, text } = await get(asked.replaceAll(/\{\w+\}/g, mint))
      texts.push(text)
      if (priceMicroUsdc === 0) continue
      const body = JSON.parse(text) as Body
      if (isGivenUnsold)
        expect([status, body]).toMatchObject([
          200,
          { meta: { price_usd: 0, unpaid_reason: expect.stringMatching(/no frame|does not follow/) } },
        ])
      else expect([path, status, body]).toMatchObject([path, 503, { error: 'feed_unavailable', charged: false }])
    }
    expect(await json('/ready')).toMatchObject({ status: 503, body: { error: 'feed_unavailable' } })
    expect(texts.join('\n')).not.toMatch(/1970-|"t":0\b/)
    expect(await live.stop()).toBe(0)
  },
  MS_MAX,
)
