// The sandbox keeps its state over a restart, refuses invalid payments and requests, and listens on loopback only.
import { once } from 'node:events'
import { copyFile, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { createServer } from 'node:net'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { SLOT_MS, VALID_SLOTS } from '../../../topology/sandbox/blockhashes.ts'
import { SANDBOX_NETWORK, usdcAccountOf } from '../../../topology/sandbox/genesis.ts'
import { HISTORY_MAX } from '../../../topology/sandbox/ledger.ts'
import { LedgerStore } from '../../../topology/sandbox/ledger-store.ts'
import { type Sandbox, startSandbox } from '../../../topology/sandbox/sandbox.ts'
import { readWallet } from '../../../topology/sandbox/wallet.ts'
import { paymentBody } from '../../fixtures/sandbox-payment.ts'

let dataDir = ''
let open: Sandbox[] = []
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'mintfold-sandbox-'))
})
afterEach(async () => {
  await Promise.all(open.map((sandbox) => sandbox.close()))
  open = []
  await rm(dataDir, { recursive: true, force: true })
})

const start = async (now: () => number = Date.now, moved?: (sentence: string) => void): Promise<Sandbox> => {
  const sandbox = await startSandbox({ dataDir, now, ...(moved && { moved }) })
  open.push(sandbox)
  return sandbox
}
const stop = async (sandbox: Sandbox): Promise<void> => {
  open = open.filter((one) => one !== sandbox)
  await sandbox.close()
}
const post = async (url: string, body: unknown): Promise<Record<string, unknown>> => {
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  }
  return (await (await fetch(url, init)).json()) as Record<string, unknown>
}
const rpc = async (sandbox: Sandbox, method: string, ...params: unknown[]): Promise<unknown> => {
  const answer = await post(sandbox.rpcUrl, { jsonrpc: '2.0', id: 7, method, params })
  expect(answer).toMatchObject({ jsonrpc: '2.0', id: 7 })
  return answer.error ?? answer.result
}
/** The facilitator's two requests about a payment of `amount`. */
const payment = async (sandbox: Sandbox, amount: string, walletFile?: string) => {
  const body = await paymentBody(sandbox, amount, walletFile)
  return {
    verify: (at: Sandbox) => post(`${at.facilitatorUrl}/verify`, body),
    settle: (at: Sandbox) => post(`${at.facilitatorUrl}/settle`, body),
  }
}

describe('a first start', () => {
  test('gives the buyer 100 USDC and a wallet that only its owner can read', async () => {
    const sandbox = await start()
    expect(await sandbox.balances()).toEqual({ buyerMicroUsdc: 100_000_000, payToMicroUsdc: 0 })
    expect((await stat(sandbox.walletFile)).mode & 0o777).toBe(0o600)
    expect(await readWallet(sandbox.walletFile)).toMatchObject({ network: SANDBOX_NETWORK, rpcUrl: sandbox.rpcUrl })
    expect(new URL(sandbox.facilitatorUrl).hostname).toBe('127.0.0.1')
  })

  test.each(['0.0.0.0', '::', '192.0.2.1', 'example.com', '127.0.0.1.example.com'])('refuses to listen on %s', async (host) => {
    await expect(startSandbox({ dataDir, host })).rejects.toMatchObject({ name: 'EngineError', code: 'not_loopback' })
  })

  test('names a port in use', async () => {
    const port = Number(new URL((await start()).rpcUrl).port)
    const other = await mkdtemp(join(tmpdir(), 'mintfold-sandbox-'))
    await expect(startSandbox({ dataDir: other, port })).rejects.toMatchObject({ code: 'port_in_use', facts: { port } })
    await rm(other, { recursive: true, force: true })
  })
})

describe('after a landed payment and a restart', () => {
  test('balances, history and keys are kept, and the same transaction is refused', async () => {
    const before = await start()
    const paid = await payment(before, '40000000')
    expect(await paid.verify(before)).toMatchObject({ isValid: true })
    const settled = await paid.settle(before)
    expect(settled).toMatchObject({ success: true, network: SANDBOX_NETWORK })
    const balances = { buyerMicroUsdc: 60_000_000, payToMicroUsdc: 40_000_000 }
    expect(await before.balances()).toEqual(balances)
    await stop(before)
    const after = await start()
    expect(await after.balances()).toEqual(balances)
    expect(after.payTo).toBe(before.payTo)
    expect(await paid.verify(after)).toMatchObject({ isValid: false, invalidReason: 'invalid_exact_svm_transaction_simulation_failed' })
    expect(await paid.settle(after)).toMatchObject({ success: false })
    expect(await after.balances()).toEqual(balances)
    const [newest] = (await rpc(after, 'getSignaturesForAddress', (await readWallet(after.walletFile)).address, { limit: 5 })) as unknown[]
    expect(newest).toMatchObject({ signature: settled.transaction, err: null })
    expect(await rpc(after, 'getSignatureStatuses', [settled.transaction, '1'])).toMatchObject({
      value: [{ confirmationStatus: 'finalized' }, null],
    })
    expect(await rpc(after, 'getTransaction', settled.transaction)).toMatchObject({
      meta: { err: null },
      transaction: [expect.any(String), 'base64'],
    })
  })

  test('a payment signed before the restart settles after it while its blockhash is valid', async () => {
    const before = await start()
    const paid = await payment(before, '1000')
    await stop(before)
    const after = await start()
    expect(await paid.settle(after)).toMatchObject({ success: true })
  })
})

describe('the address', () => {
  const portOf = ({ rpcUrl }: Sandbox): number => Number(new URL(rpcUrl).port)

  test('is kept over restarts: a wallet file that was copied before pays afterwards', async () => {
    const before = await start()
    const copy = join(dataDir, 'copy.json')
    await copyFile(before.walletFile, copy)
    await stop(before)
    const after = await start()
    expect([after.rpcUrl, after.facilitatorUrl]).toEqual([before.rpcUrl, before.facilitatorUrl])
    expect(await (await payment(after, '1000', copy)).settle(after)).toMatchObject({ success: true })
  })

  test('changes, with one sentence, if another program has the port at the restart, and the new one is kept', async () => {
    const before = await start()
    await stop(before)
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(portOf(before), '127.0.0.1', resolve))
    const sentences: string[] = []
    const moved = await start(Date.now, (sentence) => sentences.push(sentence))
    expect(portOf(moved)).not.toBe(portOf(before))
    expect(sentences).toEqual([
      expect.stringMatching(`another program uses port ${portOf(before)}.* now on http://127.0.0.1:${portOf(moved)},`),
    ])
    await stop(moved)
    await new Promise((resolve) => other.close(resolve))
    expect(portOf(await start())).toBe(portOf(moved))
  })

  test('is below the ports that the system gives to outgoing connections, which could take it while the sandbox is stopped', async () => {
    const port = portOf(await start())
    expect([port >= 10_000, port < 32_000]).toEqual([true, true])
  })
})

describe('requests', () => {
  const LOCAL = { 'content-type': 'application/json' }
  const status = async (sandbox: Sandbox, headers: Record<string, string>): Promise<number | undefined> => {
    const { port } = new URL(sandbox.rpcUrl)
    const request = httpRequest({
      port,
      host: '127.0.0.1',
      path: '/rpc',
      method: 'POST',
      headers: { host: `127.0.0.1:${port}`, ...headers },
    })
    request.end('{"id":1,"method":"getSlot"}')
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    response.resume()
    return response.statusCode
  }
  test.each(['127.0.0.1:1', 'localhost:8404', '[::1]:80', '10.1.2.3', hostname()])('with the host %s are answered', async (host) => {
    expect(await status(await start(), { ...LOCAL, host })).toBe(200)
  })
  test.each<[string, Record<string, string>, number]>([
    ['of another name', { ...LOCAL, host: 'evil.example' }, 403],
    ['of a name that begins like an address', { ...LOCAL, host: '127.0.0.1.evil.example' }, 403],
    ['with an origin', { ...LOCAL, origin: 'http://evil.example' }, 403],
    ['with the origin of a sandboxed frame', { ...LOCAL, origin: 'null' }, 403],
    ['of a page of another site', { ...LOCAL, 'sec-fetch-site': 'cross-site' }, 403],
    ['of a page on another port of this machine', { ...LOCAL, 'sec-fetch-site': 'same-site' }, 403],
    ['with a body that forms can send', { 'content-type': 'text/plain' }, 415],
    ['without a type', {}, 415],
  ])('%s are refused', async (_what, headers, expected) => {
    expect(await status(await start(), headers)).toBe(expected)
  })
})

describe('over time', () => {
  test('a blockhash is valid for exactly 150 slots', async () => {
    let nowMs = Date.now()
    const sandbox = await start(() => nowMs)
    const paid = await payment(sandbox, '1000')
    nowMs += (VALID_SLOTS - 1) * SLOT_MS
    expect(await paid.verify(sandbox)).toMatchObject({ isValid: true })
    nowMs += SLOT_MS
    expect(await paid.verify(sandbox)).toMatchObject({ isValid: false, invalidMessage: expect.stringContaining('BlockhashNotFound') })
    expect(await paid.settle(sandbox)).toMatchObject({ success: false })
    expect((await sandbox.balances()).payToMicroUsdc).toBe(0)
  })
})

describe('a full history', () => {
  const landed = (sequence: number, slot: number) => ({
    sequence,
    transaction: { signature: `s${sequence}`, identity: `i${sequence}`, wireBase64: '', slot, blockTimeS: 0, error: null, accounts: [] },
  })

  test.each<[string, number, number]>([
    ['drops the oldest transaction if its blockhash is no longer valid', 1, HISTORY_MAX],
    ['keeps every transaction whose blockhash is still valid, because a copy could land again', 1000, HISTORY_MAX + 1],
  ])('%s', async (_name, slot, kept) => {
    let nowMs = Date.now()
    await stop(await start(() => nowMs))
    const store = new LedgerStore(join(dataDir, 'sandbox'))
    const records = Array.from({ length: HISTORY_MAX }, (_, index) => landed(index + 1, slot))
    await Promise.all(records.map((record) => store.commit({ landed: record, accounts: new Map(), forgotten: [] })))
    await store.close()
    nowMs += 1000 * SLOT_MS
    const sandbox = await start(() => nowMs)
    expect(await (await payment(sandbox, '1000')).settle(sandbox)).toMatchObject({ success: true })
    await stop(sandbox)
    const after = new LedgerStore(join(dataDir, 'sandbox'))
    const sequences = [...after.landed()].map(([sequence]) => sequence)
    await after.close()
    expect(sequences.length).toBe(kept)
    expect(sequences.at(-1)).toBe(HISTORY_MAX + 1)
  })
})

describe('a running sandbox', () => {
  test('refuses unknown methods, wrong parameters and garbage with an error', async () => {
    const sandbox = await start()
    expect(await rpc(sandbox, 'requestAirdrop', sandbox.payTo, 1)).toMatchObject({ code: -32601 })
    expect(await rpc(sandbox, 'toString')).toMatchObject({ code: -32601 })
    expect(await rpc(sandbox, 'getAccountInfo')).toMatchObject({ code: -32602 })
    expect(await rpc(sandbox, 'sendTransaction', 'AAAA')).toMatchObject({ code: -32602 })
    expect(await post(sandbox.rpcUrl, '{')).toMatchObject({ error: 'not JSON' })
    expect(await post(sandbox.rpcUrl, [])).toMatchObject({ error: { code: -32600 } })
    expect(await post(sandbox.rpcUrl, { method: 'x'.repeat(70_000) })).toMatchObject({ error: expect.stringContaining('65536') })
    expect(await post(`${sandbox.facilitatorUrl}/settle`, { paymentPayload: 1 })).toMatchObject({
      success: false,
      errorReason: 'invalid_payload',
    })
    expect(await rpc(sandbox, 'getAccountInfo', await usdcAccountOf(sandbox.payTo))).toMatchObject({ value: { space: 165 } })
  })

  test('leaves no temporary file beside the wallet file', async () => {
    const sandbox = await start()
    expect(JSON.parse(await readFile(sandbox.walletFile, 'utf8'))).toMatchObject({ secretKey: { length: 64 } })
    await expect(stat(`${sandbox.walletFile}.${process.pid}.tmp`)).rejects.toThrow()
  })
})
