// Rebuilds days of the tape from the rows of the history, which has every event and tick of the canonical branch.
import type { Key } from '../../../../schemas/keys.ts'
import { comparePositions } from '../../../../schemas/position.ts'
import type { ChainEvent } from '../../../../schemas/record-forms.ts'
import type { Chain } from '../../../../schemas/types.ts'
import type { HistoryClient } from '../../../history/client.ts'
import type { WireRow } from '../../../history/rows/row-reader.ts'
import { HistoryRows } from '../../verify/history-rows.ts'
import type { VerifiedChain } from '../../verify/log-rows.ts'
import { booleanIn, numberOrNull } from '../../verify/stored-values.ts'
import type { CheckedTable } from '../../verify/tables.ts'
import { viewPrefix } from '../history-times.ts'
import type { Batch } from './canonical-tape.ts'
import { CURVE_EVENTS_AGAIN } from './curve-events-again.ts'
import { type EventsAgain, MINT_EVENTS_AGAIN, type PairOf } from './events-again.ts'

/** Approximate rows of a range. */
const RANGE_ROWS = 20_000
const FRAMES_FIRST = 256
const FRAMES_MIN = 16
const FRAMES_MAX = 4_096
/** Versions of a frame in the history: see sayOf in history/rows/frame-tables.ts. */
const VERSIONS = 1_024
const SECOND_MS = 1_000

type Rows = ReadonlyMap<CheckedTable, readonly WireRow[]>

export class HistoryTape {
  readonly #client: HistoryClient
  readonly #chain: Pick<VerifiedChain, 'chain' | 'tables'>
  readonly #checked: readonly CheckedTable[]
  readonly #rows: HistoryRows

  constructor(client: HistoryClient, { chain, tables, checked }: Pick<VerifiedChain, 'chain' | 'tables' | 'checked'>) {
    this.#client = client
    this.#chain = { chain, tables }
    this.#checked = checked.filter(({ role }) => role === 'tape')
    this.#rows = new HistoryRows(client, tables)
  }
  /** SQL names of the tables that a day is rebuilt from. */
  get tables(): readonly string[] {
    return this.#checked.map(({ name }) => name.replace(/_log$/, '').replace(/ticks$/, 'frames'))
  }
  /** Frames between two numbers, inclusive, ascending. @throws EngineError */
  async *frames(first: number, last: number): AsyncGenerator<Batch> {
    let frames = FRAMES_FIRST
    for (let from = first; from <= last; ) {
      const to = (await this.#rows.slotAfter(from, last, frames)) ?? last
      const batches = await this.#between(from, to)
      yield* batches
      const rows = batches.reduce((sum, { events }) => sum + events.length + 1, 0)
      frames = Math.min(Math.max(Math.floor((batches.length * RANGE_ROWS) / Math.max(1, rows)), FRAMES_MIN), frames * 4, FRAMES_MAX)
      from = to + 1
    }
  }

  /** The frames of a range, read in halves if a table has more rows than may be held. */
  async #between(from: number, to: number): Promise<readonly Batch[]> {
    const rows = new Map<CheckedTable, readonly WireRow[]>()
    for (const table of this.#checked) {
      const read = await this.#rows.between(table, from, to)
      if (read !== undefined) rows.set(table, read)
      else {
        const middle = Math.floor((from + to) / 2)
        return [...(await this.#between(from, middle)), ...(await this.#between(middle + 1, to))]
      }
    }
    return this.#batches(rows, await this.#pairs(rows))
  }
  #batches(rows: Rows, pairOf: PairOf): readonly Batch[] {
    const { chain, tables } = this.#chain
    const events = new Map<number, ChainEvent[]>()
    for (const [table, ofTable] of rows)
      for (const row of ofTable) {
        const event = EVENTS_AGAIN.get(table.name)?.event(row, pairOf)
        const number = table.slotOf(row) ?? 0
        if (event === undefined) continue
        const ofFrame = events.get(number)
        if (ofFrame === undefined) events.set(number, [event])
        else ofFrame.push(event)
      }
    const ticks = [...rows].flatMap(([{ name }, ofTable]) => (name === tables.ticks.name ? ofTable : []))
    return ticks.map((tick) => batchOf(tick, chain.name, tables.number, events)).sort((a, b) => a.number - b.number)
  }
  /** The quote tokens of the coins whose events need one. */
  async #pairs(rows: Rows): Promise<PairOf> {
    const asked = new Set<Key>()
    for (const [table, ofTable] of rows)
      for (const row of ofTable) {
        const coin = EVENTS_AGAIN.get(table.name)?.pairOf?.(row)
        if (coin !== undefined) asked.add(coin)
      }
    if (asked.size === 0) return () => null
    const { print, parse } = this.#chain.chain.keys
    const launches = `${this.#client.database}.${viewPrefix(this.#chain.tables)}launches`
    const known = await this.#client.rows<{ token: string; pair: string | null }>(
      `SELECT token, pair_token AS pair FROM ${launches} WHERE token IN splitByChar(',', {tokens:String})`,
      { tokens: [...asked].map(print).join().toLowerCase() },
    )
    const pairs = new Map(known.map(({ token, pair }) => [parse(token), pair === null ? null : (parse(pair) ?? null)]))
    return (coin) => pairs.get(coin) ?? null
  }
}

/** Table names of different chains are distinct. */
const EVENTS_AGAIN: EventsAgain = new Map([...MINT_EVENTS_AGAIN, ...CURVE_EVENTS_AGAIN])

const batchOf = (tick: WireRow, chain: Chain, name: string, events: ReadonlyMap<number, ChainEvent[]>): Batch => {
  const number = Number(tick.value(name))
  const batch: Batch = {
    type: 'batch',
    ...{ chain, number, hash8: String(tick.value('hash8')) },
    sequence: Math.floor(Number(tick.value('version')) / VERSIONS),
    time: Number(tick.value('tick_at')) / SECOND_MS,
    ...{ gapFrom: numberOrNull(tick, `gap_from_${name}`), gapTo: numberOrNull(tick, `gap_to_${name}`) },
    ...{ vouched: booleanIn(tick, 'is_vouched'), final: booleanIn(tick, 'is_final'), placed: booleanIn(tick, 'is_placed') },
    launchpadTransactions: numberOrNull(tick, 'launchpad_transactions'),
    launchpadFailed: numberOrNull(tick, 'launchpad_failed'),
    events: events.get(number) ?? [],
  }
  batch.events.sort((a, b) => comparePositions({ ...batch, ...a }, { ...batch, ...b }))
  return batch
}
