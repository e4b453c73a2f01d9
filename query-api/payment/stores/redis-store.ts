// The idempotency store in Redis, shared by several processes. A claim is a key with owner and lease. Each write states its owner, which
// fences a process whose lease has expired. Payments that Redis loses in a crash are unknown afterwards, so Redis should fsync its
// append-only file at each write, and evict nothing.
import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import type { Clock } from '../../../topology/ports/chain-view.ts'
import { paymentLimits } from '../limits.ts'
import type { Claim, Claimed, IdempotencyStore, Kept, PayerIdentifier, PaymentEntry, StoredAnswer } from './idempotency-store.ts'
import { callRedis, type RedisClient, runScript } from './redis-call.ts'
import { CLAIM, HAS, PUT, REFUSE, RELEASE, REMOVE, RENEW } from './redis-scripts.ts'

export interface RedisIdempotencyOptions {
  readonly client: RedisClient
  /** Prefix of all keys, for several installations on one Redis. */
  readonly prefix: string
  readonly clock: Clock
  readonly leaseMs?: number
}

const claimedSchema = z.union([
  z.tuple([z.literal('claimed'), z.string(), z.string()]),
  z.tuple([z.literal('bound'), z.string()]),
  z.tuple([z.literal('refused'), z.string()]),
  z.tuple([z.literal('busy')]),
])
const keptSchema = z.enum(['kept', 'lost', 'full'])
/** Added to the retention of answers, so that the clock of the reading process decides about expiry, not that of Redis. */
const MARGIN_MS = 60_000

export class RedisIdempotencyStore implements IdempotencyStore {
  readonly #client: RedisClient
  readonly #clock: Clock
  readonly #leaseMs: number
  readonly #root: string
  readonly #beating = new Set<NodeJS.Timeout>()

  constructor({ client, prefix, clock, leaseMs = paymentLimits.claimLeaseMs }: RedisIdempotencyOptions) {
    this.#client = client
    this.#clock = clock
    this.#leaseMs = leaseMs
    this.#root = `${prefix}{payments}:`
  }

  async claim(identity: string, identifier: PayerIdentifier | null): Promise<Claimed> {
    const owner = randomUUID()
    const keys = [
      this.#key('entry', identity),
      this.#key('answer', identity),
      this.#key('claim', identity),
      this.#ownKey(identifier),
      this.#key('refusal', identity),
      this.#sharedKey(identifier?.id),
    ]
    const boundMs = identifier === null ? 0 : paymentLimits.rememberMs
    const made = claimedSchema.parse(
      await runScript(this.#client, CLAIM, keys, [owner, this.#leaseMs, identity, boundMs, ...this.#payerOf(identifier)]),
    )
    if (made[0] === 'bound') return { kind: 'bound', identity: made[1] }
    if (made[0] === 'refused') return { kind: 'refused', reason: made[1] }
    if (made[0] === 'busy') return { kind: 'busy' }
    return { kind: 'claimed', claim: this.#held(owner, identity, identifier, entryOf(made[1], made[2])) }
  }

  async has(identity: string, identifier: PayerIdentifier | null): Promise<boolean> {
    const entryKey = this.#key('entry', identity)
    if (identifier === null) return Number(await callRedis(this.#client, ['EXISTS', entryKey])) > 0
    const keys = [entryKey, this.#ownKey(identifier), this.#sharedKey(identifier.id)]
    return (await runScript(this.#client, HAS, keys, this.#payerOf(identifier))) === 1
  }

  /** Reads an entry without a claim. */
  async find(identity: string): Promise<PaymentEntry | undefined> {
    const keys = [this.#key('entry', identity), this.#key('answer', identity)]
    const [entry, answer] = z.tuple([z.string().nullable(), z.string().nullable()]).parse(await callRedis(this.#client, ['MGET', ...keys]))
    return entryOf(entry ?? '', answer ?? '')
  }

  /** Does not close the client, which its opener closes. */
  async close(): Promise<void> {
    for (const timer of this.#beating) clearInterval(timer)
  }

  #held(owner: string, identity: string, identifier: PayerIdentifier | null, entry: PaymentEntry | undefined): Claim {
    let newest = entry
    const claimKey = this.#key('claim', identity)
    const beat = (): Promise<unknown> => runScript(this.#client, RENEW, [claimKey], [owner, this.#leaseMs]).catch(() => undefined)
    const timer = setInterval(beat, this.#leaseMs / 3).unref()
    this.#beating.add(timer)
    return {
      entry,
      put: async (next) => {
        const kept = await this.#put(owner, identity, next)
        if (kept === 'kept') newest = next
        return kept
      },
      remove: async () => {
        const kept = keptSchema.parse(await runScript(this.#client, REMOVE, this.#keysOf(identity), [owner, identity]))
        if (kept === 'kept') newest = undefined
        return kept
      },
      refuse: async (reason) => {
        const kept = await this.#refuse(owner, identity, reason)
        if (kept !== 'lost') newest = undefined
        return kept
      },
      release: async () => {
        clearInterval(timer)
        this.#beating.delete(timer)
        const stays = identifier === null || newest?.identifier === identifier.id
        const keys = [claimKey, this.#ownKey(identifier), this.#sharedKey(identifier?.id)]
        await runScript(this.#client, RELEASE, keys, [owner, identity, stays ? 1 : 0]).catch(() => undefined)
      },
    }
  }

  async #put(owner: string, identity: string, entry: PaymentEntry): Promise<Kept> {
    const now = this.#clock.now()
    const { answer, ...rest } = entry
    const entryMs = Math.max(MARGIN_MS, entry.at + paymentLimits.rememberMs - now)
    const answerMs = entry.state === 'done' ? Math.max(1, entry.doneAt + paymentLimits.replayMs - now) + MARGIN_MS : entryMs
    const { entriesMax, answersBytesMax, sweepEntriesMax } = paymentLimits
    const values = [JSON.stringify(rest), entryMs, answer === null ? '' : JSON.stringify(answer), answerMs]
    const args = [owner, identity, ...values, entriesMax, answersBytesMax, sweepEntriesMax, entry.identifier === null ? 0 : 1]
    const keys = [...this.#keysOf(identity), this.#sharedKey(entry.identifier)]
    return keptSchema.parse(await runScript(this.#client, PUT, keys, args))
  }

  async #refuse(owner: string, identity: string, reason: string): Promise<Kept> {
    const keys = [...this.#keysOf(identity), this.#key('refusal', identity), `${this.#root}refusals`]
    const args = [owner, identity, reason, paymentLimits.landWithinMs, paymentLimits.refusalsMax]
    return keptSchema.parse(await runScript(this.#client, REFUSE, keys, args))
  }

  #key(kind: string, name: string): string {
    return `${this.#root}${kind}:${name}`
  }
  #ownKey(identifier: PayerIdentifier | null): string {
    return this.#key('identifier', identifier === null ? '' : `${identifier.id}:${identifier.payer}`)
  }
  #sharedKey(id: string | null | undefined): string {
    return this.#key('identifier', id ?? '')
  }
  #payerOf(identifier: PayerIdentifier | null): readonly string[] {
    return [identifier?.payer ?? '', this.#root]
  }
  #keysOf(identity: string): string[] {
    const own = ['entry', 'answer', 'claim'].map((kind) => this.#key(kind, identity))
    return [...own, ...['known', 'answers', 'sizes', 'total'].map((name) => `${this.#root}${name}`)]
  }
}

/** Not validated: only these processes write these keys. */
const entryOf = (entry: string, answer: string): PaymentEntry | undefined => {
  if (entry === '') return undefined
  return { ...(JSON.parse(entry) as Omit<PaymentEntry, 'answer'>), answer: answer === '' ? null : (JSON.parse(answer) as StoredAnswer) }
}
