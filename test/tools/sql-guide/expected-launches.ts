// Expected answers to the guide's queries about launches and creators, computed from the demo's tape, truth and folds.
import { type Key, toBase58 } from '../../../schemas/keys.ts'
import type { MintState } from '../../../schemas/types.ts'
import { byText, type DemoFacts, groupBy, medianOf } from './demo-facts.ts'
import type { Expected } from './expected.ts'

const SOL = 1_000_000_000
const SUPPLY = 1_000_000_000_000_000

const shapeOf = ({ curve }: MintState) => {
  const buy = curve?.devBuyQuoteUnits ?? 0
  const wallets = curve?.bundleWallets ?? 0
  return {
    mayhem: curve?.mayhem ?? false,
    dev_buy: buy === 0 ? 'none' : buy < SOL ? 'under 1 SOL' : '1 SOL or more',
    bundle: wallets === 0 ? 'none' : wallets < 5 ? '1 to 4' : '5 or more',
  }
}

const bandOf = (share: number): string =>
  share < 0.05 ? 'under 5 %' : share < 0.15 ? '5 to 15 %' : share < 0.3 ? '15 to 30 %' : '30 % and more'

/** Share of the supply of the five largest holders by mint, from curve trades in the first minute. */
const topFiveAfterAMinute = (facts: DemoFacts): ReadonlyMap<Key, number> => {
  const launchedAt = new Map(facts.of('launch').map(({ mint, timestamp, timeS }) => [mint, timestamp ?? timeS]))
  const early = facts.trades().filter(({ mint, timestamp }) => timestamp <= (launchedAt.get(mint) ?? 0) + 60)
  return new Map(
    [...groupBy(early, ({ mint }) => mint)].map(([mint, trades]) => {
      const units = [...groupBy(trades, ({ user }) => user).values()].map((own) =>
        own.reduce((total, { isBuy, tokenUnits }) => total + (isBuy ? tokenUnits : -tokenUnits), 0),
      )
      const five = units.filter((held) => held > 0).sort((a, b) => b - a)
      return [mint, five.slice(0, 5).reduce((a, b) => a + b, 0) / SUPPLY]
    }),
  )
}

export const LAUNCHES: Readonly<Record<string, Expected>> = {
  'Launches shaped like this one, and what became of them': (facts) => {
    const resolved = facts.resolved()
    const rugged = resolved.filter(([, { outcome }]) => outcome?.rugged)
    const [first] = rugged.sort(([a, x], [b, y]) => (x.launch?.number ?? 0) - (y.launch?.number ?? 0) || byText(toBase58(a), toBase58(b)))
    const shape = shapeOf((first as readonly [Key, MintState])[1])
    const alike = resolved.filter(([, state]) => JSON.stringify(shapeOf(state)) === JSON.stringify(shape))
    const of = (label: 'rugged' | 'graduated') => alike.filter(([, { outcome }]) => outcome?.[label])
    const rugs = of('rugged').map(([mint]) => facts.rugOf(mint))
    const medianS = medianOf(rugs.map((rug) => rug?.afterS ?? 0))
    return [{ ...shape, launches: alike.length, rugged: rugs.length, graduated: of('graduated').length, median_rug_s: medianS }]
  },
  'Time to drain by concentration band': (facts) => {
    const shares = topFiveAfterAMinute(facts)
    const known = facts.resolved().map(([mint]) => ({ share: shares.get(mint) ?? 0, rug: facts.rugOf(mint) }))
    const bands = [...groupBy(known, ({ share }) => bandOf(share))].sort(
      ([, a], [, b]) => Math.min(...a.map(({ share }) => share)) - Math.min(...b.map(({ share }) => share)),
    )
    return bands.map(([band, launches]) => {
      const drains = launches.flatMap(({ rug }) => (rug?.kind === 'drain' ? [rug.afterS] : []))
      return { band, launches: launches.length, drained: drains.length, median_drain_s: medianOf(drains) }
    })
  },
  "A creator's record at a moment in the past": (facts) => {
    const who = facts.topLauncher()
    const newest = facts.byLauncher().get(who)?.at(-1)
    const prior = newest && facts.states.get(newest.mint)?.prior
    if (newest === undefined || prior?.of !== who) throw new Error('the newest launch of the busiest wallet has no prior of that wallet')
    const { launches, resolved, graduated, rugged } = prior
    const counts = { n_launches: launches, n_resolved: resolved, n_graduated: graduated, n_rugged: rugged }
    return [{ who: toBase58(who), before_slot: newest.slot, ...counts }]
  },
  'Launches whose creator was paid shortly before': (facts) => {
    const payments = groupBy(facts.of('transfer'), ({ wallet }) => wallet)
    const isWarm = ({
      creator,
      creatorIsWallet,
      user,
      slot,
      tx,
      timestamp,
      timeS,
    }: ReturnType<typeof facts.of<'launch'>>[number]): boolean =>
      (payments.get(creatorIsWallet ? creator : user) ?? []).some(
        (paid) => (paid.slot < slot || (paid.slot === slot && paid.tx < tx)) && paid.timeS >= (timestamp ?? timeS) - 1_800,
      )
    const knownFromS = (facts.slots.find(({ isEmitted }) => isEmitted)?.timeS ?? 0) + 1_800
    const known = facts.of('launch').filter(({ timestamp, timeS }) => (timestamp ?? timeS) >= knownFromS)
    const groups = [...groupBy(known, isWarm)].sort(([a], [b]) => Number(a) - Number(b))
    return groups.map(([warm, launches]) => {
      const outcomes = launches.flatMap(({ mint }) => facts.states.get(mint)?.outcome ?? [])
      const resolved = outcomes.filter(({ rugged }) => rugged !== null)
      return {
        warm: Number(warm),
        launches: launches.length,
        resolved: resolved.length,
        rugged: resolved.filter(({ rugged }) => rugged).length,
      }
    })
  },
  'Creators by what became of their launches': (facts) => {
    const all = [...facts.byLauncher()].map(([creator, launches]) => {
      const outcomes = launches.flatMap(({ mint }) => facts.states.get(mint)?.outcome ?? [])
      const of = (label: 'rugged' | 'graduated') => outcomes.filter((outcome) => outcome[label]).length
      return { creator: toBase58(creator), n_launches: launches.length, n_rugged: of('rugged'), n_graduated: of('graduated') }
    })
    return all.sort((a, b) => b.n_rugged - a.n_rugged || b.n_launches - a.n_launches || byText(a.creator, b.creator)).slice(0, 50)
  },
}
