// `doctor` prints each setting that is set with its origin, redacts secrets, and states for each fault what to do.
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Register } from '../../../topology/cli/command.ts'
import { checkAll } from '../../../topology/cli/doctor/checks.ts'
import { register as registerDoctor } from '../../../topology/cli/doctor/doctor.ts'
import { noteSeller } from '../../../topology/cli/selling/seller-notes.ts'
import { parseSettings } from '../../../topology/cli/settings/settings.ts'
import { openLmdbLog } from '../../../topology/logs/lmdb/lmdb.ts'
import { serveControl } from '../../../topology/operations/control/server.ts'
import { type Ran, runCommand } from '../../fakes/run-command.ts'

let dir = ''
const servers: Server[] = []
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'mintfold-doctor-'))
})
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
  rmSync(dir, { recursive: true })
})

const serveOn = (answer: RequestListener): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer(answer)
    servers.push(server)
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
const json =
  (body: unknown): RequestListener =>
  (_request, response) =>
    void response.end(`${JSON.stringify(body)}\n`)

/** Answers each call of a JSON-RPC client. */
const answering =
  (answer: (call: { readonly method: string; readonly params: readonly unknown[] }) => unknown): RequestListener =>
  (request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
    request.on('end', () => void response.end(JSON.stringify(answer(JSON.parse(text)))))
  }

type Env = Readonly<Record<string, string>>
const envOf = (env: Env): Env => ({ MINTFOLD_DATA_DIR: join(dir, 'data'), MINTFOLD_PORT: '0', MINTFOLD_CLICKHOUSE_PORT: '0', ...env })
const doctor = (env: Env = {}): Promise<Ran> => runCommand(registerDoctor, ['doctor'], { env: envOf(env) })
const line = ({ out }: Ran, name: string): string => out.split('\n').find((one) => one.slice(8).startsWith(name)) ?? ''

test('with the defaults reports no fault, prints the settings, and creates nothing', async () => {
  const ran = await doctor()
  expect([ran.error, ran.code, ran.stderr.at(-1)]).toEqual([undefined, 0, 'all is well'])
  const names = ran.out.split('\n').flatMap((one) => /^ok {6}([A-Z_\d]+) /.exec(one)?.[1] ?? [])
  expect(names).toEqual(['MINTFOLD_DATA_DIR', 'MINTFOLD_PORT', 'MINTFOLD_CLICKHOUSE_PORT'])
  expect(line(ran, 'defaults')).toMatch(/ \d\d settings have their default \(--all shows them\)$/)
  expect(line(ran, 'MINTFOLD_PORT')).toContain('0  (environment)')
  const all = await runCommand(registerDoctor, ['doctor', '--all'], { env: envOf({}) })
  expect(line(all, 'MINTFOLD_HOST')).toBe('ok      MINTFOLD_HOST             127.0.0.1  (default)')
  expect(line(ran, 'data directory')).toContain('is writable and empty')
  expect(readdirSync(dir)).toEqual([])
})

test('distinguishes settings of an environment file from those of the environment', async () => {
  writeFileSync(join(dir, 'env'), 'MINTFOLD_PARTITIONS=8\nMINTFOLD_PORT=9\n')
  const args = ['doctor', '--env-file', join(dir, 'env')]
  const register: Register = (command, io) => registerDoctor(command.option('--env-file <file>'), io)
  const { out } = await runCommand(register, args, { env: envOf({ MINTFOLD_PARTITIONS: '8' }) })
  expect(out).toContain(`MINTFOLD_PARTITIONS       8  (from ${join(dir, 'env')})`)
  expect(out).toContain('MINTFOLD_PORT             0  (environment)')
})

test('names each wrong setting with what is valid, exits with 1, and prints no key', async () => {
  const ran = await doctor({ MINTFOLD_PORT: '99999', X402_RPC_URL: 'https://node.example/?api-key=SECRET', MINTFOLD_PROT: '1' })
  expect(ran.code).toBe(1)
  expect(line(ran, 'MINTFOLD_PORT')).toMatch(/^not ok.*99999.*a whole number from 0 to 65535/)
  expect(line(ran, 'settings')).toContain('the nearest is MINTFOLD_PORT')
  expect(line(ran, 'X402_RPC_URL')).toContain('https://node.example/?[redacted]')
  expect(ran.out).not.toContain('SECRET')
})

describe('the data directory', () => {
  const open = (partitions: number) => openLmdbLog({ dir: join(dir, 'data', 'log'), partitions })
  test('shows the partitions of a directory with data; if the setting differs, states what to set', async () => {
    await (await open(4)).close()
    expect(line(await doctor(), 'data directory')).toMatch(/^ok.*free to use: format 2, 4 partitions/)
    const ran = await doctor({ MINTFOLD_PARTITIONS: '3' })
    expect([ran.code, line(ran, 'data directory')]).toEqual([1, expect.stringMatching(/has 4 partitions.*set it to 4/)])
  })
  test('names the running process', async () => {
    const log = await open(4)
    const control = await serveControl(join(dir, 'data'), { status: () => ({ pid: 4711, version: '9.9.9', url: 'http://somewhere' }) })
    expect(line(await doctor(), 'data directory')).toMatch(/^ok.*process 4711, mintfold 9.9.9, http:\/\/somewhere/)
    await control.close()
    expect(line(await doctor(), 'data directory')).toMatch(/^not ok.*held by process \d+, which does not respond/)
    await log.close()
  })
  test('names a file that is no log', async () => {
    await (await open(4)).close()
    writeFileSync(join(dir, 'data', 'log', 'data.mdb'), 'something else')
    expect(line(await doctor(), 'data directory')).toMatch(/^not ok.*truncated/)
  })
})

test('states whether mintfold or another program has a taken port', async () => {
  const foreignPort = await serveOn((_request, response) => void response.end('hello'))
  expect(line(await doctor({ MINTFOLD_PORT: String(foreignPort) }), 'port')).toMatch(/^not ok.*taken by another program.*MINTFOLD_PORT/)
  const mintfoldPort = await serveOn(json({ version: '9.9.9', mints_tracked: 3 }))
  expect(line(await doctor({ MINTFOLD_PORT: String(mintfoldPort) }), 'port')).toMatch(
    /^not ok.*mintfold 9.9.9 answers.*another data directory/,
  )
})

describe('network checks', () => {
  const NETWORK = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
  const lineOf = async (env: Env, name: string): Promise<string> => {
    const given = envOf({ MINTFOLD_PAYMENTS: 'facilitator', X402_PAY_TO: 'So11111111111111111111111111111111111111112', ...env })
    for await (const check of checkAll(parseSettings(given, { source: 'demo' }), 'demo'))
      if (check.name === name) return `${check.ok ? 'ok' : 'not ok'} ${check.text}`
    return 'not looked at'
  }
  test('of a node: whether the paid wallet has its USDC account, and whether the clock is right', async () => {
    const node = (account: unknown, behindS: number): RequestListener =>
      answering(({ method }) => ({
        result: { getSlot: 123, getBlockTime: Math.floor(Date.now() / 1000) - behindS, getAccountInfo: { value: account } }[method],
      }))
    const at = async (account: unknown, behindS: number) => ({
      X402_FACILITATOR_URL: 'http://127.0.0.1:9',
      X402_RPC_URL: `http://127.0.0.1:${await serveOn(node(account, behindS))}`,
    })
    const owned = { owner: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' }
    expect(await lineOf(await at(owned, 3), 'pay to')).toMatch(/^ok .*has the USDC account/)
    expect(await lineOf(await at(owned, 3), 'clock')).toMatch(/^ok .*s from the time of the newest block/)
    expect(await lineOf(await at(null, 300), 'pay to')).toMatch(/^not ok .*no USDC account/)
    expect(await lineOf(await at(null, 300), 'clock')).toMatch(/^not ok .*set the clock/)
    expect(await lineOf({ ...(await at(owned, 3)), REDIS_URL: 'redis://user:SECRET@127.0.0.1:9' }, 'redis')).toMatch(
      /^not ok .*127\.0\.0\.1:9 does not respond/,
    )
  })
  test('of a second network: whether its facilitator settles there, and whether its node belongs to it', async () => {
    const supported = { kinds: [{ x402Version: 2, scheme: 'exact', network: 'eip155:8453' }] }
    const at = async (chain: string | null): Promise<Env> => ({
      X402_FACILITATOR_URL: 'http://127.0.0.1:9',
      X402_EVM_NETWORK: 'eip155:8453',
      X402_EVM_PAY_TO: `0x${'ab'.repeat(20)}`,
      X402_EVM_FACILITATOR_URL: `http://127.0.0.1:${await serveOn(json(supported))}`,
      ...(chain !== null && { X402_EVM_RPC_URL: `http://127.0.0.1:${await serveOn(json({ result: chain }))}` }),
    })
    expect(await lineOf(await at('0x2105'), 'second network')).toMatch(/^ok .*settles exact payments on eip155:8453/)
    expect(await lineOf(await at('0x2105'), 'second node')).toMatch(/^ok /)
    expect(await lineOf(await at('0x1'), 'second node')).toMatch(/^not ok it is on eip155:1, not eip155:8453/)
    expect(await lineOf(await at(null), 'second node')).toMatch(/^not ok .*X402_EVM_RPC_URL/)
    const nowhere = { ...(await at(null)), X402_EVM_RPC_URL: 'http://127.0.0.1:9', X402_EVM_FACILITATOR_URL: 'http://127.0.0.1:9' }
    expect(await lineOf(nowhere, 'second network')).toMatch(/^not ok .*X402_EVM_FACILITATOR_URL/)
    expect(await lineOf(nowhere, 'second node')).toMatch(/^not ok .*X402_EVM_RPC_URL/)
  })
  test('of a facilitator: whether it settles `exact` payments on the configured network', async () => {
    const kinds = (network: string) => ({ kinds: [{ x402Version: 2, scheme: 'exact', network }] })
    const url = async (body: unknown): Promise<Env> => ({ X402_FACILITATOR_URL: `http://127.0.0.1:${await serveOn(json(body))}/f` })
    expect(await lineOf(await url(kinds(NETWORK)), 'payments')).toMatch(/^ok .*settles exact payments/)
    expect(await lineOf(await url(kinds('solana:other')), 'payments')).toMatch(/^not ok .*X402_NETWORK/)
    expect(await lineOf(await url({ hello: 1 }), 'payments')).toMatch(/^not ok .*has another format.*X402_FACILITATOR_URL/)
    expect(await lineOf({ X402_FACILITATOR_URL: 'http://127.0.0.1:9/?key=SECRET' }, 'payments')).toMatch(/^not ok (?!.*SECRET)/)
  })
  test('names the directory of another process that takes payments to the wallet; if there is none, states that other machines are unchecked', async () => {
    const wallet = 'Vote111111111111111111111111111111111111111'
    const env = { X402_FACILITATOR_URL: 'http://127.0.0.1:9', X402_PAY_TO: wallet }
    expect(await lineOf(env, 'sellers')).toMatch(/^ok no other process .* other machines cannot be checked/)
    const take = noteSeller([wallet], join(dir, 'elsewhere'), () => {})
    try {
      expect(await lineOf(env, 'sellers')).toMatch(
        new RegExp(`^not ok process ${process.pid} \\(.*elsewhere\\) takes payments to ${wallet}.*REDIS_URL`),
      )
      expect(await lineOf({ ...env, MINTFOLD_DATA_DIR: join(dir, 'elsewhere') }, 'sellers')).toMatch(/^ok /)
      expect(await lineOf({ ...env, REDIS_URL: 'redis://127.0.0.1:9' }, 'sellers')).toBe('not looked at')
    } finally {
      take()
    }
  })
  test('of an RPC: whether it responds; without one, what to set', async () => {
    const facilitator = { X402_FACILITATOR_URL: 'http://127.0.0.1:9' }
    const results = (slot: unknown, account: unknown) =>
      answering(({ method }) => ({ result: { getSlot: slot, getAccountInfo: account }[method] }))
    const at = async (node: RequestListener): Promise<string> =>
      lineOf({ ...facilitator, X402_RPC_URL: `http://127.0.0.1:${await serveOn(node)}` }, 'rpc')
    expect(await at(results(123, { value: null }))).toMatch(/^ok .*finalized slot 123/)
    expect(await at(results('a slot', { value: null }))).toMatch(/^not ok .*gives no valid response to getSlot.*X402_RPC_URL/)
    expect(await at(results(123, 'none'))).toMatch(/^not ok .*gives no valid response to getAccountInfo.*X402_RPC_URL/)
    expect(await at((_request, response) => void response.end('<html>'))).toMatch(/^not ok .*the response is not JSON.*X402_RPC_URL/)
    expect(await lineOf(facilitator, 'rpc')).toMatch(/^not ok .*set X402_RPC_URL/)
    const broken = await serveOn((_request, response) => void response.writeHead(500).end())
    expect(await lineOf({ ...facilitator, X402_RPC_URL: `http://127.0.0.1:${broken}` }, 'rpc')).toMatch(/^not ok .*status 500/)
  })
  test('of a ClickHouse: whether it responds and is new enough', async () => {
    const facilitator = { X402_FACILITATOR_URL: 'http://127.0.0.1:9' }
    const at = async (answer: RequestListener): Promise<string> =>
      lineOf({ ...facilitator, CLICKHOUSE_URL: `http://127.0.0.1:${await serveOn(answer)}`, CLICKHOUSE_PASSWORD: 'SECRET' }, 'clickhouse')
    expect(await at(json({ version: '26.7.2.1' }))).toMatch(/^ok .*ClickHouse 26.7.2.1/)
    expect(await at(json({ version: '23.1.1.1' }))).toMatch(/^not ok .*too old/)
    expect(await at((_request, response) => void response.writeHead(401).end('no'))).toMatch(/^not ok (?!.*SECRET)/)
    expect(await lineOf({ ...facilitator, CLICKHOUSE_URL: 'http://127.0.0.1:9' }, 'clickhouse')).toMatch(/^not ok /)
  })
})
