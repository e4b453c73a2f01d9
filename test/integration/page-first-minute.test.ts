// What a first visitor of the page reads: what this is, whether it is real, what it does now, and what to do.
import { SetHistory } from '../fakes/set-history.ts'
import { fillMarket } from '../fixtures/page-market.ts'
import { curveRow, flagRow, key, launchRow, liveState, NOW_S } from '../unit/query-api/given-mint.ts'
import { harness } from './api-harness.ts'

const DEMO = 'demo: a simulated market, seed 1'
const given = (changes: Parameters<typeof harness>[0] = {}) => {
  const api = harness({ history: new SetHistory(), ...changes })
  const page = async (path = '/') => (await api.get(path).set('Accept', 'text/html')).text.replaceAll(/\s+/g, ' ')
  return { ...api, page }
}
/** Text without tags. */
const plain = (text: string): string => text.replaceAll(/<[^>]*>/g, '')

describe('the header', () => {
  test.each([
    [
      DEMO,
      true,
      'Simulation, play money',
      ['No launch on this page is real', DEMO, '2025-11-13 02:13 UTC', 'use play money without value'],
    ],
    [DEMO, false, 'Simulation', ['No launch on this page is real']],
    ['recorded RPC answers', true, 'Play money', ['use play money without value']],
    ['solana mainnet', false, undefined, []],
  ])('of %s with play money %s has the badge %s', async (source, sandbox, badge, sentences) => {
    const text = await given({ source, sandbox }).page()
    expect(/<strong class="badge">([^<]*)</.exec(text)?.[1]).toBe(badge)
    for (const sentence of sentences) expect(text).toContain(sentence)
    expect(text.includes('No launch on this page is real')).toBe(source === DEMO)
    expect(text.includes('play money')).toBe(sandbox)
  })
  test('is followed by what is sold, to whom and at which price', async () => {
    expect(plain(await given().page())).toMatch(
      /sells observed evidence about token launches .* from \$0\.001 in USDC over x402: no account/,
    )
    expect(plain(await given({ mode: 'off' }).page())).toContain('Payments are off on this server: every answer is free.')
  })
})

describe('while it starts', () => {
  const preparing = { what: '6 h of history before the live part are written', share: 0.437 }
  test('is a 503 with the current step and its progress, reloads by itself, and still states what is sold and how', async () => {
    const api = given({ source: DEMO, sandbox: true })
    api.view.setStatus({ ready: false, folded: null, tip: null, preparing })
    const { status, headers } = await api.get('/').set('Accept', 'text/html')
    expect([status, headers['retry-after']]).toEqual([503, '5'])
    const text = await api.page()
    expect(text).toContain('<progress max="100" value="43"></progress> <b>43 %</b>')
    expect(text).toContain('<meta http-equiv="refresh" content="2">')
    for (const part of ['The service is starting', preparing.what, 'Simulation', 'software agents', '$0.025']) expect(text).toContain(part)
    expect(text).not.toMatch(/class="launches"|href="\/(v1\/sample|health|token)/)
  })
  test.each([
    [{ ready: false, preparing: null }, 'Restoring the stores'],
    [{ ready: false, rebuild: 'the stores are rebuilt: folds the tape again, 34 %' }, 'The stores are rebuilt: folds the tape again, 34 %'],
    [{ folded: null, tip: null }, 'Waiting for the first slot of the chain'],
    [{ folded: { number: 5, time: NOW_S - 5_400 } }, 'Catching up with the chain: 1 h 30 min behind'],
    [{ preparing: { what: 'the rest of the history is written', share: 0.5 } }, 'The rest of the history is written <progress'],
    [{ preparing: { what: 'the market is simulated', share: null } }, 'The market is simulated </li>'],
    [{ trouble: { reason: 'no broker answers', sinceMs: 0 } }, 'The source cannot be read: no broker answers'],
  ])('%j is in its text', async (status, text) => {
    const api = given()
    api.view.setStatus(status)
    expect(await api.page()).toContain(text)
  })
  test('announces nothing as under way once it is live', async () => {
    expect(await given().page()).not.toContain('class="works"')
  })
  test('claims no absence of launches for an hour that was not read yet', async () => {
    const api = given()
    api.view.setStatus({ folded: { number: 5, time: NOW_S - 5_400 } })
    expect(await api.page()).not.toContain('Launched in the last')
  })
})

describe('figures agree', () => {
  const figuresOf = (text: string) => {
    const reading = plain(/<p class="reading">.*?<\/p>/.exec(text)?.[0] ?? '')
    const [, launches, grave, lesser, graduated] =
      /hour: ([\d,]+)\. (\d+) have a grave flag, (\d+) a lesser one, (\d+) graduated/.exec(reading) ?? []
    const sums = plain(/<p class="sums">.*?<\/p>/.exec(text)?.[0] ?? '')
    const [, drawn, of, rest, flags, withFlag] =
      /(\d+) of (\d+) launches are drawn\. The other (\d+) are not drawn yet: .* (\d+) flags fired on (\d+) of them/.exec(sums) ?? []
    const key = [...text.matchAll(/<li class="(?:plain|flagged|grave|graduated)">(\d+) /g)].map(([, n]) => Number(n))
    return { launches, grave, lesser, graduated, drawn, of, rest, flags, withFlag, key }
  }
  test('each launch of the hour is counted once, drawn or not, and flags with the launches that they fired on', async () => {
    const api = given()
    fillMarket(api.view)
    const shown = figuresOf(await api.page())
    const hour = [...api.view.launchesSince(NOW_S - 3_600)].map(({ head }) => head)
    expect(Number(shown.launches)).toBe(hour.length)
    expect(shown.of).toBe(shown.launches)
    expect(Number(shown.drawn) + Number(shown.rest)).toBe(hour.length)
    expect(shown.key.reduce((all, one) => all + one, 0)).toBe(Number(shown.drawn))
    expect(Number(shown.withFlag)).toBe(hour.filter(({ flags }) => flags.length > 0).length)
    expect(Number(shown.flags)).toBe(hour.reduce((all, { flags }) => all + flags.length, 0))
    const isGraduated = ({ curve }: (typeof hour)[number]): boolean => (curve?.peakQuoteUnits ?? 0) >= 84e9
    expect(Number(shown.graduated)).toBe(hour.filter(isGraduated).length)
    expect(Number(shown.grave) + Number(shown.lesser)).toBe(hour.filter((one) => one.flags.length > 0 && !isGraduated(one)).length)
  })
  test.each([
    ['creator_sold', { tokens_share: 0.004, sol: 0.1 }, false, '0.4 % of supply'],
    ['creator_sold', { tokens_share: 0.05, sol: 1 }, true, '5.0 % of supply'],
    ['creator_sold', { tokens_share: 0.0001, sol: null }, false, '&lt;0.1 % of supply'],
    ['bundle_dumped', { n_wallets: 2, bought_share: 0.3, sold_share: 0.22 }, true, '22 % of supply'],
    ['curve_drained', { peak_rs: 10, rs: 1.5 }, true, 'lost 85 %'],
    ['pool_drained', { opening_quote: 85, quote: 17 }, true, 'lost 80 %'],
    ['curve_closed_low', { peak_rs: 60.5 }, false, 'at most 60.50 SOL'],
    ['migrate_below_grad', { peak_rs: 3, pool: 'x' }, false, 'at most 3.00 SOL'],
  ])('%s of %j is grave: %s, and its figure is next to it', async (flag, evidence, isGrave, measure) => {
    const api = given()
    const flags = [flagRow(flag, { firstSeenAt: NOW_S - 380, evidence: JSON.stringify(evidence) })]
    api.view.put(key(1), liveState({ launch: launchRow({ at: NOW_S - 400 }), curve: curveRow({ lastAt: NOW_S - 350 }), flags }))
    const text = await api.page()
    expect(text).toContain(
      `<li class="flag${isGrave ? ' grave' : ''}">${flag.replaceAll('_', ' ')} <span class="at">${measure}, <span class="when">20 s</span></span>`,
    )
    expect(text).toContain(`class="bar ${isGrave ? 'grave' : 'flagged'}"`)
  })
  test.each([
    [1_000_000, 1_000_000, '&lt;0.01 <span class="of">at its peak</span>'],
    [0, 2_000_000_000, '0.00 <span class="of">of 2.00</span>'],
    [300_000_000, 301_000_000, '0.30 <span class="of">at its peak</span>'],
  ])('%i of %i lamports never read 0.00 of 0.00', async (realQuoteUnits, peakQuoteUnits, text) => {
    const api = given()
    const curve = curveRow({ lastAt: NOW_S - 350, realQuoteUnits, peakQuoteUnits })
    api.view.put(key(1), liveState({ launch: launchRow({ at: NOW_S - 400 }), curve }))
    expect(await api.page()).toContain(text)
  })
})

describe('links and commands', () => {
  test('every link answers 200', async () => {
    const api = given()
    fillMarket(api.view)
    const text = await api.page()
    const links = [...new Set([...text.matchAll(/href="(?:http:\/\/127\.0\.0\.1:8402)?([^"#]+)/g)].map(([, target]) => target ?? ''))]
    expect(links.length).toBeGreaterThan(30)
    for (const link of links) expect([link, (await api.get(link).set('Accept', 'text/html')).status]).toEqual([link, 200])
    expect(text.match(/href="[^"]*[{}]/)).toBeNull()
    for (const [, anchor] of text.matchAll(/href="#([^"]+)"/g)) expect(text).toContain(`id="${anchor}"`)
  })
  test('the command buys from this server, and is shown only if there is one', async () => {
    const command = 'MINTFOLD_DATA_DIR=/srv/x npx mintfold buy /v1/launches/recent --server http://127.0.0.1:9000'
    const api = given({ sandbox: true, around: { buyCommand: (path) => command.replace('/v1/launches/recent', path) } })
    const text = await api.page()
    expect(text).toContain(`data-copy="${command}"`)
    expect(plain(text)).toContain(command)
    expect(await given({ sandbox: true }).page()).not.toContain('npx mintfold')
  })
})
