// Payments that must not buy anything: each is refused with nothing run, nothing settled, nothing charged.
import { decodePaymentRequiredHeader } from '@x402/core/http'
import type { PaymentRequired } from '@x402/core/types'
import { SLOT_MS, VALID_SLOTS } from '../../../topology/sandbox/blockhashes.ts'
import { readWallet } from '../../../topology/sandbox/wallet.ts'
import { decode, encode, send, startWorld, type World } from './world.ts'

const SOMEBODY = '8q8SLYPvpWunqdHxEZmBNicdXs27h3Jq8bQ1giixsT1K'

let world: World
let url = ''
beforeAll(async () => {
  world = await startWorld()
  url = `${world.shop.url}/v1/card`
})
afterAll(() => world.close())

/** Sends a header and expects that it buys nothing; returns status and error. */
const refused = async (header: string, headers: Record<string, string> = {}): Promise<readonly [number, unknown]> => {
  const spent = await world.spentMicroUsdc()
  const { settles } = world.facilitator
  const response = await send(url, header, headers)
  const body = (await response.json()) as { error?: unknown; charged?: unknown; ok?: unknown }
  if (response.status !== 402) expect(body).toMatchObject({ ok: false, charged: false, hint: expect.any(String) })
  else expect(decodePaymentRequiredHeader(response.headers.get('payment-required') ?? '').error).toBe(body.error)
  expect(await world.spentMicroUsdc()).toBe(spent)
  expect(world.facilitator.settles).toBe(settles)
  expect(world.shop.runs.get('/v1/card')).toBeUndefined()
  return [response.status, body.error]
}

type Edit = (accepts: PaymentRequired['accepts'][number]) => void
const toAmountOne: Edit = (terms) => {
  terms.amount = '1'
}
const toSomebody: Edit = (terms) => {
  terms.payTo = SOMEBODY
}
const editTerms =
  (edit: Edit) =>
  (terms: PaymentRequired): void => {
    if (terms.accepts[0]) edit(terms.accepts[0])
  }

describe('terms that differ from the offer', () => {
  test.each<[string, Edit]>([
    ['amount', toAmountOne],
    ['payee', toSomebody],
  ])('a payment signed for another %s is refused before the facilitator is asked', async (_name, edit) => {
    const { verifies } = world.facilitator
    expect(await refused(await world.signed(url, editTerms(edit)))).toEqual([402, 'payment_terms_mismatch'])
    expect(world.facilitator.verifies).toBe(verifies)
  })

  test.each<[string, Edit, string]>([
    ['amount', toAmountOne, 'payment_terms_mismatch'],
    ['payee', toSomebody, 'payment_terms_mismatch'],
  ])('a payment that claims the offered terms but pays another %s is refused by the facilitator', async (_name, edit, reason) => {
    const [offered] = (await world.terms(url)).accepts
    const header = await world.signed(url, editTerms(edit), (payload) => {
      if (offered) payload.accepted = offered
    })
    expect(await refused(header)).toEqual([402, reason])
  })

  test.each([
    ['network', { network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' }],
    ['asset', { asset: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' }],
    ['scheme', { scheme: 'upto' }],
    ['fee payer', { extra: { feePayer: SOMEBODY } }],
    ['fee payer (none)', { extra: {} }],
  ])('a payment for another %s is refused', async (_name, change) => {
    const header = await world.signed(url, undefined, (payload) => Object.assign(payload.accepted, change))
    expect(await refused(header)).toEqual([402, 'payment_terms_mismatch'])
  })
})

describe('a transaction that cannot land', () => {
  test('an expired blockhash is refused, a fresh one is not', async () => {
    const header = await world.signed(url)
    world.time.offsetMs += VALID_SLOTS * SLOT_MS
    expect(await refused(header)).toEqual([402, 'invalid_exact_svm_transaction_simulation_failed'])
    const other = `${world.shop.url}/v1/fresh`
    const fresh = await world.signed(other)
    world.time.offsetMs += (VALID_SLOTS - 10) * SLOT_MS
    expect((await send(other, fresh)).status).toBe(200)
  })

  test('a payment with a foreign signature is refused', async () => {
    const payload = decode(await world.signed(url)) as unknown as { payload: { transaction: string } }
    const wire = Buffer.from(payload.payload.transaction, 'base64')
    wire.fill(9, 65, 129)
    payload.payload.transaction = wire.toString('base64')
    expect(await refused(encode(payload))).toEqual([402, 'invalid_exact_svm_payload_signature_invalid'])
  })

  test('a wallet without the money is refused at verification, and no answer is computed', async () => {
    const dear = await world.open({ priceFactor: 1_000_000 })
    const response = await send(`${dear.url}/v1/card`, await world.signed(`${dear.url}/v1/card`))
    expect(response.status).toBe(402)
    expect(await response.json()).toMatchObject({
      error: 'invalid_exact_svm_transaction_simulation_failed',
      accepts: [{ amount: '25000000000' }],
    })
    expect(dear.runs.size).toBe(0)
  })
})

describe('a header that is no payment', () => {
  test.each<[string, () => Promise<string> | string, string]>([
    ['no base64', () => '@@@', 'payment_header_malformed'],
    ['no JSON', () => Buffer.from('not json').toString('base64'), 'payment_header_malformed'],
    ['null', () => encode(null), 'payment_header_malformed'],
    ['a list', () => encode([]), 'payment_header_malformed'],
    ['an empty object', () => encode({}), 'payment_header_malformed'],
    ['version 1', () => encode({ x402Version: 1, scheme: 'exact', network: 'solana', payload: {} }), 'payment_version_unsupported'],
    ['version 3', () => encode({ x402Version: 3 }), 'payment_version_unsupported'],
    ['over the size limit', () => 'A'.repeat(11 * 1024), 'payment_header_too_large'],
    [
      'a transaction of garbage',
      async () => encode({ ...decode(await world.signed(url)), payload: { transaction: 'AAAA' } }),
      'payment_header_malformed',
    ],
    [
      'a transaction cut short',
      async () => {
        const payload = decode(await world.signed(url)) as unknown as { payload: { transaction: string } }
        return encode({ ...payload, payload: { transaction: payload.payload.transaction.slice(0, 240) } })
      },
      'payment_header_malformed',
    ],
    ['two headers', async () => `${await world.signed(url)}, ${await world.signed(url)}`, 'payment_header_malformed'],
  ])('%s: 400', async (_name, header, error) => {
    expect(await refused(await header())).toEqual([400, error])
  })
})

describe('a settled payment rebuilt from the chain', () => {
  const rpc = async (method: string, params: unknown[]): Promise<never> => {
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    }
    return ((await (await fetch(world.sandbox.rpcUrl, init)).json()) as { result: never }).result
  }
  const rebuilt = async (terms: PaymentRequired): Promise<string> => {
    const { address } = await readWallet(world.sandbox.walletFile)
    const [newest] = (await rpc('getSignaturesForAddress', [address, { limit: 1 }])) as { signature: string }[]
    const landed = (await rpc('getTransaction', [newest?.signature, { encoding: 'base64' }])) as { transaction: [string, string] }
    const wire = Buffer.from(landed.transaction[0], 'base64').fill(0, 1, 65)
    return encode({
      x402Version: 2,
      payload: { transaction: wire.toString('base64') },
      resource: terms.resource,
      accepted: terms.accepts[0],
    })
  }

  test('gets nothing, not even from the same address, when the payment had a nonce', async () => {
    const sold = `${world.shop.url}/v1/sold`
    const header = await world.signed(sold)
    expect((await send(sold, header, { 'X-Forwarded-For': '10.0.0.1' })).status).toBe(200)
    expect((await send(sold, header, { 'X-Forwarded-For': '10.9.9.9' })).status).toBe(200)
    const stolen = await rebuilt(await world.terms(sold))
    for (const address of ['10.0.0.1', '10.9.9.9']) {
      const response = await send(sold, stolen, { 'X-Forwarded-For': address })
      expect(response.status).toBe(409)
      expect(await response.json()).toMatchObject({ error: 'payment_already_used', charged: false })
    }
    expect(world.shop.runs.get('/v1/sold')).toBe(1)
  })

  test('gets the answer again only from the address that paid, if the payment had no nonce', async () => {
    const sold = `${world.shop.url}/v1/plain`
    const header = await world.signed(sold, undefined, (payload) => delete payload.extensions)
    expect((await send(sold, header, { 'X-Forwarded-For': '10.0.0.1' })).status).toBe(200)
    expect((await send(sold, header, { 'X-Forwarded-For': '10.0.0.1' })).status).toBe(200)
    expect((await send(sold, header, { 'X-Forwarded-For': '10.9.9.9' })).status).toBe(409)
  })

  test('a payment-identifier takes precedence over the nonce', async () => {
    const sold = `${world.shop.url}/v1/identified`
    const header = await world.signed(sold, undefined, (payload) => {
      payload.extensions = { ...payload.extensions, 'payment-identifier': { info: { required: false, id: 'pay_0123456789abcdef' } } }
    })
    expect((await send(sold, header)).status).toBe(200)
    const { extensions: _dropped, ...bare } = decode(header)
    const withId = { ...bare, extensions: { 'payment-identifier': { info: { id: 'pay_0123456789abcdef' } } } }
    expect((await send(sold, encode(withId))).status).toBe(200)
    expect((await send(sold, encode(bare))).status).toBe(409)
  })
})
