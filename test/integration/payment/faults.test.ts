// The facilitator hangs, reports wrong results, loses its response or is down: nobody pays twice, and nobody pays without an answer.
import { decodePaymentResponseHeader } from '@x402/core/http'
import type { PaymentEntry } from '../../../query-api/payment/stores/idempotency-store.ts'
import { createMemoryTable } from '../../../topology/data-dir/memory-table.ts'
import type { DurableTable } from '../../../topology/ports/ledger.ts'
import type { Fault } from './faulty-facilitator.ts'
import { PRICE_MICRO_USDC, send, startWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.close())
afterEach(() => {
  world.facilitator.fault = 'none'
})

const unknownBody = { ok: false, error: 'payment_outcome_unknown', charged: null, hint: expect.stringContaining('identical') }
const errorOf = async (reply: Promise<Response>): Promise<readonly [number, unknown]> => {
  const response = await reply
  return [response.status, ((await response.json()) as { readonly error?: unknown }).error]
}

let paths = 0
const newPath = (): string => `/v1/fault-${++paths}`

describe('a settlement that landed while its response was lost or corrupted', () => {
  test.each<[Fault]>([
    ['settle-then-drop'],
    ['settle-then-hang'],
    ['settle-then-500'],
    ['lie-network'],
    ['lie-empty-transaction'],
    ['lie-made-up-transaction'],
  ])('%s: 409 with charged null, then the stored answer, paid once', async (fault) => {
    const path = newPath()
    const url = world.shop.url + path
    const before = await world.spentMicroUsdc()
    world.facilitator.fault = fault
    const { pay, sent } = await world.buyer()
    const response = await pay(url)
    expect(response.status).toBe(409)
    expect(response.headers.get('retry-after')).toBe('5')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await response.json()).toEqual(unknownBody)
    expect((await world.spentMicroUsdc()) - before).toBe(PRICE_MICRO_USDC)
    const { settles } = world.facilitator
    const [again, copy] = await Promise.all([send(url, sent.header), send(url, sent.header)])
    expect([again.status, copy.status]).toEqual([200, 200])
    expect(await again.json()).toEqual({ path, run: 1 })
    expect(decodePaymentResponseHeader(again.headers.get('payment-response') ?? '')).toMatchObject({
      success: true,
      network: world.sandbox.network,
    })
    expect(world.facilitator.settles).toBe(settles)
    expect((await world.spentMicroUsdc()) - before).toBe(PRICE_MICRO_USDC)
    expect(world.shop.runs.get(path)).toBe(1)
  })
})

describe('an uncertain settlement', () => {
  test('without a chain node a retry asks the facilitator and stays 409; nothing is run or paid again', async () => {
    const shop = await world.open({}, 'blind')
    const url = `${shop.url}/v1/blind`
    const before = await world.spentMicroUsdc()
    world.facilitator.fault = 'settle-then-drop'
    const { pay, sent } = await world.buyer()
    expect((await pay(url)).status).toBe(409)
    world.facilitator.fault = 'none'
    const response = await send(url, sent.header)
    expect(response.status).toBe(409)
    expect(await response.json()).toEqual(unknownBody)
    expect((await world.spentMicroUsdc()) - before).toBe(PRICE_MICRO_USDC)
    expect(shop.runs.get('/v1/blind')).toBe(1)
  })

  test('a later refusal proves nothing: the payment may have landed before', async () => {
    const shop = await world.open({}, 'blind')
    world.facilitator.fault = 'settle-then-drop'
    const { pay, sent } = await world.buyer()
    expect((await pay(`${shop.url}/v1/blind`)).status).toBe(409)
    world.facilitator.fault = 'reject'
    const response = await send(`${shop.url}/v1/blind`, sent.header)
    expect([response.status, await response.json()]).toEqual([409, unknownBody])
  })

  test('one that never reached the chain is settled by the retry, with the answer of the first time', async () => {
    const path = newPath()
    const before = await world.spentMicroUsdc()
    world.facilitator.fault = 'refuse-500'
    const { pay, sent } = await world.buyer()
    expect((await pay(world.shop.url + path)).status).toBe(409)
    expect(await world.spentMicroUsdc()).toBe(before)
    world.facilitator.fault = 'none'
    const response = await send(world.shop.url + path, sent.header)
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ path, run: 1 })
    expect((await world.spentMicroUsdc()) - before).toBe(PRICE_MICRO_USDC)
  })

  test('one that can no longer land ends with 402: nothing is charged or stored', async () => {
    const path = newPath()
    const before = await world.spentMicroUsdc()
    world.facilitator.fault = 'refuse-500'
    const { pay, sent } = await world.buyer()
    expect((await pay(world.shop.url + path)).status).toBe(409)
    world.facilitator.fault = 'none'
    const { settles } = world.facilitator
    world.time.offsetMs += 10 * 60_000 + 2000
    const late = await send(world.shop.url + path, sent.header)
    expect([late.status, await late.json()]).toEqual([402, expect.objectContaining({ error: 'transaction_never_landed' })])
    expect(world.facilitator.settles).toBe(settles)
    const later = await send(world.shop.url + path, sent.header)
    expect([later.status, await later.json()]).toEqual([402, expect.objectContaining({ error: 'transaction_never_landed' })])
    expect(await world.spentMicroUsdc()).toBe(before)
  })

  test('one that landed is still answered 10 minutes later, and any number of times in the 10 minutes after that', async () => {
    const path = newPath()
    world.facilitator.fault = 'settle-then-drop'
    const { pay, sent } = await world.buyer()
    expect((await pay(world.shop.url + path)).status).toBe(409)
    world.facilitator.fault = 'none'
    world.time.offsetMs += 11 * 60_000
    for (let retry = 0; retry < 2; retry++) expect((await send(world.shop.url + path, sent.header)).status).toBe(200)
    world.time.offsetMs += 11 * 60_000
    expect((await send(world.shop.url + path, sent.header)).status).toBe(409)
    expect(world.shop.runs.get(path)).toBe(1)
  })

  test('another request with the same payment is refused, and does not run', async () => {
    const path = newPath()
    world.facilitator.fault = 'settle-then-drop'
    const { pay, sent } = await world.buyer()
    expect((await pay(world.shop.url + path)).status).toBe(409)
    world.facilitator.fault = 'none'
    const response = await send(`${world.shop.url}/v1/elsewhere`, sent.header)
    expect(response.status).toBe(409)
    expect(await response.json()).toMatchObject({ error: 'payment_already_used', charged: false })
    expect(world.shop.runs.get('/v1/elsewhere')).toBeUndefined()
  })

  test('is requested again at once if the facilitator reports it as pending', async () => {
    const path = newPath()
    const before = await world.spentMicroUsdc()
    const { settles } = world.facilitator
    world.facilitator.fault = 'pending-once'
    const { pay } = await world.buyer()
    expect((await pay(world.shop.url + path)).status).toBe(200)
    expect(world.facilitator.settles - settles).toBe(2)
    expect((await world.spentMicroUsdc()) - before).toBe(PRICE_MICRO_USDC)
  })
})

describe('a refusal or an outage', () => {
  test('at settlement, if definite, is a 402 with the body withheld', async () => {
    const path = newPath()
    const before = await world.spentMicroUsdc()
    world.facilitator.fault = 'reject'
    const { pay, sent } = await world.buyer()
    const response = await pay(world.shop.url + path)
    expect(response.status).toBe(402)
    expect(await response.json()).toMatchObject({ x402Version: 2, error: 'invalid_exact_svm_transaction_simulation_failed' })
    expect(decodePaymentResponseHeader(response.headers.get('payment-response') ?? '')).toMatchObject({ success: false, transaction: '' })
    expect(await world.spentMicroUsdc()).toBe(before)
    world.facilitator.fault = 'none'
    expect(await errorOf(send(world.shop.url + path, sent.header))).toEqual([402, 'invalid_exact_svm_transaction_simulation_failed'])
    expect((await (await world.buyer()).pay(world.shop.url + path)).status).toBe(200)
    expect((await world.spentMicroUsdc()) - before).toBe(PRICE_MICRO_USDC)
  })

  test.each<[Fault]>([['error-everywhere'], ['hang']])(
    'a verification without a response (%s) is a 503: nothing is charged or run',
    async (fault) => {
      const path = newPath()
      const header = await world.signed(world.shop.url + path)
      world.facilitator.fault = fault
      const response = await send(world.shop.url + path, header)
      expect(response.status).toBe(503)
      expect(response.headers.get('retry-after')).toBe('5')
      expect(await response.json()).toMatchObject({ ok: false, error: 'payment_unavailable', charged: false })
      expect(world.shop.runs.get(path)).toBeUndefined()
      world.facilitator.fault = 'none'
      expect((await send(world.shop.url + path, header)).status).toBe(200)
    },
  )

  test('a facilitator that is down at the start gives 503 until it responds', async () => {
    world.facilitator.fault = 'error-everywhere'
    const shop = await world.open()
    const early = await fetch(`${shop.url}/v1/card`)
    expect(early.status).toBe(503)
    expect(await early.json()).toMatchObject({ error: 'payment_unavailable', charged: false })
    world.facilitator.fault = 'none'
    world.time.offsetMs += 1500
    expect((await fetch(`${shop.url}/v1/card`)).status).toBe(402)
    expect(shop.notices).toContain('facilitator_unreachable')
  })

  test('after a restart with a facilitator that is down, or with another price, a paid retry is still answered', async () => {
    const table = createMemoryTable<PaymentEntry>()
    const { pay, sent } = await world.buyer()
    const before = await world.open({ table })
    const sold = await (await pay(`${before.url}/v1/kept`)).text()
    for (const change of [{ facilitatorUrl: 'http://127.0.0.1:9' }, { priceFactor: 2 }]) {
      const after = await world.open({ table, ...change })
      const response = await send(`${after.url}/v1/kept`, sent.header)
      expect(response.status).toBe(200)
      expect(await response.text()).toBe(sold)
      expect(after.runs.size).toBe(0)
    }
  })

  test('a refused connection at the facilitator address is a 503 too', async () => {
    const shop = await world.open({ facilitatorUrl: 'http://127.0.0.1:9' })
    expect((await fetch(`${shop.url}/v1/card`)).status).toBe(503)
  })
})

describe('a table that fails', () => {
  const failing = (isBroken: () => boolean): DurableTable<PaymentEntry> => {
    const table = createMemoryTable<PaymentEntry>()
    return { ...table, put: (key, value) => (isBroken() ? Promise.reject(new Error('no space left')) : table.put(key, value)) }
  }

  test('before the settlement: 503 and nothing is settled', async () => {
    const shop = await world.open({ table: failing(() => true) })
    const before = await world.spentMicroUsdc()
    const { pay } = await world.buyer()
    const response = await pay(`${shop.url}/v1/full`)
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({ error: 'payment_store_unavailable', charged: false })
    expect(await world.spentMicroUsdc()).toBe(before)
  })

  test('after it: the paid answer is sent anyway, and a retry finds the settlement on the chain', async () => {
    let writes = 0
    const shop = await world.open({ table: failing(() => ++writes > 1) })
    const before = await world.spentMicroUsdc()
    const { pay, sent } = await world.buyer()
    expect((await pay(`${shop.url}/v1/late`)).status).toBe(200)
    expect((await send(`${shop.url}/v1/late`, sent.header)).status).toBe(200)
    expect(shop.runs.get('/v1/late')).toBe(1)
    expect((await world.spentMicroUsdc()) - before).toBe(PRICE_MICRO_USDC)
  })
})
