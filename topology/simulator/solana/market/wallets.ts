// The population of wallets that trade and launch: wallets are derived from numbers, so a large population takes no memory.
import { isWallet } from '../../../../processors/chains/solana/wallet-key.ts'
import type { Key } from '../../../../schemas/keys.ts'
import { Random } from '../../random.ts'

/** Sizes at rate 1; they grow with the rate, so that the chance of meeting a wallet again does not depend on it. */
const REGULARS = 2_500
const RETURNING_CREATORS = 400
const RUGGERS = 12
const SNIPERS = 60
const SKILLED = 3
const EXCHANGES = 6
const RING_WALLETS = 11
const ZIPF_EXPONENT = 0.6
/** Share of buys by wallets that trade for days. */
const REGULAR_SHARE = 0.08
/** Share of buys by wallets that bought another coin in about the last minute; fitted so that 92 % of wallets trade one mint in 76 s. */
const BUSY_SHARE = 0.2
const BUSY_WALLETS = 120
/** Chance that a rugger is replaced by a new one after a launch: about 30 launches each. */
const RUGGER_ENDS = 1 / 30

/** Random streams of keys, by kind of wallet. */
const REGULAR_STREAM = 1
const CREATOR_STREAM = 2
const SNIPER_STREAM = 3
const EXCHANGE_STREAM = 4
const SKILLED_STREAM = 5

/** A key that may have a private key: half of all 32-byte strings are points on the curve. */
const walletKey = (random: Random): Key => {
  let key = random.key()
  while (!isWallet(key)) key = random.key()
  return key
}

/** The operator of launches that end alike: from one wallet, or from fresh ones that one wallet funds. */
export interface Rugger {
  readonly wallet: Key
  readonly funder: Key
  readonly hidesBehindFresh: boolean
  /** Wallets that bundle in each of its launches. */
  readonly ring: readonly Key[]
}

export class Population {
  readonly #seed: number
  readonly #random: Random
  readonly #rate: number
  readonly #ruggers: Rugger[] = []
  /** Cache of creators drawn so far: finding a key on the curve is slow. */
  readonly #creators: Key[] = []
  /** Ring buffer of the newest wallets that traded on curves. */
  readonly #busy: Key[] = []
  #busyAt = 0

  constructor(seed: number, random: Random, rate: number) {
    this.#seed = seed
    this.#random = random
    this.#rate = rate
  }
  /** A trading wallet: mostly one not seen before. */
  trader(): Key {
    return this.#random.chance(REGULAR_SHARE) ? this.regular() : this.#random.key()
  }
  /** A wallet that trades on curves: often one that has just traded on another. */
  curveTrader(): Key {
    const busyMax = this.#count(BUSY_WALLETS)
    if (this.#busy.length === busyMax && this.#random.chance(BUSY_SHARE)) return this.#random.pick(this.#busy)
    const wallet = this.trader()
    this.#busy[this.#busyAt++ % busyMax] = wallet
    return wallet
  }
  regular(): Key {
    return this.#numbered(REGULAR_STREAM, this.#random.zipf(this.#count(REGULARS), ZIPF_EXPONENT)).key()
  }
  sniper(): Key {
    return this.#numbered(SNIPER_STREAM, this.#random.zipf(this.#count(SNIPERS), 0.5)).key()
  }
  /** A wallet that trades well: there is at least one. */
  skilled(): Key {
    return this.#numbered(SKILLED_STREAM, this.#random.int(Math.max(1, Math.round(SKILLED * this.#rate)))).key()
  }
  exchange(): Key {
    return this.#numbered(EXCHANGE_STREAM, this.#random.int(EXCHANGES)).key()
  }
  /** A wallet not seen before; its key need not be on the curve. */
  stranger(): Key {
    return this.#random.key()
  }
  fresh(): Key {
    return walletKey(this.#random)
  }
  returningCreator(): Key {
    const at = this.#random.zipf(this.#count(RETURNING_CREATORS), 0.8)
    this.#creators[at] ??= walletKey(this.#numbered(CREATOR_STREAM, at))
    return this.#creators[at]
  }
  rugger(): Rugger {
    const at = this.#random.int(this.#count(RUGGERS))
    if (this.#random.chance(RUGGER_ENDS)) delete this.#ruggers[at]
    const rugger = this.#ruggers[at] ?? this.#newRugger()
    this.#ruggers[at] = rugger
    return rugger
  }
  #newRugger(): Rugger {
    const ring = Array.from({ length: RING_WALLETS }, () => this.#random.key())
    return { wallet: this.fresh(), funder: this.stranger(), hidesBehindFresh: this.#random.chance(0.4), ring }
  }
  #count(atRateOne: number): number {
    return Math.max(4, Math.round(atRateOne * this.#rate))
  }
  #numbered(stream: number, index: number): Random {
    return new Random(this.#seed, stream * 0x1000_0000 + index)
  }
}
