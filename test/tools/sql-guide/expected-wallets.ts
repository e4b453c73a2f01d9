// Expected answers to the guide's queries about wallets, pools and prices, computed from the demo's tape and truth.
import { type Key, toBase58 } from '../../../schemas/keys.ts'
import { positionsIn, resultsOf } from '../../fixtures/wallet-recount.ts'
import { byText, countBy, type DemoFacts, type Emitted, groupBy, sum, timeText } from './demo-facts.ts'
import type { Expected } from './expected.ts'

const SOL = 1_000_000_000
const quoteOf = ({ quoteUnits }: { readonly quoteUnits: number }): number => quoteUnits

/** Buyers of a coin on its curve in the order of their first buy. */
const buyersOf = (trades: readonly Emitted<'trade'>[]): Key[] => [...new Set(trades.filter(({ isBuy }) => isBuy).map(({ user }) => user))]

interface Place {
  readonly wallet: string
  readonly places: readonly number[]
}

/** Wallets among the first `most` buyers of these coins. */
const earlyIn = (facts: DemoFacts, mints: ReadonlySet<Key>, most: number, isLeftOut: (wallet: Key) => boolean = () => false): Place[] => {
  const coins = groupBy(
    facts.trades().filter(({ mint }) => mints.has(mint)),
    ({ mint }) => mint,
  )
  const ranked = [...coins.values()].flatMap((trades) =>
    buyersOf(trades)
      .filter((wallet) => !isLeftOut(wallet))
      .slice(0, most)
      .map((wallet, i) => ({ wallet, place: i + 1 })),
  )
  return [...groupBy(ranked, ({ wallet }) => wallet)].map(([wallet, own]) => ({
    wallet: toBase58(wallet),
    places: own.map(({ place }) => place),
  }))
}

const networks = (facts: DemoFacts) => {
  const boughtAt = new Map<Key, Map<Key, number>>()
  for (const { mint, user, isBuy, timeS } of facts.trades()) {
    if (!isBuy) continue
    const mints = boughtAt.get(user) ?? new Map<Key, number>()
    boughtAt.set(user, mints)
    if (!mints.has(mint)) mints.set(mint, timeS)
  }
  const met = facts
    .of('transfer')
    .flatMap(({ funder, wallet, amountLamports, timeS }) =>
      [...(boughtAt.get(wallet) ?? [])]
        .filter(([, at]) => at >= timeS && at <= timeS + 1_800)
        .map(([mint]) => ({ funder, mint, wallet, lamports: amountLamports })),
    )
  return [...groupBy(met, ({ funder, mint }) => `${funder}${mint}`).values()]
    .map((own) => ({
      funder: own[0]?.funder as Key,
      wallets: new Set(own.map(({ wallet }) => wallet)).size,
      lamports: sum(own, ({ lamports }) => lamports),
    }))
    .filter(({ wallets }) => wallets >= 3)
}

/** SOL of the result of each wallet, best first. */
const earnings = ({ slots, asOf }: DemoFacts) => {
  const frames = slots.map(({ number, hash8, timeS, events }) => ({ number, hash8, time: timeS, events: [...(events ?? [])] }))
  return resultsOf(positionsIn(frames, [], asOf)).map(({ wallet, realized, positions: coins }) => ({ wallet, realized, coins }))
}

const minuteOf = (second: number): number => Math.floor(second / 60) * 60

export const WALLETS: Readonly<Record<string, Expected>> = {
  'Wallets early in graduates': (facts) => {
    const graduates = facts.resolved().filter(([mint, { outcome }]) => facts.truths.get(mint)?.graduated ?? outcome?.graduated)
    return earlyIn(facts, new Set(graduates.map(([mint]) => mint)), 20)
      .map(({ wallet, places }) => ({ wallet, graduates: places.length, best_place: Math.min(...places) }))
      .sort((a, b) => b.graduates - a.graduates || a.best_place - b.best_place || byText(a.wallet, b.wallet))
      .slice(0, 50)
  },
  'Wallets that made the most': (facts) =>
    earnings(facts)
      .slice(0, 50)
      .map(({ wallet, realized, coins }) => ({ wallet, realized_sol: Number(realized) / SOL, coins })),
  'Funder networks': (facts) =>
    [...groupBy(networks(facts), ({ funder }) => funder)]
      .map(([funder, own]) => ({
        funder: toBase58(funder),
        wallets: Math.max(...own.map(({ wallets }) => wallets)),
        mints: own.length,
        sol: sum(own, ({ lamports }) => lamports) / SOL,
      }))
      .sort((a, b) => b.wallets - a.wallets || b.mints - a.mints || byText(a.funder, b.funder))
      .slice(0, 50),
  "First buyers of a creator's coins": (facts) => {
    const who = facts.topCreator()
    const mints = new Set(facts.of('launch').flatMap(({ creator, mint }) => (creator === who ? [mint] : [])))
    return earlyIn(facts, mints, 10, (wallet) => wallet === who)
      .map(({ wallet, places }) => ({
        wallet,
        coins: places.length,
        creator_coins: mints.size,
        exact: sum(places, (n) => n) / places.length,
      }))
      .map(({ exact, ...row }) => ({ ...row, mean_place: Math.round(exact * 10) / 10 }))
      .sort((a, b) => b.coins - a.coins || a.mean_place - b.mean_place || byText(a.wallet, b.wallet))
      .slice(0, 50)
  },
  'Sell pressure after completion': (facts) =>
    facts
      .of('migrate')
      .map(({ mint, pool, timeS, timestamp }) => {
        const isEarly = (trade: Emitted<'poolTrade'>): boolean => trade.pool === pool && !trade.isAgent && trade.timeS <= timeS + 600
        const trades = facts.of('poolTrade').filter(isEarly)
        const sells = trades.filter(({ isBuy }) => !isBuy)
        const counts = { buys: trades.length - sells.length, sells: sells.length, sellers: new Set(sells.map(({ user }) => user)).size }
        return { mint: toBase58(mint), at: timestamp, ...counts, sell_share: sum(sells, quoteOf) / sum(trades, quoteOf) }
      })
      .filter(({ buys, sells }) => buys + sells > 0)
      .sort((a, b) => a.at - b.at || byText(a.mint, b.mint))
      .map(({ at: _, ...row }) => row),
  'Price path of a mint': (facts) => {
    const all = facts.of('trade').filter(({ quoteMint }) => quoteMint === null)
    const counts = [...countBy(all, ({ mint }) => mint)].sort(([a, n], [b, m]) => m - n || byText(toBase58(a), toBase58(b)))
    const own = all.filter(({ mint }) => mint === counts[0]?.[0])
    return [...groupBy(own, ({ timeS }) => minuteOf(timeS))].map(([minute, trades]) => {
      const last = trades.at(-1) as Emitted<'trade'>
      const buys = trades.filter(({ isBuy, isAgent }) => isBuy && !isAgent)
      const price = last.virtualQuoteUnits / SOL / (last.virtualTokenUnits / 1_000_000)
      return { minute: timeText(minute), buys: buys.length, buyers: new Set(buys.map(({ user }) => user)).size, price_sol: price }
    })
  },
  'Pools that were drained': (facts) =>
    [...facts.states]
      .flatMap(([mint, { flags }]) => flags.map((flag) => ({ ...flag, mint, truth: facts.truths.get(mint) })))
      .filter(({ flag }) => flag === 'pool_drained')
      .map(({ mint, firstSeenAt, truth }) => ({
        mint: toBase58(mint),
        atS: truth === undefined ? firstSeenAt : (truth.poolDrainedAtMs ?? 0) / 1_000,
      }))
      .map(({ mint, atS }) => ({ mint, drained_at: `${timeText(atS)}.000` }))
      .sort((a, b) => byText(a.drained_at, b.drained_at) || byText(a.mint, b.mint)),
  'Fees paid on the curve': (facts) =>
    [
      ...groupBy(
        facts.trades().filter(({ quoteMint }) => quoteMint === null),
        ({ timeS }) => Math.floor(timeS / 3_600) * 3_600,
      ),
    ].map(([hour, trades]) => ({
      hour: timeText(hour),
      trades: trades.length,
      protocol_sol: sum(trades, ({ feeUnits }) => feeUnits ?? 0) / SOL,
      creator_sol: sum(trades, ({ creatorFeeUnits }) => creatorFeeUnits ?? 0) / SOL,
      unknown: trades.filter(({ feeUnits }) => feeUnits === null).length,
    })),
}
