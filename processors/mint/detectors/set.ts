// The detectors that a topology runs, as one value: the fold, cards, watches, labels and schemas are made with it.
import { assert } from '../../../schemas/errors.ts'
import type { Detector, DetectorFacts, Tier } from './detector.ts'

/** Of mints, or of what else a fold follows. */
export interface DetectorSet<One extends DetectorFacts = Detector> {
  /** Of every tier. */
  readonly all: readonly One[]
  /** Active and shadow ones, in the order in which they speak at one position. */
  readonly running: readonly One[]
  /** Grows with each version, and where a shadow detector becomes active or an active one is retired: part of the fold's version. */
  readonly version: number
  /** Active ones by bit: the order in which they are published. */
  readonly published: readonly One[]
  /** Their flags, as published. */
  readonly flags: readonly string[]
  readonly byFlag: ReadonlyMap<string, One>
}

/** Bits that steps of the lifecycle have in watch cursors, beside those of flags. */
export const STEP_BITS = { curve_complete: 64, migrated_graduated: 128, migrated_below_grad: 256 } as const
/** A cursor has 16 bits a mint. */
const BIT_MAX = 2 ** 15
const BITS: readonly number[] = Array.from({ length: 16 }, (_, power) => 2 ** power)

/** As one is promoted. */
const TIERS: readonly Tier[] = ['shadow', 'active', 'retired']

/** @throws (a bug) where two detectors share an id, a flag or a bit, or a bit is none that a flag can have. */
export const detectorSet = <One extends DetectorFacts>(...all: readonly One[]): DetectorSet<One> => {
  const taken = new Set<number>(Object.values(STEP_BITS))
  const names = new Set<string>()
  for (const { id, flag, bit } of all) {
    assert(!names.has(id) && !names.has(flag), `two detectors have the id ${id} or the flag ${flag}`)
    const free = BITS.find((one) => !taken.has(one) && all.every((other) => other.bit !== one))
    assert(
      BITS.includes(bit) && !taken.has(bit),
      `detector ${id}: bit ${bit} is taken, or no power of two up to ${BIT_MAX}; ${free} is free`,
    )
    taken.add(bit)
    for (const name of [id, flag]) names.add(name)
  }
  const published = all.filter(({ tier }) => tier === 'active').sort((a, b) => a.bit - b.bit)
  const byFlag = new Map(published.map((detector) => [detector.flag, detector]))
  return {
    all,
    running: all.filter(({ tier }) => tier !== 'retired'),
    version: all.reduce((sum, { version, tier }) => sum + version * TIERS.length + TIERS.indexOf(tier), 0),
    published,
    flags: [...byFlag.keys()],
    byFlag,
  }
}

/** Hashes of detectors over their code and constants, by id: one for each version, the first first. A published one is never changed. */
export type Hashes = Readonly<Record<string, readonly string[]>>

/** With the hash of its version, where there is one. */
export const hashed = <One extends DetectorFacts>(detector: One, hashes: Hashes): One => {
  const hash = hashes[detector.id]?.[detector.version - 1]
  return hash === undefined ? detector : { ...detector, hash }
}
