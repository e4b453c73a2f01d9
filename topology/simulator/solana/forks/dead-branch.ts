// Generates an orphaned branch: transactions of the canonical branch are at other places in it, later or absent, and some occur only in it.
import { createHash } from 'node:crypto'
import { type Key, keyOf, toBase58 } from '../../../../schemas/keys.ts'
import type { Random } from '../../random.ts'
import { Curve, curveFees } from '../market/coin/curve.ts'
import type { DemoEvent, DemoInstruction, DemoSlot, DemoTransaction } from '../market-types.ts'

/** Share of coins and senders that are absent from the branch, and share of the others that are one slot late from its start. */
const ABSENT_SHARE = 0.2
const LATE_SHARE = 0.3
/** Chance that a coin falls behind by another slot at a transaction. */
const SLIPS_SHARE = 0.1
/** Of the coins whose last transaction on the branch is a buy: the share whose buyer sells at once, on this branch only. */
const SOLD_BACK_SHARE = 0.3
const INDEX_MAX = 40

type Launchpad = Extract<DemoInstruction, { kind: 'launchpad' }>
type Trade = Extract<DemoEvent, { type: 'trade' }>

/** The subject whose order the transaction belongs to: its coin, else its sender. */
const subjectOf = ({ instructions, signer }: DemoTransaction): Key => {
  for (const one of instructions) if (one.kind !== 'transfer') return one.mint
  return signer
}

const coinsOf = ({ instructions }: DemoTransaction): readonly Key[] =>
  instructions.flatMap((one) => (one.kind === 'launchpad' ? one.events.map(({ mint }) => mint) : []))
const isRoute = ({ instructions }: DemoTransaction): boolean =>
  instructions.some((one) => one.kind === 'launchpad' && one.name === 'amm_multi_hop_swap')

/**
 * Transactions by slot of the branch: for each subject a prefix of its transactions, in order, so that all reserves are consistent. A route
 * depends on the reserves of several coins: it is absent, and with it what follows of them.
 */
const land = (living: readonly DemoSlot[], random: Random): DemoTransaction[][] => {
  const landed = living.map((): DemoTransaction[] => [])
  const lags = new Map<Key, number>()
  for (const [at, { transactions }] of living.entries())
    for (const tx of transactions) {
      if (isRoute(tx)) {
        for (const mint of coinsOf(tx)) lags.set(mint, Number.POSITIVE_INFINITY)
        continue
      }
      const subject = subjectOf(tx)
      const first = random.chance(ABSENT_SHARE) ? Number.POSITIVE_INFINITY : random.chance(LATE_SHARE) ? 1 : 0
      const lag = (lags.get(subject) ?? first) + (random.chance(SLIPS_SHARE) ? 1 : 0)
      lags.set(subject, lag)
      landed[at + lag]?.push(tx)
    }
  return landed
}

/** The buyer sells what it bought; undefined if the curve could not pay. */
const sellOf = (instruction: Launchpad, bought: Trade, random: Random): DemoTransaction | undefined => {
  const { user, tokenUnits, virtualTokenUnits, virtualQuoteUnits, realTokenUnits, realQuoteUnits } = bought
  const curve = Object.assign(new Curve(virtualQuoteUnits), {
    virtualTokenUnits,
    realTokenUnits: realTokenUnits ?? 0,
    realQuoteUnits: realQuoteUnits ?? 0,
  })
  const worth = curve.worthOf(tokenUnits)
  if (worth <= 0 || worth > curve.realQuoteUnits) return undefined
  const quoteUnits = curve.sell(tokenUnits)
  const { fee: feeUnits, creatorFee: creatorFeeUnits } = curveFees(quoteUnits, bought.creatorFeeUnits === 0)
  const event: Trade = { ...bought, ...curve, isBuy: false, quoteUnits, feeUnits, creatorFeeUnits }
  const sell: Launchpad = { ...instruction, name: bought.quoteMint === null ? 'sell' : 'sell_v2', user, events: [event] }
  return { index: 0, signature: random.signature(), signer: user, failed: null, instructions: [sell] }
}

/** Adds sales that occur on this branch only, after all other transactions of the coin. */
const sellBack = (landed: DemoTransaction[][], random: Random): void => {
  const last = new Map<Key, { at: number; instruction: Launchpad }>()
  for (const [at, transactions] of landed.entries())
    for (const { failed, instructions } of transactions)
      for (const instruction of failed === null ? instructions : [])
        if (instruction.kind === 'launchpad') last.set(instruction.mint, { at, instruction })
  for (const { at, instruction } of last.values()) {
    const bought = instruction.events.at(-1)
    if (bought?.type !== 'trade' || !bought.isBuy || bought.isAgent || !random.chance(SOLD_BACK_SHARE)) continue
    const sell = sellOf(instruction, bought, random)
    if (sell !== undefined) landed[Math.min(at + 1, landed.length - 1)]?.push(sell)
  }
}

const retimed = (instruction: DemoInstruction, timestamp: number): DemoInstruction =>
  instruction.kind === 'launchpad'
    ? { ...instruction, events: instruction.events.map((event): DemoEvent => ({ ...event, timestamp })) }
    : instruction

/**
 * A branch parallel to `living`: the same slot numbers and times, other hashes, starting at `parent`. `name` must be unique within the
 * market.
 */
export const deadBranch = (
  parent: Pick<DemoSlot, 'number' | 'hash'>,
  living: readonly DemoSlot[],
  name: string,
  random: Random,
): DemoSlot[] => {
  const landed = land(living, random)
  sellBack(landed, random)
  let { number: parentNumber, hash: parentHash } = parent
  return living.map((slot, at) => {
    const { number, timeMs } = slot
    const hash = toBase58(keyOf(createHash('sha256').update(`${name}:${number}`).digest()))
    let index = random.int(INDEX_MAX)
    const transactions = (landed[at] ?? []).map((tx) => {
      index += 1 + random.int(4)
      return { ...tx, index, instructions: tx.instructions.map((one) => retimed(one, Math.floor(timeMs / 1_000))) }
    })
    const made = { ...slot, hash, parentNumber, parentHash, transactions, transactionsTotal: Math.max(slot.transactionsTotal, index + 1) }
    parentNumber = number
    parentHash = hash
    return made
  })
}
