// Explains the changes of a card's field: compares the card before and after each event, timer and fact of its coin.

import type { TapeHeader } from '../../../processors/tape.ts'
import type { Key } from '../../../schemas/keys.ts'
import { keyText, type Signature, signatureText } from '../../../schemas/keys.ts'
import { comparePositions, eventId, formatPosition, type Position, tickOf } from '../../../schemas/position.ts'
import type { ChainEvent } from '../../../schemas/record-forms.ts'
import type { StateType } from '../../engine/rows/state-type.ts'
import { type Step, valueAt } from './field-path.ts'
import type { Call, RowsNow, Witness } from './witness.ts'

/** The moment at which a card is rendered; depends on the tape only. */
export interface MomentNow {
  readonly asOf: number
  readonly tip: { readonly number: number; readonly time: number }
  readonly gap: { readonly from: number; readonly to: number } | null
}

/** One change of the value. `before` and `after` are absent where the card had no such field. */
export interface Move {
  readonly position: string
  /** Tick time, unix seconds. */
  readonly at: number
  /** Type of the event, `timer NAME`, or `fact NAME of KEY`; `time` if only elapsed time or a gap in the tape changed the value. */
  readonly cause: string
  /** `position@hash8` and signature of the event; absent if no event of the coin changed the value. */
  readonly event_id?: string
  readonly signature?: string
  readonly before?: unknown
  readonly after?: unknown
}

export interface FieldMovesOptions {
  readonly key: Key
  readonly path: readonly Step[]
  readonly type: StateType
  card(state: Readonly<Record<string, unknown>>, moment: MomentNow): object
  /** Number of moves kept; the newest are kept. */
  readonly limit: number
  /** Moves after this position are ignored. */
  readonly until?: Position | undefined
}

/** All current rows of a key. */
const stateNow = (rows: Pick<RowsNow, 'read' | 'rows'>, { kinds }: StateType): Readonly<Record<string, unknown>> =>
  Object.fromEntries(kinds.map(({ name, idField }) => [name, idField === undefined ? (rows.read(name) ?? null) : [...rows.rows(name)]]))

const momentAt = ({ time, number, gapFrom, gapTo }: Pick<TapeHeader, 'time' | 'number' | 'gapFrom' | 'gapTo'>): MomentNow => ({
  asOf: time,
  tip: { number, time },
  gap: gapFrom === null || gapTo === null ? null : { from: gapFrom, to: gapTo },
})

export class FieldMoves implements Witness<ChainEvent> {
  readonly #options: FieldMovesOptions
  #moves: Move[] = []
  #value: unknown
  #text: string | undefined
  #calls = 0
  total = 0
  isLaunched = false

  constructor(options: FieldMovesOptions) {
    this.#options = options
  }
  /** Newest first. */
  get moves(): readonly Move[] {
    return [...this.#moves].reverse()
  }
  /** Undefined where the card has no such field. */
  get value(): unknown {
    return this.#value
  }
  /** False if the tape has nothing about the coin. */
  get isMet(): boolean {
    return this.#calls > 0
  }
  before(call: Call<ChainEvent>): void {
    if (this.#isOther(call)) return
    this.#calls++
    if (this.#calls > 1) this.#compare(call.rows, call.at.header, { position: call.at.position, cause: 'time' })
  }
  after(call: Call<ChainEvent>): void {
    if (this.#isOther(call)) return
    const { at, cause, rows } = call
    const { position, header } = at
    if (cause.type !== 'event') {
      const words = cause.type === 'timer' ? `timer ${cause.name}` : `fact ${cause.fact} of ${keyText(cause.fromKey as Key)}`
      this.#compare(rows, header, { position, cause: words })
      return
    }
    const { type, signature } = cause.event as ChainEvent & { readonly signature?: Signature }
    if (type === 'launch') this.isLaunched = true
    const named = { event_id: eventId(position, header.hash8), ...(signature && { signature: signatureText(signature) }) }
    this.#compare(rows, header, { position, cause: type, ...named })
  }
  /** At the newest tick: records what time alone has changed since the last event. */
  end(rows: Pick<RowsNow, 'read' | 'rows'>, header: TapeHeader): void {
    if (this.isMet) this.#compare(rows, header, { position: tickOf(header.chain, header.number), cause: 'time' })
  }
  #isOther({ rows, at }: Call<ChainEvent>): boolean {
    const { key, until } = this.#options
    return rows.key !== key || (until !== undefined && comparePositions(at.position, until) > 0)
  }
  #compare(
    rows: Pick<RowsNow, 'read' | 'rows'>,
    header: TapeHeader,
    { position, ...move }: Pick<Move, 'cause' | 'event_id' | 'signature'> & { readonly position: Position },
  ): void {
    const { path, type, card, limit } = this.#options
    const value = valueAt(card(stateNow(rows, type), momentAt(header)), path)
    const text = JSON.stringify(value)
    if (text === this.#text) return
    const [before, after] = [this.#value, value]
    this.#value = value
    this.#text = text
    this.total++
    const values = { ...(before !== undefined && { before }), ...(after !== undefined && { after }) }
    this.#moves.push({ position: formatPosition(position), at: header.time, ...move, ...values })
    if (this.#moves.length > limit) this.#moves.shift()
  }
}
