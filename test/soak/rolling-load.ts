// Clients of a shop behind a load balancer: free answers, terms, watches whose cursors go on, and payments. None of them retries.
import { get, receiptIn } from '../../topology/cli/commands/buy/buyer.ts'
import { boughtIn } from '../tools/bought.ts'
import { type Called, Caller, paced } from './clients.ts'
import { LAUNCHES, type TwoServers } from './two-servers.ts'

const FREE = ['/v1/labels', '/health', '/v1/sample/launches'] as const
/** Of ten requests: free answers and terms; the others poll a watch. */
const OF_TEN = { free: 4, terms: 3 }
const OPEN_MAX = 500
const ANSWER_MS_MAX = 60_000
const FAULTS_MAX = 20
const CALLERS_MIN = 4
/** Each caller sends this often, so that it meets the drain of its server. */
const CALLER_PER_S = 4

export interface Rates {
  /** Unpaid requests a second; 0: none. */
  readonly perS: number
  readonly paidPerS: number
  /** Buys cards of mints only: unlike checks, they are also sold while the feed is late. */
  readonly onlyCards?: boolean
}

export interface LoadFigures {
  readonly requests: number
  readonly perS: number
  readonly paid: number
  readonly paidMicroUsdc: number
  /** Of all cards and watches, seconds. */
  readonly lagSMax: number
  readonly tookMs: { readonly p50: number; readonly p99: number; readonly max: number }
  /** Answers 503 `feed_stale`: the feed was late. */
  readonly stale: number
  /** Other unexpected answers, and failed connections. */
  readonly faults: readonly string[]
}

export class RollingLoad {
  readonly #shop: TwoServers
  readonly #perS: number
  readonly #paidPerS: number
  readonly #onlyCards: boolean
  readonly #faults: string[] = []
  readonly #tookMs: number[] = []
  readonly #bought = new Map<string, { readonly header: string; readonly path: string; readonly body: string }>()
  #mints: readonly string[] = []
  #paidMicroUsdc = 0
  #lagSMax = 0
  #stale = 0

  constructor(shop: TwoServers, { perS, paidPerS, onlyCards = false }: Rates) {
    this.#shop = shop
    this.#perS = perS
    this.#paidPerS = paidPerS
    this.#onlyCards = onlyCards
  }
  /** Learns mints to ask about; call it before `run`. */
  async prepare(): Promise<void> {
    await this.#buy(LAUNCHES)
    const { body = '' } = [...this.#bought.values()][0] ?? {}
    this.#mints = [...new Set(body.match(/"mint":"([1-9A-HJ-NP-Za-km-z]{32,44})"/g) ?? [])].map((found) => found.slice(8, -1))
    if (this.#mints.length === 0) throw new Error(`no mints to ask about: ${this.#faults.join()} ${body.slice(0, 200)}`)
  }
  /** Loads the shop until it is over. */
  async run(isOver: () => boolean): Promise<LoadFigures> {
    const kept = this.#callers(true)
    const watching = this.#callers(false)
    const cursors = new Map<number, string>()
    const startedMs = performance.now()
    const call = async (n: number): Promise<void> => {
      const kind = n % 10
      const at = Math.floor(n / 10)
      const caller = kept[n % kept.length] as Caller
      if (kind < OF_TEN.free) await this.#expect(200, caller, FREE[n % FREE.length] as string)
      else if (kind < OF_TEN.free + OF_TEN.terms) await this.#expect(402, caller, this.#paidPath(at))
      else await this.#watch(watching, cursors, n % watching.length)
    }
    const [requests] = await Promise.all([
      this.#perS === 0 ? 0 : paced({ perS: this.#perS, openMax: OPEN_MAX, isOver }, call),
      paced({ perS: this.#paidPerS, openMax: 4, isOver }, (n) => this.#buy(this.#paidPath(n))),
    ])
    for (const caller of [...kept, ...watching]) caller.close()
    const seconds = (performance.now() - startedMs) / 1_000
    this.#tookMs.sort((a, b) => a - b)
    const at = (share: number): number => Math.round(this.#tookMs[Math.ceil(share * this.#tookMs.length) - 1] ?? 0)
    return {
      ...{ requests, perS: Math.round(requests / seconds), paid: this.#bought.size, paidMicroUsdc: this.#paidMicroUsdc },
      ...{ lagSMax: this.#lagSMax, tookMs: { p50: at(0.5), p99: at(0.99), max: at(1) }, stale: this.#stale, faults: this.#faults },
    }
  }
  /** The largest lag since the last call, seconds. */
  takeLagSMax(): number {
    const max = this.#lagSMax
    this.#lagSMax = 0
    return max
  }
  /** Sends the newest payments again: each must get the same answer. Returns the differences. */
  async resend(newest: number): Promise<readonly string[]> {
    const differs: string[] = []
    for (const [transaction, { header, path, body }] of [...this.#bought].slice(-newest)) {
      const again = await this.#paying(path, header)
      if (again.status !== 200 || boughtIn(again.body) !== boughtIn(body))
        differs.push(`${transaction}: ${again.status} ${again.body.slice(0, 120)}`)
    }
    return differs
  }

  #callers(keepAlive: boolean): readonly Caller[] {
    const count = Math.max(CALLERS_MIN, Math.ceil(this.#perS / CALLER_PER_S))
    return Array.from({ length: count }, (_, n) => new Caller(keepAlive ? n : count + n, keepAlive))
  }
  #paidPath(n: number): string {
    const mint = this.#mints[n % this.#mints.length]
    const card = `/v1/mint/${mint}`
    return this.#onlyCards ? card : ([LAUNCHES, card, `/v1/check/mint/${mint}`][n % 3] as string)
  }
  async #expect(status: number, caller: Caller, path: string): Promise<Called | undefined> {
    const startedMs = performance.now()
    const answer = await caller.get(this.#shop.url + path).catch((failure: unknown) => ({ status: 0, body: String(failure) }))
    this.#tookMs.push(performance.now() - startedMs)
    if (answer.status === status) return answer
    this.#fault(path, answer)
    return undefined
  }
  async #watch(callers: readonly Caller[], cursors: Map<number, string>, client: number): Promise<void> {
    const watched = this.#mints.slice(0, 2).join()
    const cursor = cursors.get(client)
    const path = `/v1/check/watch?mints=${watched}${cursor === undefined ? '' : `&cursor=${cursor}`}`
    const answer = await this.#expect(200, callers[client] as Caller, path)
    if (answer === undefined) return
    cursors.set(client, (JSON.parse(answer.body) as { readonly data: { readonly cursor: string } }).data.cursor)
    this.#age(path, answer)
  }
  async #buy(path: string): Promise<void> {
    try {
      const { header, amountMicroUsdc } = await this.#shop.signed(path)
      const answer = await this.#paying(path, header)
      const transaction = receiptIn(answer)?.transaction
      if (answer.status !== 200 || transaction === undefined) return this.#fault(`paid ${path}`, answer)
      if (this.#bought.has(transaction)) this.#fault(`${transaction} answered two payments: ${path}`, answer)
      this.#bought.set(transaction, { header, path, body: answer.body })
      this.#paidMicroUsdc += amountMicroUsdc
      this.#age(path, answer)
    } catch (failure) {
      this.#fault(`paid ${path}`, { status: 0, body: String(failure) })
    }
  }
  #paying(path: string, header: string): ReturnType<typeof get> {
    return get(this.#shop.url + path, { 'payment-signature': header }, AbortSignal.timeout(ANSWER_MS_MAX))
  }
  #age(path: string, answer: Called): void {
    const lagS = /"feed_lag_s":([\d.]+)/.exec(answer.body)?.[1]
    if (lagS === undefined) this.#fault(`no lag: ${path}`, answer)
    else this.#lagSMax = Math.max(this.#lagSMax, Number(lagS))
  }
  #fault(what: string, { status, body }: Called): void {
    if (status === 503 && body.includes('"feed_stale"')) this.#stale += 1
    else if (this.#faults.length < FAULTS_MAX) this.#faults.push(`${new Date().toISOString()} ${what}: ${status} ${body.slice(0, 200)}`)
  }
}
