// The dependencies of answers about curves (their chain's view, clock and source), and their cached cards.

import type { ChainDefinition } from '../../../processors/chains/chain.ts'
import { type CurveCardContext, curveEvidence, curveItem } from '../../../processors/curve/card/card.ts'
import type { CurveMoment } from '../../../processors/curve/card/moment.ts'
import type { CurveDetector } from '../../../processors/curve/detectors/detector.ts'
import type { DetectorSet } from '../../../processors/mint/detectors/set.ts'
import type { Key } from '../../../schemas/keys.ts'
import type { StreamClock } from '../../../topology/ports/chain-view.ts'
import type { CurveSnapshot, CurveView } from '../../../topology/ports/curve-view.ts'
import { type FinalityLevel, type FlaggedText, finalityAt, flaggedText } from '../cards/finality-text.ts'
import { EvidenceCache } from '../evidence-cache.ts'

/** The alt chain, as followed by this process. */
export interface CurveCardsContext {
  readonly chain: ChainDefinition
  /** The active detectors. */
  readonly detectors: DetectorSet<CurveDetector>
  readonly view: CurveView
  /** False if this process receives no frames of the chain: its answers are not sold. */
  readonly isFollowed: boolean
  /** The service clock. */
  readonly clock: StreamClock
  /** See `ServiceOptions.source`. */
  readonly source: () => string
  /** Finality of the block at arrival, for sources that report no finality later. */
  readonly finalityOf: (block: number) => FinalityLevel
}

export const NOT_FOLLOWED = 'this server does not follow the alt chain (run mintfold up --source demo or live to follow it)'

/** Each cache of texts holds at most this many characters (one or two bytes each). */
const CACHE_CHARS_MAX = 8 * 1024 * 1024

/** A card's text. */
export interface CurveText extends FlaggedText {
  readonly coverage: 'full' | 'thin'
}

export class CurveDesk {
  readonly context: CurveCardsContext
  readonly #cards: EvidenceCache<CurveText, RequestedCurve, CurveMoment>
  readonly #items: EvidenceCache<FlaggedText, CurveSnapshot, CurveMoment>

  constructor(context: CurveCardsContext) {
    this.context = context
    const cardContext: CurveCardContext = context
    this.#cards = new EvidenceCache(
      CACHE_CHARS_MAX,
      ({ address }) => address,
      (requested, moment) => cardText(requested, moment, cardContext),
    )
    this.#items = new EvidenceCache(CACHE_CHARS_MAX, tokenOf, ({ token, state }, moment) =>
      flaggedText(curveItem(token, state, moment, cardContext), 'findings', state.flags),
    )
  }
  /** @param address of a token or of a curve. */
  card(address: Key, moment: CurveMoment): CurveText {
    const snapshot = this.context.view.find(address)
    if (snapshot === undefined) return cardText({ address, version: 0, snapshot }, moment, this.context)
    return this.#cards.get({ address, version: snapshot.version, snapshot }, moment)
  }
  /** The list item of a launch. */
  item(snapshot: CurveSnapshot, moment: CurveMoment): FlaggedText {
    return this.#items.get(snapshot, moment)
  }
  /** The current finality of an applied block. */
  readonly finalityOf = (block: number): FinalityLevel => {
    const finality = this.context.view.finality()
    return finality === null ? this.context.finalityOf(block) : finalityAt(finality, block)
  }
}

interface RequestedCurve {
  readonly address: Key
  readonly version: number
  readonly snapshot: CurveSnapshot | undefined
}

const tokenOf = ({ token }: CurveSnapshot): Key => token

const cardText = ({ address, snapshot }: RequestedCurve, moment: CurveMoment, context: CurveCardContext): CurveText => {
  const evidence = curveEvidence({ address, token: snapshot?.token ?? address, state: snapshot?.state }, moment, context)
  const { coverage } = evidence
  if (coverage === 'thin') return { text: JSON.stringify(evidence), flags: [], coverage }
  return { ...flaggedText(evidence, 'findings', snapshot?.head.flags ?? []), coverage }
}
