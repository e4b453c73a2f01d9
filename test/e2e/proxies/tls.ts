// What `deploy/proxy.md` promises of its configurations: sales and the stream over TLS, and the caller's address.

import { certificateIn, SITE } from '../../services/proxies/documented.ts'
import type { RunningProxy } from '../../services/proxies/proxy.ts'
import { type AskOptions, ask } from '../../tools/ask.ts'
import { PAID, requestOf } from '../clients/orders.ts'
import type { Shop } from '../clients/shop.ts'
import { isStreamed, signFor } from './caching.ts'

/** Another address of this machine (Linux), to tell the client from the proxy. */
const CLIENT = '127.0.0.2'
const FORGED = '203.0.113.9'

/** Returns what is wrong. */
export const documentedFaults = async (shop: Shop, { dir, port }: RunningProxy): Promise<readonly string[]> => {
  const host = `${SITE}:${port}`
  const tls: AskOptions = { ca: await certificateIn(dir), servername: SITE, localAddress: CLIENT, headers: { host } }
  const url = `https://127.0.0.1:${port}`
  const faults: string[] = []
  for (const { path } of PAID) {
    const target = url + requestOf(path, shop)
    const headers = { host, 'payment-signature': await signFor(shop, target, tls), 'x-forwarded-for': FORGED }
    const { status } = await ask(target, { ...tls, headers })
    if (status !== 200) faults.push(`${path}: ${status}`)
    const { caller } = shop.requests.at(-1) as { readonly caller: string }
    if (caller !== CLIENT) faults.push(`${path}: the caller is taken for ${caller}`)
  }
  if (!(await isStreamed(url, tls))) faults.push('the event stream does not arrive')
  return faults
}
