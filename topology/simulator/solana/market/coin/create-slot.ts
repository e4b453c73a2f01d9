// Builds the slot of a launch: the create transaction with the creator's buy, and the bundle after it.

import type { Random } from '../../../random.ts'
import type { DemoInstruction } from '../../market-types.ts'
import type { Team } from '../makers.ts'
import { holdMs } from '../sizes.ts'
import type { SlotBuilder } from '../slot-builder.ts'
import type { Coin } from './coin.ts'
import type { CurveStory } from './curve-story.ts'

/** Random parts that add up to about `total`, none tiny. */
const partsOf = (random: Random, total: number, count: number): number[] => {
  const weights = Array.from({ length: count }, () => random.between(0.4, 1))
  const sum = weights.reduce((all, weight) => all + weight, 0)
  return weights.map((weight) => Math.max(300_000, (total * weight) / sum))
}

/** Adds the launch to the slot. */
export const launchInto = (slot: SlotBuilder, coin: Coin, story: CurveStory, team: Team, random: Random, nowMs: number): void => {
  const { plan, user, holdings, curve, truth } = coin
  const instructions: DemoInstruction[] = [coin.createInstruction]
  const { flow } = story
  if (plan.ending === 'self') {
    const wish = { type: 'buy', wallet: user, tokenUnits: curve.realTokenUnits, isExactIn: false, dueMs: nowMs + holdMs(random) } as const
    instructions.push(coin.instruction('buy', user, story.trade(wish, slot)))
  } else if (plan.devBuyLamports > 0) {
    const wish = flow.buyOf(user, plan.devBuyLamports, Number.POSITIVE_INFINITY)
    if (wish !== undefined) instructions.push(coin.instruction(coin.buyName, user, story.trade(wish, slot)))
  }
  const isTeam = plan.archetype !== 'mayhem' && plan.archetype !== 'organic_fade'
  const parts = partsOf(random, plan.bundleLamports, team.bundle.length)
  const bundle = team.bundle.map((wallet, n) => {
    const dueMs = isTeam ? nowMs + plan.bundleSellsAfterMs + random.between(0, 3_000) : nowMs + holdMs(random)
    return { wallet, lamports: parts[n] as number, dueMs }
  })
  for (const { wallet, lamports, dueMs } of bundle.slice(0, plan.bundleInCreate)) {
    const wish = flow.buyOf(wallet, lamports, dueMs)
    if (wish === undefined || story.isComplete) continue
    instructions.push(coin.instruction(coin.buyName, wallet, story.trade(wish, slot)))
    truth.addInsider(wallet)
  }
  slot.add(user, instructions)
  for (const { wallet, lamports, dueMs } of bundle.slice(plan.bundleInCreate)) story.send(flow.buyOf(wallet, lamports, dueMs), slot)
  for (const wallet of team.receivers) truth.addInsider(wallet)
  if (holdings.size === 0) return
  for (const [n, wallet] of team.receivers.entries())
    story.appoint({ afterMs: 3_000 + n * 2_500, act: (later) => giveCoins(later, coin, wallet, nowMs + plan.bundleSellsAfterMs * 1.5) })
}

/** The creator sends some of its coins to an insider. */
const giveCoins = (slot: SlotBuilder, { user, holdings, mint }: Coin, target: Coin['user'], dueMs: number): void => {
  const holding = holdings.find(user)
  if (holding === undefined) return
  const units = Math.floor(holding.units * 0.12)
  if (units <= 0) return
  holdings.take(holding, units)
  holdings.add(target, units, dueMs)
  slot.add(user, [{ kind: 'tokenTransfer', mint, source: user, target, units }])
}
