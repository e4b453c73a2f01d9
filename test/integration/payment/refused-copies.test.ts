// What a refusal guarantees: the payer may sign again, because no copy of the refused payment can settle any more, wherever it arrives.
import { setTimeout as pause } from 'node:timers/promises'
import { Checkout } from '../../../query-api/payment/checkout.ts'
import { PaidGate } from '../../../query-api/payment/paid-gate.ts'
import type { Proof } from '../../../query-api/payment/rail.ts'
import type { Claimed, Kept, PayerIdentifier, PaymentEntry } from '../../../query-api/payment/stores/idempotency-store.ts'
import type { SettlementLine } from '../../../query-api/payment/stores/settlement-log.ts'
import { TableLog } from '../../../query-api/payment/stores/table-log.ts'
import { TableIdempotencyStore } from '../../../query-api/payment/stores/table-store.ts'
import { createMemoryTable } from '../../../topology/data-dir/memory-table.ts'
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

const errorOf = async (reply: Promise<Response>): Promise<readonly [number, unknown]> => {
  const response = await reply
  return [response.status, ((await response.json()) as { readonly error?: unknown }).error]
}

/** An idempotency store whose refusals can be made to fail. */
class FailingStore extends TableIdempotencyStore {
  refuse: ((refuse: () => Promise<Kept>) => Promise<Kept>) | undefined
  override async claim(identity: string, identifier: PayerIdentifier | null): Promise<Claimed> {
    const made = await super.claim(identity, identifier)
    if (made.kind !== 'claimed') return made
    const { claim } = made
    const refuse = (reason: string): Promise<Kept> => this.refuse?.(() => claim.refuse(reason)) ?? claim.refuse(reason)
    return { kind: 'claimed', claim: { ...claim, refuse } }
  }
}

/** Two processes that share a store. */
const twoShops = async (): Promise<{ readonly book: FailingStore; readonly shops: readonly string[] }> => {
  const book = new FailingStore(createMemoryTable<PaymentEntry>(), { now: () => Date.now() + world.time.offsetMs })
  const shops = [await world.open({ book }), await world.open({ book })]
  return { book, shops: shops.map(({ url }) => url) }
}

/** Holds the next refusal until it is released. */
const holding = (book: FailingStore): { readonly refusing: Promise<void>; goOn(): void } => {
  let goOn = (): void => undefined
  const held = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const refusing = new Promise<void>((resolve) => {
    book.refuse = async (refuse) => {
      resolve()
      await held
      return refuse()
    }
  })
  return { refusing, goOn }
}

describe('a refusal, after which the payer signs again', () => {
  test.each<[Fault]>([['reject'], ['reject-verify']])(
    '%s: a late copy of the refused payment is refused too, on any route; the payer pays once',
    async (fault) => {
      const path = `/v1/late-${fault}`
      const before = await world.spentMicroUsdc()
      const header = await world.signed(world.shop.url + path)
      world.facilitator.fault = fault
      expect((await send(world.shop.url + path, header)).status).toBe(402)
      world.facilitator.fault = 'none'
      expect((await send(world.shop.url + path, await world.signed(world.shop.url + path))).status).toBe(200)
      const { verifies } = world.facilitator
      for (const route of [path, `${path}-elsewhere`]) expect((await errorOf(send(world.shop.url + route, header)))[0]).toBe(402)
      expect(world.facilitator.verifies).toBe(verifies)
      expect((await world.spentMicroUsdc()) - before).toBe(PRICE_MICRO_USDC)
    },
  )

  test.each<[Fault]>([['reject'], ['reject-verify']])(
    '%s: a copy that waits at another process meanwhile, abandoned by its caller, settles nothing',
    async (fault) => {
      const { book, shops } = await twoShops()
      const [one = '', other = ''] = shops
      const before = await world.spentMicroUsdc()
      const header = await world.signed(`${one}/v1/raced`)
      const waiting = holding(book)
      world.facilitator.fault = fault
      const refused = send(`${one}/v1/raced`, header)
      await waiting.refusing
      const gone = fetch(`${other}/v1/raced`, { headers: { 'PAYMENT-SIGNATURE': header }, signal: AbortSignal.timeout(150) })
      await expect(gone).rejects.toThrow()
      world.facilitator.fault = 'none'
      waiting.goOn()
      expect((await refused).status).toBe(402)
      await pause(400)
      expect((await errorOf(send(`${other}/v1/raced`, header)))[0]).toBe(402)
      expect(await world.spentMicroUsdc()).toBe(before)
    },
  )

  test('a process that lost the payment to another, which may be settling it, refuses nothing: 409', async () => {
    const { book, shops } = await twoShops()
    const [one = ''] = shops
    book.refuse = async () => 'lost'
    world.facilitator.fault = 'reject-verify'
    const response = await send(`${one}/v1/lost`, await world.signed(`${one}/v1/lost`))
    expect([response.status, await response.json()]).toEqual([409, expect.objectContaining({ charged: null })])
  })

  test('a book that has no space for the refusal, or fails, refuses nothing', async () => {
    const { book, shops } = await twoShops()
    const [one = ''] = shops
    world.facilitator.fault = 'reject'
    book.refuse = async () => 'full'
    expect(await errorOf(send(`${one}/v1/full`, await world.signed(`${one}/v1/full`)))).toEqual([503, 'payment_busy'])
    book.refuse = () => Promise.reject(new Error('no space left'))
    expect(await errorOf(send(`${one}/v1/fails`, await world.signed(`${one}/v1/fails`)))).toEqual([409, 'payment_outcome_unknown'])
  })

  test('a refusal at settlement is none while the chain cannot be queried: 409', async () => {
    const shop = await world.open({ rpcUrl: 'http://127.0.0.1:9' })
    world.facilitator.fault = 'reject'
    expect(await errorOf(send(`${shop.url}/v1/x`, await world.signed(`${shop.url}/v1/x`)))).toEqual([409, 'payment_outcome_unknown'])
  })

  test('nor is a verification that reports it spent while the chain cannot confirm it: 409', async () => {
    const shop = await world.open({ rpcUrl: 'http://127.0.0.1:9' })
    world.facilitator.fault = 'reject-verify'
    expect(await errorOf(send(`${shop.url}/v1/x`, await world.signed(`${shop.url}/v1/x`)))).toEqual([409, 'payment_outcome_unknown'])
  })

  test('terms that are temporarily unavailable refuse nothing, though they are back a moment later: 503', async () => {
    const [ours] = (await world.terms(`${world.shop.url}/v1/terms`)).accepts
    const clock = { now: Date.now }
    const never = (): never => {
      throw new Error('too many requests')
    }
    const network = world.sandbox.network
    const proof = async (): Promise<Proof> => ({ kind: 'signed' })
    const rail = { network, proof, terms: async () => ours, agreed: async () => undefined, verify: never, settle: never, lookUp: never }
    const book = new TableIdempotencyStore(createMemoryTable<PaymentEntry>(), clock)
    const log = new TableLog(createMemoryTable<SettlementLine>())
    const checkout = new Checkout({ rails: new Map([[network, rail]]), book, log, clock, notice: never })
    const gate = new PaidGate({ mode: 'sandbox', rails: [rail], checkout })
    const offer = { path: '/v1/terms', priceMicroUsdc: PRICE_MICRO_USDC, description: 'a test answer' }
    const payment = await world.signed(`${world.shop.url}/v1/terms`)
    const sale = { offer, resourceUrl: 'http://shop.example', request: 'r', callerAddress: '10.0.0.1', payment }
    const outcome = await gate.sell({ ...sale, precheck: () => null, produce: never })
    expect(outcome).toMatchObject({ kind: 'refused', status: 503, error: 'payment_unavailable', charged: false })
  })
})
