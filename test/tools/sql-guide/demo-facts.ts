// The events of a demo and the fold states they produce, without ClickHouse.

import type { InLong } from '../../../schemas/amount.ts'
import { type Key, toBase58 } from '../../../schemas/keys.ts'
import { once } from '../../../schemas/once.ts'
import type { Launch, MintState, TapeEvent } from '../../../schemas/types.ts'
import type { DemoEvent, DemoTruth } from '../../../topology/simulator/solana/market-types.ts'
import type { EmittedMarket, EmittedSlot } from '../../fixtures/demo-history.ts'
import { Judge } from '../market-check/judge.ts'

/** An event with its slot. */
export type Emitted<Type extends TapeEvent['type']> = InLong<Extract<TapeEvent, { type: Type }>> & {
  readonly slot: number
  readonly timeS: number
}

export class DemoFacts {
  readonly slots: readonly EmittedSlot[]
  readonly truths: ReadonlyMap<Key, DemoTruth>
  readonly states: ReadonlyMap<Key, MintState>
  readonly #events = new Map<string, unknown[]>()

  constructor({ slots, truths }: EmittedMarket, states: ReadonlyMap<Key, MintState>) {
    this.slots = slots
    this.truths = new Map(truths.map((truth) => [truth.mint, truth]))
    this.states = states
    for (const { number: slot, timeS, events } of slots)
      for (const event of events ?? []) {
        const list = this.#events.get(event.type)
        if (list === undefined) this.#events.set(event.type, [{ ...event, slot, timeS }])
        else list.push({ ...event, slot, timeS })
      }
  }
  /** Events of one type, in chain order. */
  of<Type extends TapeEvent['type']>(type: Type): readonly Emitted<Type>[] {
    return (this.#events.get(type) ?? []) as unknown as Emitted<Type>[]
  }
  /** Kind of the rug and seconds from the launch to it; null for none. Judged from the events where the coin's story is not over. */
  rugOf(mint: Key): { readonly kind: string; readonly afterS: number } | null {
    const truth = this.truths.get(mint)
    if (truth !== undefined) return truth.rug && { kind: truth.rug.kind, afterS: (truth.rug.atMs - truth.launchedAtMs) / 1_000 }
    const judge = this.#judged().get(mint)
    if (judge === undefined || judge.rugKind === null) return null
    const at = judge.rugKind === 'drain' ? judge.drainAt : judge.devDumpAt
    return { kind: judge.rugKind, afterS: at - (judge.launch.timestamp ?? 0) }
  }
  readonly #judged = once(() => {
    const judges = new Map<Key, Judge>()
    for (const { number, events } of this.slots)
      for (const event of (events ?? []) as readonly DemoEvent[]) {
        if (event.type === 'launch') judges.set(event.mint, new Judge(event, number))
        if ('mint' in event) judges.get(event.mint)?.see(event, number)
      }
    return judges
  })
  /** Trades on curves except those of the mayhem agent. */
  trades(): readonly Emitted<'trade'>[] {
    return this.of('trade').filter(({ isAgent }) => !isAgent)
  }
  /** Time of the newest slot, unix seconds. */
  get asOf(): number {
    return this.slots.at(-1)?.timeS ?? 0
  }
  /** Settled mints with both labels known. */
  resolved(): readonly (readonly [Key, MintState])[] {
    return [...this.states].filter(([, { outcome }]) => outcome !== null && outcome.graduated !== null && outcome.rugged !== null)
  }
  /** The creator of the most launches. */
  topCreator(): Key {
    return mostOf(countBy(this.of('launch'), ({ creator }) => creator))
  }
  /** Launches by each wallet of their dev sets. */
  byLauncher(): ReadonlyMap<Key, ReturnType<typeof this.of<'launch'>>> {
    const owned = this.of('launch').flatMap((launch) => devsOf(launch).map((wallet) => ({ wallet, launch })))
    return new Map([...groupBy(owned, ({ wallet }) => wallet)].map(([wallet, items]) => [wallet, items.map(({ launch }) => launch)]))
  }
  /** The wallet in the most dev sets. */
  topLauncher(): Key {
    return mostOf(new Map([...this.byLauncher()].map(([wallet, launches]) => [wallet, launches.length])))
  }
}

const mostOf = (counts: ReadonlyMap<Key, number>): Key =>
  [...counts].sort(([a, n], [b, m]) => m - n || byText(toBase58(a), toBase58(b)))[0]?.[0] as Key

const devsOf = ({ user, creator, creatorIsWallet }: Pick<Launch, 'user' | 'creator' | 'creatorIsWallet'>): Key[] =>
  creatorIsWallet && creator !== user ? [user, creator] : [user]

export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

export const countBy = <Item, Name>(items: Iterable<Item>, nameOf: (item: Item) => Name): Map<Name, number> => {
  const counts = new Map<Name, number>()
  for (const item of items) counts.set(nameOf(item), (counts.get(nameOf(item)) ?? 0) + 1)
  return counts
}

export const groupBy = <Item, Name>(items: Iterable<Item>, nameOf: (item: Item) => Name): Map<Name, Item[]> => {
  const groups = new Map<Name, Item[]>()
  for (const item of items) {
    const group = groups.get(nameOf(item))
    if (group === undefined) groups.set(nameOf(item), [item])
    else group.push(item)
  }
  return groups
}

export const sum = <Item>(items: Iterable<Item>, of: (item: Item) => number): number => {
  let total = 0
  for (const item of items) total += of(item)
  return total
}

/** Median; the mean of the two middle values for an even count, null for no values. */
export const medianOf = (values: readonly number[]): number | null => {
  const sorted = [...values].sort((a, b) => a - b)
  const half = sorted.length >> 1
  if (sorted.length === 0) return null
  return sorted.length % 2 === 1 ? (sorted[half] as number) : ((sorted[half - 1] as number) + (sorted[half] as number)) / 2
}

/** A DateTime in UTC as ClickHouse prints it. */
export const timeText = (second: number): string => new Date(second * 1_000).toISOString().slice(0, 19).replace('T', ' ')
