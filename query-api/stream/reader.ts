// One open stream, with its backpressure and keep-alive.
import type { Writable } from 'node:stream'
import type { Cursor } from './flag-pages.ts'

/** A reader that accepts no data for this time is disconnected; it can resume with its last id. */
const STALLED_MS_MAX = 30_000
/** A comment is sent after this silence, because proxies and clients close idle connections. */
const SILENT_MS_MAX = 15_000

export class StreamReader {
  /** Everything up to here has been sent. */
  cursor: Cursor
  readonly #res: Writable
  #stalledAtMs: number | undefined
  #sentAtMs: number

  constructor(res: Writable, cursor: Cursor, nowMs: number) {
    this.#res = res
    this.cursor = cursor
    this.#sentAtMs = nowMs
    res.on('drain', () => {
      this.#stalledAtMs = undefined
    })
  }
  /** True while the client has not drained a full buffer. The hub then sends no flags, only retractions. */
  get isStalled(): boolean {
    return this.#stalledAtMs !== undefined
  }
  send(text: string, nowMs: number): void {
    this.#sentAtMs = nowMs
    if (!this.#res.write(text)) this.#stalledAtMs ??= nowMs
  }
  /** Enforces both limits: disconnects a stalled reader, or sends a keep-alive. */
  tick(nowMs: number): void {
    if (this.#stalledAtMs !== undefined && nowMs - this.#stalledAtMs >= STALLED_MS_MAX) this.#res.destroy()
    else if (!this.isStalled && nowMs - this.#sentAtMs >= SILENT_MS_MAX) this.send(':\n\n', nowMs)
  }
  end(): void {
    this.#res.end(': the service is stopping; reconnect\n\n')
  }
}
