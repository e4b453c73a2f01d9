// One open stream: what it is sent, and how long a reader may leave it lying.
import type { Writable } from 'node:stream'
import type { Cursor } from './flag-pages.ts'

/** A reader that takes nothing for so long is cut off; its last id takes it back to where it was. */
const STALLED_MS_MAX = 30_000
/** Proxies and clients take a silent connection for a dead one: a comment is sent after so long. */
const SILENT_MS_MAX = 15_000

export class Reader {
  readonly caller: string
  /** It has been sent everything up to here. */
  cursor: Cursor
  readonly #res: Writable
  #stalledAtMs: number | undefined
  #sentAtMs: number

  constructor(res: Writable, caller: string, cursor: Cursor, nowMs: number) {
    this.#res = res
    this.caller = caller
    this.cursor = cursor
    this.#sentAtMs = nowMs
    res.on('drain', () => {
      this.#stalledAtMs = undefined
    })
  }
  /** Nothing more is sent until the reader has taken what lies there. */
  get isStalled(): boolean {
    return this.#stalledAtMs !== undefined
  }
  send(text: string, nowMs: number): void {
    this.#sentAtMs = nowMs
    if (!this.#res.write(text)) this.#stalledAtMs ??= nowMs
  }
  /** Cuts off who does not read, and comforts who hears nothing. */
  look(nowMs: number): void {
    if (this.#stalledAtMs !== undefined && nowMs - this.#stalledAtMs >= STALLED_MS_MAX) this.#res.destroy()
    else if (!this.isStalled && nowMs - this.#sentAtMs >= SILENT_MS_MAX) this.send(':\n\n', nowMs)
  }
  end(): void {
    this.#res.end(': the service stops; connect again\n\n')
  }
}
