// Sold through anything: six proxies of Debian in front, and one that fails between settlement and answer.
import { TrustedProxies } from '../../query-api/http/caller-address.ts'
import { openShop } from '../e2e/clients/shop.ts'
import { BASE_URL, BOUGHT, type Buy, buyAll } from '../e2e/proxies/buys.ts'
import { isStreamed, mixedVariants, storedPaidAnswers } from '../e2e/proxies/caching.ts'
import { documentedFaults } from '../e2e/proxies/tls.ts'
import { runTries, type TriesReport } from '../e2e/proxies/tries.ts'
import { nginxCache } from '../services/proxies/configs.ts'
import { documentedCaddy, documentedNginx } from '../services/proxies/documented.ts'
import { PROXIES, type ProxyName, unpackedProxy } from '../services/proxies/packages.ts'
import { type ProxyOptions, type RunningProxy, startProxy } from '../services/proxies/proxy.ts'

const AT_ONCE = 50
const DELAY_MS = 5_000
/** Longer than nginx waits for an answer by default, 60 s. */
const LONG = { count: 20, delayMs: 65_000, patienceMs: 60_000 }

export interface ProxiesReport {
  /** Paid routes; the alerts are not sold over MCP. */
  readonly routes: { readonly http: number; readonly mcp: number }
  /** Routes bought, by proxy. */
  readonly bought: Readonly<Record<string, { readonly http: number; readonly mcp: number }>>
  /** By path: bytes of all headers of the 402, of PAYMENT-SIGNATURE and of PAYMENT-RESPONSE, without a proxy. */
  readonly sizes: Readonly<Record<string, readonly number[]>>
  readonly faults: readonly string[]
  readonly tries: TriesReport
}

export const isSoldThrough = ({ routes, bought, faults, tries }: ProxiesReport): boolean =>
  Object.values(bought).every(({ http, mcp }) => http === routes.http && mcp === routes.mcp) &&
  faults.length + tries.broken.length === 0 &&
  tries.charges === tries.tries &&
  tries.paidMicroUsdc === tries.owedMicroUsdc

export const runProxies = async (tries: number, seed: number, print: (line: string) => void): Promise<ProxiesReport> => {
  const shop = await openShop({ baseUrl: BASE_URL, proxies: new TrustedProxies(['127.0.0.1']) })
  const upstream = Number(new URL(shop.url).port)
  const faults: string[] = []
  const behind = async (name: ProxyName, prepare: ProxyOptions['prepare'], run: (proxy: RunningProxy) => Promise<void>): Promise<void> => {
    const proxy = await startProxy(name, { upstream, installed: await unpackedProxy(name), ...(prepare && { prepare }) })
    await run(proxy).finally(() => proxy.close())
  }
  const check = async (name: string, { url }: RunningProxy): Promise<void> => {
    const found = [...(await storedPaidAnswers(shop, url)), ...(await mixedVariants(url))]
    if (!(await isStreamed(url))) found.push('the event stream does not arrive')
    faults.push(...found.map((fault) => `${name}: ${fault}`))
  }
  const documented = async (name: ProxyName, prepare: ProxyOptions['prepare']): Promise<void> =>
    behind(name, prepare, async (proxy) => {
      faults.push(...(await documentedFaults(shop, proxy)).map((fault) => `${name} of deploy/proxy.md: ${fault}`))
    })
  try {
    const direct = await buyAll(shop, shop.url)
    printSizes(direct, print)
    const bought: Record<string, { http: number; mcp: number }> = {}
    for (const name of PROXIES)
      await behind(name, undefined, async (proxy) => {
        const buys = await buyAll(shop, proxy.url)
        bought[name] = countsOf(buys)
        print(`${name.padEnd(28)}${bought[name].http} of ${buys.length} over HTTP, ${bought[name].mcp} over MCP`)
        faults.push(...reasonsIn(buys).map((reason) => `${name}: ${reason}`))
        await check(name, proxy)
      })
    await behind('nginx', nginxCache, (proxy) => check('nginx with a cache', proxy))
    await documented('nginx', documentedNginx)
    await documented('caddy', documentedCaddy)
    const routes = { http: direct.length, mcp: direct.filter(({ mcp }) => mcp !== null).length }
    const report = await runTries(shop, { tries, atOnce: AT_ONCE, seed, delayMs: DELAY_MS, long: LONG })
    return { routes, bought, sizes: sizesOf(direct), faults, tries: report }
  } finally {
    await shop.close()
  }
}

const countsOf = (buys: readonly Buy[]) => ({
  http: buys.filter(({ http }) => http === BOUGHT).length,
  mcp: buys.filter(({ mcp }) => mcp === BOUGHT).length,
})

const reasonsIn = (buys: readonly Buy[]): readonly string[] =>
  buys.flatMap(({ path, http, mcp }) =>
    [http, mcp ?? BOUGHT].filter((outcome) => outcome !== BOUGHT).map((outcome) => `${path}: ${outcome}`),
  )

const sizesOf = (buys: readonly Buy[]): Readonly<Record<string, readonly number[]>> =>
  Object.fromEntries(buys.map(({ path, sizes }) => [path, Object.values(sizes)]))

const printSizes = (buys: readonly Buy[], print: (line: string) => void): void => {
  const row = (cells: readonly (string | number)[]): void =>
    print(cells.map((cell, n) => (n === 0 ? `${cell}`.padEnd(28) : `${cell}`.padStart(20))).join(''))
  row(['bytes', 'headers of the 402', 'PAYMENT-SIGNATURE', 'PAYMENT-RESPONSE'])
  for (const { path, sizes } of buys) row([path, ...Object.values(sizes)])
}
