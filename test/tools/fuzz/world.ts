// Starts the API over an invented market on its own port, for hostile requests.
import { createServer } from 'node:http'
import { questions } from '../../../query-api/app/list/questions.ts'
import { serverOptions } from '../../../query-api/http/server.ts'
import { offGate } from '../../../query-api/payment/off-gate.ts'
import { openShop } from '../../e2e/clients/shop.ts'
import { SetHistory } from '../../fakes/set-history.ts'
import { fillMarket } from '../../fixtures/page-market.ts'
import { harness } from '../../integration/api-harness.ts'
import { base58, key, liveState } from '../../unit/query-api/given-mint.ts'
import { startLocal } from '../local-server.ts'
import { type Description, type FuzzReport, fuzz } from './fuzz.ts'

interface Place {
  readonly url: string
  readonly mints: readonly string[]
  close(): Promise<void>
}

const MINTS = [61, 62, 63]

/** Without payments: paid routes answer too. */
const openFree = async (): Promise<Place> => {
  const api = harness({ history: new SetHistory(), till: offGate() })
  fillMarket(api.view)
  for (const byte of MINTS) api.view.put(key(byte), liveState())
  const server = createServer(serverOptions, api.app.callback())
  const { url, close } = await startLocal(server)
  return {
    url,
    mints: MINTS.map(base58),
    close,
  }
}

/** With the real payment gate over the sandbox: requests carry no payment or a hostile one. */
const openPaid = async (): Promise<Place> => {
  const shop = await openShop()
  return { url: shop.url, mints: [shop.mint, shop.unseen], close: shop.close }
}

/** Sends `requests` requests generated from `seed`; even seeds use a server without payments. */
export const fuzzApi = async (requests: number, seed: number): Promise<FuzzReport> => {
  const store = await (seed % 2 === 0 ? openFree() : openPaid())
  try {
    const description = (await (await fetch(`${store.url}/openapi.json`)).json()) as Description
    const tools = questions.flatMap(({ tool }) => tool ?? [])
    return await fuzz(description, { baseUrl: store.url, requests, seed, mints: store.mints, tools })
  } finally {
    await store.close()
  }
}
