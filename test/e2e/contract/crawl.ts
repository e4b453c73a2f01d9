// Follows the links in answers, and the links in the answers that they lead to: first unpaid, as a crawler, then paid if a payment is due.
import { questions } from '../../../query-api/app/list/questions.ts'
import type { Demo, Json, Reply } from './demo.ts'
import { cursorsIn, findingsIn, type Link, linksIn, type NamedFinding, shapeOf } from './links.ts'

/** How many links of one shape are followed at one place. */
const PER_PLACE = 3
/** How many findings of one place are requested. */
const FINDINGS_PER_PLACE = 30
/** How many answers of one route are bought. */
const PER_ROUTE = 2
/** Findings are free from this age on, seconds; `MARGIN_S` allows for the time between two requests. */
const FREE_S = 300
const MARGIN_S = 90

const template = (path: string): RegExp => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
const questionOf = (path: string) =>
  questions.find((one) => one.path === path) ?? questions.find((one) => template(one.path).test(path.split('?')[0] ?? ''))
const needsMore = (path: string): boolean => Object.values(questionOf(path)?.params ?? {}).some(({ fallback }) => fallback === undefined)

/** Whether a link has a placeholder, or is the path of a route as a list of routes gives it. */
const isTemplate = (at: string, to: string): boolean => /\{/.test(to) || (/\.path$/.test(at) && to === questionOf(to)?.path)

export class Crawl {
  readonly faults = new Set<string>()
  readonly #demo: Demo
  readonly #seen = new Map<string, Promise<Reply>>()
  readonly #places = new Map<string, number>()
  readonly #bought = new Map<string, number>()
  readonly #findings = new Set<string>()
  counts = { links: 0, findings: 0, cursors: 0, bought: 0 }

  constructor(demo: Demo) {
    this.#demo = demo
  }
  /** Follows the links, findings and cursors of answers, and those of all answers that they lead to. */
  async follow(replies: readonly Pick<Reply, 'path' | 'body' | 'text'>[]): Promise<void> {
    const queue = [...replies]
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      for (const link of linksIn(next, this.#demo.url)) queue.push(...(await this.#link(link)))
      await this.#findingsOf(next)
      await this.#cursorsOf(next)
    }
  }

  async #link({ at, to }: Link): Promise<Reply[]> {
    const link = `${at} -> ${shapeOf(to)}`
    const known = this.#places.get(link) ?? 0
    if (known >= PER_PLACE || this.#seen.has(to)) return []
    this.#places.set(link, known + 1)
    const route = to.split('?')[0] ?? to
    if (isTemplate(at, to) && needsMore(to) && questionOf(to)?.priceMicroUsdc === 0) return []
    this.counts.links++
    if (route === '/mcp') {
      if (!Array.isArray((await this.#demo.rpc('tools/list')).tools)) this.faults.add(`${link}: no MCP`)
      return []
    }
    const asked = this.#demo.get(to)
    this.#seen.set(to, asked)
    const reply = await asked
    if (reply.status !== 200 && reply.status !== 402 && !fellSilent(reply) && !areOddsWithdrawn(reply))
      this.faults.add(`${link}: ${reply.status} for ${to} ${reply.text.slice(0, 200)}`)
    return [reply, ...(reply.status === 402 && !/\{|\/:|%7B/.test(to) ? await this.#buy(link, to) : [])]
  }
  async #buy(link: string, to: string): Promise<Reply[]> {
    const route = questionOf(to)?.path ?? to
    const known = this.#bought.get(route) ?? 0
    if (known >= PER_ROUTE || needsPath(to)) return []
    this.#bought.set(route, known + 1)
    this.counts.bought++
    const reply = await this.#demo.buy(to)
    if (reply.status !== 200) this.faults.add(`${link}: bought, ${reply.status} for ${to} ${reply.text.slice(0, 200)}`)
    return [reply]
  }
  async #findingsOf(reply: Pick<Reply, 'path' | 'body'>): Promise<void> {
    const found = findingsIn(reply).filter(({ at, id }) => {
      const known = this.#places.get(at) ?? 0
      if (known >= FINDINGS_PER_PLACE || this.#findings.has(id)) return false
      this.#places.set(at, known + 1)
      this.#findings.add(id)
      return true
    })
    await Promise.all(found.map((one) => this.#finding(one, Number(reply.body.t))))
  }
  async #finding({ at, id, seenAt }: NamedFinding, now: number): Promise<void> {
    this.counts.findings++
    const { status, body, text } = await this.#demo.get(`/v1/evidence/${id}`)
    const data = (body.data ?? {}) as Json
    const isOld = seenAt !== null && seenAt < now - FREE_S - MARGIN_S
    const isShown = data.status === 'stands' || data.status === 'retracted' || (!isOld && data.status === 'withheld')
    if (status !== 200 || data.finding_id !== id || !isShown) this.faults.add(`${at}: ${status} for finding ${id} ${text.slice(0, 200)}`)
  }
  async #cursorsOf(reply: Pick<Reply, 'path' | 'body'>): Promise<void> {
    for (const { at, cursor, mints } of cursorsIn(reply)) {
      this.counts.cursors++
      const query = `cursor=${cursor}`
      const check = mints.length === 1 ? `/v1/check/mint/${mints[0]}?${query}` : `/v1/check/watchlist?mints=${mints.join(',')}&${query}`
      for (const path of [`/v1/check/watch?mints=${mints.join(',')}&${query}`, check]) {
        const { status, text } = await this.#demo.get(path)
        if (status !== 200 && status !== 402) this.faults.add(`${at}: ${status} for its cursor ${text.slice(0, 200)}`)
      }
    }
  }
}

/** Whether a request lacks a parameter: such a probe gets a 402, but buys no answer. */
const needsPath = (to: string): boolean =>
  questions.every(({ path }) => !template(path).test(to.split('?')[0] ?? '')) ||
  (needsMore(to) && !to.includes('?') && questionOf(to)?.path === to)

/** Coverage ends after 2 h without an event. This may happen between an answer and the request of its link. */
const fellSilent = ({ body }: Reply): boolean =>
  body.error === 'coverage_missing' && /silent: no event for more than 2 h/.test(String(body.hint))

/** The demo has no odds model, so it does not sell alerts about odds. */
const areOddsWithdrawn = ({ status, body }: Reply): boolean => status === 503 && body.error === 'odds_withdrawn' && body.charged === false
