// The whole story of one launch, from the funding before it to the last trade in its pool.

import type { Random } from '../../../random.ts'
import { FIXED } from '../../bytes/addresses.ts'
import type { DemoTruth } from '../../market-types.ts'
import { MayhemAgent } from '../agent.ts'
import { drawTeam, type Team } from '../makers.ts'
import type { LaunchPlan } from '../plan.ts'
import type { Actor } from '../queue.ts'
import { dustBuyLamports, holdMs } from '../sizes.ts'
import type { SlotBuilder } from '../slot-builder.ts'
import type { Population } from '../wallets.ts'
import { Coin } from './coin.ts'
import { launchInto } from './create-slot.ts'
import { CurveStory } from './curve-story.ts'
import { PoolStory } from './pool-story.ts'
import { SkilledTrader } from './skilled.ts'

/** Time from the completion of a curve to its migration. */
const MIGRATES_MS: readonly [number, number] = [900, 9_000]
const BOOSTED_SHARE = 0.5
/** Shares of snipes in the create slot, and of the others in the two slots after it; the rest comes later. Assumed, as are these times. */
const SNIPES_AT_ONCE = 0.2
const QUICK_SNIPES = 0.6
const QUICK_MS: readonly [number, number] = [250, 800]
const SNIPES_MS: readonly [number, number] = [300, 5_000]
/** Share of the coins with this peak or a higher one that a skilled wallet trades: assumed. */
const SKILLED_SHARE = 0.5
const SKILLED_LAMPORTS = 5e9
/** Dust bots come within ten minutes. */
const DUST_MS: readonly [number, number] = [8_000, 600_000]
const CREATOR_CHANGES = 0.006
const GIFTS = 0.02

/** The environment of a story. */
export interface Scene {
  readonly random: Random
  readonly population: Population
  readonly onTruth: (truth: DemoTruth) => void
}

interface Step {
  readonly atMs: number
  readonly act: (slot: SlotBuilder) => void
}

export class MintStory implements Actor {
  readonly #plan: LaunchPlan
  readonly #scene: Scene
  readonly #team: Team
  readonly #launchMs: number
  /** Steps that are fixed before the curve's story starts. */
  readonly #steps: Step[]
  #coin: Coin | undefined
  #curve: CurveStory | undefined
  #pool: PoolStory | undefined
  #migratesMs = Number.POSITIVE_INFINITY

  constructor(plan: LaunchPlan, launchMs: number, firstMs: number, scene: Scene) {
    this.#plan = plan
    this.#scene = scene
    this.#launchMs = launchMs
    this.#team = drawTeam(plan, scene.random, scene.population)
    const payments = this.#team.payments.map(({ leadMs, source, targets }): Step => {
      const transfers = targets.map((one) => ({ kind: 'transfer' as const, source, ...one }))
      return { atMs: launchMs - leadMs, act: (slot) => slot.add(source, transfers) }
    })
    this.#steps = [...payments, { atMs: launchMs, act: (slot: SlotBuilder) => this.#launch(slot) }]
      .filter(({ atMs }) => atMs >= firstMs)
      .sort((a, b) => a.atMs - b.atMs)
  }
  get nextMs(): number {
    const step = this.#steps[0]
    if (step !== undefined) return step.atMs
    if (this.#pool !== undefined) return this.#pool.nextMs
    return Math.min(this.#migratesMs, this.#curve?.nextMs ?? Number.POSITIVE_INFINITY)
  }
  act(slot: SlotBuilder): void {
    const step = this.#steps.shift()
    if (step !== undefined) step.act(slot)
    else if (this.#pool !== undefined) this.#pool.act(slot)
    else if (this.#migratesMs !== Number.POSITIVE_INFINITY) this.#migrate(slot)
    else {
      const nowMs = this.#curve?.nextMs ?? this.#launchMs
      this.#curve?.act(slot)
      this.#noteCompletion(nowMs)
    }
    if (this.nextMs === Number.POSITIVE_INFINITY && this.#coin !== undefined) this.#scene.onTruth(this.#coin.truth.truth())
  }
  #noteCompletion(nowMs: number): void {
    if (this.#curve?.isComplete === true) this.#migratesMs = nowMs + this.#scene.random.between(...MIGRATES_MS)
  }
  #launch(slot: SlotBuilder): void {
    const { random, population } = this.#scene
    const plan = this.#plan
    const coin = new Coin(plan, this.#team.user, slot, random, () => population.fresh())
    const scripted =
      (plan.devBuyLamports > 0 ? 1 : 0) + (plan.devSells === 'none' ? 0 : 1) + plan.bundleWallets + plan.snipers + plan.insiders
    const crowd = plan.ending === 'self' ? 0 : Math.max(1, plan.trades - scripted)
    const story = new CurveStory(coin, random, population, this.#launchMs, crowd)
    this.#coin = coin
    this.#curve = story
    launchInto(slot, coin, story, this.#team, random, this.#launchMs)
    if (!story.isComplete) this.#gather(story, coin)
    this.#noteCompletion(this.#launchMs)
  }
  /** Schedules the buyers that were waiting for the coin, and rare events. */
  #gather(story: CurveStory, coin: Coin): void {
    const { random, population } = this.#scene
    const plan = this.#plan
    const buy = (afterMs: number, wallet: Coin['user'], share: number, dueMs: number): void =>
      story.appoint({ afterMs, act: (slot) => story.send(story.flow.buyOf(wallet, plan.peakLamports * share, dueMs), slot) })
    for (let n = 0; n < plan.snipers; n++) {
      const afterMs = random.chance(SNIPES_AT_ONCE) ? 0 : random.between(...(random.chance(QUICK_SNIPES) ? QUICK_MS : SNIPES_MS))
      buy(afterMs, population.sniper(), random.between(0.01, 0.06), this.#launchMs + afterMs + holdMs(random))
    }
    for (let n = 0; n < plan.dustBuyers; n++) {
      const afterMs = random.logUniform(...DUST_MS)
      const act = (slot: SlotBuilder): void =>
        story.send(story.flow.buyOf(population.curveTrader(), dustBuyLamports(random), Number.POSITIVE_INFINITY), slot)
      story.appoint({ afterMs, act })
    }
    for (const wallet of this.#team.buyers) {
      coin.truth.addInsider(wallet)
      buy(random.between(400, 40_000), wallet, random.between(0.02, 0.08), this.#launchMs + plan.bundleSellsAfterMs * random.between(1, 2))
    }
    if (plan.peakLamports >= SKILLED_LAMPORTS && random.chance(SKILLED_SHARE))
      new SkilledTrader(coin, story, random, population.skilled()).appoint()
    if (plan.mayhem) this.#invite(new MayhemAgent(coin, random), story)
    if (random.chance(CREATOR_CHANGES)) this.#changeCreator(story, coin)
    if (random.chance(GIFTS)) this.#gift(story, coin)
  }
  #invite(agent: MayhemAgent, story: CurveStory): void {
    const { random } = this.#scene
    if (this.#plan.ending === 'low') story.appoint({ afterMs: random.between(2_000, 6_000), act: (slot) => agent.lower(slot) })
    else agent.appoint(story, random.between(1_000, 40_000))
  }
  #changeCreator(story: CurveStory, coin: Coin): void {
    const { random, population } = this.#scene
    const act = (slot: SlotBuilder): void => {
      const event = coin.setCreator(population.fresh(), slot.second)
      slot.add(coin.user, [coin.instruction('set_creator', coin.user, [event])])
    }
    story.appoint({ afterMs: random.between(5_000, this.#plan.durationMs), act })
  }
  /** A holder sends its whole balance to another wallet. */
  #gift(story: CurveStory, coin: Coin): void {
    const { random, population } = this.#scene
    const { holdings, mint, user } = coin
    const act = (slot: SlotBuilder): void => {
      const holding = holdings.any(random)
      if (holding === undefined || holding.wallet === user) return
      const { wallet: source, units, dueMs } = holding
      const target = population.fresh()
      holdings.take(holding, units)
      holdings.add(target, units, dueMs)
      coin.truth.addInsider(target)
      slot.add(source, [{ kind: 'tokenTransfer', mint, source, target, units }])
    }
    story.appoint({ afterMs: random.between(5_000, 120_000), act })
  }
  #migrate(slot: SlotBuilder): void {
    const coin = this.#coin
    if (coin === undefined) return
    const { random, population } = this.#scene
    const keeper = FIXED.withdrawAuthority
    const { pool, events } = coin.migrate(keeper, random.chance(BOOSTED_SHARE), slot)
    slot.add(keeper, [coin.instruction('migrate_v2', keeper, events)])
    this.#pool = new PoolStory(coin, pool, random, population, this.#migratesMs)
  }
}
