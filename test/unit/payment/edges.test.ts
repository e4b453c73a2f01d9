// Edge cases of the payment path: limits, the signature of a receipt, error names, statuses that are not a refusal.
import { generateKeyPairSync, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import bs58 from 'bs58'
import { Facilitator } from '../../../query-api/payment/facilitator.ts'
import { FacilitatorCalls } from '../../../query-api/payment/facilitator-calls.ts'
import { paymentLimits } from '../../../query-api/payment/limits.ts'
import type { Charge } from '../../../query-api/payment/rail.ts'
import { CLAIM, RELEASE } from '../../../query-api/payment/stores/redis-scripts.ts'
import { RedisIdempotencyStore } from '../../../query-api/payment/stores/redis-store.ts'
import { isSignatureOf } from '../../../query-api/payment/svm/signed-transaction.ts'
import { svmRail } from '../../../query-api/payment/svm/svm-rail.ts'
import { claimOf, entryOf } from '../../contract/idempotency-store-contract.ts'
import { type LocalServer, startLocal } from '../../tools/local-server.ts'
import { newKey, paymentOf } from '../../tools/svm-payment.ts'

const PROMISES = readFileSync(new URL('../../../query-api/README.md', import.meta.url), 'utf8')
const DAY_MS = 86_400_000
const NETWORK = 'solana:test'
const REQUIREMENTS: PaymentRequirements = {
  ...{ scheme: 'exact', network: NETWORK, asset: 'a', amount: '1', payTo: 'b', maxTimeoutSeconds: 60, extra: {} },
}

test('the limits equal those in query-api/README.md', () => {
  const [, lines = '', days = ''] =
    /the last ([\d,]+) lines \(two per payment\), in the data directory for (\d+) days at most/.exec(PROMISES) ?? []
  expect([paymentLimits.linesMax, paymentLimits.linesMs]).toEqual([Number(lines.replace(',', '')), Number(days) * DAY_MS])
  const [, minutes = ''] = /sent again within (\d+) minutes gives the same answer/.exec(PROMISES) ?? []
  expect([paymentLimits.replayMs, paymentLimits.rememberMs]).toEqual([Number(minutes) * 60_000, DAY_MS])
})

describe('a base58 signature', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const feePayer = bs58.encode(Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url'))
  const message = Buffer.from('message')
  const transaction = { message, feePayer }

  test('is not decoded if the text is too long for one', () => {
    const own = bs58.encode(sign(null, message, privateKey))
    expect(isSignatureOf(own, transaction)).toBe(true)
    let reads = 0
    const long = (length: number): string =>
      new Proxy(Object('1'.repeat(length)), {
        get: (text, name) => {
          if (name === 'length') return length
          reads++
          return Reflect.get(text, name)
        },
      })
    expect(isSignatureOf(long(129), transaction)).toBe(false)
    expect(reads).toBe(0)
  })
})

describe('a facilitator', () => {
  let server: LocalServer
  let [status, body] = [200, {} as object]
  beforeAll(async () => {
    server = await startLocal(
      createServer((request, response) => {
        request.resume()
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      }),
    )
  })
  afterAll(() => server.close())
  const payload = (transaction: string): PaymentPayload => ({ x402Version: 2, accepted: REQUIREMENTS, payload: { transaction } })

  test.each([400, 402, 422, 499])('counts as answering if it refuses with status %i', async (code) => {
    ;[status, body] = [code, { isValid: true, invalidReason: 'no' }]
    expect(await new FacilitatorCalls(server.url, 5_000).verify(payload('AA=='), REQUIREMENTS)).toEqual({ isValid: false, reason: 'no' })
  })
  test.each([429, 500, 503, 599])('counts as not answering if it is busy or broken with status %i', async (code) => {
    ;[status, body] = [code, { isValid: false, invalidReason: 'no' }]
    await expect(new FacilitatorCalls(server.url, 5_000).verify(payload('AA=='), REQUIREMENTS)).rejects.toMatchObject({ name: 'NoAnswer' })
  })

  test('that is unreachable, or fails without a reason, is reported with the known error', async () => {
    const notices: unknown[] = []
    const facilitatorAt = (url: string) =>
      new Facilitator({
        ...{ url, network: NETWORK, timeoutMs: 2_000, clock: { now: Date.now }, neverSent: /never/, receiptOf: () => undefined },
        notice: (_code, { reason }) => notices.push(reason),
      })
    expect(await facilitatorAt('http://127.0.0.1:1').verify(payload('AA=='), REQUIREMENTS)).toMatchObject({ kind: 'unreachable' })
    ;[status, body] = [503, {}]
    await facilitatorAt(server.url).verify(payload('AA=='), REQUIREMENTS)
    expect(notices).toEqual(['nothing listens at this address', 'its answer is not one of x402'])
  })

  test('that names another transaction, or an unreadable one, leaves the outcome uncertain', async () => {
    const rail = svmRail({
      ...{ url: server.url, timeoutMs: 2_000, clock: { now: Date.now }, notice: () => {}, rpcUrl: undefined },
      seller: { network: NETWORK, payTo: 'b' } as never,
    })
    const settle = (transaction: string, signature: string) => {
      ;[status, body] = [200, { success: true, transaction: signature, network: NETWORK, payer: 'p' }]
      return rail.settle({ payload: payload(transaction), requirements: REQUIREMENTS, attempt: 0 } as Charge)
    }
    const keys = [newKey(), newKey()] as const
    const terms = { asset: newKey().address, amount: '1', payTo: newKey().address, extra: { feePayer: keys[0].address } }
    const { transaction: wire, message } = await paymentOf(terms, keys[1])
    const [own, foreign] = keys.map(({ privateKey }) => bs58.encode(sign(null, message, privateKey))) as [string, string]
    expect(await settle(wire, own)).toMatchObject({ kind: 'charged', receipt: { transaction: own } })
    expect(await settle(wire, foreign)).toMatchObject({ kind: 'uncertain', reason: 'facilitator_incoherent_success' })
    expect(await settle('AA==', own)).toMatchObject({ kind: 'uncertain', reason: 'facilitator_incoherent_success' })
  })
})

test('releasing a claim frees its identifier unless a payment with it was stored', async () => {
  const released: string[] = []
  const client = {
    isReady: true,
    sendCommand: async ([, script, , ...args]: readonly string[]): Promise<unknown> => {
      if (script === CLAIM) return ['claimed', '', '']
      if (script === RELEASE) released.push(args.at(-1) ?? '')
      return 'kept'
    },
  }
  const book = new RedisIdempotencyStore({ client, prefix: 'x:', clock: { now: Date.now } })
  for (const [identifier, isPut] of [
    [null, false],
    ['i', false],
    ['i', true],
  ] as const) {
    const claim = await claimOf(book, 'a', identifier)
    if (isPut) await claim.put(entryOf({ identifier }))
    await claim.release()
  }
  expect(released).toEqual(['1', '0', '1'])
})
