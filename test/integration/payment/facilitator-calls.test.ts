// What a facilitator may return over HTTP, and what counts as an answer.
import { createServer } from 'node:http'
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { FacilitatorCalls } from '../../../query-api/payment/facilitator-calls.ts'
import { paymentLimits } from '../../../query-api/payment/limits.ts'
import { type LocalServer, startLocal } from '../../tools/local-server.ts'

const NETWORK = 'solana:test'
const REQUIREMENTS: PaymentRequirements = {
  ...{ scheme: 'exact', network: NETWORK, asset: 'a', amount: '1', payTo: 'b', maxTimeoutSeconds: 60, extra: {} },
}
const PAYLOAD: PaymentPayload = { x402Version: 2, accepted: REQUIREMENTS, payload: { transaction: 'AA==' } }

describe('requests to a facilitator', () => {
  let server: LocalServer
  let url: string
  let status = 200
  let text = ''
  const asked: { readonly method: string; readonly path: string; readonly body: unknown }[] = []
  beforeAll(async () => {
    const answering = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
      const { method = '', url: path = '' } = request
      if (path.startsWith('/moved')) return void response.writeHead(308, { location: path.replace('/moved', '') }).end()
      if (path.startsWith('/round')) return void response.writeHead(308, { location: path }).end()
      if (path.startsWith('/silent')) return
      asked.push({ method, path, body: JSON.parse(Buffer.concat(chunks).toString() || 'null') })
      response.writeHead(status, { 'content-type': 'application/json' }).end(text)
    })
    server = await startLocal(answering)
    url = server.url
  })
  afterAll(() => server.close())
  const respondWith = (code: number, body: unknown): void => {
    status = code
    text = typeof body === 'string' ? body : JSON.stringify(body)
  }
  const calls = (path = '', timeoutMs = 5_000) => new FacilitatorCalls(`${url}${path}`, timeoutMs)
  const verify = (path?: string, timeoutMs?: number) => calls(path, timeoutMs).verify(PAYLOAD, REQUIREMENTS)
  const settle = (path?: string, timeoutMs?: number) => calls(path, timeoutMs).settle(PAYLOAD, REQUIREMENTS)

  test('reads a success, and sends the request as the protocol requires', async () => {
    respondWith(200, { isValid: true, payer: 'p', extensions: null })
    expect(await verify('/')).toEqual({ isValid: true, reason: null })
    respondWith(200, { success: true, transaction: 't', network: NETWORK, payer: 'p' })
    expect(await settle()).toEqual({ isSuccess: true, reason: null, transaction: 't', network: NETWORK })
    const body = { x402Version: 2, paymentPayload: PAYLOAD, paymentRequirements: REQUIREMENTS }
    expect(asked).toEqual(['/verify', '/settle'].map((path) => ({ method: 'POST', path, body })))
  })
  test('follows a redirect with the whole request', async () => {
    respondWith(200, { success: true, transaction: 't', network: NETWORK })
    expect(await settle('/moved')).toMatchObject({ isSuccess: true, transaction: 't' })
    expect(asked.at(-1)).toMatchObject({ method: 'POST', path: '/settle', body: { paymentPayload: PAYLOAD } })
    await expect(settle('/round')).rejects.toThrow()
  })
  test.each([400, 402, 404])('a refusal with status %i counts as a refusal', async (code) => {
    respondWith(code, { isValid: false, invalidReason: 'insufficient_funds' })
    expect(await verify()).toEqual({ isValid: false, reason: 'insufficient_funds' })
    respondWith(code, { success: false, errorReason: 'insufficient_funds' })
    expect(await settle()).toEqual({ isSuccess: false, reason: 'insufficient_funds', transaction: '', network: '' })
  })
  test.each([
    [429, { isValid: false }],
    [500, { isValid: false, invalidReason: 'x' }],
    [200, { isValid: 'yes' }],
    [200, 'not JSON'],
    [200, ''],
    [404, { error: 'no such route' }],
  ])('status %i with %j leaves the payment unknown', async (code, body) => {
    respondWith(code, body)
    await expect(verify()).rejects.toThrow(`invalid answer to verify, status ${code}`)
  })
  test('a success with an error status is no success', async () => {
    respondWith(500, { success: true, transaction: 't', network: NETWORK })
    expect(await settle()).toEqual({ isSuccess: false, reason: 'settle_failed', transaction: 't', network: NETWORK })
    respondWith(400, { isValid: true })
    expect(await verify()).toEqual({ isValid: false, reason: null })
  })
  test('a settlement without its transaction leaves the payment unknown', async () => {
    respondWith(200, { success: true, network: NETWORK })
    await expect(settle()).rejects.toThrow('invalid answer to settle, status 200')
  })
  test('does not read an endless response to the end', async () => {
    respondWith(200, JSON.stringify({ isValid: true, payer: 'p'.repeat(paymentLimits.facilitatorAnswerBytesMax) }))
    await expect(verify()).rejects.toMatchObject({ code: 'UND_ERR_RES_EXCEEDED_MAX_SIZE' })
  })
  test('the error distinguishes a silent facilitator from one that is down', async () => {
    await expect(verify('/silent', 50)).rejects.toMatchObject({ name: 'TimeoutError' })
    const nobody = new FacilitatorCalls('http://127.0.0.1:9', 5_000)
    await expect(nobody.settle(PAYLOAD, REQUIREMENTS)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })
})
