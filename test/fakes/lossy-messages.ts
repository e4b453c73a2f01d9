// Messages between processes that share memory: every third is lost, every fifth comes twice, every second a moment later than the next.
// Does not simulate sizes, nor a broker that is away.
import type { Messages } from '../../topology/ports/log.ts'

export class LossyMessages implements Messages {
  /** Number of messages that reached the listeners. */
  delivered = 0
  #sent = 0
  readonly #listeners: Parameters<Messages['listen']>[0][] = []

  send(key: Buffer, value: Uint8Array): void {
    const number = ++this.#sent
    if (number % 3 === 0) return
    const deliver = (): void => {
      this.delivered++
      for (const receive of this.#listeners) receive(Buffer.from(key), Buffer.from(value))
    }
    setTimeout(deliver, number % 2)
    if (number % 5 === 0) setTimeout(deliver, 3)
  }
  listen(receive: Parameters<Messages['listen']>[0]): void {
    this.#listeners.push(receive)
  }
}
