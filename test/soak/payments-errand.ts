// One seeded buyer with one purchase: signs, sends, retries while the outcome is open, and re-signs only after a definite refusal.
import { setTimeout as pause } from 'node:timers/promises'
import type { Fault } from '../integration/payment/faulty-facilitator.ts'
import { decode, encode, type World } from '../integration/payment/world.ts'
import type { Dice } from '../simulation/dice.ts'
import { type Reply, replyOf, TOOL } from './payments-reply.ts'

/** `none`: the facilitator works. */
const FAULTS: readonly Fault[] = [
  'none',
  'slow',
  'hang',
  'error-everywhere',
  'drop-before',
  'settle-then-drop',
  'settle-then-hang',
  'settle-then-500',
  'refuse-500',
  'reject',
  'settle-then-refuse',
  'reject-verify',
  'lie-network',
  'lie-empty-transaction',
  'lie-made-up-transaction',
  'lie-other-transaction',
  'pending-once',
]
const EVENTS = [
  'copies',
  'fifty copies',
  'two routes',
  'two transports',
  'client gone',
  'restart',
  'waits long',
  'refused copy',
  'signs again',
  'held answer',
  'thief',
  'other shop',
] as const
export type Event = Fault | (typeof EVENTS)[number]
export const KINDS: readonly Event[] = [...FAULTS, ...EVENTS]

const ROUNDS_MAX = 40
/** Each round waits this much longer than the one before while the facilitator is unavailable: the machine may be busy. */
const ROUND_MS = 20
const GONE_MS = 30
const CONNECTIONS_MAX = 3
const COPIES_MAX = 50
/** Longer than the pause after a failure of the facilitator. */
const AWAY_MS = 1_100
const LATE_MS = 10 * 60_000 + 2_000

/** Retries on connection errors: the server may close a kept-alive connection at that moment. */
const persistent = async <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
  for (let tries = 1; ; tries++) {
    try {
      return await ask()
    } catch (error) {
      if (tries === CONNECTIONS_MAX) throw error
    }
  }
}

/** The servers; each request may go to another one. */
export interface Shops {
  /** URL of a running one. */
  url(dice: Dice): string
  /** Kills one as a power cut would, and starts another over the same store. */
  restart(): Promise<void>
  readonly several: boolean
}

export interface ErrandReport {
  /** Whether an answer arrived. */
  readonly answered: boolean
  readonly happened: readonly Event[]
  readonly broken: readonly string[]
  /** The responses, round by round. */
  readonly story: string
}

interface Come {
  readonly route: string
  /** Undefined if no response arrived. */
  readonly reply: Reply | undefined
}

/** State of the purchase after a round. */
type Standing = 'answered' | 'open' | 'refused'

export class Errand {
  readonly #world: World
  readonly #shops: Shops
  readonly #dice: Dice
  readonly #routes: readonly string[]
  readonly #happened: Event[] = []
  readonly #broken: string[] = []
  readonly #story: string[] = []
  /** Whether a process was killed after the payment was signed. */
  #wasCut = false
  #answer: { readonly route: string; readonly text: string } | undefined

  constructor(world: World, shops: Shops, dice: Dice, name: string) {
    this.#world = world
    this.#shops = shops
    this.#dice = dice
    const share = dice.share()
    if (share < 0.25) this.#routes = [`/v1/${name}-a`, `/v1/${name}-b`]
    else this.#routes = share < 0.45 ? [`/v1/${name}`, `${TOOL}/v1/${name}`] : [`/v1/${name}`]
    if (this.#routes.length > 1) this.#note(share < 0.25 ? 'two routes' : 'two transports')
  }

  /** Faults first, then a working facilitator: the purchase must end by then. */
  async run(): Promise<ErrandReport> {
    let header = await this.#sign()
    let standing: Standing = 'open'
    for (let round = 0; round < ROUNDS_MAX && standing !== 'answered'; round++) {
      const fault = round < 2 ? this.#dice.pick(FAULTS) : 'none'
      this.#world.facilitator.fault = fault
      this.#note(fault)
      if (standing === 'refused') {
        if (this.#dice.share() < 0.3) break
        this.#note('signs again')
        this.#story.push('signs again')
        header = await this.#sign()
      }
      standing = await this.#round(header, round)
      if (standing === 'refused') await this.#refusedCopy(header)
    }
    this.#world.facilitator.fault = 'none'
    if (standing === 'open') this.#broken.push('the purchase never ended')
    if (standing === 'answered') await this.#afterwards(header)
    return { answered: standing === 'answered', happened: this.#happened, broken: this.#broken, story: this.#story.join(' | ') }
  }

  async #sign(): Promise<string> {
    const { fault } = this.#world.facilitator
    this.#world.facilitator.fault = 'none'
    const url = this.#shops.url(this.#dice) + this.#routes[0]
    for (let tries = 0; (await persistent(() => fetch(url))).status === 503 && tries < ROUNDS_MAX; tries++)
      this.#world.time.offsetMs += AWAY_MS
    const header = await persistent(() => this.#world.signed(url))
    this.#world.facilitator.fault = fault
    this.#wasCut = false
    return header
  }

  async #round(header: string, round: number): Promise<Standing> {
    const share = this.#dice.share()
    const copies = share < 0.05 ? COPIES_MAX : share < 0.3 ? this.#dice.int(2, 8) : 1
    if (copies > 1) this.#note(copies === COPIES_MAX ? 'fifty copies' : 'copies')
    const isCut = round < 2 && this.#dice.share() < 0.2
    const sends = [...this.#routes, ...Array.from({ length: copies - 1 }, () => this.#dice.pick(this.#routes))]
    const replies = sends.map((route) => this.#send(route, header, round < 2))
    if (isCut) {
      this.#wasCut = true
      this.#note('restart')
      this.#story.push('restart')
      await pause(this.#dice.int(0, 40))
      await this.#shops.restart()
    }
    const come = await Promise.all(replies)
    if (come.some(({ reply }) => reply?.status === 503)) {
      this.#world.time.offsetMs += AWAY_MS
      await pause(round * ROUND_MS)
    }
    const outcomes = come.map(({ reply }) => (reply === undefined ? 'gone' : `${reply.status} ${reply.error ?? ''}`))
    this.#story.push(`${this.#world.facilitator.fault}: ${outcomes.join(', ')}`)
    const standing = this.#judge(come)
    // If the client was gone when an answer came, that answer would have expired after the wait.
    const isOpen = standing === 'open' && come.every(({ reply }) => reply !== undefined)
    if (isOpen && round >= 1 && this.#dice.share() < 0.3) {
      this.#note('waits long')
      this.#story.push('waits long')
      await this.#world.facilitator.quiet()
      this.#world.time.offsetMs += LATE_MS
    }
    return standing
  }

  async #send(route: string, header: string, mayGo: boolean): Promise<Come> {
    const isGone = mayGo && this.#dice.share() < 0.1
    if (isGone) this.#note('client gone')
    const url = this.#shops.url(this.#dice)
    if (this.#shops.several) this.#note('other shop')
    try {
      const waitMs = isGone ? this.#dice.int(1, GONE_MS) : 30_000
      const ask = (): Promise<Reply> => replyOf(url, route, header, { signal: AbortSignal.timeout(waitMs) })
      return { route, reply: await (mayGo ? ask() : persistent(ask)) }
    } catch {
      return { route, reply: undefined }
    }
  }

  /** One answer or one refusal ends the purchase, whatever happens to other copies: none may be answered or settled afterwards. */
  #judge(replies: readonly Come[]): Standing {
    for (const { route, reply } of replies) {
      if (reply?.status !== 200) continue
      if (reply.receipt === null) this.#broken.push(`${route}: an answer without a receipt`)
      if (this.#answer !== undefined && (this.#answer.route !== route || this.#answer.text !== reply.text))
        this.#broken.push(`one payment got two answers: ${this.#answer.text} and ${reply.text}`)
      this.#answer = { route, text: reply.text }
    }
    const odd = replies.filter(({ reply }) => reply !== undefined && ![200, 402, 409, 503].includes(reply.status))
    for (const { reply } of odd) this.#broken.push(`status ${reply?.status}: ${reply?.text}`)
    const isRefused = replies.some(({ reply }) => reply?.status === 402)
    if (isRefused && this.#answer !== undefined) this.#broken.push('refused and answered')
    if (this.#answer !== undefined) return 'answered'
    return isRefused ? 'refused' : 'open'
  }

  /** A delayed copy arrives while the facilitator works. Not after a kill: copies in flight ended with the process. */
  async #refusedCopy(header: string): Promise<void> {
    if (this.#wasCut) return
    this.#note('refused copy')
    this.#world.facilitator.fault = 'none'
    const { reply } = await this.#send(this.#dice.pick(this.#routes), header, false)
    if (reply?.status !== 402 && reply?.status !== 503)
      this.#broken.push(`a copy of a refused payment got ${reply?.status}: ${reply?.text}`)
  }

  /** The same payment returns the same answer to the payer, and nothing to somebody who read it off the chain. */
  async #afterwards(header: string): Promise<void> {
    const route = this.#answer?.route ?? ''
    const { reply } = await this.#send(route, header, false)
    this.#note('held answer')
    if (reply?.status !== 200 || reply.text !== this.#answer?.text)
      this.#broken.push(`the stored answer is not returned: ${reply?.status} ${reply?.text}`)
    const stolen = encode({ ...decode(header), extensions: {} })
    const theft = await persistent(() => replyOf(this.#shops.url(this.#dice), route, stolen, { from: '203.0.113.9' }))
    this.#note('thief')
    if (theft.status !== 409) this.#broken.push(`a thief who read the payment off the chain got ${theft.status}: ${theft.text}`)
  }

  #note(event: Event): void {
    this.#happened.push(event)
  }
}
