// The page as it is sent: content negotiation, its content without a script, and hostile text that stays text.
import fc from 'fast-check'
import { html } from '../../query-api/pages/html.ts'
import { keyText } from '../../schemas/keys.ts'
import { BUSY, SetHistory } from '../fakes/set-history.ts'
import { fillMarket } from '../fixtures/page-market.ts'
import { key as key20 } from '../unit/processors/curve/launchpad.ts'
import { base58, curveRow, flagRow, key, launchRow, liveState, NOW_S, poolRow } from '../unit/query-api/given-mint.ts'
import { harness } from './api-harness.ts'

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'
const given = (changes: Parameters<typeof harness>[0] = {}) => {
  const api = harness({ history: new SetHistory(), ...changes })
  return { ...api, page: async () => (await api.get('/').set('Accept', BROWSER)).text }
}
/** A launch whose curve was unchanged for 5 minutes, unless `change` replaces the curve. */
const launched = (byte: number, ageS: number, name: string, change: Parameters<typeof liveState>[0] = {}) => {
  const launch = launchRow({ at: NOW_S - ageS, name, symbol: name, number: 5_000 - ageS })
  return [key(byte), liveState({ curve: curveRow({ lastAt: NOW_S - 301 }), ...change, launch })] as const
}

describe('content negotiation', () => {
  test.each([
    [BROWSER, 'text/html; charset=utf-8'],
    ['text/html', 'text/html; charset=utf-8'],
    ['*/*', 'application/json; charset=utf-8'],
    ['application/json', 'application/json; charset=utf-8'],
    ['application/json, text/html;q=0.5', 'application/json; charset=utf-8'],
    ['text/plain', 'application/json; charset=utf-8'],
    ['nonsense', 'application/json; charset=utf-8'],
  ])('Accept: %s gets %s', async (accept, type) => {
    const { status, headers } = await given().get('/').set('Accept', accept)
    expect([status, headers['content-type'], headers.vary]).toEqual([200, type, 'Origin, Accept-Encoding, Accept'])
  })
  test('no Accept at all gets JSON', async () => {
    const { headers } = await given().get('/').unset('Accept')
    expect(headers['content-type']).toMatch(/json/)
  })
  test('other paths answer browsers in JSON', async () => {
    expect((await given().get('/health').set('Accept', BROWSER)).headers['content-type']).toMatch(/json/)
  })
  test('HEAD has the headers and no body, POST is a 405', async () => {
    const api = given()
    const { status, headers, text } = await api.head('/').set('Accept', BROWSER)
    expect([status, headers['content-type'], text ?? '']).toEqual([200, 'text/html; charset=utf-8', ''])
    expect((await api.post('/').set('Accept', BROWSER)).status).toBe(405)
  })
})

describe('protection', () => {
  test('the policy allows our own files and data: images only, and the page has no inline code or style', async () => {
    const api = given()
    fillMarket(api.view)
    const { headers, text } = await api.get('/').set('Accept', BROWSER)
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self';/,
    )
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(text).not.toMatch(/<style|style=|\son\w+=|javascript:/)
    expect(text.match(/<script[^>]*>/g)).toEqual(['<script type="application/ld+json">', '<script src="/page/page.js" defer>'])
    const targets = [...text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, target]) => target ?? '')
    expect(targets.filter((target) => !/^[/#]/.test(target))).toEqual(['http://127.0.0.1:8402/'])
  })
  test.each([
    ['/page/page.css', 'text/css'],
    ['/page/page.js', 'text/javascript'],
    ['/page/icon.svg', 'image/svg+xml'],
    ['/favicon.ico', 'image/svg+xml'],
  ])('%s is served as %s', async (path, type) => {
    const { status, headers } = await given().get(path)
    expect([status, headers['content-type']?.split(';')[0], headers['cache-control']]).toEqual([200, type, 'public, max-age=300'])
  })
  test('no other file is served', async () => {
    for (const path of ['/page/mount.ts', '/page/..%2fapp.ts', '/page/assets/page.css', '/page/'])
      expect((await given().get(path)).status).toBe(404)
  })
  test('hostile names are text', async () => {
    const api = given()
    const names = [
      '<script>alert(1)</script>',
      '"><img src=x onerror=alert(1)>',
      "' onmouseover='x",
      '</title>&lt;',
      `\${1}\``,
      '\u202eevil\u0000',
    ]
    for (const [i, name] of names.entries()) api.view.put(...launched(i + 1, 400 + i, name))
    const text = await api.page()
    expect(text).toContain('<bdi>&lt;script&gt;alert(1)&lt;/script&gt;</bdi>')
    expect(text).not.toMatch(/<script>|<img|onerror=alert\(1\)>|\u202e/)
    expect(text).not.toContain('\u0000')
    expect(text.match(/<script/g)).toHaveLength(2)
  })
  test('any text in a template adds no tag and leaves no attribute', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const made = html`<a title="${text}">${text}</a>`.toString()
        expect(made.match(/[<>]/g)).toHaveLength(4)
        expect(made.match(/"/g)).toHaveLength(2)
      }),
    )
  })
})

describe('content without a script', () => {
  test('lag, regime, launches with curve and flags, prices and how to buy', async () => {
    const api = given({ sandbox: true })
    const flags = [flagRow('creator_sold', { firstSeenAt: NOW_S - 360 })]
    const curve = curveRow({ lastAt: NOW_S - 310, realQuoteUnits: 2_500_000_000, peakQuoteUnits: 12_000_000_000 })
    api.view.put(...launched(1, 400, 'Old Coin', { flags, curve }))
    api.time.nowMs += 1_500
    const text = await api.page()
    for (const part of [
      '1.5 s',
      '148',
      'Old Coin',
      '2.50',
      '12.00',
      'creator sold',
      '5.0 % of supply, <span class="when">40 s</span>',
      '6 min',
      '5 min',
    ])
      expect(text).toContain(part)
    for (const part of ['/v1/mint/{mint}', '$0.025', '$0.01', '$0.02', 'PAYMENT-SIGNATURE', 'play money']) expect(text).toContain(part)
  })
  test('nothing younger than 300 s: launch, flag, trade on the curve or in the pool', async () => {
    const api = given()
    api.view.put(...launched(1, 299, 'Too Young'))
    api.view.put(...launched(2, 900, 'Fresh Flag', { flags: [flagRow('creator_sold', { firstSeenAt: NOW_S - 299 })] }))
    api.view.put(...launched(3, 900, 'Fresh Trade', { curve: curveRow({ lastAt: NOW_S - 299 }) }))
    api.view.put(...launched(4, 900, 'Fresh Pool', { pools: [poolRow({ lastAt: NOW_S - 299 })] }))
    api.view.put(...launched(5, 300, 'Old Enough', { curve: curveRow({ lastAt: NOW_S - 300 }) }))
    const text = await api.page()
    expect(text).toContain('Old Enough')
    expect(text).not.toMatch(/Too Young|Fresh (Flag|Trade|Pool)/)
  })
  test('a curve in another quote or of a thin launch has no bar; its SOL is shown as not known or as last seen', async () => {
    const api = given()
    const other = { quoteMint: key(99), lastAt: NOW_S - 310 }
    api.view.put(key(1), liveState({ launch: launchRow({ at: NOW_S - 400, quoteMint: key(99) }), curve: curveRow(other) }))
    api.view.put(...launched(2, 500, 'Silent', { curve: curveRow({ lastAt: NOW_S - 8_000 }) }))
    const text = await api.page()
    expect(text.match(/<span class="bar none"/g)).toHaveLength(2)
    expect(text).toContain('<span class="of">not known</span>')
    expect(text).toContain('10.00 <span class="of">last seen</span>')
    expect(text).not.toMatch(/\b(NaN|undefined|Infinity)\b|>\s*null\b/)
  })
  test('curves of the alt chain that were unchanged for 5 minutes, newest first, and no others', async () => {
    const page = await given().page()
    const shown = [...page.matchAll(/<code title="(0x[0-9a-fA-F]{40})">/g)].map(([, curve]) => curve)
    // The live one traded two seconds ago.
    expect(shown).toEqual([key20(13), key20(12)].map(keyText))
    expect(page).toContain('graduated')
  })
  test('an empty market, no history, and payments off are stated', async () => {
    const api = harness({ mode: 'off' })
    api.view.setStatus({ folded: null, tip: null })
    const { text } = await api.get('/').set('Accept', BROWSER)
    for (const part of [
      'waiting for the first slot',
      'No launch has stayed unchanged',
      'has no history store',
      'Payments are off',
      'free here',
    ])
      expect(text).toContain(part)
    expect(text).not.toMatch(/NaN|undefined|Infinity/)
  })
  test('the age of the market figures, and what the day lacks', async () => {
    const history = new SetHistory()
    const api = given({ history })
    expect(await api.page()).toContain('Live, not delayed: as of 02:13:19 UTC.</p>')
    history.market = { ok: true, value: BUSY, asOf: NOW_S - 1_200 }
    api.view.setStatus({ observedSince: NOW_S - 23_400 })
    api.time.nowMs += 2_000
    expect(await api.page()).toContain('history is 20 min behind: as of 01:53:20 UTC. The day is incomplete: capture began 6 h 30 min ago.')
    api.view.setStatus({ observedSince: 0, gap: { from: 1, to: 2, until: NOW_S - 9_000 } })
    api.time.nowMs += 2_000
    expect(await api.page()).toContain('Slots of the last day are missing.')
  })
  test('a late feed and a gap are stated', async () => {
    const api = given()
    api.view.setStatus({ gap: { from: 1, to: 2, until: NOW_S } })
    api.time.nowMs += 31_000
    const text = await api.page()
    expect(text).toContain('lamp late')
    expect(text).toContain('with a gap')
  })
})

test('is computed at most every 2 s, however often it is requested', async () => {
  const api = given()
  api.view.put(...launched(1, 400, 'First'))
  await api.page()
  const { reads } = api.view
  api.view.put(...launched(2, 400, 'Second'))
  api.time.nowMs += 1_999
  expect(await api.page()).not.toContain('Second')
  expect(api.view.reads).toBe(reads)
  api.time.nowMs += 1
  expect(await api.page()).toContain('Second')
})
test('a price keeps its digits', async () => {
  expect(await given({ priceFactor: 0.001 }).page()).toContain('$0.000025')
  expect(await given({ priceFactor: 40 }).page()).toContain('$1.00')
})
test('the address of a launch can be copied, and its name links to its sample card', async () => {
  const api = given()
  api.view.put(...launched(1, 400, 'Coin'))
  const text = await api.page()
  expect(text).toContain(`title="${base58(1)}"`)
  expect(text).toContain(`data-copy="${base58(1)}"`)
  expect(text).toContain(`href="/token/${base58(1)}"`)
  expect((await api.get(`/token/${base58(1)}`)).status).toBe(200)
})
