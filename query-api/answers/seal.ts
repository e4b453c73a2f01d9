// Cursors as text that only who has a key can make: nothing of them is kept here.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { assert } from '../../schemas/errors.ts'

/** Keys that are tried, newest first. */
export const CURSOR_KEYS_MAX = 8
const MAC_BYTES = 32

/** Stateless: any process with one of the keys opens what another with it has closed. */
export class Seal {
  readonly #keys: readonly Uint8Array[]
  readonly #domain: Buffer

  /**
   * @param keys newest first: the first signs, all are believed.
   * @param domain signed before the rest, so that no other use of the keys can be taken for this one.
   */
  constructor(keys: readonly Uint8Array[], domain: string) {
    assert(keys.length > 0 && keys.length <= CURSOR_KEYS_MAX, `cursors need 1 to ${CURSOR_KEYS_MAX} keys`)
    this.#keys = keys
    this.#domain = Buffer.from(`${domain}\0`)
  }
  /** @param about latin1 text that is signed too, and is not in the result: who opens it names the same. */
  close(body: Buffer, about: readonly string[] = []): string {
    return Buffer.concat([body, this.#macOf(this.#keys[0] as Uint8Array, about, body)]).toString('base64url')
  }
  /** The body; undefined for any other text than `close` made with one of the keys, to the letter. */
  open(text: string, about: readonly string[] = []): Buffer | undefined {
    const bytes = Buffer.from(text, 'base64url')
    if (bytes.length <= MAC_BYTES || bytes.toString('base64url') !== text) return undefined
    const body = bytes.subarray(0, -MAC_BYTES)
    const mac = bytes.subarray(-MAC_BYTES)
    return this.#keys.some((key) => timingSafeEqual(this.#macOf(key, about, body), mac)) ? body : undefined
  }
  #macOf(key: Uint8Array, about: readonly string[], body: Buffer): Buffer {
    const mac = createHmac('sha256', key).update(this.#domain)
    for (const part of about) mac.update(part, 'latin1')
    return mac.update(body).digest()
  }
}
