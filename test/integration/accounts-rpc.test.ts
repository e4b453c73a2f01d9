// Account reads over JSON-RPC: a healthy node and every failure mode.
import { gzipSync } from 'node:zlib'
import { curveAddressOf } from '../../processors/chains/solana/accounts/curve.ts'
import { READ_MS_MAX } from '../../topology/ports/accounts.ts'
import { ENTRIES_MAX, FRESH_MS, sharedAccounts } from '../../topology/sources/shared-accounts.ts'
import { RpcAccounts } from '../../topology/sources/solana/rpc/rpc-accounts.ts'
import { type AccountNode, type Respond, respond, startAccountNode } from '../fakes/account-node.ts'
import * as given from '../fixtures/account-bytes.ts'
import { key } from '../unit/query-api/given-mint.ts'

const MINT = given.RECORDED_MINT
/** 5 MB of zeros, compressed. */
const PACKED = gzipSync(Buffer.alloc(5_000_000))
let node: AccountNode
let notices: [string, Record<string, string | number>][]
let nowMs = 0
let reader: RpcAccounts
beforeEach(async () => {
  node = await startAccountNode()
  notices = []
  nowMs = 0
  reader = new RpcAccounts({ url: node.url, notice: (code, facts) => notices.push([code, facts]), nowMs: () => nowMs })
})
afterEach(() => node.close())
interface NodeAccount {
  readonly data: readonly [string, string]
  readonly owner: string
  readonly space: number
}
/** The response with its first account changed. */
const withAccount =
  (change: (account: NodeAccount) => Partial<NodeAccount>): Respond =>
  (response, answer) => {
    const { result } = answer as { result: { context: object; value: NodeAccount[] } }
    const value = result.value.map((account, index) => (index === 0 ? { ...account, ...change(account) } : account))
    respond(response, 200, { result: { ...result, value } })
  }

describe('a healthy node', () => {
  test('reads mint and curve in one request, at the slot of the response', async () => {
    node.put(MINT, given.recordedAccount('mint'))
    node.put(curveAddressOf(MINT), given.recordedAccount('curve of 2026-07'))
    expect(await reader.read(MINT)).toMatchObject({
      ok: true,
      value: {
        slot: 435_946_373,
        exists: true,
        mint: { ok: true, value: { decimals: 6 } },
        curveAddress: curveAddressOf(MINT),
        curve: { ok: true, value: { cashback: true, complete: false } },
      },
    })
    expect(node.asked).toEqual([
      {
        method: 'getMultipleAccounts',
        params: [[expect.any(String), expect.any(String)], { encoding: 'base64', commitment: 'confirmed' }],
      },
    ])
    expect(notices).toEqual([])
  })
  test('treats a missing account as a valid answer: it does not exist', async () => {
    const read = await reader.read(key(3))
    expect(read).toMatchObject({ ok: true, value: { exists: false, mint: { ok: true, value: null }, curve: { ok: true, value: null } } })
  })
  test('gives a reason for an account of the wrong size, and reads the other account', async () => {
    node.put(MINT, { ...given.splMint(), data: given.splMint().data.slice(0, 40) })
    node.put(curveAddressOf(MINT), given.curveAccount())
    expect(await reader.read(MINT)).toMatchObject({
      ok: true,
      value: {
        exists: true,
        mint: { ok: false, reason: expect.stringContaining('40 bytes') },
        curve: { ok: true, value: { complete: false } },
      },
    })
  })
})

describe('a failing node', () => {
  const cases: readonly [string, Respond, RegExp][] = [
    [
      'a JSON-RPC error',
      (response) => respond(response, 200, { jsonrpc: '2.0', id: 1, error: { code: -32_602, message: 'Invalid param' } }),
      /error/,
    ],
    ['a status of 500', (response) => respond(response, 500, 'oh no'), /error/],
    ['a redirect', (response) => respond(response, 302, '', { location: 'http://127.0.0.1:1/' }), /does not answer/],
    ['a page', (response) => respond(response, 200, '<html>'), /understood/],
    ['null', (response) => respond(response, 200, 'null'), /understood/],
    ['one account of two', (response) => respond(response, 200, { result: { context: { slot: 1 }, value: [null] } }), /understood/],
    ['no slot', (response) => respond(response, 200, { result: { context: {}, value: [null, null] } }), /understood/],
    [
      'half a response',
      (response) => void response.writeHead(200, { 'content-length': '100' }).write('{"result"', () => response.destroy()),
      /does not answer/,
    ],
    ['an oversized response', (response) => respond(response, 200, `"${'x'.repeat(600_000)}"`), /understood/],
    [
      'an oversized response, compressed',
      (response) => {
        response.writeHead(200, { 'content-encoding': 'gzip' })
        response.end(PACKED)
      },
      /understood/,
    ],
    ['bytes that are no base64', withAccount(() => ({ data: ['!!!!', 'base64'] })), /understood/],
    ['bytes in another form', withAccount(({ data: [bytes] }) => ({ data: [bytes, 'base58'] })), /understood/],
    ['fewer bytes than its space says', withAccount(({ space }) => ({ space: space + 1 })), /understood/],
    ['an owner that is no address', withAccount(() => ({ owner: 'nobody' })), /understood/],
  ]
  test.each(cases)('%s: returns a reason, logs it once, without the address', async (_what, custom, message) => {
    node.put(MINT, given.recordedAccount('mint'))
    node.respondWith(custom)
    const read = await reader.read(MINT)
    expect(read).toEqual({ ok: false, reason: expect.stringMatching(message) })
    await reader.read(MINT)
    expect(notices).toEqual([['accounts_not_read', { reason: expect.stringMatching(message), words: expect.any(String) }]])
    expect(JSON.stringify([read, notices])).not.toMatch(/127\.0\.0\.1|a-key-in-the-path/)
    node.respondWith(undefined)
    expect(await reader.read(MINT)).toMatchObject({ ok: true })
    expect(notices.at(-1)?.[0]).toBe('accounts_read_again')
  })
  test('a node that never responds gives a reason within the time limit', async () => {
    node.respondWith(() => {})
    const startedMs = performance.now()
    expect(await reader.read(MINT)).toEqual({ ok: false, reason: expect.stringContaining('within 2 s') })
    const tookMs = performance.now() - startedMs
    expect(tookMs).toBeGreaterThan(READ_MS_MAX - 50)
    expect(tookMs).toBeLessThan(READ_MS_MAX + 1_500)
  })
  test('a response that never ends gives a reason within the time limit', async () => {
    node.respondWith((response) => {
      response.writeHead(200)
      const drip = setInterval(() => response.write(' '), 50)
      response.on('close', () => clearInterval(drip))
    })
    expect(await reader.read(MINT)).toEqual({ ok: false, reason: expect.stringContaining('within 2 s') })
  })
  test('a refused connection gives a reason', async () => {
    await node.close()
    expect(await reader.read(MINT)).toEqual({ ok: false, reason: expect.stringContaining('does not answer') })
    node = await startAccountNode()
  })
  test.each([
    ['429 without a time', 429, {}, 1_000],
    ['429 for 7 s', 429, { 'retry-after': '7' }, 7_000],
    ['429 for a day', 429, { 'retry-after': '86400' }, 30_000],
    ['429 until a date', 429, { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }, 1_000],
    ['a JSON-RPC error code', 200, {}, 1_000],
  ])('after %s sends no requests for that time, then resumes', async (_what, status, headers, pauseMs) => {
    node.respondWith((response) =>
      respond(response, status, { jsonrpc: '2.0', id: 1, error: { code: -32_005, message: 'slow down' } }, headers),
    )
    for (let reads = 0; reads < 3; reads++)
      expect(await reader.read(MINT)).toEqual({ ok: false, reason: expect.stringContaining('no more requests') })
    expect(node.asked).toHaveLength(1)
    node.respondWith(undefined)
    nowMs += pauseMs - 1
    expect(await reader.read(MINT)).toMatchObject({ ok: false })
    nowMs += 1
    expect(await reader.read(MINT)).toMatchObject({ ok: true })
    expect(node.asked).toHaveLength(2)
  })
  test('gives a reason at once to reads above the concurrency limit', async () => {
    node.respondWith((response, answer) => void setTimeout(() => respond(response, 200, answer), 100))
    const reads = await Promise.all(Array.from({ length: 40 }, (_, index) => reader.read(key(index))))
    expect(reads.filter(({ ok }) => ok)).toHaveLength(16)
    expect(node.asked).toHaveLength(16)
  })
})

describe('shared reads', () => {
  const shared = () => sharedAccounts(reader, () => nowMs)
  test('concurrent reads of one mint share one request', async () => {
    const many = shared()
    const reads = await Promise.all(Array.from({ length: 20 }, () => many.read(MINT)))
    expect(new Set(reads).size).toBe(1)
    expect(node.asked).toHaveLength(1)
  })
  test('caches the answer of a mint until it expires', async () => {
    const kept = shared()
    await kept.read(MINT)
    nowMs += FRESH_MS - 1
    await kept.read(MINT)
    expect(node.asked).toHaveLength(1)
    nowMs += 1
    await kept.read(MINT)
    expect(node.asked).toHaveLength(2)
  })
  test('does not query a failing node for every card', async () => {
    node.respondWith((response) => respond(response, 500, ''))
    const kept = shared()
    for (let reads = 0; reads < 5; reads++) expect(await kept.read(MINT)).toMatchObject({ ok: false })
    expect(node.asked).toHaveLength(1)
  })
  test('evicts the oldest mint when the cache is full', async () => {
    let asked = 0
    const counted = sharedAccounts({ read: async () => ({ ok: false, reason: String(asked++) }) }, () => nowMs)
    const keys = Array.from({ length: ENTRIES_MAX + 1 }, (_, index) => given.keyOfNumber(index))
    for (const one of keys) await counted.read(one)
    await counted.read(keys[1] ?? key(0))
    expect(asked).toBe(ENTRIES_MAX + 1)
    await counted.read(keys[0] ?? key(0))
    expect(asked).toBe(ENTRIES_MAX + 2)
  })
})
