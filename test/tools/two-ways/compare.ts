// Compares cards with the history: the fold's evidence against the same fields computed in SQL, by mint and field.
import { toBase58 } from '../../../schemas/keys.ts'
import type { HistoryClient } from '../../../topology/history/client.ts'
import type { MintSnapshot } from '../../../topology/ports/mint-view.ts'
import { mintEvidence } from '../../shipped.ts'
import { type Card, fieldOf, NOT_DERIVED, pathsOf, SHAPES } from './fields.ts'
import { prepareParts } from './parts.ts'
import { type Row, THIN_WAYS, WAYS, type Way } from './ways.ts'

/** The time of the cards: that of the newest folded frame. */
export interface Moment {
  readonly slot: number
  readonly asOf: number
  readonly gap: { readonly from: number; readonly to: number } | null
  /** Frames are single transactions, slots apart, so that messages between keys may never be answered. */
  readonly isSparse: boolean
}

export interface Compared {
  readonly full: number
  readonly thin: number
  /** Number of values compared, by query. */
  readonly values: Readonly<Record<string, number>>
  /** Number of values not compared because messages between keys were in flight. */
  readonly pending: number
  /** Fields of full cards that were neither compared nor are listed as not derived; must be empty. */
  readonly forgotten: readonly string[]
  /** `mint query field: card, history`; must be empty. */
  readonly differences: readonly string[]
}

type Cards = ReadonlyMap<string, Card>

/** How the cards of a chain are compared with rows. */
export interface Reading {
  /** Conversions for fields that a row has in another form, by path. */
  readonly shapes: Readonly<Record<string, (card: Card) => unknown>>
  /** Whether a card's field equals a row's value; null equals only null. */
  readonly isSame: (field: unknown, value: unknown) => boolean
}

export class Tally {
  readonly #reading: Reading
  readonly values: Record<string, number> = {}
  readonly differences: string[] = []
  readonly paths = new Set<string>()
  pending = 0

  constructor(reading: Reading) {
    this.#reading = reading
  }
  rows(way: Way, rows: readonly Row[], cards: Cards, moment: Moment): void {
    const found = new Set<string>()
    for (const row of rows) {
      const card = cards.get(row.mint)
      if (card === undefined) continue
      found.add(row.mint)
      this.#row(way, row, card, moment)
    }
    for (const [mint, card] of cards) {
      const shown = found.has(mint) ? undefined : way.valueWithoutRow?.(card)
      if (shown !== undefined) this.differences.push(`${mint} ${way.name}: card ${JSON.stringify(shown)}, history has no row`)
    }
  }
  #row(way: Way, row: Row, card: Card, moment: Moment): void {
    const fields = Object.entries(row).filter(([name]) => name !== 'mint' && !way.beside?.includes(name))
    for (const [path] of fields) this.paths.add(path)
    if (way.isPending?.(row, card, moment)) {
      this.pending += fields.length
      return
    }
    for (const [path, value] of fields) this.#field(way, row.mint, path, fieldOf(card, path, this.#reading.shapes), value)
  }
  #field(way: Way, mint: string, path: string, field: unknown, value: unknown): void {
    this.values[way.name] = (this.values[way.name] ?? 0) + 1
    const known = typeof field === 'boolean' ? truthOf(value) : value
    if (this.#reading.isSame(field, known)) return
    this.differences.push(`${mint} ${way.name} ${path}: card ${JSON.stringify(field)}, history ${JSON.stringify(known)}`)
  }
}

/** ClickHouse returns 1 and 0 for comparisons. */
const truthOf = (value: unknown): unknown => (value === 1 ? true : value === 0 ? false : value)

const READING: Reading = { shapes: SHAPES, isSame: (field, value) => JSON.stringify(field) === JSON.stringify(value) }

/** Compares the cards of `mints` with the history at the same moment. */
export const compareTwoWays = async (client: HistoryClient, mints: Iterable<MintSnapshot>, moment: Moment): Promise<Compared> => {
  const full = new Map<string, Card>()
  const thin = new Map<string, Card>()
  for (const { mint, state } of mints) {
    const card: Card = mintEvidence(mint, state, moment)
    if (card.coverage === 'full') full.set(toBase58(mint), card)
    else if (card.last_seen !== undefined) thin.set(toBase58(mint), card)
  }
  const tally = new Tally(READING)
  const known = new Map<string, Record<string, unknown>>()
  const ask = async (way: Way, cards: Cards): Promise<void> => {
    const rows = await client.rows<Row>(way.sql(client.database), { asOf: moment.asOf })
    tally.rows(way, rows, cards, moment)
    for (const row of rows) known.set(row.mint, { ...known.get(row.mint), ...row })
  }
  await prepareParts(client)
  for (const way of WAYS) await ask(way, full)
  const labels = [...full.keys()].map((mint): Row => ({ mint, risk_label: riskLabelOf(known.get(mint) ?? {}) }))
  const isPending: NonNullable<Way['isPending']> = ({ mint }, card) =>
    WAYS.some((way) => way.isPending?.({ mint, ...known.get(mint) }, card, moment))
  tally.rows({ name: 'risk label', sql: () => '', isPending }, labels, full, moment)
  for (const way of THIN_WAYS) await ask(way, thin)
  const { values, pending, differences, paths } = tally
  return {
    full: full.size,
    thin: thin.size,
    values,
    pending,
    forgotten: forgottenOf(full.values(), paths, NOT_DERIVED, NULL_BLOCKS),
    differences,
  }
}

/** Objects of a card that are null if nothing is known; the rows of their query verify that. */
const NULL_BLOCKS: ReadonlySet<string> = new Set(['pool', 'outcome', 'warm_launch', 'creator_prior_at_launch'])

export const forgottenOf = (
  cards: Iterable<Card>,
  paths: ReadonlySet<string>,
  notDerived: Readonly<Record<string, string>>,
  nullBlocks: ReadonlySet<string>,
): string[] => {
  const forgotten = new Set<string>()
  for (const card of cards)
    for (const path of pathsOf(card)) {
      const isNamed = Object.keys(notDerived).some((prefix) => path === prefix || path.startsWith(`${prefix}.`))
      const isPart = [...paths].some((one) => path.startsWith(`${one}.`))
      const isBlock = nullBlocks.has(path) || [...paths].some((one) => one.startsWith(`${path}.`))
      if (!isNamed && !isBlock && !isPart && !paths.has(path)) forgotten.add(path)
    }
  return [...forgotten].sort()
}

/** Applies the rule of the risk label to the history's values. */
const riskLabelOf = (row: Readonly<Record<string, unknown>>): string => {
  if ((row.rug_flags as readonly unknown[]).length > 0) return 'rug_flagged'
  if (row['curve.is_mayhem']) return 'mayhem'
  const [top5, bundle, insider] = ['top5', 'bundle', 'insider'].map((who) => Number(row[`holders.${who}_share`])) as [
    number,
    number,
    number,
  ]
  if (top5 >= 0.5 || bundle >= 0.25 || insider >= 0.2) return 'concentrated'
  return row['demand.inflow_stalled'] || row.is_without_buys ? 'stalled' : 'active'
}
