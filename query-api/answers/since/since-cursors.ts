// The signed `next_cursor` of `/v1/launches/since`.

import { TILDE } from '../../../schemas/position.ts'
import { CURSOR_S } from '../../answer-schemas/check.ts'
import { Seal } from '../seal.ts'
import { GIVEN_MAX, type Reached } from './page-of.ts'

/**
 * Format: version (1 byte), time of issue (unix s, 5 bytes), requested time (5), reached time (5), number of the reached frame + 1 (6), the
 * reached tx, outer and inner (4 each), then for each remembered launch the first 8 bytes of its mint, and its frame's number minus that of
 * the reached frame (2).
 */
const VERSION = 1
const HEAD_BYTES = 34
const NAME_BYTES = 8
const GIVEN_BYTES = NAME_BYTES + 2
const SECOND_MAX = 2 ** 40 - 1
const NUMBER_MAX = 2 ** 48 - 1
const AHEAD_MAX = 0xffff

export type SinceRead =
  | { readonly ok: true; readonly reached: Reached }
  /** `foreign`: not a cursor of this route. */
  | { readonly ok: false; readonly reason: 'foreign' | 'expired' }

const within = (value: number, max: number): number => Math.min(max, Math.max(0, Math.floor(value)))

/** Stateless, like watch cursors. */
export class SinceCursors {
  readonly #seal: Seal

  /** See `Seal`. */
  constructor(keys: readonly Uint8Array[]) {
    this.#seal = new Seal(keys, 'mintfold launches cursor')
  }
  issue({ since, place, at, given }: Reached, nowS: number): string {
    const held = [...given].slice(0, GIVEN_MAX)
    const body = Buffer.alloc(HEAD_BYTES + GIVEN_BYTES * held.length)
    body.writeUInt8(VERSION, 0)
    body.writeUIntBE(within(nowS, SECOND_MAX), 1, 5)
    body.writeUIntBE(within(since, SECOND_MAX), 6, 5)
    body.writeUIntBE(within(at, SECOND_MAX), 11, 5)
    body.writeUIntBE(within(place.number + 1, NUMBER_MAX), 16, 6)
    for (const [n, value] of [place.tx, place.outer, place.inner].entries()) body.writeUInt32BE(within(value, TILDE), 22 + 4 * n)
    for (const [n, [name, frame]] of held.entries()) {
      const start = HEAD_BYTES + GIVEN_BYTES * n
      body.write(name, start, NAME_BYTES, 'latin1')
      body.writeUInt16BE(within(frame - place.number, AHEAD_MAX), start + NAME_BYTES)
    }
    return this.#seal.close(body)
  }
  read(text: string, nowS: number): SinceRead {
    const body = this.#seal.open(text)
    if (body === undefined || body.length < HEAD_BYTES || body[0] !== VERSION) return { ok: false, reason: 'foreign' }
    if (nowS - body.readUIntBE(1, 5) > CURSOR_S) return { ok: false, reason: 'expired' }
    const number = body.readUIntBE(16, 6) - 1
    const [tx = 0, outer = 0, inner = 0] = [22, 26, 30].map((at) => body.readUInt32BE(at))
    const given = new Map<string, number>()
    for (let start = HEAD_BYTES; start + GIVEN_BYTES <= body.length; start += GIVEN_BYTES)
      given.set(body.toString('latin1', start, start + NAME_BYTES), number + body.readUInt16BE(start + NAME_BYTES))
    const [since, at] = [body.readUIntBE(6, 5), body.readUIntBE(11, 5)]
    return { ok: true, reached: { since, at, place: { number, tx, outer, inner }, given } }
  }
}
