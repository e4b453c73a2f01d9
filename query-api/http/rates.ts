// Rate limits per caller address and per payer, in this process's memory, or in Redis for all processes together.
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { messageOf } from '../../schemas/errors.ts'
import { callerKeys, SHARE_OF_48 } from './caller-address.ts'
import { inTime } from './in-time.ts'

const WINDOW_S = 60
const WINDOW_MS = WINDOW_S * 1_000
/** Separately counted keys per window, about 300 bytes each; further keys share `SHARED_KEYS` counters. */
const KEYS_MAX = 100_000
const SHARED_KEYS = 1_024
/** Lower bound of the limit for retries of known payments per address. */
const RETRIES_PER_MINUTE_MIN = 600
/** Challenges to a host of alerts per minute. */
const CHALLENGES_PER_MINUTE = 1
/** New payments per minute and address that only the facilitator can verify: anybody can make them without a key. */
export const UNVERIFIABLE_PER_MINUTE = 10
/** Timeout of Redis, and the pause after a failure. */
const REDIS_MS_MAX = 250
const REDIS_REST_MS = 1_000

/** The used part of a Redis client: the `redis` packages from version 4 on. */
type RedisStore = Readonly<Record<'eval', unknown>> & { readonly isReady: boolean }

export interface RatesOptions {
  /** Requests per minute. */
  readonly perMinute: number
  /** New payments per minute. */
  readonly paidPerMinute: number
  /** Requests per minute with a known payment. */
  readonly retriesPerMinute?: number
  /** Shared by processes; absent: each process counts separately. */
  readonly redis?: RedisStore
  /** Prefix of all keys in Redis. */
  readonly prefix?: string
  readonly notice?: (code: string, facts: Record<string, string | number>) => void
  /** Wall ms. */
  readonly now?: () => number
}

/** Counts requests. Each method returns the whole seconds to wait, 0 if within the limit; never rejects. */
export class Rates {
  readonly perMinute: number
  readonly paidPerMinute: number
  readonly retriesPerMinute: number
  readonly #callers: AddressCounter
  readonly #payers: Counter
  readonly #retries: AddressCounter
  readonly #challenges: Counter
  readonly #unverifiable: AddressCounter

  constructor(options: RatesOptions) {
    this.perMinute = options.perMinute
    this.paidPerMinute = options.paidPerMinute
    this.retriesPerMinute = options.retriesPerMinute ?? Math.max(options.perMinute, RETRIES_PER_MINUTE_MIN)
    this.#callers = new AddressCounter('caller', options.perMinute, options)
    this.#payers = new Counter('payer', options.paidPerMinute, options)
    this.#retries = new AddressCounter('retry', this.retriesPerMinute, options)
    this.#challenges = new Counter('challenge', CHALLENGES_PER_MINUTE, options)
    this.#unverifiable = new AddressCounter('unverifiable', UNVERIFIABLE_PER_MINUTE, options)
  }
  /** Counts a request. @param address in canonical form. */
  caller(address: string): Promise<number> {
    return this.#callers.waitS(address)
  }
  /** Counts a request with a known payment. @param address in canonical form. */
  retry(address: string): Promise<number> {
    return this.#retries.waitS(address)
  }
  /** Counts a new payment that only the facilitator can verify. @param address in canonical form. */
  unverifiable(address: string): Promise<number> {
    return this.#unverifiable.waitS(address)
  }
  /** Counts a payment of a wallet. */
  payer(payer: string): Promise<number> {
    return this.#payers.waitS(payer)
  }
  /** Counts a challenge to a host that is to receive alerts. */
  challenge(host: string): Promise<number> {
    return this.#challenges.waitS(host)
  }
  /** Where requests are counted now. */
  get place(): 'memory' | 'redis' {
    return this.#callers.isShared ? 'redis' : 'memory'
  }
  /** True while Redis is configured but does not respond: each process then counts separately. */
  get isAlone(): boolean {
    return this.#callers.isAlone || this.#payers.isAlone || this.#retries.isAlone
  }
}

/** What is counted by address. */
type Addressed = 'caller' | 'retry' | 'unverifiable'

/** Counts by address: what a /64 is refused does not count for its /48, so that no customer uses up the limit of its neighbours. */
class AddressCounter {
  readonly #callers: Counter
  readonly #networks: Counter

  constructor(what: Addressed, points: number, options: RatesOptions) {
    this.#callers = new Counter(what, points, options)
    this.#networks = new Counter(`${what}48`, points * SHARE_OF_48, options)
  }
  get isShared(): boolean {
    return this.#callers.isShared
  }
  get isAlone(): boolean {
    return this.#callers.isAlone || this.#networks.isAlone
  }
  /** @param address in canonical form. */
  async waitS(address: string): Promise<number> {
    const [caller, network] = callerKeys(address)
    const waitS = await this.#callers.waitS(caller.key)
    return waitS > 0 || network === undefined ? waitS : this.#networks.waitS(network.key)
  }
}

class Counter {
  readonly #memory: RateLimiterMemory
  readonly #redis: RateLimiterRedis | undefined
  readonly #notice: NonNullable<RatesOptions['notice']>
  readonly #now: () => number
  readonly #keys = new Set<string>()
  #windowAtMs = 0
  #isAlone = false
  #askAgainAtMs = 0

  constructor(
    what: Addressed | `${Addressed}48` | 'payer' | 'challenge',
    points: number,
    { redis, prefix = 'mintfold:', notice = () => {}, now = Date.now }: RatesOptions,
  ) {
    const limits = { points, duration: WINDOW_S, keyPrefix: `${prefix}rate:${what}` }
    this.#memory = new RateLimiterMemory(limits)
    const options = { ...limits, storeClient: redis, useRedisPackage: true, rejectIfRedisNotReady: true }
    this.#redis = redis && new RateLimiterRedis(options)
    this.#notice = notice
    this.#now = now
  }
  get isShared(): boolean {
    return this.#redis !== undefined && !this.#isAlone
  }
  get isAlone(): boolean {
    return this.#isAlone
  }
  async waitS(key: string): Promise<number> {
    if (this.#redis === undefined || this.#now() < this.#askAgainAtMs) return waitOf(this.#memory, this.#boundKey(key))
    try {
      const waitS = await inTime(waitOf(this.#redis, key), REDIS_MS_MAX)
      if (this.#isAlone) this.#notice('limits_shared_again', {})
      this.#isAlone = false
      return waitS
    } catch (failure) {
      if (!this.#isAlone) this.#notice('limits_in_memory', { reason: messageOf(failure) })
      this.#isAlone = true
      this.#askAgainAtMs = this.#now() + REDIS_REST_MS
      return waitOf(this.#memory, this.#boundKey(key))
    }
  }
  /** The key to count under. The limiter evicts the keys of a window one window later, so it holds those of two windows at most. */
  #boundKey(key: string): string {
    const nowMs = this.#now()
    if (nowMs - this.#windowAtMs >= WINDOW_MS) {
      this.#windowAtMs = nowMs
      this.#keys.clear()
    }
    if (this.#keys.has(key)) return key
    if (this.#keys.size >= KEYS_MAX) return `shared/${hashOf(key) % SHARED_KEYS}`
    this.#keys.add(key)
    return key
  }
}

const hashOf = (text: string): number => {
  let hash = 0
  for (let at = 0; at < text.length; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) >>> 0
  return hash
}

const waitOf = async (limiter: RateLimiterAbstract, key: string): Promise<number> => {
  try {
    await limiter.consume(key)
    return 0
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused
    return Math.max(1, Math.ceil(refused.msBeforeNext / 1_000))
  }
}
