// The alert service of a serving process: sells subscriptions and runs the delivery worker.
import { randomBytes } from 'node:crypto'
import type { AlertOrder, AlertReceipt, AlertSales } from '../answers/alert-sales.ts'
import { type Answer, refusedForNow } from '../questions/bodies.ts'
import type { StartPositions, Subscription } from './alert.ts'
import type { AlertContext } from './context.ts'
import { flagSource } from './feeds/flag-source.ts'
import { ALERT_HEAD, oddsSource } from './feeds/odds-source.ts'
import type { AlertSource } from './feeds/source.ts'
import { alertLimits } from './limits.ts'
import { runningOf } from './overview.ts'
import { roomProblem } from './room.ts'
import type { Sender } from './target/sender.ts'
import { TargetChecks, targetOf } from './target/target-checks.ts'
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
  readonly #targets: TargetChecks
  readonly #worker: AlertWorker
  #running: { readonly at: number; readonly found: Promise<readonly Subscription[]> } | undefined

  constructor(context: AlertContext) {
    this.#context = context
    const headState = () => context.odds?.headState(ALERT_HEAD)
    const sources = [flagSource(context.view), ...(context.feed === undefined ? [] : [oddsSource(context.feed, headState)])]
    this.#sources = sources as readonly AlertSource[]
    this.#sender = context.openSender()
    this.#targets = new TargetChecks(context, this.#sender)
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
    return this.#oddsRefusal(order) ?? (await this.#targets.refusalOf(order)) ?? (await this.#limitRefusal(order, nowS))
  }

  unprovenRefusal(order: AlertOrder): Promise<Answer | null> {
    return this.#targets.unprovenRefusal(order)
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
      addresses: await this.#targets.addressesOf(order),
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
    const problem = roomProblem(await this.#runningNow(nowS), targetOf(order), await this.#targets.addressesOf(order))
    return problem === null ? null : notSold('alerts_full', problem)
  }
}
