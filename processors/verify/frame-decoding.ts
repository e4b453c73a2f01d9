// Decodes the frames of one tape in order: the decoder's rows are kept in memory, and there is no rollback.

import { assert } from '../../schemas/errors.ts'
import { hash8Of } from '../../schemas/position.ts'
import type { ChainEvent } from '../../schemas/record-forms.ts'
import type { RawFrame } from '../../schemas/types.ts'
import type { DecodedFrame, DecodeOutput, DecodeRows, Decoder } from '../chains/decoder.ts'
import type { Context } from '../contract.ts'

type DecodeContext = Context<DecodeRows, DecodeOutput<ChainEvent>>
type Row = object

/** The id of the row of single kinds. */
const SINGLE = ''

/** The rows of a decoder; its output is dropped. */
const rowsOf = (): DecodeContext => {
  const kinds = new Map<string, Map<string | number, Row>>()
  const of = (kind: string): Map<string | number, Row> => {
    const rows = kinds.get(kind) ?? new Map<string | number, Row>()
    kinds.set(kind, rows)
    return rows
  }
  const edit = (kind: string, id: string | number = SINGLE, initial?: () => Row): Row => {
    const row = of(kind).get(id) ?? initial?.()
    assert(row !== undefined, `a decoder edits a ${kind} row that does not exist`)
    of(kind).set(id, row)
    return row
  }
  return {
    key: SINGLE,
    read: (kind, id = SINGLE) => of(kind).get(id) as never,
    edit: edit as DecodeContext['edit'],
    remove: (kind, id = SINGLE) => void of(kind).delete(id),
    rows: (kind) => of(kind).values() as never,
    count: (kind) => of(kind).size,
    emit: () => {},
    send: () => {},
    schedule: () => {},
    forget: () => kinds.clear(),
  }
}

export class FrameDecoding {
  readonly #decoder: Decoder
  readonly #rows = rowsOf()
  #sequence = 0

  constructor(decoder: Decoder) {
    this.#decoder = decoder
  }
  /** Decodes a frame whose parts are joined, after those before it. */
  decode(frame: RawFrame): DecodedFrame {
    const { chain, number, hash, blockTime } = frame
    const decoded = this.#decoder.decode(frame, this.#rows)
    const header = { chain, number, hash8: hash8Of(hash), sequence: this.#sequence++, time: blockTime ?? 0, final: true }
    this.#decoder.emit(this.#rows, frame, header, decoded)
    return decoded
  }
}
