// The payment-identifier of x402: a payer's own id identifies one purchase, whatever it is signed with.
import type { PaymentPayload } from '@x402/core/types'
import { PRICE_MICRO_USDC, send, startWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await startWorld({ facilitatorTimeoutMs: 20_000 })
})
afterAll(() => world.close())
afterEach(() => {
  world.facilitator.fault = 'none'
})

let ids = 0
const newId = (): string => `an-id-of-the-payer-${++ids}`
const withId =
  (id: string) =>
  (payload: PaymentPayload): void => {
    payload.extensions = { ...payload.extensions, 'payment-identifier': { info: { required: false, id } } }
  }
const signed = (path: string, id: string): Promise<string> => world.signed(world.shop.url + path, undefined, withId(id))
const text = async (path: string, header: string): Promise<readonly [number, string]> => {
  const response = await send(world.shop.url + path, header)
  return [response.status, await response.text()]
}

test('a second payment with the id of the first for the same request: the first answer, and one charge', async () => {
  const id = newId()
  const before = await world.spentMicroUsdc()
  const [first, second] = [await signed('/v1/same', id), await signed('/v1/same', id)]
  const sold = await text('/v1/same', first)
  expect(sold).toEqual([200, JSON.stringify({ path: '/v1/same', run: 1 })])
  expect(await text('/v1/same', second)).toEqual(sold)
  expect((await world.spentMicroUsdc()) - before).toBe(PRICE_MICRO_USDC)
})

test('both payments at once: one handler run, one charge, one answer', async () => {
  const id = newId()
  const before = await world.spentMicroUsdc()
  const headers = [await signed('/v1/both', id), await signed('/v1/both', id)]
  const [one, other] = await Promise.all(headers.map((header) => text('/v1/both', header)))
  expect(one).toEqual([200, JSON.stringify({ path: '/v1/both', run: 1 })])
  expect(other).toEqual(one)
  expect((await world.spentMicroUsdc()) - before).toBe(PRICE_MICRO_USDC)
})

test('the id with another payment for another request: 409, and nothing run or charged', async () => {
  const id = newId()
  expect((await text('/v1/here', await signed('/v1/here', id)))[0]).toBe(200)
  const before = await world.spentMicroUsdc()
  const [status, body] = await text('/v1/there', await signed('/v1/there', id))
  expect([status, JSON.parse(body)]).toEqual([409, expect.objectContaining({ error: 'payment_already_used', charged: false })])
  expect(await world.spentMicroUsdc()).toBe(before)
  expect(world.shop.runs.get('/v1/there')).toBeUndefined()
})

test('after a first payment that is uncertain, the second does not pay again: it gets what the first one bought', async () => {
  const id = newId()
  const before = await world.spentMicroUsdc()
  world.facilitator.fault = 'settle-then-drop'
  expect((await text('/v1/lost', await signed('/v1/lost', id)))[0]).toBe(409)
  world.facilitator.fault = 'none'
  expect((await text('/v1/lost', await signed('/v1/lost', id)))[0]).toBe(200)
  expect((await world.spentMicroUsdc()) - before).toBe(PRICE_MICRO_USDC)
})

test('after a first payment that was refused, the id is free for the next', async () => {
  const id = newId()
  world.facilitator.fault = 'reject'
  expect((await text('/v1/anew', await signed('/v1/anew', id)))[0]).toBe(402)
  world.facilitator.fault = 'none'
  expect((await text('/v1/anew', await signed('/v1/anew', id)))[0]).toBe(200)
})

test('both payments at once and both refused: each is refused for itself, and no copy of either can be settled', async () => {
  const id = newId()
  const before = await world.spentMicroUsdc()
  const [first, second] = [await signed('/v1/two', id), await signed('/v1/two', id)]
  world.facilitator.fault = 'reject'
  const replies = await Promise.all([text('/v1/two', first), text('/v1/two', second)])
  expect(replies.map(([status]) => status)).toEqual([402, 402])
  world.facilitator.fault = 'none'
  for (const header of [first, second]) expect((await text('/v1/two', header))[0]).toBe(402)
  expect(await world.spentMicroUsdc()).toBe(before)
})

test('a facilitator that settles and reports a refusal: the chain decides; answered, charged once', async () => {
  const before = await world.spentMicroUsdc()
  world.facilitator.fault = 'settle-then-refuse'
  expect((await text('/v1/liar', await signed('/v1/liar', newId())))[0]).toBe(200)
  expect((await world.spentMicroUsdc()) - before).toBe(PRICE_MICRO_USDC)
})

test('a payment that the chain has and the book has lost: 409, so no automatic client signs another', async () => {
  const header = await signed('/v1/old', newId())
  expect((await text('/v1/old', header))[0]).toBe(200)
  const forgetful = await world.open()
  const response = await send(`${forgetful.url}/v1/old`, header)
  expect([response.status, await response.json()]).toEqual([409, expect.objectContaining({ error: 'payment_already_used' })])
  expect(forgetful.runs.size).toBe(0)
})
