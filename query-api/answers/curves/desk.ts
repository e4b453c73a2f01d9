// What answers about curves are made from: their chain's view, clock and source, and the texts of their cards.

import type { ChainDefinition } from '../../../processors/chains/chain.ts'
import { type CurveCardContext, curveEvidence, curveItem } from '../../../processors/curve/card/card.ts'
import type { CurveMoment } from '../../../processors/curve/card/moment.ts'
import type { CurveDetector } from '../../../processors/curve/detectors/detector.ts'
import type { DetectorSet } from '../../../processors/mint/detectors/set.ts'
import type { Key } from '../../../schemas/keys.ts'
import type { Clock } from '../../../topology/ports/chain-view.ts'
import type { CurveSnapshot, CurveView } from '../../../topology/ports/curve-view.ts'
import { type Finality, type FlaggedText, finalityAt, flaggedText } from '../cards/finality-text.ts'
import { EvidenceCache } from '../evidence-cache.ts'

/** The chain of curves, as a process follows it. */
export interface CurveGround {
  readonly chain: ChainDefinition
  /** Those that the folds run. */
  readonly detectors: DetectorSet<CurveDetector>
  readonly view: CurveView
  /** False where nobody sends frames of it to this process: its answers are not sold. */
  readonly isFollowed: boolean
  /** Time of the cards. */
  readonly clock: Clock
  /** See `ServiceOptions.source`. */
  readonly source: () => string
  /** How sure it was of a block when it came: for sources that say nothing more of it. */
  readonly finalityOf: (block: number) => Finality
}

export const NOT_FOLLOWED = 'this server follows no chain of curves: mintfold up --source demo or live does'

/** Each cache of texts holds at most this many characters (one or two bytes each). */
const CACHE_CHARS_MAX = 8 * 1024 * 1024

/** A card's text. */
export interface CurveText extends FlaggedText {
  readonly coverage: 'full' | 'thin'
}

export class CurveDesk {
  readonly ground: CurveGround
  readonly #cards: EvidenceCache<CurveText, Asked, CurveMoment>
  readonly #items: EvidenceCache<FlaggedText, CurveSnapshot, CurveMoment>

  constructor(ground: CurveGround) {
    this.ground = ground
    const context: CurveCardContext = ground
    this.#cards = new EvidenceCache(
      CACHE_CHARS_MAX,
      ({ address }) => address,
      (asked, moment) => cardText(asked, moment, context),
    )
    this.#items = new EvidenceCache(CACHE_CHARS_MAX, tokenOf, ({ token, state }, moment) =>
      flaggedText(curveItem(token, state, moment, context), 'findings', state.flags),
    )
  }
  /** By the address of a token or of a curve. */
  card(address: Key, moment: CurveMoment): CurveText {
    const snapshot = this.ground.view.find(address)
    if (snapshot === undefined) return cardText({ address, version: 0, snapshot }, moment, this.ground)
    return this.#cards.get({ address, version: snapshot.version, snapshot }, moment)
  }
  /** Of a launch that is held. */
  item(snapshot: CurveSnapshot, moment: CurveMoment): FlaggedText {
    return this.#items.get(snapshot, moment)
  }
  /** How sure the chain is of a folded block now. */
  readonly finalityOf = (block: number): Finality => {
    const said = this.ground.view.finality()
    return said === null ? this.ground.finalityOf(block) : finalityAt(said, block)
  }
}

interface Asked {
  readonly address: Key
  readonly version: number
  readonly snapshot: CurveSnapshot | undefined
}

const tokenOf = ({ token }: CurveSnapshot): Key => token

const cardText = ({ address, snapshot }: Asked, moment: CurveMoment, context: CurveCardContext): CurveText => {
  const evidence = curveEvidence({ address, token: snapshot?.token ?? address, state: snapshot?.state }, moment, context)
  const { coverage } = evidence
  if (coverage === 'thin') return { text: JSON.stringify(evidence), flags: [], coverage }
  return { ...flaggedText(evidence, 'findings', snapshot?.head.flags ?? []), coverage }
}
