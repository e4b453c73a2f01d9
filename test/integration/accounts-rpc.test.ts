// Account reads over JSON-RPC: a node that answers, and every way in which one does not.
import { gzipSync } from 'node:zlib'
import { curveAddressOf } from '../../processors/chains/solana/accounts/curve.ts'
import { READ_MS_MAX } from '../../topology/ports/accounts.ts'
import { ENTRIES_MAX, FRESH_MS, sharedAccounts } from '../../topology/sources/shared-accounts.ts'
import { RpcAccounts } from '../../topology/sources/solana/rpc/rpc-accounts.ts'
import { type AccountNode, type Saying, say, startAccountNode } from '../fakes/account-node.ts'
import * as given from '../fixtures/account-bytes.ts'
import { key } from '../unit/query-api/given-mint.ts'

const MINT = given.RECORDED_MINT
/** 5 MB of nothing. */
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
interface Told {
  readonly data: readonly [string, string]
  readonly owner: string
  readonly space: number
}
/** The answer with its first account changed. */
const withAccount =
  (change: (account: Told) => Partial<Told>): Saying =>
  (response, answer) => {
    const { result } = answer as { result: { context: object; value: Told[] } }
    const value = result.value.map((account, index) => (index === 0 ? { ...account, ...change(account) } : account))
    say(response, 200, { result: { ...result, value } })
  }

describe('a node that answers', () => {
  test('given mint and curve, then both are read in one request, at the slot of the answer', async () => {
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
  test('given no account, then it does not exist, which is an answer', async () => {
    const read = await reader.read(key(3))
    expect(read).toMatchObject({ ok: true, value: { exists: false, mint: { ok: true, value: null }, curve: { ok: true, value: null } } })
  })
  test('given bytes of the wrong size, then what can be read is read, and the rest has a reason', async () => {
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

describe('a node that does not', () => {
  const cases: readonly [string, Saying, RegExp][] = [
    [
      'an error of its own',
      (response) => say(response, 200, { jsonrpc: '2.0', id: 1, error: { code: -32_602, message: 'Invalid param' } }),
      /error/,
    ],
    ['a status of 500', (response) => say(response, 500, 'oh no'), /error/],
    ['a redirect', (response) => say(response, 302, '', { location: 'http://127.0.0.1:1/' }), /does not answer/],
    ['a page', (response) => say(response, 200, '<html>'), /understood/],
    ['null', (response) => say(response, 200, 'null'), /understood/],
    ['one account of two', (response) => say(response, 200, { result: { context: { slot: 1 }, value: [null] } }), /understood/],
    ['no slot', (response) => say(response, 200, { result: { context: {}, value: [null, null] } }), /understood/],
    [
      'half an answer',
      (response) => void response.writeHead(200, { 'content-length': '100' }).write('{"result"', () => response.destroy()),
      /does not answer/,
    ],
    ['more than anybody needs', (response) => say(response, 200, `"${'x'.repeat(600_000)}"`), /understood/],
    [
      'more than that, packed',
      (response) => {
        response.writeHead(200, { 'content-encoding': 'gzip' })
        response.end(PACKED)
      },
      /understood/,
    ],
    ['bytes that are no base64', withAccount(() => ({ data: ['!!!!', 'base64'] })), /understood/],
    ['bytes in another form', withAccount(({ data: [bytes] }) => ({ data: [bytes, 'base58'] })), /understood/],
    ['fewer bytes than it says', withAccount(({ space }) => ({ space: space + 1 })), /understood/],
    ['an owner that is no address', withAccount(() => ({ owner: 'nobody' })), /understood/],
  ]
  test.each(cases)('%s: a reason, told once to the log, and no address', async (_what, saying, words) => {
    node.put(MINT, given.recordedAccount('mint'))
    node.says(saying)
    const read = await reader.read(MINT)
    expect(read).toEqual({ ok: false, reason: expect.stringMatching(words) })
    await reader.read(MINT)
    expect(notices).toEqual([['accounts_not_read', { reason: expect.stringMatching(words), words: expect.any(String) }]])
    expect(JSON.stringify([read, notices])).not.toMatch(/127\.0\.0\.1|a-key-in-the-path/)
    node.says(undefined)
    expect(await reader.read(MINT)).toMatchObject({ ok: true })
    expect(notices.at(-1)?.[0]).toBe('accounts_read_again')
  })
  test('given silence, then a reason within the limit', async () => {
    node.says(() => {})
    const startedMs = performance.now()
    expect(await reader.read(MINT)).toEqual({ ok: false, reason: expect.stringContaining('within 2 s') })
    const tookMs = performance.now() - startedMs
    expect(tookMs).toBeGreaterThan(READ_MS_MAX - 50)
    expect(tookMs).toBeLessThan(READ_MS_MAX + 1_500)
  })
  test('given an answer that never ends, then the same', async () => {
    node.says((response) => {
      response.writeHead(200)
      const drip = setInterval(() => response.write(' '), 50)
      response.on('close', () => clearInterval(drip))
    })
    expect(await reader.read(MINT)).toEqual({ ok: false, reason: expect.stringContaining('within 2 s') })
  })
  test('given nobody there, then a reason', async () => {
    await node.close()
    expect(await reader.read(MINT)).toEqual({ ok: false, reason: expect.stringContaining('does not answer') })
    node = await startAccountNode()
  })
  test.each([
    ['429 without a time', 429, {}, 1_000],
    ['429 for 7 s', 429, { 'retry-after': '7' }, 7_000],
    ['429 for a day', 429, { 'retry-after': '86400' }, 30_000],
    ['429 until a date', 429, { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }, 1_000],
    ['its own word for it', 200, {}, 1_000],
  ])('given %s, then nothing is asked for as long, and then again', async (_what, status, headers, pauseMs) => {
    node.says((response) => say(response, status, { jsonrpc: '2.0', id: 1, error: { code: -32_005, message: 'slow down' } }, headers))
    for (let reads = 0; reads < 3; reads++)
      expect(await reader.read(MINT)).toEqual({ ok: false, reason: expect.stringContaining('no more requests') })
    expect(node.asked).toHaveLength(1)
    node.says(undefined)
    nowMs += pauseMs - 1
    expect(await reader.read(MINT)).toMatchObject({ ok: false })
    nowMs += 1
    expect(await reader.read(MINT)).toMatchObject({ ok: true })
    expect(node.asked).toHaveLength(2)
  })
  test('given more reads at once than are allowed, then the rest has a reason at once', async () => {
    node.says((response, answer) => void setTimeout(() => say(response, 200, answer), 100))
    const reads = await Promise.all(Array.from({ length: 40 }, (_, index) => reader.read(key(index))))
    expect(reads.filter(({ ok }) => ok)).toHaveLength(16)
    expect(node.asked).toHaveLength(16)
  })
})

describe('reads shared for a moment', () => {
  const shared = () => sharedAccounts(reader, () => nowMs)
  test('given many at once for one mint, then one request', async () => {
    const many = shared()
    const reads = await Promise.all(Array.from({ length: 20 }, () => many.read(MINT)))
    expect(new Set(reads).size).toBe(1)
    expect(node.asked).toHaveLength(1)
  })
  test('given the same mint again, then the answer is kept for its time and no longer', async () => {
    const kept = shared()
    await kept.read(MINT)
    nowMs += FRESH_MS - 1
    await kept.read(MINT)
    expect(node.asked).toHaveLength(1)
    nowMs += 1
    await kept.read(MINT)
    expect(node.asked).toHaveLength(2)
  })
  test('given a node in trouble, then it is not asked by every card', async () => {
    node.says((response) => say(response, 500, ''))
    const kept = shared()
    for (let reads = 0; reads < 5; reads++) expect(await kept.read(MINT)).toMatchObject({ ok: false })
    expect(node.asked).toHaveLength(1)
  })
  test('given more mints than are kept, then the oldest is asked for again', async () => {
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
