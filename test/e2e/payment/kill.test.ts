// Killed with SIGKILL anywhere in a sale and restarted: the same signed payment is answered, and nothing is paid twice.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { x402Client } from '@x402/core/client'
import { decodePaymentRequiredHeader, encodePaymentSignatureHeader } from '@x402/core/http'
import { ExactSvmScheme } from '@x402/svm/exact/client'
import { balanceMicroUsdc } from '../../../topology/cli/commands/buy/buyer.ts'
import { SANDBOX_USDC } from '../../../topology/sandbox/genesis.ts'
import { signerOf } from '../../../topology/sandbox/keys.ts'
import { readWallet } from '../../../topology/sandbox/wallet.ts'
import { RUN } from '../../tools/run.ts'

const PRICE_MICRO_USDC = 25_000
const FUNDS_MICRO_USDC = 100_000_000

interface Process {
  readonly url: string
  readonly child: ChildProcess
  readonly ended: Promise<void>
}

let dataDir = ''
let running: Process[] = []
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'mintfold-kill-'))
})
afterEach(async () => {
  for (const { child, ended } of running) {
    child.kill('SIGKILL')
    await ended
  }
  running = []
  await rm(dataDir, { recursive: true, force: true })
})

const start = (instant: string): Promise<Process> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...RUN, join('test', 'e2e', 'payment', 'shop-process.ts'), dataDir, instant], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const ended = new Promise<void>((done) => child.on('close', () => done()))
    child.on('error', reject)
    child.stdout.once('data', (line: Buffer) => {
      const started = { url: (JSON.parse(line.toString('utf8')) as { url: string }).url, child, ended }
      running.push(started)
      resolve(started)
    })
    void ended.then(() => reject(new Error('the process ended before it was up')))
  })

const sign = async (url: string): Promise<string> => {
  const wallet = await readWallet(join(dataDir, 'wallet.json'))
  const signer = await signerOf(Uint8Array.from(wallet.secretKey))
  const client = new x402Client().register('solana:*', new ExactSvmScheme(signer, { rpcUrl: wallet.rpcUrl }))
  const response = await fetch(url)
  const terms = decodePaymentRequiredHeader(response.headers.get('payment-required') ?? '')
  return encodePaymentSignatureHeader(await client.createPaymentPayload(terms))
}

const send = (url: string, header: string): Promise<Response> => fetch(url, { headers: { 'PAYMENT-SIGNATURE': header } })
const balance = async (): Promise<number | undefined> => balanceMicroUsdc(await readWallet(join(dataDir, 'wallet.json')), SANDBOX_USDC)

describe('after a kill', () => {
  // The answer does not wait for the record of the outcome, so it may have been sent before.
  test.each([
    ['before-settlement', false],
    ['after-settlement', false],
    ['before-outcome', true],
    ['after-outcome', true],
  ])(
    '%s, the payment buys its answer once',
    async (instant, mayHaveLeft) => {
      const first = await start(instant)
      const header = await sign(`${first.url}/v1/card?x=1`)
      const left = await send(`${first.url}/v1/card?x=1`, header)
        .then((response) => response.text())
        .catch(() => null)
      await first.ended
      const second = await start('never')
      const answers = left === null ? [] : [left]
      expect(mayHaveLeft || left === null).toBe(true)
      for (let retry = 0; retry < 3; retry++) {
        const response = await send(`${second.url}/v1/card?x=1`, header)
        expect(response.status).toBe(200)
        answers.push(await response.text())
      }
      expect(new Set(answers).size).toBe(1)
      expect(answers[0]).toContain(`"made":"${first.child.pid}-`)
      expect(await balance()).toBe(FUNDS_MICRO_USDC - PRICE_MICRO_USDC)
      expect((await send(`${second.url}/v1/other`, header)).status).toBe(409)
    },
    600_000,
  )

  test('at random times under load, every payment ends up charged once and answered', async () => {
    const seed = Math.floor(Math.random() * 1e9)
    const headers: string[] = []
    for (let kill = 0; kill < 2; kill++) {
      const shop = await start('never')
      const signed = await Promise.all(Array.from({ length: 8 }, () => sign(`${shop.url}/v1/card`)))
      headers.push(...signed)
      setTimeout(() => shop.child.kill('SIGKILL'), (seed >> (kill * 7)) % 160)
      await Promise.allSettled(signed.map((header) => send(`${shop.url}/v1/card`, header)))
      await shop.ended
    }
    const shop = await start('never')
    const statuses: number[] = []
    for (const header of headers) statuses.push((await send(`${shop.url}/v1/card`, header)).status)
    const hint = `seed ${seed}`
    expect([hint, new Set(statuses)]).toEqual([hint, new Set([200])])
    expect([hint, await balance()]).toEqual([hint, FUNDS_MICRO_USDC - headers.length * PRICE_MICRO_USDC])
  })
})
