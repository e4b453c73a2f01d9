// An example agent: finds a launch, checks it, buys its card and watches it. `npm run agent -- BASE_URL WALLET_FILE`: the wallet is a JSON
// file with `secretKey` (64 numbers) and `rpcUrl`, such as the sandbox creates in its data directory.
import { readFile } from 'node:fs/promises'
import { createKeyPairSignerFromBytes } from '@solana/kit'
import { x402Client } from '@x402/core/client'
import { wrapFetchWithPayment } from '@x402/fetch'
import { ExactSvmScheme } from '@x402/svm/exact/client'
import createClient from 'openapi-fetch'
import type { paths } from './client-types.ts'

const MAX_USD_PER_ANSWER = 0.05
const [baseUrl = 'http://127.0.0.1:8402', walletFile = '.mintfold/wallet.json'] = process.argv.slice(2)
const end = (sentence: string): never => {
  console.error(sentence)
  process.exit(1)
}
await fetch(`${baseUrl}/health`).catch(() => end(`no server answers on ${baseUrl}: start one with npm start, or pass the URL of another`))
const noWallet = () => end(`${walletFile} cannot be read: a sandbox creates wallet.json in its data directory; or pass your own`)
const wallet = JSON.parse(await readFile(walletFile, 'utf8').catch(noWallet)) as { readonly secretKey: number[]; readonly rpcUrl: string }
const signer = await createKeyPairSignerFromBytes(Uint8Array.from(wallet.secretKey))
const payer = new x402Client()
  .register('solana:*', new ExactSvmScheme(signer, { rpcUrl: wallet.rpcUrl }))
  .setSpendControls({ maxAmountPerPayment: MAX_USD_PER_ANSWER })
const api = createClient<paths>({ baseUrl, fetch: wrapFetchWithPayment(fetch, payer) })
const say = (what: string, facts: object): void => console.log(JSON.stringify({ what, ...facts }))

// Find a live launch with full coverage. 0.01 USD.
const launches = await api.GET('/v1/launches/recent', { params: { query: { only_alive: true, limit: 20 } } })
const mint = launches.data?.data.items.find(({ coverage }) => coverage === 'full')?.mint
if (mint === undefined) throw end(`no launch with full coverage was found; try again in a minute. ${JSON.stringify(launches.error ?? '')}`)
say('found', { mint })

// Check: first whether the mint can be checked (free), then its findings. 0.005 USD.
const { data: coverage } = await api.GET('/v1/check/coverage', { params: { query: { mints: mint } } })
const check = await api.GET('/v1/check/mint/{mint}', { params: { path: { mint } } })
say('checked', { can_be_checked: coverage?.data.all_full, status: check.data?.data.status, refused: check.error })

// Buy the full card. 0.025 USD.
const { data: card } = await api.GET('/v1/mint/{mint}', { params: { path: { mint } } })
say('bought', { coverage: card?.coverage, risk_label: card?.data.risk_label, why: card?.data.why })

// Watch (free): reports whether anything is new since the check. Only then buy another check.
const cursor = check.data?.data.cursor
const { data: watch } = await api.GET('/v1/check/watch', { params: { query: { mints: mint, ...(cursor && { cursor }) } } })
say('watched', { has_new_events: watch?.data.has_new_events, next_check_after_s: watch?.data.next_check_after_s })
