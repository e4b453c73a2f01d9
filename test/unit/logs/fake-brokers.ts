// Brokers for owners that share a writer. They store whole transactions, and lose or refuse the requests that a test lists.
import type { OwnerStanding } from '../../../schemas/types.ts'
import { fenced } from '../../../topology/logs/failures.ts'
import type { Fencing } from '../../../topology/logs/kafka/owners/fence.ts'
import type { Producer } from '../../../topology/logs/kafka/owners/producer.ts'
import type { Outgoing } from '../../../topology/logs/kafka/wire/record-batch.ts'

/** Fate of the writer's next transaction. */
export type Fate = 'well' | 'lost before' | 'lost after' | 'send fails'

export const NOTHING = Buffer.alloc(0)
export const REFUSED = 'too large'
const named = (type: string): Error => Object.assign(new Error(type), { name: 'KafkaJSProtocolError', type })
const lost = (): Error => Object.assign(new Error('Closed connection'), { name: 'KafkaJSConnectionClosedError' })

export class FakeBrokers {
  /** Texts of the outputs of each committed transaction of the writer. */
  readonly transactions: string[][] = []
  readonly checkpoints = new Map<string, OwnerStanding>()
  readonly fates: Fate[] = []
  /** Takeovers of each id. */
  readonly #takes = new Map<string, number>()
  confirmed = 0
  #epoch = 0
  areAway = false
  /** Called in each transaction of the writer, before its end. */
  during: () => Promise<void> = async () => {}

  /** Called in each takeover, after the id was taken. */
  whileTaking: () => Promise<void> = async () => {}

  /** A takeover by another process, which has not fenced the writer yet, or has, but has not written its generation. */
  take(id: string, isFenced = true): void {
    this.#takes.set(id, (this.#takes.get(id) ?? 0) + 1)
    if (isFenced) this.#epoch++
  }
  async openWriter(): Promise<Producer> {
    if (this.areAway) throw lost()
    const epoch = ++this.#epoch
    return {
      disconnect: async () => {},
      closeCommits: async () => {},
      write: async (records, ending) => {
        const fate = this.fates.shift() ?? 'well'
        if (fate === 'send fails') throw lost()
        if (records.some(({ value }) => textOf(value) === REFUSED)) throw named('MESSAGE_TOO_LARGE')
        await this.during()
        ending()
        if (epoch !== this.#epoch) throw named('INVALID_PRODUCER_EPOCH')
        if (fate === 'lost before') throw lost()
        this.#keep(records)
        if (fate === 'lost after') throw lost()
        return new Map(records.map(({ topicName, partition }) => [`${topicName}/${partition}`, 1]))
      },
    }
  }
  fencing(id: string): Fencing {
    let token = 0
    return {
      readCheckpoint: async () => this.checkpoints.get(id),
      fence: async () => {
        token = (this.#takes.get(id) ?? 0) + 1
        this.#takes.set(id, token)
        await this.whileTaking()
        const write: Producer['write'] = async (records) => {
          for (const { value } of records) this.checkpoints.set(id, JSON.parse(textOf(value)) as OwnerStanding)
          return new Map()
        }
        return { producer: { disconnect: async () => {}, closeCommits: async () => {}, write }, checkpoint: this.checkpoints.get(id) }
      },
      confirm: async () => {
        this.confirmed++
        if (this.#takes.get(id) !== token) throw fenced(id)
        return this.checkpoints.get(id)
      },
      checkpointRecord: (standing) => ({
        ...{ topicName: 'owners', partition: 0, key: Buffer.from(id), head: NOTHING, value: Buffer.from(JSON.stringify(standing)) },
      }),
    }
  }
  #keep(records: readonly Outgoing[]): void {
    const outputs: string[] = []
    for (const { topicName, key, value } of records) {
      if (topicName === 'owners') this.checkpoints.set(key.toString(), JSON.parse(textOf(value)) as OwnerStanding)
      else outputs.push(textOf(value))
    }
    this.transactions.push(outputs)
  }
}
const textOf = (value: Uint8Array | null): string => Buffer.from(value ?? []).toString()
