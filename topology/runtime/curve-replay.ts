// Replay of a chain whose launchpad makes curves, with the cards of them.
import { type CurveCardContext, curveEvidence } from '../../processors/curve/card/card.ts'
import { CURVE } from '../../processors/curve/rows.ts'
import { type Key, keyText } from '../../schemas/keys.ts'
import type { AltTapeEvent, CurveState } from '../../schemas/types.ts'
import { parsePageKey } from '../engine/rows/state-type.ts'
import type { CurveTopology } from '../topology.ts'
import { stateIn } from '../views/rows-by-key.ts'
import { ChainReplay } from './replay.ts'

/** Of a chain whose launchpad makes curves. */
export class CurveReplay extends ChainReplay<AltTapeEvent> {
  readonly #context: CurveCardContext

  constructor(topology: CurveTopology, partitions?: number) {
    super(topology, partitions)
    this.#context = topology
  }
  /** Card evidence of every curve at the newest tick, by token. */
  cards(): readonly { readonly mint: string; readonly evidence: ReturnType<typeof curveEvidence> }[] {
    const { tape } = this
    if (tape === undefined) return []
    const gap = tape.gapFrom === null || tape.gapTo === null ? null : { from: tape.gapFrom, to: tape.gapTo }
    const moment = { asOf: tape.time, tip: { number: tape.number, time: tape.time }, gap }
    return this.#curves().map(([token, state]) => ({
      mint: keyText(token),
      evidence: curveEvidence({ address: token, token, state }, moment, this.#context),
    }))
  }
  #curves(): readonly (readonly [Key, CurveState])[] {
    return this.stores(CURVE)
      .flatMap((store) => {
        const pages = new Map<Key, (Uint8Array | undefined)[]>()
        for (const record of store.snapshot()) {
          const { key, page } = parsePageKey(record.key)
          const of = pages.get(key as Key) ?? []
          of[page] = record.value ?? undefined
          pages.set(key as Key, of)
        }
        return [...pages].map(([token, of]) => [token, stateIn<CurveState>(store.type, of)] as const)
      })
      .sort(([a], [b]) => (a < b ? -1 : 1))
  }
}
