// The log as a source in a thread sees it: every call is a message to the process that has it.
import type { Remote } from 'comlink'
import { transfer } from 'comlink'
import { assert } from '../../../schemas/errors.ts'
import type { Topic } from '../../../schemas/topics.ts'
import type { Commit, LogRecord, OutRecord, ReadLimits, SourceLog, TaskOwner } from '../../ports/log.ts'
import type { Bounds, SentRecord, SourceHost, SourceState } from './wire.ts'

/** `start` and `end` are as old as the newest `own`. */
export class FarLog implements SourceLog {
  readonly #host: Remote<SourceHost>
  readonly #state: () => SourceState
  #bounds: Bounds

  /** `state` says how the source stands, with every commit. */
  constructor(host: Remote<SourceHost>, bounds: Bounds, state: () => SourceState) {
    this.#host = host
    this.#bounds = bounds
    this.#state = state
  }
  partitions({ name }: Topic): number {
    let partitions = 0
    while (this.#bounds.has(`${name}/${partitions}`)) partitions++
    return partitions
  }
  start(topic: Topic, partition: number): number {
    return this.#boundsOf(topic, partition)[0]
  }
  end(topic: Topic, partition: number): number {
    return this.#boundsOf(topic, partition)[1]
  }
  read({ name }: Topic, partition: number, offset: number, limits: ReadLimits): Promise<readonly LogRecord[]> {
    return this.#host.read(name, partition, offset, limits)
  }
  async own(id: string): Promise<TaskOwner> {
    const { committed, bounds } = await this.#host.own(id)
    this.#bounds = bounds
    let newest = committed
    return {
      id,
      committed: () => newest,
      commit: async ({ outputs, inputs }: Commit) => {
        const sent = outputs.map(sentOf)
        newest = await this.#host.commit(id, transfer(sent, sent.flatMap(bytesOf)), inputs, this.#state())
      },
    }
  }

  #boundsOf({ name }: Topic, partition: number): readonly [number, number] {
    const bounds = this.#bounds.get(`${name}/${partition}`)
    assert(bounds !== undefined, `${name}/${partition} is a partition of the log`)
    return bounds
  }
}

/** A copy with bytes of its own: they are given away, and a commit that failed is tried again with the same record. */
const sentOf = ({ topic, partition, key, value }: OutRecord): SentRecord => ({
  topic: topic.name,
  partition,
  key: new Uint8Array(key),
  value: value && new Uint8Array(value),
})
const bytesOf = ({ key, value }: SentRecord): ArrayBuffer[] =>
  [key, value].flatMap((bytes) => (bytes === null ? [] : [bytes.buffer as ArrayBuffer]))
