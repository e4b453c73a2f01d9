// The queries whose rows are compared with cards, and the cases in which a card may not have the value of a row yet.
import { curveSql, poolSql } from './curve.ts'
import { demandSql, newestSql, topSellersSql } from './demand.ts'
import type { Card } from './fields.ts'
import { findingsSql, flagsSql } from './flags.ts'
import { holdersSql, insidersSql } from './holders.ts'
import { outcomeSql, settledSql } from './outcome.ts'
import { priorSql, warmSql } from './past.ts'
import { lastSeenSql } from './thin.ts'

/** The row of one mint; columns are paths of card fields. */
export type Row = Readonly<Record<string, unknown>> & { readonly mint: string }

export interface Way {
  readonly name: string
  readonly sql: (db: string) => string
  /** True if the fields of the card depend on messages that may still be in flight. */
  readonly isPending?: (row: Row, card: Card, moment: { readonly slot: number; readonly isSparse: boolean }) => boolean
  /** Columns that are not card fields. */
  readonly beside?: readonly string[]
  /** The part of a card that must be absent if the query returns no row for its mint; undefined if it is absent. */
  readonly valueWithoutRow?: (card: Card) => unknown
}

/** Other keys answer 8 to 11 slots after a request; requests about a funder take two round trips. */
const ANSWERED_SLOTS = 16
const FUNDER_ANSWERED_SLOTS = 32

const isAskedNow =
  (column: string, reason: string, answeredSlots: number = ANSWERED_SLOTS): NonNullable<Way['isPending']> =>
  (row, card, { slot, isSparse }) =>
    Number(row[column]) > slot - answeredSlots || (isSparse && String(reasonIn(card, reason)).startsWith('pending'))

const reasonIn = (card: Card, path: string): unknown =>
  path.split('.').reduce<unknown>((at, name) => (at as Card | undefined)?.[name], card)

export const WAYS: readonly Way[] = [
  { name: 'curve', sql: curveSql, valueWithoutRow: ({ curve }) => curve },
  { name: 'pool', sql: poolSql, valueWithoutRow: ({ pool }) => pool ?? undefined },
  { name: 'demand', sql: demandSql, beside: ['is_without_buys'], valueWithoutRow: ({ demand }) => demand },
  { name: 'newest', sql: newestSql, valueWithoutRow: ({ as_of: asOf }) => asOf },
  { name: 'top sellers', sql: topSellersSql, valueWithoutRow: ({ exit_signals: signals }) => signals },
  { name: 'holders', sql: holdersSql, valueWithoutRow: ({ holders }) => holders },
  {
    name: 'insiders',
    sql: insidersSql,
    beside: ['newest_asked_slot'],
    isPending: isAskedNow('newest_asked_slot', 'holders.insider_share_reason'),
    valueWithoutRow: ({ holders }) => holders,
  },
  { name: 'flags', sql: flagsSql, valueWithoutRow: ({ flags }) => flags },
  {
    name: 'findings',
    sql: findingsSql,
    valueWithoutRow: ({ rug_flags: flags }) => ((flags as readonly unknown[]).length === 0 ? undefined : flags),
  },
  {
    name: 'prior',
    sql: priorSql,
    beside: ['slot0'],
    isPending: isAskedNow('slot0', 'creator_prior_at_launch_reason'),
    valueWithoutRow: ({ creator_prior_at_launch: prior }) => prior ?? undefined,
  },
  {
    name: 'warm launch',
    sql: warmSql,
    beside: ['slot0'],
    isPending: isAskedNow('slot0', 'warm_launch_reason', FUNDER_ANSWERED_SLOTS),
    valueWithoutRow: ({ warm_launch: warm }) => warm ?? undefined,
  },
  { name: 'outcome', sql: outcomeSql, valueWithoutRow: ({ outcome }) => outcome ?? undefined },
  { name: 'settled', sql: settledSql, valueWithoutRow: ({ outcome }) => outcome ?? undefined },
]

/** Queries for thin cards: their last event. */
export const THIN_WAYS: readonly Way[] = [{ name: 'last seen', sql: lastSeenSql, valueWithoutRow: ({ last_seen: seen }) => seen }]
