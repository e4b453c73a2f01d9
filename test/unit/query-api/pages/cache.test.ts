// Cached pages, rendered one at a time.
import { PageCache } from '../../../../query-api/pages/cache.ts'

const LIMITS = { freshMs: 1_000, pagesMax: 2, makingMax: 2 }
const made =
  (body: string, status = 200) =>
  async () => ({ status, body })

test('a page is rendered once while it is fresh, and again afterwards', async () => {
  const cache = new PageCache(LIMITS)
  expect(await cache.get('/a', 0, made('first'))).toEqual({ status: 200, body: 'first' })
  expect(await cache.get('/a', 999, made('second'))).toEqual({ status: 200, body: 'first' })
  expect(await cache.get('/a', 1_000, made('third'))).toEqual({ status: 200, body: 'third' })
})
test('concurrent requests share one rendering, and others wait no longer than the limit', async () => {
  const cache = new PageCache(LIMITS)
  let finish = (_page: { status: number; body: string }): void => undefined
  const slow = () => new Promise<{ status: number; body: string }>((resolve) => (finish = resolve))
  const first = cache.get('/a', 0, slow)
  expect(cache.get('/a', 0, made('never'))).toBe(first)
  const second = cache.get('/b', 0, made('b'))
  expect(cache.get('/c', 0, made('c'))).toBeUndefined()
  await second
  expect(await cache.get('/c', 0, made('c'))).toMatchObject({ body: 'c' })
  finish({ status: 200, body: 'a' })
  expect(await first).toMatchObject({ body: 'a' })
})
test('the newest pages are cached, up to the limit', async () => {
  const cache = new PageCache(LIMITS)
  for (const path of ['/a', '/b', '/c']) await cache.get(path, 0, made(path))
  expect(cache.size).toBe(2)
  expect(await cache.get('/a', 1, made('again'))).toMatchObject({ body: 'again' })
})
test('errors and failures are not cached', async () => {
  const cache = new PageCache(LIMITS)
  expect(await cache.get('/a', 0, made('none', 404))).toMatchObject({ status: 404 })
  await expect(cache.get('/b', 0, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(cache.size).toBe(0)
  expect(await cache.get('/a', 1, made('now'))).toMatchObject({ status: 200, body: 'now' })
})
