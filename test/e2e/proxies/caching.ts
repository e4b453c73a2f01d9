// What caches between client and server may do: keep public answers, in their variants, and never a paid one.
import type { IncomingMessage } from 'node:http'
import type { PaymentRequired } from '@x402/core/types'
import { type Asked, type AskOptions, ask, begin } from '../../tools/ask.ts'
import { PAID, requestOf } from '../clients/orders.ts'
import type { Shop } from '../clients/shop.ts'

/** Requests without a payment, each of which a careless cache might answer with what another client has bought. */
const UNPAID = {
  plain: {},
  conditional: { headers: { 'if-none-match': '*' } },
  'max-stale': { headers: { 'cache-control': 'max-stale=600' } },
  HEAD: { method: 'HEAD' },
} as const
/** Caches may keep these. What they may not keep, such as `/v1/labels`, some of them answer in full to a request with its tag. */
export const PUBLIC = ['/openapi.json', '/page/page.css'] as const
const EVENT_MS_MAX = 5_000

export const signFor = async (shop: Shop, url: string, options: AskOptions = {}): Promise<string> => {
  const { status, body } = await ask(url, options)
  if (status !== 402) throw new Error(`${url} gets ${status} instead of terms`)
  const terms = JSON.parse(body.toString('utf8')) as PaymentRequired
  return Buffer.from(JSON.stringify(await (await shop.payer()).createPaymentPayload(terms))).toString('base64')
}

const replayedIn = ({ body }: Asked): boolean => (JSON.parse(body.toString('utf8')) as { meta: { replayed: boolean } }).meta.replayed

/** Buys each paid route, and then asks for it without a payment. Returns what is wrong. @param url of the proxy. */
export const storedPaidAnswers = async (shop: Shop, url: string): Promise<readonly string[]> => {
  const faults: string[] = []
  const expect = (isTrue: boolean, path: string, what: string): void => void (isTrue || faults.push(`${path}: ${what}`))
  for (const { path } of PAID) {
    const target = url + requestOf(path, shop)
    const [mine, other] = [await signFor(shop, target), await signFor(shop, target)]
    const paying = (signature: string): Promise<Asked> => ask(target, { headers: { 'payment-signature': signature } })
    const bought = await paying(mine)
    expect(bought.status === 200 && !replayedIn(bought), path, `is not sold: ${bought.status}`)
    const ids = new Set([bought.headers['x-request-id']])
    for (const [kind, options] of Object.entries(UNPAID)) {
      const { status, headers } = await ask(target, options)
      expect(status === 402 && headers['payment-required'] !== undefined, path, `a ${kind} request gets ${status}`)
      ids.add(headers['x-request-id'])
    }
    const again = await paying(mine)
    expect(again.status === 200 && replayedIn(again), path, `the same payment gets ${again.status}, not from the server`)
    const others = await paying(other)
    expect(others.status === 200 && !replayedIn(others), path, `another payment gets ${others.status}`)
    expect(others.headers['payment-response'] !== bought.headers['payment-response'], path, 'another payment gets the first receipt')
    for (const { headers } of [again, others]) ids.add(headers['x-request-id'])
    expect(ids.size === 3 + Object.keys(UNPAID).length, path, 'an answer came from a cache')
  }
  return faults
}

/** Public answers, twice each. Returns what is wrong. */
export const mixedVariants = async (url: string): Promise<readonly string[]> => {
  const faults: string[] = []
  const expect = (isTrue: boolean, what: string): void => void (isTrue || faults.push(what))
  for (let round = 1; round <= 2; round++) {
    for (const encoding of ['gzip', 'br', 'identity']) {
      const { headers } = await ask(`${url}/v1/labels`, { headers: { 'accept-encoding': encoding } })
      const sent = headers['content-encoding'] ?? 'identity'
      expect(sent === encoding || sent === 'identity', `${encoding} is asked for, ${sent} is sent`)
    }
    for (const [accept, type] of Object.entries({ 'text/html': 'text/html', 'application/json': 'application/json' })) {
      const { headers } = await ask(`${url}/`, { headers: { accept } })
      expect(headers['content-type']?.startsWith(type) === true, `${accept} is asked for, ${headers['content-type']} is sent`)
    }
    for (const path of PUBLIC) {
      const { headers } = await ask(url + path)
      const tag = headers.etag ?? 'none'
      const known = await ask(url + path, { headers: { 'if-none-match': tag } })
      expect(known.status === 304 && known.body.length === 0, `${path} with its tag ${tag} is ${known.status}`)
      expect((await ask(url + path, { headers: { 'if-none-match': 'W/"another"' } })).status === 200, `${path} with another tag`)
      const foreign = await ask(url + path, { headers: { origin: 'https://page.example' } })
      expect(foreign.headers['access-control-allow-origin'] === '*', `${path} cannot be read by pages`)
    }
  }
  return faults
}

/** Whether the first bytes of the event stream arrive while it is open. */
export const isStreamed = async (url: string, options: AskOptions = {}): Promise<boolean> => {
  const stop = AbortSignal.timeout(EVENT_MS_MAX)
  let stream: IncomingMessage | undefined
  try {
    stream = await begin(`${url}/v1/stream/flags`, { ...options, signal: stop })
    const [first] = await stream.take(1).toArray({ signal: stop })
    return String(first).startsWith('retry:')
  } catch {
    return false
  } finally {
    stream?.destroy()
  }
}
