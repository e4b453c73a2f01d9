// Watch cursors: what their holder knows of some mints, signed, so that nothing of it is kept here.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { assert } from '../../../schemas/errors.ts'
import type { Key } from '../../../schemas/keys.ts'
import { CURSOR_S } from '../../answer-schemas/check.ts'

/** Keys that are tried, newest first. */
export const CURSOR_KEYS_MAX = 8

/** Form of the bytes: version, time of issue (unix s, 5 bytes), 2 bytes a mint in the order of the keys, HMAC-SHA256. */
const VERSION = 1
const HEAD_BYTES = 6
const MINT_BYTES = 2
const MAC_BYTES = 32
const SECOND_MAX = 2 ** 40 - 1
/** Signed before the rest, so that no other use of the keys can be taken for a cursor. */
const DOMAIN = Buffer.from('mintfold watch cursor\0')

/** What a cursor says: the events (bits of processors/mint/watch-events) of each mint that its holder was shown, in the order asked. */
export type CursorRead =
  | { readonly ok: true; readonly seen: readonly number[]; readonly ageS: number }
  /** `foreign`: no cursor of ours, or one for other mints. */
  | { readonly ok: false; readonly reason: 'foreign' | 'expired' }

/** Stateless: any process with one of the keys reads what another with it has written. */
export class Cursors {
  readonly #keys: readonly Uint8Array[]

  /** Newest first: the first signs, all are believed. */
  constructor(keys: readonly Uint8Array[]) {
    assert(keys.length > 0 && keys.length <= CURSOR_KEYS_MAX, `cursors need 1 to ${CURSOR_KEYS_MAX} keys`)
    this.#keys = keys
  }

  /** `bits` by mint, in the same order; the order itself does not matter to who reads it again. */
  issue(mints: readonly Key[], bits: readonly number[], nowS: number): string {
    const body = Buffer.alloc(HEAD_BYTES + MINT_BYTES * mints.length)
    body.writeUInt8(VERSION, 0)
    body.writeUIntBE(Math.min(SECOND_MAX, Math.max(0, Math.floor(nowS))), 1, 5)
    for (const [place, at] of sortedPlaces(mints).entries()) body.writeUInt16BE(bits[at] as number, HEAD_BYTES + MINT_BYTES * place)
    return Buffer.concat([body, macOf(this.#keys[0] as Uint8Array, mints, body)]).toString('base64url')
  }

  read(text: string, mints: readonly Key[], nowS: number): CursorRead {
    const bytes = Buffer.from(text, 'base64url')
    const bodyBytes = HEAD_BYTES + MINT_BYTES * mints.length
    // Other texts of the same bytes are no cursors of ours: nothing but what was issued is accepted.
    if (bytes.length !== bodyBytes + MAC_BYTES || bytes[0] !== VERSION || bytes.toString('base64url') !== text) return FOREIGN
    const body = bytes.subarray(0, bodyBytes)
    const mac = bytes.subarray(bodyBytes)
    if (!this.#keys.some((key) => timingSafeEqual(macOf(key, mints, body), mac))) return FOREIGN
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

/** Over the set of mints, which is not in the cursor itself. */
const macOf = (key: Uint8Array, mints: readonly Key[], body: Uint8Array): Buffer => {
  const mac = createHmac('sha256', key).update(DOMAIN)
  for (const mint of mints.length === 1 ? mints : [...mints].sort()) mac.update(mint, 'latin1')
  return mac.update(body).digest()
}
