// `mintfold buy` against a shop: readable terms, one payment, its receipt, and the same payment again.
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import type { Io } from '../../../topology/cli/command.ts'
import { register as registerBuy } from '../../../topology/cli/commands/buy/buy.ts'
import { type LocalServer, startLocal } from '../../tools/local-server.ts'
import { startWorld, type World } from './world.ts'

let world: World
let dataDir = ''
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.close())
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'mintfold-buy-'))
})
afterEach(async () => {
  world.facilitator.fault = 'none'
  await rm(dataDir, { recursive: true, force: true })
})

interface Run {
  readonly data: string
  readonly stderr: string
}

const run = async (args: string[], env: Record<string, string> = {}, stderr: string[] = []): Promise<Run> => {
  const data: string[] = []
  const io: Io = {
    out: async (text) => void data.push(String(text)),
    printNotice: (line) => void stderr.push(line),
    env: { MINTFOLD_DATA_DIR: dataDir, ...env },
    terminal: false,
    stop: new AbortController().signal,
    setExitCode: () => undefined,
  }
  const program = new Command().exitOverride()
  registerBuy(program.command('buy'), io)
  await program.parseAsync(['buy', ...args], { from: 'user' })
  return { data: data.join(''), stderr: stderr.join('\n') }
}
const buy = (path: string, ...options: string[]): Promise<Run> =>
  run([path, '--server', world.shop.url, '--wallet', world.sandbox.walletFile, ...options])

describe('a paid answer', () => {
  test('shows the terms, pays, and prints receipt and answer separately', async () => {
    const { data, stderr } = await buy('/v1/card')
    expect(JSON.parse(data)).toEqual({ path: '/v1/card', run: 1 })
    expect(stderr).toMatch(/price +0\.025 USDC for a test answer/)
    expect(stderr).toContain(world.sandbox.payTo)
    expect(stderr).toMatch(/receipt +[1-9A-HJ-NP-Za-km-z]{80,90} on solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1/)
    expect(stderr).toMatch(/charged +0\.025 USDC \(balance 100\.00 before, 99\.975 after\)/)
    expect((await stat(join(dataDir, 'last-payment.json'))).mode & 0o777).toBe(0o600)
  })

  test('--resend sends the same payment and states that nothing more was charged', async () => {
    const first = await buy('/v1/resent')
    const again = await buy('/v1/resent', '--resend')
    expect(again.data).toBe(first.data)
    expect(again.stderr).toMatch(/charged +nothing more: the payment was already settled/)
    expect(world.shop.runs.get('/v1/resent')).toBe(1)
  })

  test('--resend goes to the server of the payment when none is named', async () => {
    await buy('/v1/remembered')
    const again = await run(['/v1/remembered', '--resend', '--wallet', world.sandbox.walletFile])
    expect(JSON.parse(again.data)).toEqual({ path: '/v1/remembered', run: 1 })
  })

  test('an uncertain outcome advises a resend, and the resend has the answer', async () => {
    world.facilitator.fault = 'settle-then-drop'
    await expect(buy('/v1/uncertain')).rejects.toMatchObject({ code: 'purchase_failed', message: expect.stringContaining('--resend') })
    world.facilitator.fault = 'none'
    const { data, stderr } = await buy('/v1/uncertain', '--resend')
    expect(JSON.parse(data)).toEqual({ path: '/v1/uncertain', run: 1 })
    expect(stderr).toContain('nothing more')
  })
})

describe('a limit', () => {
  test('refuses a higher price before anything is signed', async () => {
    const spent = await world.spentMicroUsdc()
    await expect(buy('/v1/dear', '--max-usd', '0.02')).rejects.toMatchObject({
      name: 'UsageError',
      message: expect.stringContaining('--max-usd 0.02'),
    })
    expect(await world.spentMicroUsdc()).toBe(spent)
    await expect(stat(join(dataDir, 'last-payment.json'))).rejects.toThrow()
  })

  test('accepts the exact price, and can be above the default', async () => {
    expect((await buy('/v1/exact', '--max-usd', '0.025')).stderr).toContain('0.025 USDC')
    const dear = await world.open({ priceFactor: 80 })
    const { stderr } = await run(['/v1/card', '--server', dear.url, '--wallet', world.sandbox.walletFile, '--max-usd', '2'])
    expect(stderr).toMatch(/charged +2\.00 USDC/)
  })
})

describe('wrong usage', () => {
  test.each<[string, string[]]>([
    ['a path without a slash', ['v1/card']],
    ['an amount in words', ['/v1/card', '--max-usd', 'much']],
    ['a negative amount', ['/v1/card', '--max-usd=-1']],
    ['a server without a protocol', ['/v1/card', '--server', 'localhost:8402']],
    ['a resend before any payment', ['/v1/card', '--resend']],
  ])('%s is named', async (_name, message) => {
    await expect(run(message)).rejects.toMatchObject({ name: 'UsageError' })
  })

  test('refuses a resend for another path', async () => {
    await buy('/v1/one')
    await expect(buy('/v1/two', '--resend')).rejects.toMatchObject({ name: 'UsageError', message: expect.stringContaining('/v1/one') })
  })

  test('refuses port 0 without a server', async () => {
    await expect(run(['/v1/card'], { MINTFOLD_PORT: '0' })).rejects.toMatchObject({ name: 'UsageError' })
  })
})

describe('external failures', () => {
  test('no server, no wallet, an invalid wallet: each is named with what to do', async () => {
    await expect(run(['/v1/card'], { MINTFOLD_PORT: '9' })).rejects.toMatchObject({
      code: 'server_unreachable',
      message: expect.stringContaining('npm start'),
    })
    await expect(run(['/v1/card', '--server', world.shop.url])).rejects.toMatchObject({ code: 'file_unreadable' })
    const file = join(dataDir, 'bad.json')
    await writeFile(file, '{"secretKey":[1,2,3]}')
    await expect(run(['/v1/card', '--server', world.shop.url, '--wallet', file])).rejects.toMatchObject({ code: 'file_unreadable' })
  })

  test('a refused first purchase charges nothing and states it, and so does its resend', async () => {
    for (const more of [[], ['--resend']]) {
      const stderr: string[] = []
      const args = ['/v1/missing', '--server', world.shop.url, '--wallet', world.sandbox.walletFile, ...more]
      await expect(run(args, {}, stderr)).rejects.toMatchObject({ facts: { status: 404 } })
      expect(stderr.at(-1)).toMatch(/^charged {2}nothing: the server refused the request \(balance (\S+) before, \1 after\)$/)
    }
  })

  test('a payment of unknown outcome is reported as not charged yet', async () => {
    world.facilitator.fault = 'settle-then-drop'
    const stderr: string[] = []
    const args = ['/v1/in-doubt', '--server', world.shop.url, '--wallet', world.sandbox.walletFile]
    await expect(run(args, {}, stderr)).rejects.toMatchObject({ code: 'purchase_failed' })
    expect(stderr.at(-1)).toMatch(/^charged {2}(0\.025 USDC|nothing yet: the server does not know)/)
  })

  test('an answer that is no sale is named with its status', async () => {
    await expect(buy('/v1/missing')).rejects.toMatchObject({ code: 'purchase_failed', facts: { status: 404 } })
  })
})

describe('a foreign server', () => {
  const serve = (listener: RequestListener): Promise<LocalServer> => startLocal(createServer(listener))
  test.each<[string, object, boolean]>([
    ['a wrong parameter is no sign of one', { detail: [{ loc: ['query', 'limit'], msg: 'too large' }] }, false],
    ['a refusal in other fields is', { message: 'no such page' }, true],
  ])('%s', async (_name, body, isForeign) => {
    const server = await serve((_request, response) => void response.writeHead(422).end(JSON.stringify(body)))
    const failure = await run(['/v1/launches/recent', '--server', server.url]).catch((error: Error) => error)
    expect(failure).toMatchObject({ facts: { status: 422 } })
    expect(String(failure).includes('not a mintfold server')).toBe(isForeign)
    await server.close()
  })

  const terms = (change: object): object => ({
    x402Version: 2,
    resource: { url: 'http://x/', description: 'red\u001b[31m\u202etxt' },
    accepts: [
      {
        scheme: 'exact',
        network: world.sandbox.network,
        asset: world.sandbox.asset,
        amount: '1000',
        payTo: world.sandbox.payTo,
        maxTimeoutSeconds: 60,
        extra: {},
        ...change,
      },
    ],
  })

  test('a free answer is printed unchanged', async () => {
    const server = await serve((_request, response) => void response.end('{"free":1}'))
    expect(await run(['/', '--server', server.url])).toEqual({ data: '{"free":1}\n', stderr: expect.stringContaining('free') })
    await server.close()
  })

  test.each<[string, object]>([
    ['network', { network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' }],
    ['currency', { asset: '8q8SLYPvpWunqdHxEZmBNicdXs27h3Jq8bQ1giixsT1K' }],
    ['amount', { amount: '1e3' }],
  ])('terms in another %s are refused, unsigned', async (_name, change) => {
    const server = await serve((_request, response) => void response.writeHead(402).end(JSON.stringify(terms(change))))
    await expect(run(['/', '--server', server.url, '--wallet', world.sandbox.walletFile])).rejects.toMatchObject({
      code: 'purchase_failed',
    })
    await server.close()
  })

  test('foreign text reaches the terminal without control characters', async () => {
    const server = await serve((_request, response) => void response.writeHead(402).end(JSON.stringify(terms({ amount: '9000000' }))))
    const stderr: string[] = []
    const program = new Command().exitOverride()
    const io = {
      out: async () => undefined,
      printNotice: (line: string) => void stderr.push(line),
      env: {},
      terminal: true,
      stop: new AbortController().signal,
      setExitCode: () => undefined,
    }
    registerBuy(program.command('buy'), io)
    const args = ['buy', '/', '--server', server.url, '--wallet', world.sandbox.walletFile]
    await expect(program.parseAsync(args, { from: 'user' })).rejects.toMatchObject({ name: 'UsageError' })
    expect(stderr.join('')).toMatch(/red \[31m txt/)
    await server.close()
  })

  test('an answer too: control characters are written as JSON escapes, and the values stay', async () => {
    const value = { name: 'red \u001b[31m txt \u202e', lines: 'a\nb' }
    const raw = `{\n\t"name": "red \\u001b[31m txt \u202e",\r\n\t"lines": "a\\nb", "x": "\u009b31m"\n}`
    const server = await serve((_request, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(raw))
    const { data } = await run(['/', '--server', server.url])
    expect(JSON.parse(data)).toEqual({ ...value, x: '\u009b31m' })
    expect(data.replaceAll(/[\n\t]/g, '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
    await server.close()
  })

  test('a redirect is not followed', async () => {
    const server = await serve((_request, response) => void response.writeHead(302, { location: world.shop.url }).end())
    await expect(run(['/', '--server', server.url])).rejects.toMatchObject({ facts: { status: 302 } })
    await server.close()
  })
})
