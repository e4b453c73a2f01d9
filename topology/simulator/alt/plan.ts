// Plans what happens on a curve after its launch: who buys and sells when. Blocks are counted from the launch.
import { BLOCKS_PER_SECOND } from '../../../processors/curve/thresholds.ts'
import type { Random } from '../random.ts'

/** The intended course of a launch. */
export type Kind = 'quiet' | 'crowd' | 'ring' | 'dump' | 'graduate'

/** `eth`: of a buy, in ETH of the market; `share`: of a sell, part of the wallet's balance then. Wallets are indexes of the plan. */
export type Deed =
  | { readonly type: 'buy'; readonly after: number; readonly wallet: number; readonly eth: number; readonly isDirect: boolean }
  | { readonly type: 'sell'; readonly after: number; readonly wallet: number; readonly share: number; readonly isDirect: boolean }
  | { readonly type: 'send'; readonly after: number; readonly wallet: number; readonly to: number }
  | { readonly type: 'buyback'; readonly after: number; readonly eth: number }

export interface Plan {
  readonly kind: Kind
  /** Buy of the deployer with the launch, ETH; 0 for none. */
  readonly launchEth: number
  /** Number of wallets in addition to the deployer, which is number 0. */
  readonly wallets: number
  readonly deeds: readonly Deed[]
}

const KINDS: readonly (readonly [Kind, number])[] = [
  ['quiet', 0.52],
  ['crowd', 0.25],
  ['ring', 0.1],
  ['dump', 0.1],
  ['graduate', 0.03],
]
const MINUTE = 60 * BLOCKS_PER_SECOND
const DEPLOYER = 0

const kindOf = (dice: Random): Kind => {
  let rest = dice.next()
  for (const [kind, share] of KINDS) {
    if (rest < share) return kind
    rest -= share
  }
  return 'quiet'
}

const etherOf = (dice: Random): number => Math.min(1.5, Math.max(0.002, dice.logNormal(0.03, 1.1)))

/** Buys by unrelated wallets, some of which sell later. */
const crowd = (dice: Random, { first, count, overMinutes }: { first: number; count: number; overMinutes: number }): Deed[] =>
  Array.from({ length: count }, (_, n): Deed[] => {
    const after = 3 + Math.floor(dice.wait(3 / (overMinutes * MINUTE)))
    const [wallet, isDirect] = [first + n, dice.chance(0.4)]
    const buy: Deed = { type: 'buy', after, wallet, eth: etherOf(dice), isDirect }
    if (!dice.chance(0.5)) return [buy]
    return [
      buy,
      { type: 'sell', after: after + 5 + Math.floor(dice.wait(1 / (4 * MINUTE))), wallet, share: dice.pick([0.5, 1, 1]), isDirect },
    ]
  }).flat()

/** Several wallets buy in one block right after the launch, and later sell together. */
const ring = (dice: Random, count: number): Deed[] => {
  const [after, sold] = [1 + dice.int(25), 100 + dice.int(6 * MINUTE)]
  return Array.from({ length: count }, (_, n): Deed[] => [
    { type: 'buy', after, wallet: 1 + n, eth: dice.between(0.05, 0.25), isDirect: true },
    { type: 'sell', after: sold + dice.int(3), wallet: 1 + n, share: 1, isDirect: true },
  ]).flat()
}

const BY_KIND: Readonly<Record<Kind, (dice: Random) => Omit<Plan, 'kind'>>> = {
  quiet: (dice) => {
    const count = dice.int(12)
    return {
      launchEth: dice.chance(0.3) ? dice.between(0.002, 0.05) : 0,
      wallets: count,
      deeds: crowd(dice, { first: 1, count, overMinutes: 5 }),
    }
  },
  crowd: (dice) => {
    const count = 20 + dice.int(50)
    const some: Deed[] = dice.chance(0.2) ? [{ type: 'send', after: 12 * MINUTE, wallet: 1, to: 2 }] : []
    const fees: Deed[] = dice.chance(0.2) ? [{ type: 'buyback', after: 15 * MINUTE, eth: 0.01 }] : []
    const deeds = [...crowd(dice, { first: 1, count, overMinutes: 20 }), ...some, ...fees]
    return { launchEth: dice.chance(0.5) ? dice.between(0.01, 0.1) : 0, wallets: count, deeds }
  },
  ring: (dice) => {
    const [members, count] = [3 + dice.int(4), 5 + dice.int(15)]
    const deeds = [...ring(dice, members), ...crowd(dice, { first: 1 + members, count, overMinutes: 5 })]
    return { launchEth: dice.between(0.05, 0.2), wallets: members + count, deeds }
  },
  dump: (dice) => {
    const count = 8 + dice.int(20)
    const dumped: Deed = { type: 'sell', after: 200 + dice.int(4 * MINUTE), wallet: DEPLOYER, share: dice.pick([0.6, 1]), isDirect: true }
    return { launchEth: dice.between(0.1, 0.5), wallets: count, deeds: [...crowd(dice, { first: 1, count, overMinutes: 6 }), dumped] }
  },
  graduate: (dice) => {
    const count = 25 + dice.int(20)
    const large = Array.from(
      { length: count },
      (_, n): Deed => ({
        type: 'buy',
        after: 40 + n * (10 + dice.int(60)),
        wallet: 1 + n,
        eth: dice.between(0.1, 0.3),
        isDirect: dice.chance(0.4),
      }),
    )
    const last: Deed = { type: 'buy', after: 40 + count * 80, wallet: 1, eth: 6, isDirect: true }
    return { launchEth: dice.between(0.05, 0.3), wallets: count, deeds: [...large, last] }
  },
}

export const planOf = (dice: Random): Plan => {
  const kind = kindOf(dice)
  return { kind, ...BY_KIND[kind](dice) }
}
