// Random curve histories: events as the contracts would emit them (launchpad.ts), and tapes of any events in any order.
import fc from 'fast-check'
import { amountOf } from '../../schemas/amount.ts'
import type { Key, Signature } from '../../schemas/keys.ts'
import { NONE } from '../../schemas/position.ts'
import type { AltTapeEvent } from '../../schemas/types.ts'
import {
  block,
  CURVE_CONTRACT,
  DEPLOYER_WALLET,
  ETH,
  FACTORY,
  type Frame,
  GMGN,
  key,
  Pad,
  type PadOptions,
  TERMINAL,
  TOKEN,
  USD,
  wallet,
} from '../unit/processors/curve/launchpad.ts'

const WALLETS = 6
const ROUTES = [undefined, undefined, GMGN, { route: 'other', router: TERMINAL }]

type Op =
  | { readonly type: 'buy'; readonly who: number; readonly milli: number; readonly via: number; readonly snipeBps: number }
  | { readonly type: 'sell'; readonly who: number; readonly percent: number; readonly via: number }
  | { readonly type: 'send'; readonly from: number; readonly to: number; readonly percent: number }
  | { readonly type: 'buyback' | 'exempt' | 'forceSweep' | 'rescue' | 'graduate' | 'fail' }

/** Number of a wallet; 0 is the deployer. */
const who = fc.integer({ min: 0, max: WALLETS })
const via = fc.nat({ max: ROUTES.length - 1 })
const percent = fc.oneof(fc.integer({ min: 1, max: 100 }), fc.constant(100))
const op: fc.Arbitrary<Op> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constant('buy' as const),
      ...{ who, via, milli: fc.oneof({ weight: 5, arbitrary: fc.integer({ min: 1, max: 400 }) }, fc.integer({ min: 400, max: 5_000 })) },
      snipeBps: fc.constantFrom(0, 0, 0, 19, 618),
    }),
  },
  { weight: 5, arbitrary: fc.record({ type: fc.constant('sell' as const), who, percent, via }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('send' as const), from: who, to: who, percent }) },
  fc.record({ type: fc.constantFrom('buyback' as const, 'exempt', 'forceSweep', 'rescue', 'graduate', 'fail') }),
)
/** Blocks until the next event: mostly few, sometimes many. */
const pause = fc.oneof({ weight: 8, arbitrary: fc.constantFrom(0, 1, 2, 9, 25) }, fc.constantFrom(75, 3_000, 37_000, 80_000))
export const ops = fc.array(fc.record({ pause, op }), { maxLength: 45, size: 'max' })
export type Ops = readonly { readonly pause: number; readonly op: Op }[]

const whoIs = (n: number, pad: Pad): Key => (n === 0 ? pad.deployer : wallet(n))

/** The history of a curve with the final state of the contract. */
export interface Life {
  readonly frames: readonly Frame[]
  readonly pad: Pad
}

/** Plays the ops and skips those that the contract would refuse. `unit`: base units of one whole pair token. */
export const lifeOf = (steps: Ops, options: PadOptions = {}, unit = ETH): Life => {
  const pad = new Pad({ threshold: (unit * 42n) / 10n, ...options })
  const held = new Map<Key, bigint>()
  const move = (events: readonly AltTapeEvent[]): readonly AltTapeEvent[] => {
    for (const event of events) {
      if (event.type !== 'tokenTransfer') continue
      held.set(event.sender, (held.get(event.sender) ?? 0n) - BigInt(event.tokenUnits))
      held.set(event.recipient, (held.get(event.recipient) ?? 0n) + BigInt(event.tokenUnits))
    }
    return events
  }
  const player = new Player(pad, unit, (one) => held.get(one) ?? 0n)
  const blocks = new Map<number, AltTapeEvent[]>([[0, [...pad.launch()]]])
  let at = 0
  for (const { pause: after, op: one } of steps) {
    at += after
    const events = move(player.play(one))
    blocks.set(at, [...(blocks.get(at) ?? []), ...events])
  }
  return { frames: [...blocks].map(([after, events]) => block(after, events)), pad }
}

class Player {
  readonly #pad: Pad
  readonly #unit: bigint
  readonly #held: (who: Key) => bigint
  #isComplete = false
  constructor(pad: Pad, unit: bigint, held: (who: Key) => bigint) {
    this.#pad = pad
    this.#unit = unit
    this.#held = held
  }
  play(one: Op): AltTapeEvent[] {
    const pad = this.#pad
    if (one.type === 'send') {
      const from = whoIs(one.from, pad)
      const units = (this.#held(from) * BigInt(one.percent)) / 100n
      return units > 0n ? pad.send(from, whoIs(one.to, pad), units) : []
    }
    if (one.type === 'exempt') return pad.exempt(wallet(1))
    if (this.#isComplete) return this.#afterwards(one)
    if (one.type === 'buy') return this.#buy(one)
    if (one.type === 'sell') {
      const seller = whoIs(one.who, pad)
      const units = (this.#held(seller) * BigInt(one.percent)) / 100n
      return units > 0n ? pad.sell(seller, units, ROUTES[one.via]) : []
    }
    if (one.type === 'rescue') return pad.rescue()
    return one.type === 'buyback' ? pad.buyback(this.#unit / 1_000n) : []
  }
  #buy({ who: buyer, milli, via: route, snipeBps }: Extract<Op, { type: 'buy' }>): AltTapeEvent[] {
    const events = this.#pad.buy(whoIs(buyer, this.#pad), (BigInt(milli) * this.#unit) / 1_000n, ROUTES[route], BigInt(snipeBps))
    this.#isComplete = events.some(({ type }) => type === 'complete')
    return events
  }
  #afterwards({ type }: Op): AltTapeEvent[] {
    if (type === 'graduate') return this.#pad.graduate()
    if (type === 'forceSweep') return this.#pad.forceSweep()
    return type === 'fail' ? [this.#pad.failGraduation()] : []
  }
}

const amount = fc
  .oneof(fc.bigInt({ min: 0n, max: 10n ** 27n }), fc.bigInt({ min: 0n, max: 2n ** 240n }), fc.bigInt({ min: 0n, max: 9n }))
  .map(amountOf)
const anyone = fc.constantFrom(
  DEPLOYER_WALLET,
  CURVE_CONTRACT,
  FACTORY,
  TERMINAL,
  TOKEN,
  key(0),
  ...Array.from({ length: 6 }, (_, n) => wallet(n)),
)
const head = {
  ...{ tx: fc.nat({ max: 4 }), outer: fc.nat({ max: 9 }), inner: fc.constant(NONE) },
  ...{ signature: fc.constant('h'.repeat(32) as Signature), mint: fc.constant(TOKEN), bondingCurve: fc.constant(CURVE_CONTRACT) },
  quoteMint: fc.constantFrom(null, null, null, USD),
}
const event = <Type extends AltTapeEvent['type']>(type: Type, fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<AltTapeEvent> =>
  fc.record({ type: fc.constant(type), ...head, ...fields }) as unknown as fc.Arbitrary<AltTapeEvent>
const launch = event('launch', {
  ...{ creator: anyone, launcher: fc.option(anyone), txFrom: anyone, txTo: anyone, route: fc.constant('direct'), configId: amount },
  ...{ quoteDecimals: fc.constantFrom(null, 0, 18, 77), quoteDecimalsReason: fc.constant('not known') },
  ...{ thresholdUnits: amount, virtualQuoteUnits: amount, supplyUnits: fc.option(amount), exempt: fc.array(anyone, { maxLength: 3 }) },
})
const trade = event('trade', {
  ...{ isBuy: fc.boolean(), user: anyone, recipient: anyone, wallet: fc.option(anyone), walletBy: fc.constant('direct'), txFrom: anyone },
  ...{ txTo: anyone, route: fc.constantFrom('direct', 'gmgn', 'other', 'pons_launchbuy'), tokenUnits: amount, quoteUnits: amount },
  ...{ userQuoteUnits: amount, feeUnits: amount, creatorFeeUnits: amount, snipeTaxUnits: amount },
})
const other = fc.oneof(
  event('complete', { recipient: anyone, quoteUnits: amount, tokenUnits: amount, sweptQuoteUnits: amount, sweptTokenUnits: amount }),
  event('sweep', { isForced: fc.boolean(), quoteUnits: fc.option(amount), tokenUnits: fc.option(amount) }),
  event('migrate', { positionId: amount, poolId: fc.constant(null), tokenUnits: amount, quoteUnits: amount }),
  event('refund', { user: anyone, quoteUnits: amount }),
  event('feesSwept', { protocolUnits: amount, buybackUnits: amount, creatorUnits: amount }),
  event('buyback', { quoteUnits: amount, tokenUnits: amount }),
  event('snipeExemption', { account: anyone }),
  event('graduationFailed', { gasRemaining: amount }),
  event('rescue', {
    kind: fc.constant('FeesRescued'),
    recipient: anyone,
    creatorRecipient: anyone,
    quoteUnits: amount,
    creatorUnits: amount,
    tokenUnits: amount,
  }),
)
const transfer = event('tokenTransfer', { sender: anyone, recipient: anyone, tokenUnits: amount })

/** A tape of up to 25 frames with any events: blocks grow, time never decreases, some frames follow a gap, some are `vouched`. */
export const anyTape: fc.Arbitrary<Frame[]> = fc
  .array(
    fc.record({
      events: fc.array(
        fc.oneof({ weight: 8, arbitrary: trade }, { weight: 6, arbitrary: transfer }, { weight: 2, arbitrary: other }, launch),
        { maxLength: 8 },
      ),
      pause: fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 1, max: 80 }) }, fc.constantFrom(37_000, 300_000)),
      isGap: fc.nat({ max: 9 }).map((n) => n === 0),
      vouched: fc.boolean(),
    }),
    { maxLength: 25 },
  )
  .chain((steps) => fc.record({ first: launch, steps: fc.constant(steps) }))
  .map(({ first, steps }) => {
    let at = 0
    let gap: { gapFrom: number | null; gapTo: number | null } = { gapFrom: null, gapTo: null }
    return steps.map(({ events, pause: after, isGap, vouched }, n) => {
      const opening = n === 0 ? [{ ...first, tx: 0, outer: 0 }] : []
      const { number } = block(at).header
      at += after
      if (isGap && after > 1) gap = { gapFrom: number + 1, gapTo: number + after - 1 }
      return block(at, [...opening, ...events], { ...gap, vouched })
    })
  })
