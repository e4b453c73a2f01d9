// Replay of a chain whose launchpad creates curves, including their cards.
import { type CurveCardContext, curveEvidence } from '../../processors/curve/card/card.ts'
import { CURVE } from '../../processors/curve/rows.ts'
import { keyText } from '../../schemas/keys.ts'
import type { AltTapeEvent, CurveState } from '../../schemas/types.ts'
import type { StateType } from '../engine/rows/state-type.ts'
import type { CurveTopology } from '../topology.ts'
import { Rows, RowsByKey } from '../views/rows-by-key.ts'
import { ChainReplay } from './replay.ts'

/** Caches no decoded rows: each key is read once. */
const rowsByToken = (type: StateType): RowsByKey<CurveState> => new RowsByKey<CurveState>({ type, decodedBytesMax: 0, of: Rows })

/** For a chain whose launchpad creates curves. */
export class CurveReplay extends ChainReplay<AltTapeEvent> {
  readonly #context: CurveCardContext

  constructor(topology: CurveTopology, partitions?: number) {
    super(topology, partitions)
    this.#context = topology
  }
  /** Card evidence of every curve at the newest tick, by token. */
  cards(): readonly { readonly mint: string; readonly evidence: ReturnType<typeof curveEvidence> }[] {
    const { moment } = this
    if (moment === undefined) return []
    return this.rowsOf(CURVE, rowsByToken).map(({ key: token, state }) => ({
      mint: keyText(token),
      evidence: curveEvidence({ address: token, token, state }, moment, this.#context),
    }))
  }
}
