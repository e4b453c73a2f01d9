// Expected answers to the guide's queries about detectors, the capture and the market, computed from the demo's tape and folds.
import { countBy, type DemoFacts, groupBy, sum, timeText } from './demo-facts.ts'
import type { Expected } from './expected.ts'

const SOL = 1_000_000_000

/** 95 % Wilson interval of a share. */
const wilson = (hits: number, n: number): { readonly low: number; readonly high: number } => {
  const z = 1.96
  const p = hits / n
  const middle = (p + (z * z) / (2 * n)) / (1 + (z * z) / n)
  const half = (z / (1 + (z * z) / n)) * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n))
  return { low: middle - half, high: middle + half }
}

const wholeMinutes = (facts: DemoFacts): DemoFacts['slots'] =>
  facts.slots.filter(({ timeS, events }) => events !== null && Math.floor(timeS / 60) * 60 + 60 <= facts.asOf)

export const MARKET: Readonly<Record<string, Expected>> = {
  'Detector hit rates with their uncertainty': (facts) => {
    const states = [...facts.states.values()]
    const ruggedTotal = states.filter(({ outcome }) => outcome?.rugged).length
    const flagged = states.flatMap(({ flags, outcome }) =>
      flags.map((flag) => ({ ...flag, rugged: outcome !== null && outcome.settledAt >= flag.firstSeenAt ? outcome.rugged : null })),
    )
    return [...groupBy(flagged, ({ flag }) => flag)]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([flag, own]) => {
        const resolved = own.filter(({ rugged }) => rugged !== null).length
        const rugged = own.filter(({ rugged: is }) => is).length
        return {
          flag,
          flagged: own.length,
          resolved,
          rugged,
          hit_rate: rugged / resolved,
          ...wilson(rugged, resolved),
          recall: rugged / ruggedTotal,
        }
      })
      .filter(({ resolved }) => resolved > 0)
  },
  'Gaps in a range': ({ slots }) => {
    const lost = slots.filter(({ events }) => events === null).map(({ number }) => number)
    const next = slots.find(({ number }) => number > (lost.at(-1) ?? 0))
    const before = slots.filter(({ number, events }) => events !== null && number < (lost[0] ?? 0)).at(-1)
    const [from, to] = [(before?.number ?? 0) + 1, (next?.number ?? 0) - 1]
    return [
      {
        from_slot: from,
        to_slot: to,
        slots: to - from + 1,
        lost_transactions: 0,
        folded_slots: slots.filter(({ isEmitted }) => isEmitted).length,
      },
    ]
  },
  'Findings that were retracted': ({ slots }, rows) => {
    const canonical = new Set(slots.map(({ number, hash8 }) => `${number}@${hash8}`))
    const placeOf = (event: string): string => event.replace(/^solana:(\d+)\..*@/, '$1@')
    return rows.filter(({ proof_events: events }) => !canonical.has(placeOf(String((events as readonly unknown[]).at(-1)))))
  },
  'The market by day': (facts) => {
    const slots = wholeMinutes(facts)
    const events = slots.flatMap(({ events: emitted }) => emitted ?? [])
    const trades = events
      .flatMap((event) => (event.type === 'trade' || event.type === 'poolTrade' ? [event] : []))
      .filter(({ isAgent }) => !isAgent)
    const launches = events.flatMap((event) => (event.type === 'launch' ? [event] : []))
    const bought = trades.filter(({ isBuy }) => isBuy)
    return [
      {
        day: timeText(facts.asOf).slice(0, 10),
        launches: launches.length,
        mayhem_share: launches.filter(({ mayhem }) => mayhem).length / launches.length,
        buys: bought.length,
        sells: trades.length - bought.length,
        buy_sol: sum(bought, ({ quoteUnits, quoteMint }) => (quoteMint === null ? Number(quoteUnits) : 0)) / SOL,
        failed_share: sum(slots, ({ failed }) => failed) / sum(slots, ({ transactions }) => transactions),
        migrations: countBy(events, ({ type }) => type).get('migrate') ?? 0,
      },
    ]
  },
  'Failed share by minute': ({ slots, asOf }) =>
    [
      ...groupBy(
        slots.filter(({ isEmitted, timeS }) => isEmitted && Math.floor(timeS / 60) * 60 + 60 <= asOf),
        ({ timeS }) => Math.floor(timeS / 60) * 60,
      ),
    ].map(([minute, own]) => {
      const [transactions, failed] = [sum(own, (slot) => slot.transactions), sum(own, (slot) => slot.failed)]
      return { minute: timeText(minute), frames: own.length, transactions, failed, failed_share: failed / transactions }
    }),
  'Dead letters by reason': () => [{ code: 'unknown_event', processor: 'test', letters: 2, bytes: 5, first_slot: 7 }],
}
