// Writes many records as several commits of one owner, each within the limits of a log.
import type { OutRecord, TaskOwner } from '../ports/log.ts'

const RECORDS_MAX = 5_000
const BYTES_MAX = 4 * 1024 * 1024

export class Chunks {
  readonly #owner: TaskOwner
  #records: OutRecord[] = []
  #bytes = 0
  #written = 0

  constructor(owner: TaskOwner) {
    this.#owner = owner
  }
  /** Records pushed, committed or not. */
  get written(): number {
    return this.#written
  }
  async push(record: OutRecord): Promise<void> {
    this.#records.push(record)
    this.#written++
    this.#bytes += record.key.length + (record.value?.length ?? 0)
    if (this.#records.length >= RECORDS_MAX || this.#bytes >= BYTES_MAX) await this.end()
  }
  /** Commits the pending records, with input offsets. */
  async end(inputs: ReadonlyMap<string, number> = new Map()): Promise<void> {
    const outputs = this.#records
    this.#records = []
    this.#bytes = 0
    if (outputs.length > 0 || inputs.size > 0) await this.#owner.commit({ outputs, inputs })
  }
}
