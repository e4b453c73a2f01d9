// The detectors that a topology runs, as one value from which fold, cards, watches, labels and schemas are built.
import { UsageError } from '../../../schemas/errors.ts'
import type { Detector, DetectorFacts, Tier } from './detector.ts'

/** Detectors of mints, or of curves. */
export interface DetectorSet<One extends DetectorFacts = Detector> {
  /** Detectors of every tier. */
  readonly all: readonly One[]
  /** Active and shadow ones, in the order in which they run at one position. */
  readonly running: readonly One[]
  /** Grows with each version, and where a shadow detector becomes active or an active one is retired: part of the fold's version. */
  readonly version: number
  /** Active ones by bit: the order in which they are published. */
  readonly published: readonly One[]
  /** Their flags, as published. */
  readonly flags: readonly string[]
  readonly byFlag: ReadonlyMap<string, One>
}

/** Bits of lifecycle steps in watch cursors, besides those of flags. */
export const STEP_BITS = { curve_complete: 64, migrated_graduated: 128, migrated_below_grad: 256 } as const
/** A cursor has 16 bits per mint. */
const BIT_MAX = 2 ** 15
const BITS: readonly number[] = Array.from({ length: 16 }, (_, power) => 2 ** power)

/** In the order in which a detector passes through them. */
const TIERS: readonly Tier[] = ['shadow', 'active', 'retired']

/** @throws UsageError where two detectors share an id, a flag or a bit, or where a bit is not one that a flag can have */
export const detectorSet = <One extends DetectorFacts>(...all: readonly One[]): DetectorSet<One> => {
  const taken = new Set<number>(Object.values(STEP_BITS))
  const names = new Set<string>()
  for (const { id, flag, bit } of all) {
    if (names.has(id) || names.has(flag)) throw new UsageError(`detectors/index.ts: two detectors have the id ${id} or the flag ${flag}`)
    const free = BITS.find((one) => !taken.has(one) && all.every((other) => other.bit !== one))
    if (!BITS.includes(bit) || taken.has(bit))
      throw new UsageError(
        `detectors/index.ts: detector ${id}: bit ${bit} is taken or is not a power of two up to ${BIT_MAX}; ${free} is free`,
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

/** Hashes of detectors over their code and constants, by id: one for each version, oldest first. A published hash is never changed. */
export type Hashes = Readonly<Record<string, readonly string[]>>

/** The detector with the hash of its version, where there is one. */
export const hashed = <One extends DetectorFacts>(detector: One, hashes: Hashes): One => {
  const hash = hashes[detector.id]?.[detector.version - 1]
  return hash === undefined ? detector : { ...detector, hash }
}
