// Signs cursors, so that the service need not store them.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { assert } from '../../schemas/errors.ts'

/** Maximum number of accepted keys. */
export const CURSOR_KEYS_MAX = 8
const MAC_BYTES = 32

/** Stateless: any process with the same key can open what another has closed. */
export class Seal {
  readonly #keys: readonly Uint8Array[]
  readonly #domain: Buffer

  /**
   * @param keys newest first: the first one signs, all are accepted.
   * @param domain signed prefix that separates this use of the keys from others.
   */
  constructor(keys: readonly Uint8Array[], domain: string) {
    assert(keys.length > 0 && keys.length <= CURSOR_KEYS_MAX, `cursors need 1 to ${CURSOR_KEYS_MAX} keys`)
    this.#keys = keys
    this.#domain = Buffer.from(`${domain}\0`)
  }
  /** @param about latin1 text that is signed but not included: `open` needs the same. */
  close(body: Buffer, about: readonly string[] = []): string {
    return Buffer.concat([body, this.#macOf(this.#keys[0] as Uint8Array, about, body)]).toString('base64url')
  }
  /** The body; undefined unless the text is exactly one that `close` made with one of the keys. */
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
