// Records of creators and curves, the docs, pictures, and what crawlers read.
import { pictureOf } from '../../query-api/pages/token/picture.ts'
import { keyText } from '../../schemas/keys.ts'
import { SetHistory } from '../fakes/set-history.ts'
import { GRADUATED, LIVE, OTHER } from '../fixtures/curve-market.ts'
import { creatorOf, pointsOf } from '../fixtures/record-market.ts'
import { base58, CREATOR, curveRow, key, launchRow, liveState, NOW_S } from '../unit/query-api/given-mint.ts'
import { harness } from './api-harness.ts'

const WALLET = `/creator/${keyText(CREATOR)}`
const given = () => {
  const history = new SetHistory()
  const api = harness({ history, sandbox: true, around: { buyCommand: (path) => `npx mintfold buy ${path}` } })
  const launch = launchRow({ at: NOW_S - 1_000, name: '</text><script>alert(1)</script>&\u0007', symbol: ']]>' })
  api.view.put(key(1), liveState({ launch, curve: curveRow({ lastAt: NOW_S - 310 }) }))
  api.view.put(key(2), liveState({ launch, curve: curveRow({ lastAt: NOW_S - 3 }) }))
  history.points.set(key(1), pointsOf(NOW_S - 1_000, 690))
  return { ...api, history }
}

describe('a creator', () => {
  test('is shown with its launches and their outcomes', async () => {
    const api = given()
    api.records.putCreator(CREATOR, creatorOf([1, 2, 3].map(key)))
    const { status, text } = await api.get(WALLET)
    expect([status, text.match(/href="\/token\//g)?.length]).toEqual([200, 3])
    for (const part of ['rugged after 31 s', 'graduated', 'not settled', `npx mintfold buy /v1/creator/${keyText(CREATOR)}`])
      expect(text).toContain(part)
  })
  test('shows nothing of the last 5 minutes: no launch, no settlement, no sums that count them', async () => {
    const api = given()
    const state = creatorOf([1, 2, 3].map(key))
    const [first, second, third] = state.launches as [object, object, object]
    const launches = [{ ...first, at: NOW_S - 299 }, { ...second, settledAt: NOW_S - 299 }, third] as typeof state.launches
    const figures = { number: 1_000, tx: 0, outer: 0, inner: 0, lastLaunchAt: NOW_S - 299, sells: 0, changes: 0 }
    api.records.putCreator(CREATOR, { ...state, launches, figures })
    const { text } = await api.get(WALLET)
    expect(text).not.toContain(base58(1))
    expect(text.match(/not settled/g)).toHaveLength(1)
    expect(text).toContain('Sums are not shown')
    expect(text).not.toContain('rugged after')
  })
  test.each([WALLET, '/creator/0OIl', '/creator/'])('%s without a launch is a 404 page that is not indexed', async (path) => {
    const { status, text } = await given().get(path)
    expect([status, text.includes('<meta name="robots" content="noindex">')]).toEqual([404, true])
  })
})

describe('a curve of the alt chain', () => {
  test('is shown by its address and by that of its token, with its balance over time', async () => {
    const api = given()
    const launch = api.curves.find(GRADUATED)?.head.launch
    api.history.points.set(GRADUATED, pointsOf(launch?.at ?? 0, 10))
    const pages = await Promise.all([keyText(GRADUATED), keyText(launch?.curve ?? GRADUATED)].map((address) => api.get(`/alt/${address}`)))
    expect(pages.map(({ status, text }) => [status, text.includes('ETH held over time'), text.includes('graduated')])).toEqual([
      [200, true, true],
      [200, true, true],
    ])
    expect(pages[0]?.text).toContain('Holders by class')
  })
  test('leaves out figures of a curve that still trades, and shows no broken ones of a curve that is not paired with ETH', async () => {
    const api = given()
    const moving = (await api.get(`/alt/${keyText(LIVE)}`)).text
    expect([moving.includes('are in the paid card'), moving.includes('Holders by class')]).toEqual([true, false])
    expect((await api.get(`/alt/${keyText(OTHER)}`)).text).not.toMatch(/NaN|undefined|Infinity/)
  })
  test.each(['/alt/0x12', '/alt/', `/alt/0x${'11'.repeat(20)}`])('%s is a 404 with an explanation', async (path) => {
    const { status, headers } = await given().get(path)
    expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
  })
})

test('the docs have a runnable example for each route of the list', async () => {
  const api = given()
  const { text } = await api.get('/docs')
  const listed: { path: string; price_usd: number }[] = (await api.get('/').set('Accept', 'application/json')).body.data.questions
  for (const { path, price_usd } of listed.filter(({ path: one }) => one !== '/')) {
    expect(text).toContain(`<h3><code>${path}</code>`)
    if (price_usd > 0) expect(text).toContain(`data-copy="npx mintfold buy ${path.split('{')[0]}`)
  }
  const shown = [...text.matchAll(/data-copy="curl -i &#39;http:\/\/127\.0\.0\.1:8402([^"]*)&#39;"/g)].map(([, path = '']) => path)
  expect(shown.length).toBeGreaterThan(10)
  for (const path of shown) expect((await api.get(path.replaceAll('&amp;', '&'))).status).toBe(402)
})

describe('calibration', () => {
  test('has the figures of the answers: reliability, days, calls of every day, and the newest root', async () => {
    const api = given()
    const { status, text } = await api.get('/calibration')
    const [newest] = (await api.get('/v1/calibration')).body.data.ledger.newest
    expect(status).toBe(200)
    for (const part of [
      'By bins of the logged odds: 4.9 % predicted, 5.0 % observed',
      '2026-03-01',
      '92 of 110 calls came true',
      newest.root,
    ])
      expect(text).toContain(part)
    expect(text).not.toMatch(/style=|NaN|undefined|Infinity/)
  })
  test('gives the reasons why odds are not shown and figures are not known', async () => {
    const api = given()
    api.odds.stand('rug_within_300s', { isShown: false, reason: 'skill is below 0 <b>' })
    api.history.grades = { ok: false, reason: 'the history store does not answer now' }
    api.history.record = { ok: false, reason: 'the history store does not answer now' }
    const { text } = await api.get('/calibration')
    expect(text).toContain('<b class="grave">Not shown</b>: skill is below 0 &lt;b&gt;')
    expect(text.match(/(Not graded|Not known): the history store does not answer now/g)?.length).toBeGreaterThanOrEqual(4)
  })
})

describe('the picture of a launch', () => {
  const SIGNATURE = '89504e470d0a1a0a'
  test('is a PNG of 1200 x 630, whatever its creator wrote, and is drawn once', async () => {
    const api = given()
    const { status, headers, body } = await api.get(`/token/${base58(1)}/picture.png`).buffer(true)
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([200, 'image/png', 'public, max-age=300'])
    expect(body.subarray(0, 8).toString('hex')).toBe(SIGNATURE)
    expect([body.readUInt32BE(16), body.readUInt32BE(20)]).toEqual([1_200, 630])
    await api.get(`/token/${base58(1)}/picture.png`)
    expect(api.history.asked).toEqual(['series'])
    expect(api.requests.at(-1)).toMatchObject({ route: '/token/{mint}/picture.png' })
  })
  test('may not be cached if it lacks its chart because the history is unavailable', async () => {
    const api = given()
    api.history.awayReason = 'away'
    const { status, headers } = await api.get(`/token/${base58(1)}/picture.png`)
    expect([status, headers['cache-control']]).toEqual([200, 'no-store'])
    api.history.awayReason = null
    expect((await api.get(`/token/${base58(1)}/picture.png`)).headers['cache-control']).toBe('public, max-age=300')
  })
  test.each([`/token/${base58(9)}/picture.png`, '/token/0OIl/picture.png', '/token/picture.png'])('%s is a 404 in JSON', async (path) => {
    const { status, headers, body } = await given().get(path)
    expect([status, headers['content-type'], body.error]).toEqual([404, 'application/json; charset=utf-8', 'no_picture'])
  })
})

test('a creator’s text is text in a picture too', () => {
  const launch = {
    mint: key(1),
    name: '</text><image href="x"/>',
    symbol: '&#x1;]]>',
    launchAt: 1,
    creator: null,
    flags: [],
    outcome: null,
  }
  const svg = pictureOf({ ...launch, pool: null, until: 2 }, undefined).toString()
  expect(svg).toContain('&lt;/text&gt;&lt;image href=&quot;x&quot;')
  expect(svg).toContain('&amp;#x1;]]&gt;')
  expect(svg).not.toContain('<image')
})

describe('for crawlers', () => {
  test('the sitemap has the pages and the records that can be shown, and robots.txt names it', async () => {
    const api = given()
    const { headers, text } = await api.get('/sitemap.xml').buffer(true)
    const body = text ?? ''
    expect(headers['content-type']).toBe('application/xml; charset=utf-8')
    const paths = [...body.matchAll(/<loc>http:\/\/127\.0\.0\.1:8402([^<]*)<\/loc>/g)].map(([, path]) => path)
    expect(paths).toEqual(expect.arrayContaining(['/', '/docs', `/token/${base58(1)}`]))
    expect(paths).not.toContain(`/token/${base58(2)}`)
    expect(paths.some((path) => path?.startsWith('/alt/0x'))).toBe(true)
    expect((await api.get('/robots.txt')).text).toContain('Sitemap: http://127.0.0.1:8402/sitemap.xml')
  })
  test.each(['/', '/docs', `/token/${base58(1)}`, WALLET])('%s has one canonical address and a description', async (path) => {
    const api = given()
    api.records.putCreator(CREATOR, creatorOf([key(1)]))
    const { text } = await api.get(path).set('Accept', 'text/html')
    expect(text).toContain(`<link rel="canonical" href="http://127.0.0.1:8402${path}">`)
    expect(text.match(/<meta name="description" content="[^"]{40,}">/g)).toHaveLength(1)
    for (const [, facts = ''] of text.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs))
      expect(JSON.parse(facts)).toMatchObject({ '@context': 'https://schema.org' })
  })
  test('a record offers its picture for link previews', async () => {
    const { text } = await given().get(`/token/${base58(1)}`)
    expect(text).toContain(`<meta property="og:image" content="http://127.0.0.1:8402/token/${base58(1)}/picture.png">`)
  })
})
