// `/v1/alerts/webhook` as it is sold, and its page.
import { overviewOf } from '../../query-api/alerts/overview.ts'
import { NOW_S } from '../unit/query-api/given-mint.ts'
import { memoryRows } from './alerts-given.ts'
import { harness } from './api-harness.ts'

const PATH = '/v1/alerts/webhook'
const HOOK = 'https://hooks.example.com/in?key=SECRET'
const queryOf = (change: Readonly<Record<string, string | undefined>> = {}): string => {
  const all = { kinds: 'graduation_odds', target: 'generic', url: HOOK, ...change }
  return new URLSearchParams(Object.entries(all).filter((one): one is [string, string] => one[1] !== undefined)).toString()
}
const given = (changes: Parameters<typeof harness>[0] = {}) => {
  const rows = memoryRows()
  const api = harness({ ...changes, alerts: { rows, ...changes.alerts } })
  return { ...api, rows, subscriptions: () => overviewOf(rows, NOW_S) }
}

describe('a sale', () => {
  test('returns id, secret and end, and stores the subscription; unpaid it is a 402 and stores none', async () => {
    const api = given()
    expect((await api.get(`${PATH}?${queryOf()}`)).status).toBe(402)
    expect(await api.subscriptions()).toEqual([])
    const { status, body } = await api.paid(`${PATH}?${queryOf({ kinds: 'rug_flags,graduation_odds', min_odds: '0.7' })}`)
    expect([status, body.data]).toEqual([
      200,
      {
        ...{ subscription_id: expect.stringMatching(/^sub_[0-9a-f]{24}$/), secret: expect.stringMatching(/^[\w-]{43}$/) },
        ...{ expires_at: NOW_S + 30 * 86_400, kinds: ['graduation_odds', 'rug_flags'], min_odds: 0.7 },
      },
    ])
    expect(await api.subscriptions()).toMatchObject([
      {
        state: 'running',
        subscription: { id: body.data.subscription_id, secret: body.data.secret, minPpm: 700_000, target: { url: HOOK } },
      },
    ])
  })

  test('of alerts on odds is refused unpaid while the odds are withdrawn, with the reason; a sale of alerts on flags is not', async () => {
    const api = given()
    api.odds.stand('true_graduation', { isShown: false, reason: 'skill against the base rate is below 0' })
    const refused = await api.paid(`${PATH}?${queryOf()}`)
    expect([refused.status, refused.body]).toEqual([
      503,
      { ok: false, error: 'odds_withdrawn', charged: false, hint: expect.stringContaining('skill against the base rate is below 0') },
    ])
    expect((await api.paid(`${PATH}?${queryOf({ kinds: 'graduation_odds,rug_flags' })}`)).body.error).toBe('odds_withdrawn')
    expect(api.gate.calls.filter(({ kind }) => kind === 'settled')).toEqual([])
    expect((await api.paid(`${PATH}?${queryOf({ kinds: 'rug_flags' })}`)).status).toBe(200)
  })

  const WEBHOOK = `/api/webhooks/123456789012345678/${'a'.repeat(68)}`
  test.each<[string, number, (n: number) => Record<string, string | undefined>, Record<string, string | undefined>]>([
    [
      'to one host, in whatever spelling',
      20,
      (n) => ({ url: `https://HOOKS.example.com${n % 2 ? '.' : ''}:${n % 3 ? 8_000 + n : 443}/${n}?x=${n}` }),
      { url: 'https://other.example.com/' },
    ],
    [
      'to one webhook of Discord',
      5,
      (n) => ({ target: 'discord', url: `https://${n % 2 ? 'ptb.' : ''}discord.com${WEBHOOK}?thread_id=${n}` }),
      { target: 'discord', url: `https://discord.com${WEBHOOK.replace('1234', '9876')}` },
    ],
    [
      'of one bot to one chat',
      5,
      (n) => ({ target: 'telegram', url: undefined, chat_id: n % 2 ? '@Chat' : '@chat', bot_token: `1234:${'a'.repeat(30 + n)}` }),
      { target: 'telegram', url: undefined, chat_id: '@other', bot_token: `1234:${'a'.repeat(30)}` },
    ],
    ['to hosts of one address', 100, (n) => ({ url: `https://h${n}.example.com/` }), { url: 'https://elsewhere.example.org/' }],
    ['to hosts of one IPv6 network', 100, (n) => ({ url: `https://six${n}.example.com/` }), { url: 'https://elsewhere.example.org/' }],
  ])('is refused unpaid once too many subscriptions %s run', async (_what, max, orderOf, other) => {
    const resolve = async (host: string): Promise<readonly string[]> => {
      if (host.startsWith('six')) return [`2606:4700:1:2::${Number(host.slice(3, host.indexOf('.'))).toString(16)}`]
      return [host.endsWith('.org') ? '93.184.216.34' : '93.184.215.14']
    }
    const api = given({ alerts: { resolve } })
    for (let n = 0; n < max; n++) expect((await api.paid(`${PATH}?${queryOf(orderOf(n))}`)).status).toBe(200)
    api.time.nowMs += 1_000
    const { status, body } = await api.paid(`${PATH}?${queryOf(orderOf(max))}`)
    expect([status, body.error, body.charged]).toEqual([503, 'alerts_full', false])
    expect((await api.paid(`${PATH}?${queryOf(other)}`)).status).toBe(200)
  })

  test('to a loopback address is possible in a sandbox only', async () => {
    const query = queryOf({ url: 'http://127.0.0.1:9000/hook' })
    expect((await given({ sandbox: true }).paid(`${PATH}?${query}`)).status).toBe(200)
    expect((await given().paid(`${PATH}?${query}`)).body.detail).toMatchObject([{ type: 'forbidden_target', loc: ['query', 'url'] }])
  })
})

describe('the submitted target', () => {
  const SECRETS = ['SECRET', 'hooks.example.com', '@secret_chat', 'SECRET-TOKEN-OF-THE-BOT']
  test.each([
    ['a webhook', queryOf()],
    ['a bot', queryOf({ target: 'telegram', url: undefined, chat_id: '@secret_chat', bot_token: '123456:SECRET-TOKEN-OF-THE-BOT' })],
  ])('appears in no 402, receipt, log or figure: %s', async (_what, query) => {
    const seen: unknown[] = []
    const observer = { request: (one: unknown) => seen.push(one), limited: () => {}, sale: () => {}, streams: () => {} }
    const api = given({ around: { observer } })
    const urls: string[] = []
    const { quote, sell } = api.gate
    api.gate.sell = (sale) => {
      urls.push(sale.resourceUrl)
      return sell.call(api.gate, sale)
    }
    api.gate.quote = (inquiry) => {
      urls.push(inquiry.resourceUrl)
      return quote.call(api.gate, inquiry)
    }
    await api.get(`${PATH}?${query}`)
    await api.paid(`${PATH}?${query}`)
    const asked = await api.get(`${PATH}?${query}`)
    const written = JSON.stringify([urls, asked.body, asked.headers, seen, api.log, api.requests])
    for (const secret of SECRETS) expect(written).not.toContain(secret)
    expect(urls[0]).toContain('redacted')
  })

  test('binds the payment: another target is another request', async () => {
    const api = given()
    const requests: string[] = []
    const { sell } = api.gate
    api.gate.sell = (sale) => {
      requests.push(sale.request)
      return sell.call(api.gate, sale)
    }
    for (const url of [HOOK, `${HOOK}2`]) await api.paid(`${PATH}?${queryOf({ url })}`)
    expect(new Set(requests).size).toBe(2)
  })

  test.each<
    readonly [string, Readonly<Record<string, string | undefined>>, readonly (readonly [name: string, type: string, msg: RegExp])[]]
  >([
    [
      'without kinds and target',
      { kinds: undefined, target: undefined },
      [
        ['kinds', 'missing', /required/],
        ['target', 'missing', /required/],
      ],
    ],
    ['with an unknown kind', { kinds: 'graduation_odds,rugs' }, [['kinds', 'string_pattern_mismatch', /graduation_odds or rug_flags/]]],
    ['with a kind twice', { kinds: 'rug_flags,rug_flags' }, [['kinds', 'string_pattern_mismatch', /or both/]]],
    ['with an unknown target', { target: 'slack' }, [['target', 'string_pattern_mismatch', /discord, telegram, generic/]]],
    ['of a webhook without its address', { url: undefined }, [['url', 'missing', /required by target=generic/]]],
    [
      'of a bot without its token',
      { target: 'telegram', url: undefined, chat_id: '1' },
      [['bot_token', 'missing', /required by target=telegram/]],
    ],
    [
      'of a bot with an address',
      { target: 'telegram', chat_id: '1', bot_token: `1234:${'a'.repeat(30)}` },
      [['url', 'extra_forbidden', /chat_id and bot_token, not url/]],
    ],
    [
      'of an invalid chat',
      { target: 'telegram', url: undefined, chat_id: 'SECRET chat', bot_token: 'SECRET' },
      [
        ['chat_id', 'string_pattern_mismatch', /number of a chat/],
        ['bot_token', 'string_pattern_mismatch', /token of a bot/],
      ],
    ],
    ['with odds above 1', { min_odds: '1.1' }, [['min_odds', 'less_than_equal', /less than or equal to 1/]]],
    ['with a misspelt name', { min_od: '0.5' }, [['min_od', 'extra_forbidden', /did you mean min_odds/]]],
    ['to a private address', { url: 'https://10.0.0.1/SECRET' }, [['url', 'forbidden_target', /public address/]]],
    ['to an invalid address', { url: 'SECRET' }, [['url', 'forbidden_target', /full URL/]]],
    ['to another host as Discord', { target: 'discord' }, [['url', 'forbidden_target', /discord\.com/]]],
  ])('%s is a 422 that states what is valid, unpaid, and repeats no secret', async (_what, change, problems) => {
    const api = given()
    const { status, body, text } = await api.paid(`${PATH}?${queryOf(change)}`)
    expect([status, body.charged]).toEqual([422, false])
    const wanted = problems.map(([name, type, msg]) => ({ loc: ['query', name], type, msg: expect.stringMatching(msg) }))
    expect(body.detail).toEqual(wanted.map((one) => expect.objectContaining(one)))
    expect(text).not.toContain('SECRET')
    expect(api.gate.calls.filter(({ kind }) => kind === 'settled')).toEqual([])
    expect(await api.subscriptions()).toEqual([])
  })
})

test('a request without parameters gets the 402', async () => {
  const api = given()
  expect((await api.get(PATH)).status).toBe(402)
  expect(api.gate.calls).toEqual([{ kind: 'quoted', path: PATH }])
})

test('the page states what is pushed, whether odds are sold now, and how to subscribe in one command', async () => {
  const api = given({ sandbox: true, around: { buyCommand: (path) => `npx mintfold buy '${path}'` } })
  const { status, headers, text } = await api.get('/alerts')
  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  for (const part of [
    'X-Mintfold-Signature',
    'min_odds',
    '30 days',
    '$0.10',
    'Odds of graduation are shown now',
    'npx mintfold buy',
    'receive_alerts.mjs 9000',
  ])
    expect(text).toContain(part)
  expect(text).toContain('kinds=graduation_odds,rug_flags&amp;target=generic&amp;url=http%3A%2F%2F127.0.0.1%3A9000%2F')
  api.odds.stand('true_graduation', { isShown: false, reason: 'no model <was> published' })
  const withdrawn = (await api.get('/alerts')).text
  expect(withdrawn).toContain('not shown now (no model &lt;was&gt; published)')
  expect(withdrawn).toContain('?kinds=rug_flags&amp;target=generic')
})
