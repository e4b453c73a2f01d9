// The alert service of a serving process: sells subscriptions and runs the delivery worker.
import { randomBytes } from 'node:crypto'
import type { AlertOrder, AlertReceipt, AlertSales } from '../answers/alert-sales.ts'
import { type Answer, invalidUnpaid, refusedForNow } from '../questions/bodies.ts'
import type { AlertTarget, StartPositions, Subscription } from './alert.ts'
import type { AlertContext } from './context.ts'
import { flagSource } from './feeds/flag-source.ts'
import { ALERT_HEAD, oddsSource } from './feeds/odds-source.ts'
import type { AlertSource } from './feeds/source.ts'
import { alertLimits } from './limits.ts'
import { runningOf } from './overview.ts'
import { resolveTarget } from './target/resolving.ts'
import { openSender, type Sender } from './target/sender.ts'
import { hostOf, urlProblem } from './target/target-url.ts'
import { testDelivery } from './testing.ts'
import { AlertWorker } from './worker.ts'

const PPM = 1_000_000
const MS = 1_000
const ID_BYTES = 12
const SECRET_BYTES = 32
const RETRY_AFTER_S = 60

const notSold = (error: string, hint: string): Answer => refusedForNow(503, error, hint, RETRY_AFTER_S)

export class Alerts implements AlertSales {
  readonly #context: AlertContext
  readonly #sources: readonly AlertSource[]
  readonly #sender: Sender
  readonly #worker: AlertWorker
  #lookUps = 0
  #running: { readonly at: number; readonly found: Promise<readonly Subscription[]> } | undefined

  constructor(context: AlertContext) {
    this.#context = context
    const headState = () => context.odds?.headState(ALERT_HEAD)
    const sources = [flagSource(context.view), ...(context.feed === undefined ? [] : [oddsSource(context.feed, headState)])]
    this.#sources = sources as readonly AlertSource[]
    this.#sender = openSender(context.resolve, context.rules)
    this.#worker = new AlertWorker(context, this.#sender, this.#sources)
  }

  start(): void {
    this.#worker.start()
  }
  /** Makes the worker look for new work now, not at its next poll (every half second). */
  wake(): void {
    this.#worker.wake()
  }
  async close(): Promise<void> {
    await this.#worker.close()
    await this.#sender.close()
  }

  async refusalOf(order: AlertOrder, nowS: number): Promise<Answer | null> {
    return this.#oddsRefusal(order) ?? (await this.#targetRefusal(order)) ?? (await this.#limitRefusal(order, nowS))
  }

  receipt({ kinds, min_odds }: AlertOrder, nowS: number): AlertReceipt {
    const { random = randomBytes } = this.#context
    return {
      subscription_id: `sub_${random(ID_BYTES).toString('hex')}`,
      secret: random(SECRET_BYTES).toString('base64url'),
      expires_at: nowS + alertLimits.termS,
      ...{ kinds, min_odds },
    }
  }

  async begin(order: AlertOrder, { subscription_id, secret, expires_at }: AlertReceipt): Promise<void> {
    const { kinds, min_odds } = order
    const subscription: Subscription = {
      ...{ id: subscription_id, secret, kinds, minPpm: Math.round(min_odds * PPM), target: targetOf(order) },
      ...{ startedAt: expires_at - alertLimits.termS, expiresAt: expires_at, begins: this.#startPositions(kinds) },
    }
    await this.#context.rows.add('subscriptions', subscription_id, subscription)
    this.#worker.wake()
  }

  /** Sends a test to the target of a subscription, from this process. @throws EngineError `alerts_unknown` */
  test(id: string): Promise<{ readonly isDelivered: boolean; readonly reason: string | null }> {
    return testDelivery(this.#context, this.#sender, id)
  }

  #startPositions(kinds: AlertOrder['kinds']): StartPositions {
    return Object.fromEntries(this.#sources.filter(({ kind }) => kinds.includes(kind)).map((source) => [source.kind, source.newest()]))
  }

  #oddsRefusal({ kinds }: AlertOrder): Answer | null {
    if (!kinds.includes('graduation_odds')) return null
    const { odds, feed } = this.#context
    if (odds === undefined || feed === undefined)
      return notSold('odds_unavailable', 'this service has no odds: only kinds=rug_flags is sold; nothing was charged')
    const { isShown, reason } = odds.headState(ALERT_HEAD)
    if (isShown) return null
    return notSold(
      'odds_withdrawn',
      `the odds of graduation are not shown now (${reason ?? 'no reason is known'}): only kinds=rug_flags is sold now`,
    )
  }

  async #targetRefusal(order: AlertOrder): Promise<Answer | null> {
    const { rules, resolve } = this.#context
    const { target, url } = order
    if (target === 'telegram' || url === null) return null
    const problem = urlProblem(url, target, rules)
    if (problem !== null) return wrongUrl(problem)
    if (this.#lookUps >= alertLimits.lookUpsMax) return refusedForNow(503, 'busy', 'too many targets are being looked up: retry in 1 s', 1)
    this.#lookUps += 1
    try {
      const resolved = await resolveTarget(hostOf(new URL(url)), resolve, rules)
      if (resolved.kind === 'unknown') return wrongUrl('the host name of the URL has no address, or its name servers do not respond')
      return resolved.kind === 'forbidden' ? wrongUrl('the host name of the URL resolves to a private, local or reserved address') : null
    } finally {
      this.#lookUps -= 1
    }
  }

  /** The active subscriptions, cached for one second. */
  #runningNow(nowS: number): Promise<readonly Subscription[]> {
    const nowMs = this.#context.wallClock.now()
    if (this.#running === undefined || nowMs - this.#running.at >= MS) {
      const found = runningOf(this.#context.rows, nowS)
      this.#running = { at: nowMs, found }
      found.catch(() => (this.#running = undefined))
    }
    return this.#running.found
  }

  async #limitRefusal(order: AlertOrder, nowS: number): Promise<Answer | null> {
    const { subscriptionsMax, perTargetMax } = alertLimits
    const running = await this.#runningNow(nowS)
    if (running.length >= subscriptionsMax)
      return notSold('alerts_full', `this service has reached its limit of ${subscriptionsMax} subscriptions; retry later`)
    const target = JSON.stringify(targetOf(order))
    const toTarget = running.filter((one) => JSON.stringify(one.target) === target).length
    return toTarget >= perTargetMax
      ? notSold('alerts_full', `this target has ${perTargetMax} subscriptions, which is the limit: wait until one ends`)
      : null
  }
}

const wrongUrl = (msg: string): Answer => invalidUnpaid([{ type: 'forbidden_target', loc: ['query', 'url'], msg, input: null }])

const targetOf = ({ target, url, chat_id, bot_token }: AlertOrder): AlertTarget =>
  target === 'telegram' ? { kind: target, chatId: chat_id ?? '', botToken: bot_token ?? '' } : { kind: target, url: url ?? '' }
