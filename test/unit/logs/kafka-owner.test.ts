// Commits whose EndTxn response is lost. The fake broker stores whole transactions and loses the requests and responses that a test lists.
import type { OwnerStanding } from '../../../schemas/types.ts'
import { BrokerRetries } from '../../../topology/logs/kafka/broker-retries.ts'
import { KAFKA_LIMITS } from '../../../topology/logs/kafka/options.ts'
import type { Fenced, Fencing } from '../../../topology/logs/kafka/owners/fence.ts'
import { KafkaOwner, type OwnerParts } from '../../../topology/logs/kafka/owners/owner.ts'
import type { Producer } from '../../../topology/logs/kafka/owners/producer.ts'
import type { Outgoing } from '../../../topology/logs/kafka/wire/record-batch.ts'
import { code } from '../../contract/log-topics.ts'
import { TOPICS } from '../../fixtures/topics.ts'
import { until } from '../../tools/until.ts'

/** Fate of the next end of a transaction. */
type Fate = 'well' | 'lost before' | 'lost after' | 'send fails'

const NOTHING = Buffer.alloc(0)
const encode = (standing: OwnerStanding): Buffer => Buffer.from(JSON.stringify(standing))
const lost = (): Error => Object.assign(new Error('Closed connection'), { name: 'KafkaJSConnectionClosedError' })
const oldEpoch = (): Error => Object.assign(new Error('old epoch'), { name: 'KafkaJSProtocolError', type: 'INVALID_PRODUCER_EPOCH' })

/** One transactional id on a fake broker: its epoch, the records of committed transactions, and the newest checkpoint. */
class FakeBroker implements Fencing {
  readonly committed: string[] = []
  standing: OwnerStanding | undefined
  readonly fates: Fate[] = []
  /** Partitions that lack the end marker of a commit. */
  readonly unmarked = new Set<string>()
  takes = 0
  #epoch = 0

  async readCheckpoint(): Promise<OwnerStanding | undefined> {
    return this.standing
  }
  async fence(): Promise<Fenced> {
    this.takes++
    return { producer: this.#producer(++this.#epoch), checkpoint: this.standing }
  }
  async confirm(): Promise<never> {
    throw new Error('only owners that share a writer are confirmed')
  }
  checkpointRecord(standing: OwnerStanding): Outgoing {
    return { topicName: 'owners', partition: 0, key: Buffer.from(standing.id), head: NOTHING, value: encode(standing) }
  }
  #producer(epoch: number): Producer {
    return {
      disconnect: async () => {},
      closeCommits: async (names) => {
        for (const name of names) this.unmarked.delete(name)
      },
      write: async (records, ending) => {
        if (epoch !== this.#epoch) throw oldEpoch()
        if (this.fates[0] === 'send fails') {
          this.fates.shift()
          throw lost()
        }
        ending()
        if (epoch !== this.#epoch) throw oldEpoch()
        const fate = this.fates.shift() ?? 'well'
        if (fate === 'lost before') throw lost()
        for (const record of records) this.#keep(record)
        if (fate === 'lost after') throw lost()
        return new Map(records.map(({ topicName, partition }) => [`${topicName}/${partition}`, 1]))
      },
    }
  }
  #keep({ topicName, value }: Outgoing): void {
    const text = Buffer.from(value ?? []).toString()
    if (topicName === 'owners') this.standing = JSON.parse(text) as OwnerStanding
    else this.committed.push(text)
  }
}

const partsOf = (world: FakeBroker, shown: (ReadonlyMap<string, number> | undefined)[] = []): OwnerParts => ({
  fence: world,
  brokerRetries: new BrokerRetries(['broker'], () => {}),
  limits: { ...KAFKA_LIMITS, commitMsMax: 400, awayMsMax: 400 },
  repair: async () => {},
  outgoing: ({ topic, partition, key, value }) => ({
    topicName: topic.name,
    partition,
    key: Buffer.from(key),
    head: NOTHING,
    value,
  }),
  visible: async (ends) => void shown.push(ends),
  decidedEnds: async (names) => new Map(names.map((name) => [name, world.unmarked.has(name) ? 0 : 1])),
})
const commitOf = (text: string, offset: number) => ({
  outputs: [{ topic: TOPICS.flags, partition: 0, key: Buffer.from('k'), value: Buffer.from(text) }],
  inputs: new Map([['in', offset]]),
})

test('a commit without markers is closed before the next one, which an idle owner makes by itself', async () => {
  const world = new FakeBroker()
  const owner = await KafkaOwner.take('a', partsOf(world))
  world.unmarked.add('flags/0')
  await owner.commit(commitOf('one', 1), 3)
  await until(() => world.unmarked.size === 0)
  expect(world.standing).toMatchObject({ commits: 2, inputs: [{ name: 'in', offset: 1 }] })
  expect(world.committed).toEqual(['one'])
  await owner.release()
})

test('a takeover counts as progress whenever it gets further, also each time it begins again', async () => {
  const world = new FakeBroker()
  world.fates.push('lost before', 'lost before', 'lost before')
  const parts = partsOf(world)
  await (await KafkaOwner.take('a', parts)).release()
  expect(parts.brokerRetries.tries).toBeGreaterThanOrEqual(world.takes)
})

describe('commits whose outcome is unknown', () => {
  test.each<[string, Fate[]]>([
    ['the EndTxn request was lost', ['lost before']],
    ['the EndTxn response was lost', ['lost after']],
    ['a send failed', ['send fails']],
    ['all of these in sequence', ['send fails', 'lost before', 'send fails', 'lost after']],
  ])('after %s, the commit exists once and resolves, and the next follows it', async (_name, fates) => {
    const world = new FakeBroker()
    const owner = await KafkaOwner.take('a', partsOf(world))
    world.fates.push(...fates)
    await Promise.all([owner.commit(commitOf('one', 1), 3), owner.commit(commitOf('two', 2), 3)])
    await owner.commit(commitOf('three', 3), 3)
    expect(world.committed).toEqual(['one', 'two', 'three'])
    expect(world.standing?.inputs).toEqual([{ name: 'in', offset: 3 }])
    expect(owner.committed().get('in')).toBe(3)
  })
  test('after a successful commit whose response was lost, its offsets are reported as unknown', async () => {
    const world = new FakeBroker()
    const shown: (ReadonlyMap<string, number> | undefined)[] = []
    const owner = await KafkaOwner.take('a', partsOf(world, shown))
    world.fates.push('lost after')
    await owner.commit(commitOf('one', 1), 3)
    await owner.commit(commitOf('two', 2), 3)
    expect(shown.map((ends) => ends?.get('flags/0'))).toEqual([undefined, 1])
  })
  test('if brokers lost a commit that they had acknowledged, the owner stops with an error', async () => {
    const world = new FakeBroker()
    const owner = await KafkaOwner.take('a', partsOf(world))
    const before = world.standing
    await owner.commit(commitOf('one', 1), 3)
    world.standing = before
    world.fates.push('send fails')
    const gone = { code: 'log_rewound', retriable: false, facts: { id: 'a', commits: 0, taken: 1 } }
    await expect(owner.commit(commitOf('two', 2), 3)).rejects.toMatchObject(gone)
    await expect(owner.commit(commitOf('three', 3), 3)).rejects.toMatchObject(gone)
    expect(world.committed).toEqual(['one'])
  })
  test('continues if a read still finds the older checkpoint because a broker has not written the previous end marker yet', async () => {
    const world = new FakeBroker()
    const owner = await KafkaOwner.take('a', partsOf(world))
    await owner.commit(commitOf('one', 1), 3)
    jest.spyOn(world, 'readCheckpoint').mockResolvedValueOnce(undefined)
    world.fates.push('send fails')
    await owner.commit(commitOf('two', 2), 3)
    expect(world.committed).toEqual(['one', 'two'])
  })
  test('if brokers fail before EndTxn is sent, the failure is retriable, nothing is committed, and the same commit may be repeated', async () => {
    const world = new FakeBroker()
    const owner = await KafkaOwner.take('a', partsOf(world))
    world.fates.push(...Array.from({ length: 100 }, (): Fate => 'send fails'))
    await expect(owner.commit(commitOf('one', 1), 3)).rejects.toMatchObject({ code: 'log_unreachable', retriable: true })
    expect([world.committed, owner.committed().size]).toEqual([[], 0])
    world.fates.length = 0
    await owner.commit(commitOf('one', 1), 3)
    expect(world.committed).toEqual(['one'])
  })
  test('if brokers fail after EndTxn was sent, the outcome is unknown, never retriable, and the owner stops writing', async () => {
    const world = new FakeBroker()
    const parts = partsOf(world)
    const owner = await KafkaOwner.take('a', parts)
    world.fates.push('lost before')
    world.fence = async () => {
      throw lost()
    }
    await expect(owner.commit(commitOf('one', 1), 3)).rejects.toMatchObject({ code: 'log_unreachable', retriable: false })
    await expect(owner.commit(commitOf('one', 1), 3)).rejects.toMatchObject({ code: 'log_unreachable', retriable: false })
    expect(world.committed).toEqual([])
  })
  test('an older owner is fenced after any failure, without fencing the newer one', async () => {
    const world = new FakeBroker()
    const older = await KafkaOwner.take('a', partsOf(world))
    const newer = await KafkaOwner.take('a', partsOf(world))
    const { takes } = world
    await expect(older.commit(commitOf('zombie', 9), 3)).rejects.toEqual(code('fenced'))
    await expect(older.commit(commitOf('zombie', 9), 3)).rejects.toEqual(code('fenced'))
    await newer.commit(commitOf('one', 1), 3)
    expect([world.committed, world.takes]).toEqual([['one'], takes])
  })
  test('if the epoch moved without a takeover, as after a timeout, the owner reclaims the id and continues', async () => {
    const world = new FakeBroker()
    const owner = await KafkaOwner.take('a', partsOf(world))
    await world.fence()
    await owner.commit(commitOf('one', 1), 3)
    expect([world.committed, world.standing?.generation]).toEqual([['one'], 1])
  })
})
