// The newest frame of a tape that no fork can roll back.
import type { ChainEvent, TapeRecordOf } from '../../../schemas/record-forms.ts'
import { type CorrectedTape, placeOf, tapeOffset } from '../decoding/corrected-tape.ts'

/** Number of the newest records that are searched first: some minutes of a chain. */
const LOOK_BACK_RECORDS = 1_024

/** A frame: capture's sequence, and its number on the chain. */
export interface FinalFrame {
  readonly sequence: number
  readonly number: number
}

/** Undefined if the log does not show any frame of the tape to be final. */
export const newestFinalFrame = async (tape: CorrectedTape): Promise<FinalFrame | undefined> => {
  const [start, end] = [tapeOffset(tape.start(0)), tapeOffset(tape.end(0))]
  for (let count = LOOK_BACK_RECORDS; ; count *= 2) {
    const from = Math.max(start, end - count)
    const branch = new Branch()
    for await (const record of tape.records(0, placeOf(from))) branch.take(tape.recordIn(record))
    if (branch.newestFinal !== undefined || from === start) return branch.newestFinal
  }
}

/** The frames of the canonical branch, as far as they were read. */
class Branch {
  readonly #frames: (FinalFrame & { readonly hash8: string; readonly isFinal: boolean })[] = []
  #finalized = -1

  take(record: TapeRecordOf<ChainEvent> | undefined): void {
    if (record?.type === 'finality') this.#finalized = Math.max(this.#finalized, record.finalized)
    if (record?.type === 'batch') this.#frames.push({ ...record, isFinal: record.final })
    if (record?.type !== 'revert') return
    const { number, hash8 } = record
    const at = this.#frames.findLastIndex((frame) => frame.number === number && frame.hash8 === hash8)
    this.#frames.length = at + 1
  }
  get newestFinal(): FinalFrame | undefined {
    const found = this.#frames.findLast(({ number, isFinal }) => isFinal || number <= this.#finalized)
    return found && { sequence: found.sequence, number: found.number }
  }
}
