// A launchpad that behaves like the contracts: integer formulas, fees in quote, a transfer for every move. Produces tape events for tests.
import type { TapeHeader } from '../../../../processors/tape.ts'
import { type Amount, amountOf } from '../../../../schemas/amount.ts'
import type { Key, Signature } from '../../../../schemas/keys.ts'
import { NONE } from '../../../../schemas/position.ts'
import type { AltLaunch, AltTapeEvent, AltTrade } from '../../../../schemas/types.ts'
import type { GivenFrame } from '../../../given.ts'

/** A key of 20 equal bytes. */
export const key = (byte: number): Key => String.fromCharCode(byte).repeat(20) as Key
export const TOKEN = key(1)
export const CURVE_CONTRACT = key(2)
export const DEPLOYER_WALLET = key(3)
export const FACTORY = key(4)
const LOCKER = key(5)
export const TERMINAL = key(6)
export const USD = key(7)
export const wallet = (n: number): Key => key(100 + n)
/** Addresses that neither hold tokens nor trade for themselves. */
const CONTRACTS: ReadonlySet<Key> = new Set([key(0), FACTORY, LOCKER, TERMINAL])
/** The launchpad's contract that buys back. */
export const OWN = key(250)
export const CHAIN = {
  isOwn: (one: Key) => one === OWN,
  isWallet: (one: Key) => !CONTRACTS.has(one) && one !== OWN,
  terminals: new Set(['gmgn', 'axiom']),
}

export const ETH = 10n ** 18n
/** Unix seconds and number of the first block. */
export const T0 = 1_790_000_000
export const BLOCK0 = 62_000_000
/** Basis points of the whole. */
const BPS = 10_000n

export type Frame = GivenFrame<AltTapeEvent, TapeHeader>
/** The block at this distance from the first: ten share a second. */
export const block = (after: number, events: readonly AltTapeEvent[] = [], change: Partial<TapeHeader> = {}): Frame => ({
  header: {
    ...{ chain: 'alt', number: BLOCK0 + after, hash8: `hash${after % 10_000}`, sequence: after + 1, time: T0 + Math.floor(after / 10) },
    ...{ final: false, gapFrom: null, gapTo: null, vouched: false, placed: true, ...change },
  },
  events,
})

export interface PadOptions {
  readonly token?: Key
  readonly curve?: Key
  readonly deployer?: Key
  readonly quoteMint?: Key | null
  readonly quoteDecimals?: number | null
  readonly threshold?: bigint
  readonly feeBps?: bigint
  readonly taxBps?: bigint
}

/** The route of a wallet's trade. */
export interface Via {
  readonly route: string
  readonly router: Key
}
export const GMGN: Via = { route: 'gmgn', router: TERMINAL }

/** One curve. Each call is one transaction and returns its events. */
export class Pad {
  readonly token: Key
  readonly curve: Key
  readonly deployer: Key
  readonly quoteMint: Key | null
  readonly threshold: bigint
  readonly phantom: bigint
  readonly supply = 10n ** 27n
  readonly reserved: bigint
  quote: bigint
  tokens = 10n ** 27n
  readonly #options: PadOptions
  #tx = 0
  #log = 0

  constructor(options: PadOptions = {}) {
    this.#options = options
    this.token = options.token ?? TOKEN
    this.curve = options.curve ?? CURVE_CONTRACT
    this.deployer = options.deployer ?? DEPLOYER_WALLET
    this.quoteMint = options.quoteMint ?? null
    this.threshold = options.threshold ?? 42n * 10n ** 17n
    this.phantom = (this.threshold * 4n) / 10n
    this.quote = this.phantom
    this.reserved = (this.supply * this.phantom) / (this.phantom + this.threshold)
  }
  get real(): bigint {
    return this.quote - this.phantom
  }
  launch(change: Partial<AltLaunch> = {}): AltTapeEvent[] {
    this.#nextTx()
    const { quoteDecimals = 18 } = this.#options
    return [
      {
        type: 'launch',
        ...this.#head(),
        ...{ bondingCurve: this.curve, creator: this.deployer, launcher: null, txFrom: this.deployer, txTo: FACTORY, route: 'direct' },
        ...{ quoteMint: this.quoteMint, quoteDecimals, quoteDecimalsReason: quoteDecimals === null ? 'not known' : null },
        ...{ configId: 0, thresholdUnits: amountOf(this.threshold), virtualQuoteUnits: amountOf(this.phantom) },
        ...{ supplyUnits: amountOf(this.supply), exempt: [this.deployer] },
        ...change,
      },
    ]
  }
  /** A buy of more tokens than are for sale is cut and the rest of its quote refunded. A buy of all tokens for sale completes the curve. */
  buy(who: Key, quoteIn: bigint, via?: Via, snipeBps = 0n): AltTapeEvent[] {
    this.#nextTx()
    const { feeBps = 100n, taxBps = 0n } = this.#options
    const legs = (spent: bigint) => {
      const [fee, tax, snipe] = [(spent * feeBps) / BPS, (spent * taxBps) / BPS, (spent * snipeBps) / BPS]
      return { fee: fee + snipe, tax, snipe, net: spent - fee - tax - snipe }
    }
    let spent = quoteIn
    let out = (legs(spent).net * this.tokens) / (this.quote + legs(spent).net)
    const sellable = this.tokens - this.reserved
    const isFull = out >= sellable
    if (out > sellable) {
      out = sellable
      const net = (sellable * this.quote) / (this.tokens - sellable) + 1n
      const rest = BPS - feeBps - taxBps - snipeBps
      const grossed = (net * BPS + rest - 1n) / rest
      spent = grossed < quoteIn ? grossed : quoteIn
    }
    const { fee, tax, snipe, net } = legs(spent)
    this.quote += net
    this.tokens -= out
    const paid = via?.router ?? who
    return [
      this.#transfer(this.curve, paid, out),
      ...(spent === quoteIn ? [] : [this.#event('refund', { user: paid, quoteUnits: amountOf(quoteIn - spent) })]),
      this.#trade(true, who, via, { token: out, quote: net, user: spent, fee, tax, snipe }),
      ...(via === undefined ? [] : [this.#transfer(via.router, who, out)]),
      ...(isFull ? this.#complete() : []),
    ]
  }
  sell(who: Key, tokensIn: bigint, via?: Via): AltTapeEvent[] {
    this.#nextTx()
    const { feeBps = 100n, taxBps = 0n } = this.#options
    const gross = (tokensIn * this.quote) / (this.tokens + tokensIn)
    const [fee, tax] = [(gross * feeBps) / BPS, (gross * taxBps) / BPS]
    this.quote -= gross
    this.tokens += tokensIn
    const by = via?.router ?? who
    return [
      ...(via === undefined ? [] : [this.#transfer(who, via.router, tokensIn)]),
      this.#transfer(by, this.curve, tokensIn),
      this.#trade(false, who, via, { token: tokensIn, quote: gross, user: gross - fee - tax, fee, tax, snipe: 0n }),
    ]
  }
  /** Fees buy tokens of the curve for the locker. */
  buyback(quoteIn: bigint): AltTapeEvent[] {
    this.#nextTx()
    const out = (quoteIn * this.tokens) / (this.quote + quoteIn)
    this.quote += quoteIn
    this.tokens -= out
    return [
      this.#transfer(this.curve, LOCKER, out),
      this.#event('buyback', { quoteUnits: amountOf(quoteIn), tokenUnits: amountOf(out) }),
      this.sweptFees(0n, quoteIn),
    ]
  }
  /** The event of collected fees, in the transaction of the previous call. */
  sweptFees(creator: bigint, buyback = 0n): AltTapeEvent {
    return this.#event('feesSwept', { protocolUnits: 0, buybackUnits: amountOf(buyback), creatorUnits: amountOf(creator) })
  }
  send(from: Key, to: Key, units: bigint): AltTapeEvent[] {
    this.#nextTx()
    return [this.#transfer(from, to, units)]
  }
  graduate(): AltTapeEvent[] {
    this.#nextTx()
    const amounts = { tokenUnits: amountOf((this.tokens * 5n) / 7n), quoteUnits: amountOf(this.real) }
    return [this.#event('migrate', { positionId: 1, poolId: null, ...amounts })]
  }
  failGraduation(): AltTapeEvent {
    return this.#event('graduationFailed', { gasRemaining: 21_000 })
  }
  forceSweep(): AltTapeEvent[] {
    this.#nextTx()
    return [this.#event('sweep', { isForced: true, quoteUnits: null, tokenUnits: null })]
  }
  rescue(): AltTapeEvent[] {
    this.#nextTx()
    const amounts = { quoteUnits: 1, creatorUnits: 0, tokenUnits: 0 }
    return [this.#event('rescue', { kind: 'FeesRescued', recipient: FACTORY, creatorRecipient: null, ...amounts })]
  }
  exempt(account: Key): AltTapeEvent[] {
    this.#nextTx()
    return [this.#event('snipeExemption', { account })]
  }
  #complete(): AltTapeEvent[] {
    const [quoteUnits, tokenUnits] = [amountOf(this.real), amountOf(this.tokens)]
    const swept = { sweptQuoteUnits: quoteUnits, sweptTokenUnits: tokenUnits }
    return [
      this.#transfer(this.curve, FACTORY, this.tokens),
      this.#event('complete', { recipient: FACTORY, quoteUnits, tokenUnits, ...swept }),
    ]
  }
  #trade(
    isBuy: boolean,
    who: Key,
    via: Via | undefined,
    amounts: Record<'token' | 'quote' | 'user' | 'fee' | 'tax' | 'snipe', bigint>,
  ): AltTrade {
    const by = via?.router ?? who
    return {
      type: 'trade',
      ...this.#head(),
      ...{ bondingCurve: this.curve, quoteMint: this.quoteMint, isBuy, user: by, recipient: by, wallet: who },
      ...{
        walletBy: via === undefined ? 'direct' : 'transfer',
        route: via?.route ?? 'direct',
        txFrom: who,
        txTo: via?.router ?? this.curve,
      },
      ...{ tokenUnits: amountOf(amounts.token), quoteUnits: amountOf(amounts.quote), userQuoteUnits: amountOf(amounts.user) },
      ...{ feeUnits: amountOf(amounts.fee), creatorFeeUnits: amountOf(amounts.tax), snipeTaxUnits: amountOf(amounts.snipe) },
    }
  }
  #transfer(sender: Key, recipient: Key, units: bigint): AltTapeEvent {
    return { type: 'tokenTransfer', ...this.#head(), sender, recipient, tokenUnits: amountOf(units) as Amount }
  }
  #event<Type extends AltTapeEvent['type']>(type: Type, fields: object): AltTapeEvent {
    const whole = { type, ...this.#head(), bondingCurve: this.curve, quoteMint: this.quoteMint, ...fields }
    return whole as unknown as AltTapeEvent
  }
  #nextTx(): void {
    this.#tx += 1
  }
  #head() {
    const at = { tx: this.#tx, outer: this.#log++, inner: NONE }
    return { ...at, signature: hashOf(this.#tx, this.token), mint: this.token }
  }
}

const hashOf = (tx: number, token: Key): Signature => {
  const bytes = Buffer.alloc(32, token.charCodeAt(0))
  bytes.writeUInt32BE(tx)
  return bytes.toString('latin1') as Signature
}
