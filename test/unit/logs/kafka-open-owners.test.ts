// Open connections after takeovers within a process, over fake brokers that count connections and never fail a commit.

import type { OwnerStanding } from '../../../schemas/types.ts'
import { BrokerRetries } from '../../../topology/logs/kafka/broker-retries.ts'
import { KAFKA_LIMITS } from '../../../topology/logs/kafka/options.ts'
import type { Fencing } from '../../../topology/logs/kafka/owners/fence.ts'
import { OpenOwners } from '../../../topology/logs/kafka/owners/open-owners.ts'
import { KafkaOwner } from '../../../topology/logs/kafka/owners/owner.ts'
import { code } from '../../contract/log-topics.ts'
import { TOPICS } from '../../fixtures/topics.ts'

const NOTHING = Buffer.alloc(0)

class World {
  /** Open producer connections. */
  open = 0
  readonly #standings = new Map<string, OwnerStanding>()

  take(id: string): Promise<KafkaOwner> {
    const fence: Fencing = {
      readCheckpoint: async () => this.#standings.get(id),
      confirm: async () => this.#standings.get(id),
      fence: async () => {
        this.open++
        const disconnect = async (): Promise<void> => void this.open--
        return { producer: { disconnect, closeCommits: async () => {}, write: async () => new Map() }, checkpoint: this.#standings.get(id) }
      },
      checkpointRecord: (standing) => {
        this.#standings.set(id, standing)
        return { topicName: 'owners', partition: 0, key: NOTHING, head: NOTHING, value: NOTHING }
      },
    }
    const outgoing = () => ({ topicName: 'flags', partition: 0, key: NOTHING, head: NOTHING, value: NOTHING })
    const [repair, visible] = [async () => {}, async () => {}]
    return KafkaOwner.take(id, {
      fence,
      brokerRetries: new BrokerRetries(['broker'], () => {}),
      limits: KAFKA_LIMITS,
      repair,
      visible,
      outgoing,
      decidedEnds: async () => new Map(),
    })
  }
}
const commit = (owner: KafkaOwner): Promise<void> =>
  owner.commit({ outputs: [{ topic: TOPICS.flags, partition: 0, key: NOTHING, value: NOTHING }], inputs: new Map() }, 1)
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('after 100 takeovers of three ids, the newest owner of each is connected, and the others are fenced', async () => {
  const [world, owners] = [new World(), new OpenOwners()]
  const taken: KafkaOwner[] = []
  for (let n = 0; n < 100; n++) {
    const owner = await world.take(`task-${n % 3}`)
    owners.add(owner)
    taken.push(owner)
    await commit(owner)
  }
  await settled()
  expect(world.open).toBe(3)
  await expect(commit(taken[0] as KafkaOwner)).rejects.toEqual(code('fenced'))
  await Promise.all(taken.slice(-3).map(commit))
  await owners.close()
  expect(world.open).toBe(0)
})
