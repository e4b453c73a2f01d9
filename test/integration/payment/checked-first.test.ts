// What is checked without the facilitator: forged payments, stale ones, and whose money is paid.
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import type { PaymentRequired } from '@x402/core/types'
import type { SettlementLine } from '../../../query-api/payment/stores/settlement-log.ts'
import { TableLog } from '../../../query-api/payment/stores/table-log.ts'
import { createMemoryTable } from '../../../topology/data-dir/memory-table.ts'
import { readWallet } from '../../../topology/sandbox/wallet.ts'
import { startLocal } from '../../tools/local-server.ts'
import { type Key, keyOf, newKey, type PaymentChanges, paymentOf } from '../../tools/svm-payment.ts'
import { decode, encode, PRICE_MICRO_USDC, send, startWorld, type World } from './world.ts'

let world: World
let buyer: Key
const payers: string[] = []
const log = new TableLog(createMemoryTable<SettlementLine>())
beforeAll(async () => {
  const admit = async (payer: string): Promise<null> => {
    payers.push(payer)
    return null
  }
  world = await startWorld({ admit, log })
  const wallet = await readWallet(world.sandbox.walletFile)
  buyer = keyOf(Uint8Array.from(wallet.secretKey))
})
afterAll(() => world.close())
afterEach(() => {
  world.facilitator.fault = 'none'
})

const rpc = async (method: string): Promise<unknown> => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] })
  const response = await fetch(world.sandbox.rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  return ((await response.json()) as { readonly result: unknown }).result
}
const termsOf = (path: string): Promise<PaymentRequired> => world.terms(world.shop.url + path)
/** Signed by the sandbox's wallet unless another authority is given. */
const made = async (path: string, changes: PaymentChanges = {}, authority = buyer): Promise<string> => {
  const { resource, extensions, accepts } = await termsOf(path)
  const [accepted] = accepts
  if (accepted === undefined) throw new Error('no terms')
  const { blockhash } = ((await rpc('getLatestBlockhash')) as { readonly value: { readonly blockhash: string } }).value
  const payload = { transaction: (await paymentOf(accepted, authority, { blockhash, ...changes })).transaction }
  return encode({ x402Version: 2, resource, accepted, payload, extensions })
}
const errorOf = async (path: string, header: string) => {
  const response = await send(world.shop.url + path, header)
  return [response.status, ((await response.json()) as { readonly error?: string }).error] as const
}
const withBytes = (header: string, edit: (wire: Buffer) => void): string => {
  const payment = decode(header)
  const wire = Buffer.from((payment.payload as { readonly transaction: string }).transaction, 'base64')
  edit(wire)
  return encode({ ...payment, payload: { transaction: wire.toString('base64') } })
}

const flip = (wire: Buffer, at: number, by: number): void => void wire.writeUInt8(wire.readUInt8(at) ^ by, at)

describe('a forged payment', () => {
  test('costs no call of the facilitator, 1,000 times, and changes nothing about the true one', async () => {
    const before = await world.spentMicroUsdc()
    const header = await made('/v1/forged')
    const { verifies, settles } = world.facilitator
    const answers = new Set<string>()
    for (let nth = 0; nth < 1_000; nth++) {
      const isCopy = nth % 2 === 0
      const forged = withBytes(header, (wire) => {
        const at = isCopy ? 65 + (nth % 64) : wire.length - 2 - (nth % 15)
        wire[at] = (wire[at] ?? 0) ^ (1 + (nth % 255))
      })
      answers.add(String(await errorOf('/v1/forged', forged)))
    }
    expect([...answers]).toEqual(['402,invalid_exact_svm_payload_signature_invalid'])
    expect([world.facilitator.verifies, world.facilitator.settles]).toEqual([verifies, settles])
    expect((await send(`${world.shop.url}/v1/forged`, header)).status).toBe(200)
    expect(
      String(
        await errorOf(
          '/v1/forged',
          withBytes(header, (wire) => flip(wire, 70, 1)),
        ),
      ),
    ).toBe([...answers][0])
    expect((await send(`${world.shop.url}/v1/forged`, header)).status).toBe(200)
    expect((await world.spentMicroUsdc()) - before).toBe(PRICE_MICRO_USDC)
  })

  test('is refused at once while the facilitator hangs and as many as fit are in progress', async () => {
    const header = await made('/v1/hangs')
    world.facilitator.fault = 'hang'
    const started = performance.now()
    const forged = Array.from({ length: 600 }, (_, nth) =>
      errorOf(
        '/v1/hangs',
        withBytes(header, (wire) => flip(wire, 65 + (nth % 64), 1 + (nth % 255))),
      ),
    )
    const answers = new Set((await Promise.all(forged)).map(String))
    expect([...answers]).toEqual(['402,invalid_exact_svm_payload_signature_invalid'])
    world.facilitator.fault = 'none'
    expect((await send(`${world.shop.url}/v1/hangs`, header)).status).toBe(200)
    expect(performance.now() - started).toBeLessThan(60_000)
  })

  test.each<[string, PaymentChanges, string]>([
    ['names an owner who has not signed', { others: [newKey()], isSigned: false }, 'invalid_exact_svm_payload_signature_invalid'],
    ['spends from the account of somebody else, as a delegate may', { owner: newKey().address }, 'payment_terms_mismatch'],
    ['pays less than it says', { amount: 1n }, 'payment_terms_mismatch'],
    ['has two transfers', { transfers: 2 }, 'payment_terms_mismatch'],
  ])('that %s is refused without the facilitator', async (_what, changes, reason) => {
    const { verifies } = world.facilitator
    expect(await errorOf('/v1/other', await made('/v1/other', changes))).toEqual([402, reason])
    expect(world.facilitator.verifies).toBe(verifies)
  })
})

describe('the blockhash of a payment', () => {
  const stale = '4uQeVj5tqViQh7yWWGStvkEG1Zmhx6uasJtWCJziofM'

  test('that the own node does not know costs no call of the facilitator', async () => {
    const { verifies } = world.facilitator
    const answer = await errorOf('/v1/stale', await made('/v1/stale', { blockhash: stale }))
    expect(answer).toEqual([402, 'invalid_exact_svm_transaction_simulation_failed'])
    expect(world.facilitator.verifies).toBe(verifies)
  })

  const GENESIS = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG'
  const now = (): number => Math.floor(Date.now() / 1_000) + 60
  const unknown = { isBlockhashValid: () => ({ value: false }), getGenesisHash: () => GENESIS, getSlot: () => 1, getBlockTime: now }
  type Node = Partial<Readonly<Record<string, () => unknown>>>

  test.each<[string, () => Node | undefined]>([
    ['is unreachable', () => undefined],
    ['does not have the method', () => ({})],
    ['is of another network', () => ({ ...unknown, getGenesisHash: () => '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d' })],
    ['is behind the time of the payment', () => ({ ...unknown, getBlockTime: () => now() - 120 })],
    ['knows it only when it is asked again', () => ({ ...unknown, isBlockhashValid: onlyThen() })],
  ])('is left to the facilitator if the own node %s', async (_what, methods) => {
    const { verifies } = world.facilitator
    const answers = methods()
    const node = await startLocal(
      createServer(async (request, response) => {
        const { method } = (await json(request)) as { readonly method: string }
        const result = answers?.[method]?.()
        response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, ...(result === undefined ? { error: { code: -32601 } } : { result }) }))
      }),
    )
    if (answers === undefined) await node.close()
    const shop = await world.open({ rpcUrl: node.url })
    expect((await send(`${shop.url}/v1/node`, await made('/v1/node'))).status).toBe(200)
    expect(world.facilitator.verifies - verifies).toBe(1)
    if (answers !== undefined) await node.close()
  })
})

/** False, then true. */
const onlyThen = (): (() => unknown) => {
  let asked = 0
  return () => ({ value: asked++ > 0 })
}

test('limit, ledger and receipt name the owner of the money, whichever others sign', async () => {
  payers.length = 0
  const receipts: unknown[] = []
  for (let sale = 0; sale < 3; sale++) {
    const response = await send(`${world.shop.url}/v1/owner`, await made('/v1/owner', { others: [newKey(), newKey()] }))
    expect(response.status).toBe(200)
    receipts.push(decode(response.headers.get('payment-response') ?? ''))
  }
  const lines: string[] = []
  for await (const { path, payer, state } of log.lines()) if (path === '/v1/{any}' && state === 'settled') lines.push(payer)
  expect(payers).toEqual([buyer.address, buyer.address, buyer.address])
  expect(new Set(lines.slice(-3))).toEqual(new Set([buyer.address]))
  expect(receipts).toEqual(Array.from({ length: 3 }, () => expect.objectContaining({ success: true, payer: buyer.address })))
})
