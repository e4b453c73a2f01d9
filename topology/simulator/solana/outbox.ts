// Numbers raw records and collects them until they are committed.
import { rawRecordCodec } from '../../../schemas/codecs.ts'
import type { Topics } from '../../../schemas/topics.ts'
import type { RawRecord } from '../../../schemas/types.ts'
import type { OutRecord } from '../../ports/log.ts'

export class Outbox {
  readonly #topic: Topics['raw']
  #sequence = 0
  #records: OutRecord[] = []
  #bytes = 0

  constructor(topic: Topics['raw']) {
    this.#topic = topic
  }
  /** Sequence of the next record. */
  get sequence(): number {
    return this.#sequence
  }
  /** Size of the collected records. */
  get bytes(): number {
    return this.#bytes
  }
  /** Continues the numbering of an earlier start. */
  startAt(sequence: number): void {
    this.#sequence = sequence
  }
  /** Takes the next number. */
  number(): number {
    return this.#sequence++
  }
  /** Anchors describe wall time, not the chain, and may be repeated: they take no number. */
  add(body: RawRecord['body']): void {
    const sequence = body.type === 'anchor' ? this.#sequence : this.number()
    const value = rawRecordCodec.encode({ sequence, body })
    this.#bytes += value.length
    this.#records.push({ topic: this.#topic, partition: 0, key: Buffer.from('solana'), value })
  }
  take(): readonly OutRecord[] {
    const records = this.#records
    this.#records = []
    this.#bytes = 0
    return records
  }
}
