// Lookups on a chain where the payer has made many later payments.
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { createServer } from 'node:http'
import bs58 from 'bs58'
import { lookUp } from '../../../query-api/payment/svm/chain-lookup.ts'
import type { SignedTransaction } from '../../../query-api/payment/svm/signed-transaction.ts'
import { type LocalServer, startLocal } from '../../tools/local-server.ts'

const NOW_MS = 1_800_000_000_000
const MINUTE_MS = 60_000
const { publicKey, privateKey } = generateKeyPairSync('ed25519')
const message = Buffer.from('a message that the fee payer signed')
const transaction: SignedTransaction = {
  identity: createHash('sha256').update(message).digest('hex'),
  message,
  feePayer: bs58.encode(Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')),
  payer: bs58.encode(randomBytes(32)),
  ...{ blockhash: '', signers: [], transfer: undefined },
}
const landed = bs58.encode(sign(null, message, privateKey))

interface Signature {
  readonly signature: string
  readonly err: null
  readonly blockTime: number
}
const at = (minutesAgo: number, signature = bs58.encode(randomBytes(64))): Signature => ({
  signature,
  err: null,
  blockTime: Math.floor((NOW_MS - minutesAgo * MINUTE_MS) / 1_000),
})
/** Signatures of other payments, one every six seconds. */
const others = (count: number, from = 0): Signature[] => Array.from({ length: count }, (_, n) => at((from + n) / 10))

let node: LocalServer | undefined
afterEach(() => node?.close())

/** A node with these signatures, newest first, that has since dropped the `unknown` ones; returns the requested methods. */
const startNode = async (signatures: readonly Signature[], unknown: readonly string[] = []): Promise<readonly string[]> => {
  const asked: string[] = []
  const resultOf = (method: string, [, config]: readonly { readonly limit?: number; readonly before?: string }[]): unknown => {
    asked.push(method)
    if (method === 'getSlot') return 1
    if (method === 'getBlockTime') return NOW_MS / 1_000
    if (unknown.includes(config?.before ?? '')) return []
    const from = config?.before === undefined ? 0 : signatures.findIndex(({ signature }) => signature === config.before) + 1
    return signatures.slice(from, from + (config?.limit ?? 1_000))
  }
  node = await startLocal(
    createServer(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += String(chunk)
      const { method, params } = JSON.parse(body) as { method: string; params: readonly object[] }
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result: resultOf(method, params) }))
    }),
  )
  return asked
}
const look = (minutesAgo: number, pagesMax = 10) =>
  lookUp(node?.url ?? '', transaction, { triedAtMs: NOW_MS - minutesAgo * MINUTE_MS, pagesMax }, NOW_MS)

test('finds the payment on a later page after 500 newer payments', async () => {
  const asked = await startNode([...others(500), at(50, landed), ...others(500, 510)])
  expect(await look(50)).toEqual({ kind: 'landed', transaction: landed })
  expect(asked).toHaveLength(3)
})

test('returns never if all later signatures were read and none is the payment’s, and absent if only some were read', async () => {
  const asked = await startNode(others(2_000))
  expect(await look(50)).toEqual({ kind: 'never' })
  expect(asked.filter((method) => method === 'getSignaturesForAddress')).toHaveLength(4)
  expect(await look(50, 2)).toEqual({ kind: 'absent' })
})

test('returns absent if the node no longer knows the last signature of a page', async () => {
  const [first, rest] = [others(200), others(300, 200)]
  await startNode(
    [...first, ...rest].map((one) => (one === first.at(-1) ? { ...one, signature: 'forgotten' } : one)),
    ['forgotten'],
  )
  expect(await look(50)).toEqual({ kind: 'absent' })
})

test('reads a single page for an unverified payment', async () => {
  const asked = await startNode([...others(500), at(50, landed)])
  expect(await look(50, 1)).toEqual({ kind: 'absent' })
  expect(asked).toHaveLength(1)
})
