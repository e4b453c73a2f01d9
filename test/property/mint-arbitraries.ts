// Arbitrary tapes over few keys, so that they collide: any event, in any order, with any amounts that a tape can hold.
import fc from 'fast-check'
import type { DecodedHeader } from '../../processors/chains/decoder.ts'
import { type Amount, amountOf, subtract } from '../../schemas/amount.ts'
import type { Signature } from '../../schemas/keys.ts'
import type { TapeEvent } from '../../schemas/types.ts'
import type { GivenFrame } from '../given.ts'
import { AGENT, CREATOR, CURVE, key, MINT, POOL, SLOT0, T0, USDC, USER, wallet } from '../unit/processors/mint/market.ts'

/** Any amount of up to 256 bits; most are safe integers. */
const amount: fc.Arbitrary<Amount> = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 1_000_000 }) },
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 2_000_000_000_000_000 }) },
  fc.constantFrom(2n ** 53n - 2n, 2n ** 53n - 1n, 2n ** 64n - 1n, 2n ** 255n, 2n ** 256n - 1n).map(amountOf),
  fc.bigInt(0n, 2n ** 256n - 1n).map(amountOf),
)
const maybe = fc.option(amount, { nil: null })
const who = fc.constantFrom(CREATOR, USER, CURVE, POOL, AGENT, ...Array.from({ length: 8 }, (_, n) => wallet(n)))
const rarely = fc.integer({ min: 0, max: 19 }).map((n) => n === 0)
const quoteMint = fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, fc.constant(USDC))
const timestamp = fc.integer({ min: T0 - 100, max: T0 + 20_000 })
const head = {
  tx: fc.integer({ min: 0, max: 4 }),
  outer: fc.integer({ min: 0, max: 2 }),
  inner: fc.integer({ min: 0, max: 3 }),
  signature: fc.constant('s'.repeat(64) as Signature),
  mint: fc.constantFrom(MINT, MINT, key(4)),
  timestamp,
}
const record = <Type extends TapeEvent['type']>(
  type: Type,
  fields: { [K in keyof Omit<Extract<TapeEvent, { type: Type }>, 'type'>]: fc.Arbitrary<Extract<TapeEvent, { type: Type }>[K]> },
): fc.Arbitrary<TapeEvent> => fc.record({ type: fc.constant(type), ...fields }) as unknown as fc.Arbitrary<TapeEvent>

const trade = record('trade', {
  ...head,
  user: who,
  isBuy: fc.boolean(),
  isAgent: fc.boolean(),
  mayhem: rarely,
  quoteMint,
  tokenUnits: amount,
  quoteUnits: amount,
  feeUnits: maybe,
  creatorFeeUnits: maybe,
  virtualQuoteUnits: amount,
  virtualTokenUnits: amount,
  realQuoteUnits: maybe,
  realTokenUnits: maybe,
  creator: fc.option(who, { nil: null }),
  layout: fc.constant('G6'),
})
const launch = record('launch', {
  ...head,
  timestamp: fc.option(timestamp, { nil: null }),
  bondingCurve: fc.constant(CURVE),
  user: who,
  creator: who,
  creatorIsWallet: fc.boolean(),
  name: fc.string({ unit: 'binary' }),
  symbol: fc.string(),
  uri: fc.string(),
  tokenProgram: fc.constant(null),
  mayhem: rarely,
  cashback: fc.boolean(),
  quoteMint,
  virtualTokenUnits: maybe,
  virtualQuoteUnits: maybe,
  realTokenUnits: maybe,
  supplyUnits: maybe,
  layout: fc.constant('V3'),
})
const poolTrade = record('poolTrade', {
  ...head,
  pool: fc.constant(POOL),
  user: who,
  isBuy: fc.boolean(),
  isAgent: fc.boolean(),
  coinIsBase: fc.boolean(),
  quoteMint,
  tokenUnits: amount,
  quoteUnits: amount,
  userQuoteUnits: amount,
  poolTokenUnits: amount,
  poolQuoteUnits: amount,
  virtualQuoteUnits: maybe,
  poolFeeUnits: amount,
})
const { mint: _, ...position } = head
const transfer = record('transfer', { ...position, timestamp: fc.constant(null), funder: who, wallet: who, amountLamports: amount })
const rare = fc.oneof(
  record('complete', { ...head, user: who, bondingCurve: fc.constant(CURVE), quoteMint }),
  record('migrate', {
    ...head,
    user: who,
    bondingCurve: fc.constant(CURVE),
    pool: fc.constant(POOL),
    quoteMint,
    tokenUnits: amount,
    quoteUnits: amount,
    feeUnits: amount,
  }),
  record('postCompleteBuy', {
    ...head,
    user: who,
    quoteMint,
    tokenUnits: amount,
    quoteUnits: amount,
    poolTokenUnitsAfter: amount,
    poolQuoteUnitsAfter: amount,
  }),
  record('creatorChange', { ...head, creator: who, kind: fc.constant('SetCreatorEvent') }),
  record('mayhemReserves', {
    ...head,
    virtualTokenUnits: amount,
    virtualQuoteUnits: amount,
    realTokenUnits: amount,
    realQuoteUnits: amount,
  }),
  record('poolLiquidity', {
    ...head,
    pool: fc.constant(POOL),
    user: who,
    isDeposit: fc.boolean(),
    coinIsBase: fc.boolean(),
    quoteMint,
    tokenUnits: amount,
    quoteUnits: amount,
    poolTokenUnits: amount,
    poolQuoteUnits: amount,
  }),
  record('poolCreate', {
    ...head,
    pool: fc.constant(POOL),
    creator: who,
    index: fc.constant(0),
    coinIsBase: fc.boolean(),
    quoteMint,
    tokenUnits: amount,
    quoteUnits: amount,
    mayhem: fc.boolean(),
  }),
  record('missingEvent', { ...head, timestamp: fc.constant(null), call: fc.constantFrom('create', 'buy') }),
  record('poolBoost', { ...head, pool: fc.constant(POOL), virtualQuoteUnits: amount, realQuoteUnitsAfter: amount }),
  record('balance', {
    ...head,
    timestamp: fc.constant(null),
    owner: who,
    units: fc.oneof(
      amount,
      amount.map((units) => subtract(0, units)),
    ),
    traded: fc.boolean(),
    isWallet: fc.boolean(),
    fromWallets: fc.boolean(),
    sender: fc.option(who),
  }),
)
const event = fc.oneof(
  { weight: 8, arbitrary: trade },
  launch,
  { weight: 3, arbitrary: poolTrade },
  { weight: 2, arbitrary: rare },
  transfer,
)

type Frame = GivenFrame<TapeEvent, DecodedHeader>

/** A tape of up to 25 frames: numbers grow, time never decreases, some frames follow a gap, some are `vouched`, a few are not `placed`. */
export const tape: fc.Arbitrary<Frame[]> = fc
  .array(
    fc.record({
      launch: fc.option(launch, { nil: null }),
      events: fc.array(event, { maxLength: 8 }),
      slots: fc.integer({ min: 1, max: 9 }),
      seconds: fc.oneof({ weight: 9, arbitrary: fc.constantFrom(0, 1, 2, 30) }, fc.constantFrom(3_600, 30_000)),
      isGap: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
      vouched: fc.boolean(),
      placed: fc.integer({ min: 0, max: 19 }).map((n) => n !== 0),
    }),
    { maxLength: 25 },
  )
  .map((steps) => {
    let [number, time] = [SLOT0, T0]
    let gap: { gapFrom: number | null; gapTo: number | null } = { gapFrom: null, gapTo: null }
    return steps.map(({ launch: first, events, slots, seconds, isGap, vouched, placed }, sequence) => {
      const opening = sequence === 0 && first !== null ? [{ ...first, tx: 0, outer: 0, inner: 0 }] : []
      if (isGap && slots > 1) gap = { gapFrom: number + 1, gapTo: number + slots - 1 }
      number += slots
      time += seconds
      const counts = { launchpadTransactions: events.length + slots, launchpadFailed: slots }
      return {
        header: { chain: 'solana' as const, number, hash8: 'Hash0000', sequence, time, ...gap, vouched, placed, final: false, ...counts },
        events: [...opening, ...events],
      }
    })
  })
