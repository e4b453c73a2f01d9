// Training data of a model: judgements whose launch has settled, in columns, the newest up to a limit.
import { assert } from '../../../schemas/errors.ts'
import type { Key } from '../../../schemas/keys.ts'
import type { Judgement, Outcome } from '../../../schemas/types.ts'
import { FEATURE_NAMES, featuresOf, headsOf } from '../features.ts'
import { ODDS_HEADS, type OddsHead } from '../heads.ts'
import { labelOf } from '../labels.ts'

/** A judgement with its launch's outcome. */
export interface TrainingRow {
  readonly judgement: Judgement
  readonly outcome: Pick<Outcome, 'creator' | 'rugged' | 'rugDtS' | 'graduated' | 'censored'>
  /** When the outcome became known, unix seconds. */
  readonly knownAtS: number
}

/** The features take 320 bytes per row: 330 MB at the limit. */
export const ROWS_MAX = 1_000_000
const FIRST_ROWS = 4_096
/** Leading bytes of a key that identify it: 2^48 values are enough for a million keys. */
const KEY_BYTES = 6

const WIDTH = FEATURE_NAMES.length
const UNKNOWN = 2

/** Beyond `rowsMax`, new rows replace those added first. */
export class TrainingRows {
  readonly #rowsMax: number
  #capacity = 0
  #added = 0
  features = new Float64Array(0)
  t0 = new Float64Array(0)
  knownAtS = new Float64Array(0)
  launch = new Float64Array(0)
  creator = new Float64Array(0)
  ageS = new Uint16Array(0)
  flagBits = new Uint16Array(0)
  labels: Readonly<Record<OddsHead, Uint8Array>> = { rug_within_300s: new Uint8Array(0), true_graduation: new Uint8Array(0) }

  constructor(rowsMax: number = ROWS_MAX) {
    assert(rowsMax >= 1, 'rowsMax must be at least 1')
    this.#rowsMax = rowsMax
  }
  get length(): number {
    return Math.min(this.#added, this.#rowsMax)
  }
  /** Number of rows that were replaced. */
  get dropped(): number {
    return this.#added - this.length
  }
  add({ judgement, outcome, knownAtS }: TrainingRow): void {
    const row = this.#added % this.#rowsMax
    if (row >= this.#capacity) this.#grow()
    this.#added++
    this.features.set(featuresOf(judgement), row * WIDTH)
    this.t0[row] = judgement.t0
    this.knownAtS[row] = knownAtS
    this.launch[row] = numberOf(judgement.mint)
    this.creator[row] = numberOf(outcome.creator)
    this.ageS[row] = judgement.ageS
    this.flagBits[row] = judgement.flagBits
    const judged = headsOf(judgement)
    for (const head of ODDS_HEADS) {
      const label = judged.includes(head) ? labelOf(head, outcome) : null
      this.labels[head][row] = label === null ? UNKNOWN : Number(label)
    }
  }
  /** Whether the head scores the row and its label is known. */
  has(head: OddsHead, row: number): boolean {
    return this.labels[head][row] !== UNKNOWN
  }
  #grow(): void {
    const to = Math.min(this.#rowsMax, Math.max(FIRST_ROWS, this.#capacity * 2))
    const floats = (from: Float64Array, width = 1): Float64Array<ArrayBuffer> => {
      const larger = new Float64Array(to * width)
      larger.set(from)
      return larger
    }
    const [ageS, flagBits] = [new Uint16Array(to), new Uint16Array(to)]
    ageS.set(this.ageS)
    flagBits.set(this.flagBits)
    const bytes = (from: Uint8Array): Uint8Array => {
      const larger = new Uint8Array(to)
      larger.set(from)
      return larger
    }
    Object.assign(this, { features: floats(this.features, WIDTH), t0: floats(this.t0), knownAtS: floats(this.knownAtS) })
    Object.assign(this, { launch: floats(this.launch), creator: floats(this.creator), ageS, flagBits })
    const { rug_within_300s, true_graduation } = this.labels
    this.labels = { rug_within_300s: bytes(rug_within_300s), true_graduation: bytes(true_graduation) }
    this.#capacity = to
  }
}

const numberOf = (key: Key): number => {
  let value = 0
  for (let at = 0; at < KEY_BYTES; at++) value = value * 256 + key.charCodeAt(at)
  return value
}
