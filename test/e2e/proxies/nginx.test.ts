// Behind the nginx of Debian: every paid route is bought, and no cache stores or serves a paid answer.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { TrustedProxies } from '../../../query-api/http/caller-address.ts'
import { nginxCache } from '../../services/proxies/configs.ts'
import { documentedNginx } from '../../services/proxies/documented.ts'
import { describeNginx, type RunningProxy, startProxy } from '../../services/proxies/proxy.ts'
import { ask } from '../../tools/ask.ts'
import { openShop, type Shop } from '../clients/shop.ts'
import { BASE_URL, BOUGHT, buyAll } from './buys.ts'
import { isStreamed, mixedVariants, PUBLIC, storedPaidAnswers } from './caching.ts'
import { documentedFaults } from './tls.ts'

const portOf = (url: string): number => Number(new URL(url).port)

/** Paths of the answers in a cache of nginx. */
const storedPaths = async (folder: string): Promise<readonly string[]> => {
  const files = (await readdir(folder)).map((name) => readFile(join(folder, name), 'latin1'))
  return (await Promise.all(files)).map((text) => /^KEY: http:\/\/[^/]+(.*)$/m.exec(text)?.[1] ?? 'none')
}

describeNginx('behind nginx', () => {
  let shop: Shop
  let proxy: RunningProxy
  beforeAll(async () => {
    shop = await openShop({ baseUrl: BASE_URL, proxies: new TrustedProxies(['127.0.0.1']) })
    proxy = await startProxy('nginx', { upstream: portOf(shop.url) })
  })
  afterAll(async () => {
    await proxy?.close()
    await shop?.close()
  })

  test('with its default configuration, every paid route is bought over HTTP and over MCP', async () => {
    const buys = await buyAll(shop, proxy.url)
    expect(buys).toHaveLength(13)
    expect(buys.filter(({ http, mcp }) => http !== BOUGHT || (mcp ?? BOUGHT) !== BOUGHT)).toEqual([])
  })
  test('with its default configuration, the event stream arrives while it is open, and tags and variants work', async () => {
    expect(await isStreamed(proxy.url)).toBe(true)
    expect(await mixedVariants(proxy.url)).toEqual([])
  })
  test('a cache that keeps every answer for ten minutes by default keeps no paid one', async () => {
    const cache = await startProxy('nginx', { upstream: portOf(shop.url), prepare: nginxCache })
    try {
      expect(await storedPaidAnswers(shop, cache.url)).toEqual([])
      expect(await mixedVariants(cache.url)).toEqual([])
      expect((await ask(`${cache.url}/page/page.css`)).headers['x-cache']).toBe('HIT')
      expect([...new Set(await storedPaths(join(cache.dir, 'cache')))].sort()).toEqual(PUBLIC)
      expect(await isStreamed(cache.url)).toBe(true)
    } finally {
      await cache.close()
    }
  })
  test('as deploy/proxy.md configures it, sells over TLS, passes the stream on, and names the caller', async () => {
    const tls = await startProxy('nginx', { upstream: portOf(shop.url), prepare: documentedNginx })
    try {
      expect(await documentedFaults(shop, tls)).toEqual([])
    } finally {
      await tls.close()
    }
  })
})
