// Watch cursors: the events of some mints that their holder has seen, signed instead of stored.
import type { Key } from '../../../schemas/keys.ts'
import { CURSOR_S } from '../../answer-schemas/check.ts'
import { Seal } from '../seal.ts'

/** Form of the bytes: version, time of issue (unix s, 5 bytes), 2 bytes a mint in the order of the keys, HMAC-SHA256. */
const VERSION = 1
const HEAD_BYTES = 6
const MINT_BYTES = 2
const SECOND_MAX = 2 ** 40 - 1
const DOMAIN = 'mintfold watch cursor'

/** A cursor's content: the events (bits of processors/mint/watch-events) of each mint shown to its holder, in the requested order. */
export type CursorRead =
  | { readonly ok: true; readonly seen: readonly number[]; readonly ageS: number }
  /** `foreign`: the cursor was not signed with our keys, or is for other mints. */
  | { readonly ok: false; readonly reason: 'foreign' | 'expired' }

/** Stateless: any process with the same key can read another's cursors. */
export class Cursors {
  readonly #seal: Seal

  /** See `Seal`. */
  constructor(keys: readonly Uint8Array[]) {
    this.#seal = new Seal(keys, DOMAIN)
  }

  /** @param bits by mint, in the order of `mints`; `read` may use another order. */
  issue(mints: readonly Key[], bits: readonly number[], nowS: number): string {
    const body = Buffer.alloc(HEAD_BYTES + MINT_BYTES * mints.length)
    body.writeUInt8(VERSION, 0)
    body.writeUIntBE(Math.min(SECOND_MAX, Math.max(0, Math.floor(nowS))), 1, 5)
    for (const [place, at] of sortedPlaces(mints).entries()) body.writeUInt16BE(bits[at] as number, HEAD_BYTES + MINT_BYTES * place)
    return this.#seal.close(body, sorted(mints))
  }

  read(text: string, mints: readonly Key[], nowS: number): CursorRead {
    const body = this.#seal.open(text, sorted(mints))
    if (body === undefined || body.length !== HEAD_BYTES + MINT_BYTES * mints.length || body[0] !== VERSION) return FOREIGN
    const ageS = nowS - body.readUIntBE(1, 5)
    if (ageS > CURSOR_S) return EXPIRED
    const seen = new Array<number>(mints.length)
    for (const [place, at] of sortedPlaces(mints).entries()) seen[at] = body.readUInt16BE(HEAD_BYTES + MINT_BYTES * place)
    return { ok: true, seen, ageS }
  }
}

const FOREIGN = { ok: false, reason: 'foreign' } as const
const EXPIRED = { ok: false, reason: 'expired' } as const

/** Indexes of the mints, ordered by key. */
const sortedPlaces = (mints: readonly Key[]): number[] =>
  mints.map((_, place) => place).sort((a, b) => ((mints[a] as Key) < (mints[b] as Key) ? -1 : 1))

/** The mints in canonical order, which are signed but not part of the cursor. */
const sorted = (mints: readonly Key[]): readonly Key[] => (mints.length === 1 ? mints : [...mints].sort())
