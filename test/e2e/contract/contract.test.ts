// The contract against a running demo: follows every link, and checks every row against bought answers.
import { describeEngine } from '../../integration/history-server-given.ts'
import { type AlertTarget, startTarget } from './alert-target.ts'
import { type Answers, collect } from './answers.ts'
import { Crawl } from './crawl.ts'
import { Demo, type Json } from './demo.ts'
import { holdBounds, holdFields, holdWords } from './fields.ts'
import { holdCards } from './meaning.ts'
import { holdMeaning } from './meaning-lists.ts'
import { holdErrors, holdParameters, holdRoutes, holdTypical } from './requests.ts'
import { holdRules } from './rules.ts'
import { holderOf } from './unobserved.ts'
import type { Verdict } from './verdict.ts'

const START_MS_MAX = 1_200_000
const TEST_MS_MAX = 1_200_000

describeEngine('a demo', () => {
  let demo: Demo
  let answers: Answers
  let target: AlertTarget
  const verdicts: Verdict[] = []
  beforeAll(async () => {
    demo = await Demo.start()
    target = await startTarget()
    answers = await collect(demo, target)
  }, START_MS_MAX)
  afterAll(async () => {
    process.stdout.write(`${summaryOf(verdicts).join('\n')}\n`)
    await demo?.stop()
    await target?.close()
  }, START_MS_MAX)

  /** Asserts no faults, and nothing unobserved that the demo should have shown. */
  const hold = (table: string, found: readonly Verdict[]): readonly string[] => {
    verdicts.push(...found)
    return found.flatMap(({ row, fault, unobserved }) => {
      if (fault !== undefined) return [`${table}: ${row}: ${fault}`]
      const isHeld = unobserved === undefined || holderOf(row, unobserved) !== undefined
      return isHeld ? [] : [`${table}: ${row}: not observed: ${unobserved}`]
    })
  }
  const labels = (): string => answers.replies.find(({ path }) => path === '/v1/labels')?.text ?? ''

  /** Of an argument of a tool. */
  const argumentOf = (name: string, mint: string): string | readonly string[] => (name === 'since' ? '0' : name === 'mints' ? [mint] : mint)

  describe('its answers', () => {
    test('have every field of the contract, of its type, in its unit and range, null only with a reason', () => {
      expect(hold('fields', holdFields(answers))).toEqual([])
    })
    test('use the values of the contract and stay within its bounds', () => {
      expect([...hold('words', holdWords(answers, labels())), ...hold('bounds', holdBounds(answers))]).toEqual([])
    })
    test(
      'mean what the contract states: full cards, recomputed in SQL',
      async () => {
        expect(hold('cards', await holdCards(demo, answers))).toEqual([])
      },
      TEST_MS_MAX,
    )
    test(
      'mean what the contract states: lists, records and the regime, recomputed in SQL',
      async () => {
        expect(hold('lists', await holdMeaning(demo, answers))).toEqual([])
      },
      TEST_MS_MAX,
    )
  })

  describe('its routes', () => {
    test(
      'exist, are free or cost the price of the contract, over HTTP and over MCP',
      async () => {
        expect(hold('routes', await holdRoutes(demo, answers))).toEqual([])
      },
      TEST_MS_MAX,
    )
    test(
      'take the parameters of the contract, within its bounds, with its defaults and their meaning',
      async () => {
        expect(hold('parameters', await holdParameters(demo, answers))).toEqual([])
      },
      TEST_MS_MAX,
    )
    test(
      'refuse as the contract states, and publish its typical times',
      async () => {
        expect([...hold('errors', await holdErrors(demo, answers)), ...hold('typical times', await holdTypical(demo))]).toEqual([])
      },
      TEST_MS_MAX,
    )
    test(
      'keep the rules and limits of the contract',
      async () => {
        expect(hold('rules', await holdRules(demo, answers))).toEqual([])
      },
      TEST_MS_MAX,
    )
  })

  describe('names and links', () => {
    test(
      'lead to an answer: every id, link, cursor and example of routes, documents, the page and offers, unpaid and paid',
      async () => {
        const crawl = new Crawl(demo)
        const page = await demo.get('/', { headers: { accept: 'text/html' } })
        await crawl.follow([...answers.replies, { ...page, path: 'the page' }])
        process.stdout.write(`links: ${JSON.stringify(crawl.counts)}\n`)
        expect([...crawl.faults]).toEqual([])
        expect(crawl.counts.links).toBeGreaterThan(80)
        expect(crawl.counts.findings).toBeGreaterThan(30)
      },
      TEST_MS_MAX,
    )
    test(
      'lead to an answer: every id, link and example of tools and their results',
      async () => {
        const crawl = new Crawl(demo)
        for (const tool of (await demo.rpc('tools/list')).tools as readonly Json[]) {
          const name = String(tool.name)
          const [mint = ''] = name.startsWith('rhc_') ? answers.curves : answers.live
          const { properties } = tool.inputSchema as { readonly properties: Json }
          const args = Object.fromEntries(
            ['mint', 'address', 'mints', 'since'].flatMap((one) => (one in properties ? [[one, argumentOf(one, mint)]] : [])),
          )
          const asked = await demo.call(name, args)
          const paid = await demo.callPaid(name, args)
          expect([name, paid.isError]).toEqual([name, false])
          await crawl.follow([asked, paid].map(({ body, text }) => ({ path: `tool ${name}`, body, text })))
          expect([name, /meta\.is_stale/.test(String(tool.description))]).toEqual([name, paid.body.meta !== undefined])
        }
        const { resources } = await demo.rpc('resources/list')
        await crawl.follow([{ path: 'resources', body: { resources }, text: '' }])
        expect([...crawl.faults]).toEqual([])
      },
      TEST_MS_MAX,
    )
    test('answer 402 as a template of a paid route, in both spellings', async () => {
      for (const { path } of (answers.replies.find((one) => one.path === '/v1/x402/resources')?.body.resources ?? []) as readonly {
        path: string
      }[])
        for (const probe of new Set([path, path.replaceAll(/\{(\w+)\}/g, ':$1'), path.replace(/\/\{\w+\}$/, '')]))
          expect([probe, (await demo.get(probe)).status]).toEqual([probe, 402])
    })
  })
})

const summaryOf = (verdicts: readonly Verdict[]): readonly string[] => {
  const held = verdicts.filter(({ fault, unobserved }) => fault === undefined && unobserved === undefined)
  const open = verdicts.flatMap(({ row, unobserved }) =>
    unobserved === undefined ? [] : [{ row, unobserved, holder: holderOf(row, unobserved) }],
  )
  const elsewhere = open.filter(({ holder }) => holder !== undefined)
  const missing = open.filter(({ holder }) => holder === undefined)
  return [
    `contract: ${held.length} of ${verdicts.length} rows held against real answers, ${elsewhere.length} by other tests, ${missing.length} not observed`,
    ...elsewhere.map(({ row, holder }) => `  held elsewhere: ${row}: ${holder}`),
    ...missing.map(({ row, unobserved }) => `  not observed: ${row}: ${unobserved}`),
  ]
}
