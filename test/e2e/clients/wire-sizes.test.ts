// Headers of a 402 and of a purchase stay within their budgets, for every paid route and network, with real clients.
import { execFile } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { wrapAxiosWithPayment } from '@x402/axios'
import { x402Client } from '@x402/core/client'
import { decodePaymentRequiredHeader, encodePaymentSignatureHeader } from '@x402/core/http'
import type { PaymentRequired } from '@x402/core/types'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment } from '@x402/fetch'
import { wrapFetchWithPayment as wrapOldest } from '@x402/fetch-oldest'
import axios from 'axios'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { questions } from '../../../query-api/app/list/questions.ts'
import { paymentLimits } from '../../../query-api/payment/limits.ts'
import { receiptSigner } from '../../../query-api/payment/signed-receipts.ts'
import { isPathParam } from '../../../query-api/questions/input.ts'
import type { QuestionFacts } from '../../../query-api/questions/question-facts.ts'
import { keyText } from '../../../schemas/keys.ts'
import { get, payable, sign, termsIn } from '../../../topology/cli/commands/buy/buyer.ts'
import { SLOT_MS } from '../../../topology/sandbox/blockhashes.ts'
import { readWallet } from '../../../topology/sandbox/wallet.ts'
import { CURVE_CONTRACT } from '../../fixtures/curve-market.ts'
import { type EvmNetwork, startEvmNetwork } from '../../integration/payment/evm-network.ts'
import { describeGiven } from '../../services/describe-given.ts'
import { INSTALL_MS_MAX, isPythonAsked, pythonWith } from '../../services/python.ts'
import { ALERTS } from '../contract/answers.ts'
import { type Exchange, openShop, PYTHON_CLIENTS, type Shop } from './shop.ts'

const BASE_URL = 'https://answers.seller-of-x402.example:8'
const BASE_URL_CHARS = 40
const CURSOR_CHARS = 1_024
/** The longest usual reason. */
const FAILED = 'invalid_exact_svm_transaction_simulation_failed'
const PYTHON_MS_MAX = 120_000
const BUYER = fileURLToPath(new URL('./buyer.py', import.meta.url))
const PAID = questions.filter(({ priceMicroUsdc }) => priceMicroUsdc > 0)

let evm: EvmNetwork
let shop: Shop
const account = privateKeyToAccount(generatePrivateKey())
beforeAll(async () => {
  const pem = { type: 'pkcs8', format: 'pem' } as const
  const keys = generateKeyPairSync('ed25519', { publicKeyEncoding: { type: 'spki', format: 'pem' }, privateKeyEncoding: pem })
  evm = await startEvmNetwork()
  evm.chain.mint(account.address, 1_000_000n)
  shop = await openShop({ baseUrl: BASE_URL, signer: receiptSigner(keys.privateKey), second: evm.second })
})
afterAll(async () => {
  await shop.close()
  await evm.close()
})

/** A chat has a limit of alerts, so each purchase is for another one. */
let chats = 0
const alertQuery = (): string =>
  `kinds=graduation_odds,rug_flags&target=telegram&chat_id=%40channel_${++chats}&bot_token=123456%3Areplace-with-the-token-of-your-bot&min_odds=0.65`

/** The route with all its query parameters except `cursor`. */
const pathOf = ({ path, params }: QuestionFacts): string => {
  const subject = path.startsWith('/v1/alt/') ? keyText(CURVE_CONTRACT) : shop.mint
  const given: Readonly<Record<string, string>> = { mints: shop.mints.join(','), since: '0' }
  const names = Object.keys(params).filter((name) => !isPathParam(path, name) && name !== 'cursor')
  const textOf = (name: string) => given[name] ?? params[name]?.schema.maximum ?? params[name]?.schema.default
  const query = path === ALERTS ? alertQuery() : names.map((name) => `${name}=${textOf(name)}`).join('&')
  return path.replaceAll(/\{\w+\}/g, subject) + (query && `?${query}`)
}
const urlOf = (facts: QuestionFacts): string => shop.url + pathOf(facts)
const termsOf = async (url: string): Promise<PaymentRequired> => termsIn(await get(url, {}, new AbortController().signal))
const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64')
const headerBytes = (name: string, value: string): number => `${name}: ${value}\r\n`.length
const expectWithinBudgets = (exchange: Exchange | undefined) => {
  expect(exchange?.status).toBe(200)
  expect(exchange?.signatureBytes).toBeLessThanOrEqual(paymentLimits.signatureHeaderBytesMax)
  expect(exchange?.responseBytes).toBeLessThanOrEqual(paymentLimits.responseHeaderBytesMax)
}

const buyers: Readonly<Record<string, (url: string) => Promise<unknown>>> = {
  '@x402/fetch 2.27': async (url) => wrapFetchWithPayment(fetch, await shop.payer())(url),
  '@x402/fetch 2.0': async (url) => {
    // This client writes no memo: see clients.test.ts.
    await pause(SLOT_MS)
    return wrapOldest(fetch, shop.oldestPayer())(url, {})
  },
  '@x402/axios': async (url) => wrapAxiosWithPayment(axios.create(), (await shop.payer()) as never).get(url),
  'mintfold buy': async (url) => {
    const [wallet, terms] = [await readWallet(shop.walletFile), await termsOf(url)]
    const { header } = await sign(wallet, terms, payable(terms, wallet) as never, shop.url, new URL(url).pathname)
    return fetch(url, { headers: { 'PAYMENT-SIGNATURE': header } })
  },
}

describe.each(PAID)('$path', (facts) => {
  test('all headers of the 402 are within the budget, also for a page of another origin and after a failed settlement', async () => {
    const { status, headers } = await fetch(urlOf(facts), { headers: { origin: BASE_URL } })
    expect([status, BASE_URL.length]).toEqual([402, BASE_URL_CHARS])
    const bytes = [...headers].reduce((sum, [name, value]) => sum + headerBytes(name, value), 0)
    const terms = decodePaymentRequiredHeader(headers.get('payment-required') ?? '')
    const failed = { success: false, errorReason: FAILED, transaction: '', network: terms.accepts[0]?.network }
    const failedBytes = headerBytes('PAYMENT-RESPONSE', base64(failed)) + base64({ ...terms, error: FAILED }).length - base64(terms).length
    expect(bytes + failedBytes).toBeLessThanOrEqual(paymentLimits.termsHeadersBytesMax)
  })
  test.each(Object.entries(buyers))('bought by %s, with headers within the budgets', async (_client, buy) => {
    await buy(urlOf(facts))
    expectWithinBudgets(shop.exchanges.at(-1))
  })
})

test.each(PAID.filter(({ secondNetwork }) => secondNetwork))(
  '$path: bought on an EVM chain, with headers within the budgets',
  async (facts) => {
    const client = new x402Client().register('eip155:*', new ExactEvmScheme(account)).setSpendControls(false)
    await wrapFetchWithPayment(fetch, client)(urlOf(facts))
    expectWithinBudgets(shop.exchanges.at(-1))
  },
)

test('a cursor of the maximum length adds at most its budget to the 402 and to the payment', async () => {
  const terms = await termsOf(urlOf(PAID.find(({ path }) => path.endsWith('watchlist')) as QuestionFacts))
  const url = `${terms.resource.url}&cursor=${'c'.repeat(CURSOR_CHARS)}`
  const longer = { ...terms, resource: { ...terms.resource, url } }
  const signed = async (sent: PaymentRequired) => encodePaymentSignatureHeader(await (await shop.payer()).createPaymentPayload(sent)).length
  expect(base64(longer).length - base64(terms).length).toBeLessThanOrEqual(paymentLimits.cursorBytesMax)
  expect((await signed(longer)) - (await signed(terms))).toBeLessThanOrEqual(paymentLimits.cursorBytesMax)
})

const python = (): void => {
  test(
    'buys each route with headers within the budgets',
    async () => {
      shop.exchanges.length = 0
      const interpreter = await pythonWith(PYTHON_CLIENTS)
      const paths = PAID.map(pathOf)
      await promisify(execFile)(interpreter, [BUYER, shop.url, shop.walletFile, shop.mint, ...paths], { timeout: PYTHON_MS_MAX })
      const bought = shop.exchanges.filter(({ signatureBytes }) => signatureBytes > 0)
      expect(bought).toHaveLength(PAID.length)
      for (const exchange of bought) expectWithinBudgets(exchange)
    },
    PYTHON_MS_MAX + INSTALL_MS_MAX,
  )
}

describeGiven('the Python client', python, { isThere: isPythonAsked, lack: 'set PYTHON_TESTS=yes to make a virtual environment with x402' })
