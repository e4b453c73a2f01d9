// Watch cursors: what their holder knows of some mints, signed, so that nothing of it is kept here.
import type { Key } from '../../../schemas/keys.ts'
import { CURSOR_S } from '../../answer-schemas/check.ts'
import { Seal } from '../seal.ts'

/** Form of the bytes: version, time of issue (unix s, 5 bytes), 2 bytes a mint in the order of the keys, HMAC-SHA256. */
const VERSION = 1
const HEAD_BYTES = 6
const MINT_BYTES = 2
const SECOND_MAX = 2 ** 40 - 1
const DOMAIN = 'mintfold watch cursor'

/** What a cursor says: the events (bits of processors/mint/watch-events) of each mint that its holder was shown, in the order asked. */
export type CursorRead =
  | { readonly ok: true; readonly seen: readonly number[]; readonly ageS: number }
  /** `foreign`: no cursor of ours, or one for other mints. */
  | { readonly ok: false; readonly reason: 'foreign' | 'expired' }

/** Stateless: any process with one of the keys reads what another with it has written. */
export class Cursors {
  readonly #seal: Seal

  /** See `Seal`. */
  constructor(keys: readonly Uint8Array[]) {
    this.#seal = new Seal(keys, DOMAIN)
  }

  /** `bits` by mint, in the same order; the order itself does not matter to who reads it again. */
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

/** Places of the mints in the order of their keys. */
const sortedPlaces = (mints: readonly Key[]): number[] =>
  mints.map((_, place) => place).sort((a, b) => ((mints[a] as Key) < (mints[b] as Key) ? -1 : 1))

/** The set of mints is signed, and is not in the cursor itself. */
const sorted = (mints: readonly Key[]): readonly Key[] => (mints.length === 1 ? mints : [...mints].sort())
