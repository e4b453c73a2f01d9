// Whether the target of an order may be sold: checked as text and by name before the payment, by a challenge once the payment is verified.
import { randomBytes } from 'node:crypto'
import type { AlertOrder } from '../../answers/alert-sales.ts'
import { type Answer, invalidUnpaid, refusedForNow, tooMany } from '../../questions/bodies.ts'
import type { AlertTarget } from '../alert.ts'
import type { AlertContext } from '../context.ts'
import { alertLimits } from '../limits.ts'
import { challengeProblem } from './challenge.ts'
import { resolveTarget } from './resolving.ts'
import type { Sender } from './sender.ts'
import { addressKey, targetKey } from './target-key.ts'
import { hostOf, urlProblem } from './target-url.ts'

const CHALLENGE_BYTES = 24
const MS = 1_000

export const targetOf = ({ target, url, chat_id, bot_token }: AlertOrder): AlertTarget =>
  target === 'telegram' ? { kind: target, chatId: chat_id ?? '', botToken: bot_token ?? '' } : { kind: target, url: url ?? '' }

type Given = Pick<AlertContext, 'resolve' | 'rules' | 'challengeWaitS'>

export class TargetChecks {
  readonly #given: Given
  readonly #sender: Sender
  /** Address keys of resolved hosts, oldest first. */
  readonly #resolved = new Map<string, readonly string[]>()
  #lookUps = 0
  #challenges = 0

  constructor(given: Given, sender: Sender) {
    this.#given = given
    this.#sender = sender
  }

  async refusalOf({ target, url }: AlertOrder): Promise<Answer | null> {
    const { rules } = this.#given
    if (target === 'telegram' || url === null) return null
    const problem = urlProblem(url, target, rules)
    if (problem !== null) return wrongUrl('forbidden_target', problem)
    if (this.#lookUps >= alertLimits.lookUpsMax) return busy('too many targets are being looked up')
    this.#lookUps += 1
    try {
      const resolved = await this.#resolve(hostOf(new URL(url)))
      if (resolved === 'public') return null
      if (resolved === 'unknown')
        return wrongUrl('forbidden_target', 'the host name of the URL has no address, or its name servers do not respond')
      return wrongUrl('forbidden_target', 'the host name of the URL resolves to a private, local or reserved address')
    } finally {
      this.#lookUps -= 1
    }
  }

  /** The addresses of a generic target that limits count, as resolved for the newest order; none if they are not known. */
  async addressesOf({ target, url }: AlertOrder): Promise<readonly string[]> {
    if (target !== 'generic' || url === null) return []
    const host = hostOf(new URL(url))
    if (!this.#resolved.has(host)) await this.#resolve(host)
    return this.#resolved.get(host) ?? []
  }

  /** The refusal of a generic target that does not return its challenge. */
  async unprovenRefusal(order: AlertOrder): Promise<Answer | null> {
    const { target, url } = order
    if (target !== 'generic' || url === null) return null
    const { challengesMax, challengeMsMax } = alertLimits
    if (this.#challenges >= challengesMax) return busy('too many targets are being challenged')
    this.#challenges += 1
    try {
      const waitS = await this.#given.challengeWaitS(targetKey(targetOf(order)))
      if (waitS > 0) return tooMany('one host is sent at most one challenge per minute', waitS)
      const problem = await challengeProblem(this.#sender, url, randomBytes(CHALLENGE_BYTES).toString('base64url'), challengeMsMax)
      return problem === null ? null : wrongUrl('unproven_target', unproven(problem))
    } finally {
      this.#challenges -= 1
    }
  }

  async #resolve(host: string): Promise<Awaited<ReturnType<typeof resolveTarget>>['kind']> {
    const resolved = await resolveTarget(host, this.#given.resolve, this.#given.rules)
    this.#resolved.delete(host)
    if (resolved.kind !== 'public') return resolved.kind
    const [oldest] = this.#resolved.keys()
    if (oldest !== undefined && this.#resolved.size >= alertLimits.resolvedMax) this.#resolved.delete(oldest)
    this.#resolved.set(host, [...new Set(resolved.addresses.map(addressKey))])
    return 'public'
  }
}

const unproven = (problem: string): string =>
  `The target did not return its challenge (${problem}). It must answer POST {"challenge": "TEXT"} with 2xx and the same JSON, or TEXT alone, ` +
  `within ${alertLimits.challengeMsMax / MS} s; it is sent once a minute at most. The payment was not used`

const wrongUrl = (type: string, msg: string): Answer => invalidUnpaid([{ type, loc: ['query', 'url'], msg, input: null }])

const busy = (what: string): Answer => refusedForNow(503, 'busy', `${what}: retry in 1 s`, 1)
