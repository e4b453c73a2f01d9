// Purchases with the official client from a shop with the sandbox's facilitator and ledger.
import { decodePaymentRequiredHeader, decodePaymentResponseHeader } from '@x402/core/http'
import { decode, encode, PRICE_MICRO_USDC, send, startWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.close())

const receiptOf = (response: Response) => decodePaymentResponseHeader(response.headers.get('payment-response') ?? '')
const balanceChange = async (run: () => Promise<unknown>): Promise<number> => {
  const before = await world.spentMicroUsdc()
  await run()
  return (await world.spentMicroUsdc()) - before
}

describe('without payment', () => {
  test('the 402 has the same terms in header and body, to the letter', async () => {
    const response = await fetch(`${world.shop.url}/v1/card?x=1&y=%20`)
    const body = (await response.json()) as { extensions: Record<string, unknown> }
    expect(response.status).toBe(402)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(body).toEqual(JSON.parse(Buffer.from(response.headers.get('payment-required') ?? '', 'base64').toString('utf8')))
    expect({ ...body, extensions: Object.keys(body.extensions) }).toEqual({
      x402Version: 2,
      error: 'Payment required',
      resource: { url: `${world.shop.url}/v1/card?x=1&y=%20`, description: 'a test answer', mimeType: 'application/json' },
      accepts: [
        {
          scheme: 'exact',
          network: 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
          asset: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU',
          amount: '25000',
          payTo: world.sandbox.payTo,
          maxTimeoutSeconds: 60,
          extra: { feePayer: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/) },
        },
      ],
      extensions: ['payment-identifier', 'replay-nonce'],
    })
    expect(world.shop.runs.get('/v1/card')).toBeUndefined()
  })

  test('the header X-Forwarded-Host does not reach the resource url', async () => {
    const response = await fetch(`${world.shop.url}/v1/card`, { headers: { 'X-Forwarded-Host': 'evil.example' } })
    const { resource } = decodePaymentRequiredHeader(response.headers.get('payment-required') ?? '')
    expect(resource.url).toBe(`${world.shop.url}/v1/card`)
  })

  test('two 402s never share a nonce', async () => {
    const [first, second] = await Promise.all([world.terms(`${world.shop.url}/v1/card`), world.terms(`${world.shop.url}/v1/card`)])
    expect(first.extensions?.['replay-nonce']).not.toEqual(second.extensions?.['replay-nonce'])
  })

  test('a quote never runs or settles anything, whatever is sent', async () => {
    const header = await world.signed(`${world.shop.url}/v1/card`)
    const change = await balanceChange(async () => expect((await send(`${world.shop.url}/v1/bare`, header)).status).toBe(402))
    expect(change).toBe(0)
    expect(world.shop.runs.get('/v1/bare')).toBeUndefined()
  })
})

describe('a payment of the official client', () => {
  test('gets the answer with a receipt, the balances move, and the payer needs no SOL', async () => {
    const { pay } = await world.buyer()
    const change = await balanceChange(async () => {
      const response = await pay(`${world.shop.url}/v1/once`)
      expect(response.status).toBe(200)
      expect(response.headers.get('cache-control')).toBe('private')
      expect(await response.json()).toEqual({ path: '/v1/once', run: 1 })
      expect(receiptOf(response)).toMatchObject({ success: true, network: world.sandbox.network })
    })
    expect(change).toBe(PRICE_MICRO_USDC)
  })

  test('sent again identically: same answer, same receipt, nothing charged, no call to the facilitator', async () => {
    const { pay, sent } = await world.buyer()
    const url = `${world.shop.url}/v1/again?b=2&a=1`
    const first = await pay(url)
    const firstText = await first.text()
    const { settles, verifies } = world.facilitator
    const change = await balanceChange(async () => {
      const second = await send(url, sent.header)
      expect(second.status).toBe(200)
      expect(await second.text()).toBe(firstText)
      expect(second.headers.get('payment-response')).toBe(first.headers.get('payment-response'))
      const reordered = await send(`${world.shop.url}/v1/again?a=1&b=2`, sent.header)
      expect(reordered.status).toBe(200)
    })
    expect(change).toBe(0)
    expect({ settles: world.facilitator.settles, verifies: world.facilitator.verifies }).toEqual({ settles, verifies })
    expect(world.shop.runs.get('/v1/again')).toBe(1)
  })

  test('sent 20 times at once: one run, one settlement, one charge, 20 equal answers', async () => {
    const url = `${world.shop.url}/v1/crowd`
    const header = await world.signed(url)
    const { settles } = world.facilitator
    let texts: string[] = []
    const change = await balanceChange(async () => {
      const responses = await Promise.all(Array.from({ length: 20 }, () => send(url, header)))
      expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
      texts = await Promise.all(responses.map((response) => response.text()))
    })
    expect(new Set(texts).size).toBe(1)
    expect(world.shop.runs.get('/v1/crowd')).toBe(1)
    expect(world.facilitator.settles - settles).toBe(1)
    expect(change).toBe(PRICE_MICRO_USDC)
  })

  test('with other bytes in the signature slot of the fee payer is still the same payment', async () => {
    const { pay, sent } = await world.buyer()
    const url = `${world.shop.url}/v1/slot`
    await pay(url)
    const payload = decode(sent.header) as unknown as { payload: { transaction: string } }
    const wire = Buffer.from(payload.payload.transaction, 'base64')
    wire.fill(7, 1, 65)
    payload.payload.transaction = wire.toString('base64')
    const change = await balanceChange(async () => expect((await send(url, encode(payload))).status).toBe(200))
    expect(change).toBe(0)
    expect(world.shop.runs.get('/v1/slot')).toBe(1)
  })

  test('on another route, or with other arguments: 409, nothing run, nothing charged', async () => {
    const { pay, sent } = await world.buyer()
    await pay(`${world.shop.url}/v1/first?x=1`)
    const change = await balanceChange(async () => {
      for (const path of ['/v1/second', '/v1/first?x=2', '/v1/first']) {
        const response = await send(world.shop.url + path, sent.header)
        expect(response.status).toBe(409)
        expect(await response.json()).toMatchObject({ ok: false, error: 'payment_already_used', charged: false })
      }
    })
    expect(change).toBe(0)
    expect(world.shop.runs.get('/v1/second')).toBeUndefined()
    expect(world.shop.runs.get('/v1/first')).toBe(1)
  })

  test('is used up after 10 minutes, and still refused 23 hours later', async () => {
    const { pay, sent } = await world.buyer()
    const url = `${world.shop.url}/v1/late`
    await pay(url)
    try {
      for (const minutes of [11, 60 * 23]) {
        world.time.offsetMs = minutes * 60_000
        const response = await send(url, sent.header)
        expect(response.status).toBe(409)
        expect(await response.json()).toMatchObject({ error: 'payment_already_used', charged: false })
      }
    } finally {
      world.time.offsetMs = 0
    }
    expect(world.shop.runs.get('/v1/late')).toBe(1)
  })
})

describe('a request that is not sold', () => {
  test.each([
    ['/v1/missing', 404],
    ['/v1/broken', 503],
    ['/v1/throws', 500],
    ['/v1/huge', 503],
  ])('%s answers %d, is not settled, and the payment stays usable', async (path, status) => {
    const header = await world.signed(world.shop.url + path)
    const { settles } = world.facilitator
    const change = await balanceChange(async () => {
      const response = await send(world.shop.url + path, header)
      expect(response.status).toBe(status)
      expect(response.headers.get('payment-response')).toBeNull()
    })
    expect(change).toBe(0)
    expect(world.facilitator.settles).toBe(settles)
    const later = await balanceChange(async () => expect((await send(`${world.shop.url}/v1/instead`, header)).status).toBe(200))
    expect(later).toBe(PRICE_MICRO_USDC)
  })

  test('HEAD is quoted, never run and never settled, even with a payment', async () => {
    const url = `${world.shop.url}/v1/head`
    const header = await world.signed(url)
    const change = await balanceChange(async () => {
      const response = await fetch(url, { method: 'HEAD', headers: { 'PAYMENT-SIGNATURE': header } })
      expect(response.status).toBe(402)
    })
    expect(change).toBe(0)
    expect(world.shop.runs.get('/v1/head')).toBeUndefined()
  })
})
