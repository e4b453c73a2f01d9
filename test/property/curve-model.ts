// The naive model of a curve: recounts the whole list of events each time, in bigints and maps, without limits.
import type { Key } from '../../schemas/keys.ts'
import type { AltTapeEvent, AltTrade } from '../../schemas/types.ts'
import { CHAIN, type Frame } from '../unit/processors/curve/launchpad.ts'

interface Placed<Event> {
  readonly number: number
  readonly time: number
  readonly event: Event
}
type OfType<Type extends AltTapeEvent['type']> = Extract<AltTapeEvent, { type: Type }>

const sum = (values: readonly (number | bigint)[]): bigint => values.reduce<bigint>((all, one) => all + BigInt(one), 0n)

/** Expected figures of a curve after these frames; the first frame holds its launch. */
export const modelOf = (frames: readonly Frame[]) => {
  const all = frames.flatMap(({ header: { number, time }, events }) => events.map((event) => ({ number, time, event })))
  const of = <Type extends AltTapeEvent['type']>(type: Type) =>
    all.filter(({ event }) => event.type === type) as unknown as readonly Placed<OfType<Type>>[]
  const launch = (of('launch')[0] as Placed<OfType<'launch'>>).event
  const trades = of('trade')
  const [buys, sells] = [trades.filter(({ event }) => event.isBuy), trades.filter(({ event }) => !event.isBuy)]
  const [locked, complete] = [of('buyback'), of('complete')[0]]
  const units = (list: readonly Placed<AltTrade>[], field: 'tokenUnits' | 'quoteUnits' | 'userQuoteUnits' | 'snipeTaxUnits'): bigint =>
    sum(list.map(({ event }) => event[field]))
  const lockedUnits = sum(locked.map(({ event }) => event.tokenUnits))
  const supply = BigInt(launch.supplyUnits ?? 0)
  const walletsOf = (list: readonly Placed<AltTrade>[]): Set<Key> => new Set(list.flatMap(({ event }) => event.wallet ?? []))
  const byDeployer = (list: readonly Placed<AltTrade>[]) => list.filter(({ event }) => event.wallet === launch.creator)
  return {
    trades,
    real: units(buys, 'quoteUnits') - units(sells, 'quoteUnits') + sum(locked.map(({ event }) => event.quoteUnits)),
    tokens: supply - units(buys, 'tokenUnits') + units(sells, 'tokenUnits') - lockedUnits,
    peak: peakOf(all.map(({ event }) => event)),
    buys: buys.length,
    sells: sells.length,
    buyers: walletsOf(buys),
    sellers: walletsOf(sells),
    paid: units(buys, 'userQuoteUnits'),
    got: units(sells, 'userQuoteUnits'),
    taxed: buys.filter(({ event }) => event.snipeTaxUnits > 0).length,
    tax: units(buys, 'snipeTaxUnits'),
    direct: buys.filter(({ event }) => event.route === 'direct').length,
    terminal: buys.filter(({ event }) => CHAIN.terminals.has(event.route)).length,
    terminalWallets: walletsOf(buys.filter(({ event }) => CHAIN.terminals.has(event.route))),
    routes: countBy(buys.map(({ event }) => event.route)),
    ...clustersOf(buys.filter(({ event }) => event.route === 'direct')),
    balances: balancesOf(
      of('tokenTransfer').map(({ event }) => event),
      launch.bondingCurve,
    ),
    deployerSold: units(byDeployer(sells), 'tokenUnits'),
    deployerBought: units(byDeployer(buys), 'tokenUnits'),
    deployerFirstSell: byDeployer(sells)[0],
    refunds: of('refund').length,
    completeNumber: complete?.number ?? -1,
    graduatedNumber: of('migrate')[0]?.number ?? -1,
    locked: lockedUnits,
  }
}

const countBy = (names: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}

const peakOf = (events: readonly AltTapeEvent[]): bigint => {
  let [real, peak] = [0n, 0n]
  for (const event of events) {
    if (event.type === 'trade') real += event.isBuy ? BigInt(event.quoteUnits) : -BigInt(event.quoteUnits)
    else if (event.type === 'buyback') real += BigInt(event.quoteUnits)
    if (real > peak) peak = real
  }
  return peak
}

/** Wallets of blocks with at least two direct buys, and the largest number of direct buys in a block. */
const clustersOf = (direct: readonly Placed<AltTrade>[]) => {
  const blocks = new Map<number, (Key | null)[]>()
  for (const { number, event } of direct) blocks.set(number, [...(blocks.get(number) ?? []), event.wallet])
  const several = [...blocks.values()].filter((wallets) => wallets.length > 1)
  return {
    cluster: new Set(several.flat().filter((one) => one !== null)),
    maxDirect: Math.max(0, ...[...blocks.values()].map(({ length }) => length)),
  }
}

/** Of wallets only. */
const balancesOf = (transfers: readonly OfType<'tokenTransfer'>[], curve: Key): Map<Key, bigint> => {
  const balances = new Map<Key, bigint>()
  for (const { sender, recipient, tokenUnits } of transfers)
    for (const [key, units] of [
      [sender, -BigInt(tokenUnits)],
      [recipient, BigInt(tokenUnits)],
    ] as const)
      if (key !== curve && CHAIN.isWallet(key)) balances.set(key, (balances.get(key) ?? 0n) + units)
  return balances
}
