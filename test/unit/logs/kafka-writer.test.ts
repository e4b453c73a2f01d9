// Owners that share a writer.
import { BrokerRetries } from '../../../topology/logs/kafka/broker-retries.ts'
import { KAFKA_LIMITS, type KafkaLimits } from '../../../topology/logs/kafka/options.ts'
import { KafkaOwner } from '../../../topology/logs/kafka/owners/owner.ts'
import { Writer, type WriterParts } from '../../../topology/logs/kafka/owners/writer.ts'
import { code } from '../../contract/log-topics.ts'
import { TOPICS } from '../../fixtures/topics.ts'
import { FakeBrokers, type Fate, NOTHING, REFUSED } from './fake-brokers.ts'

const given = async (ids: readonly string[], limits: Partial<KafkaLimits> = {}) => {
  const brokers = new FakeBrokers()
  const parts: Omit<WriterParts, 'open'> = {
    brokerRetries: new BrokerRetries(['broker'], () => {}),
    limits: { ...KAFKA_LIMITS, commitMsMax: 400, awayMsMax: 400, ...limits },
    repair: async () => {},
    outgoing: ({ topic, partition, key, value }) => ({ topicName: topic.name, partition, key: Buffer.from(key), head: NOTHING, value }),
    visible: async () => {},
    decidedEnds: async (names) => new Map(names.map((name) => [name, 1])),
  }
  const writer = new Writer({ ...parts, open: () => brokers.openWriter() })
  const shared = { name: 'writer-1', writer }
  const own = (id: string): Promise<KafkaOwner> => KafkaOwner.take(id, { ...parts, fence: brokers.fencing(id), shared })
  const owners: KafkaOwner[] = []
  for (const id of ids) owners.push(await own(id))
  return { brokers, writer, owners: owners as [KafkaOwner, KafkaOwner, KafkaOwner], own }
}
const commit = (owner: KafkaOwner, value: string, offset: number, canWait = false): Promise<void> =>
  owner.commit(
    {
      canWait,
      outputs: [{ topic: TOPICS.flags, partition: 0, key: Buffer.from('k'), value: Buffer.from(value) }],
      inputs: new Map([['in', offset]]),
    },
    value.length,
  )

describe('a shared writer', () => {
  test('writes all commits that wait in one transaction, with one checkpoint of each owner, and those that come meanwhile in the next', async () => {
    const { brokers, owners } = await given(['a', 'b', 'c'])
    const [a, b, c] = owners
    const later: Promise<void>[] = []
    brokers.during = async () => {
      if (later.length === 0) later.push(commit(c, 'c1', 1), commit(a, 'a3', 3), commit(b, 'b2', 2))
    }
    await Promise.all([commit(a, 'a1', 1), commit(b, 'b1', 1), commit(a, 'a2', 2)])
    await Promise.all(later)
    expect(brokers.transactions).toEqual([
      ['a1', 'a2', 'b1'],
      ['c1', 'a3', 'b2'],
    ])
    expect(brokers.checkpoints.get('a')).toEqual({
      id: 'a',
      generation: 1,
      commits: 2,
      inputs: [{ name: 'in', offset: 3 }],
      writer: 'writer-1',
    })
    expect(owners.map((owner) => owner.committed().get('in'))).toEqual([3, 2, 1])
    expect(brokers.confirmed).toBe(0)
  })
  test('lets commits that can wait do so until all owners of the last transaction commit or one cannot wait, within a limit', async () => {
    const { brokers, owners } = await given(['a', 'b', 'c', 'idle'], { gatherMsMax: 60_000 })
    const [a, b, c] = owners
    await Promise.all([a, b, c].map((owner) => commit(owner, `${owner.id}0`, 0)))
    const later = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 10))
    const others = later().then(() => Promise.all([b, c].map((owner) => commit(owner, `${owner.id}1`, 1, true))))
    await Promise.all([commit(a, 'a1', 1, true), others])
    await Promise.all([commit(a, 'a2', 2, true), later().then(() => commit(b, 'b2', 2))])
    expect(brokers.transactions).toEqual([
      ['a0', 'b0', 'c0'],
      ['a1', 'b1', 'c1'],
      ['a2', 'b2'],
    ])
    const alone = await given(['a', 'b'], { gatherMsMax: 5 })
    await Promise.all(alone.owners.map((owner) => commit(owner, `${owner.id}0`, 0)))
    await commit(alone.owners[0], 'a1', 1, true)
  })
  test('does not wait for owners that were released', async () => {
    const { owners } = await given(['a', 'b'], { gatherMsMax: 60_000 })
    const [a, b] = owners
    await Promise.all([commit(a, 'a0', 0), commit(b, 'b0', 0)])
    await b.release()
    await commit(a, 'a1', 1, true)
  })
  test('begins another transaction at the limit of bytes', async () => {
    const { brokers, owners } = await given(['a', 'b', 'c'], { groupBytesMax: 4 })
    await Promise.all(owners.map((owner, n) => commit(owner, `x${n}`, 1)))
    expect(brokers.transactions).toEqual([['x0', 'x1'], ['x2']])
  })
  test.each<[string, Fate[]]>([
    ['the EndTxn request was lost', ['lost before']],
    ['the EndTxn response was lost', ['lost after']],
    ['a send failed', ['send fails']],
    ['all of these in sequence', ['send fails', 'lost before', 'send fails', 'lost after']],
  ])('writes every commit of a transaction once, after %s', async (_name, fates) => {
    const { brokers, owners } = await given(['a', 'b'])
    const [a, b] = owners
    brokers.fates.push(...fates)
    await Promise.all([commit(a, 'a1', 1), commit(b, 'b1', 1)])
    await Promise.all([commit(a, 'a2', 2), commit(b, 'b2', 2)])
    expect(brokers.transactions).toEqual([
      ['a1', 'b1'],
      ['a2', 'b2'],
    ])
    expect([a.committed().get('in'), b.committed().get('in')]).toEqual([2, 2])
  })
  test('leaves out an owner whose id another process is taking over: its commits fail as fenced, the others are written once', async () => {
    const { brokers, owners } = await given(['a', 'b', 'c'])
    const [a, b, c] = owners
    brokers.take('b')
    const outcomes = await Promise.allSettled([commit(a, 'a1', 1), commit(b, 'b1', 1), commit(c, 'c1', 1), commit(b, 'b2', 2)])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected'])
    expect(outcomes[1]).toMatchObject({ reason: code('fenced') })
    expect(brokers.transactions).toEqual([['a1', 'c1']])
    await expect(commit(b, 'b3', 3)).rejects.toEqual(code('fenced'))
    await commit(a, 'a2', 2)
    expect(brokers.transactions).toEqual([['a1', 'c1'], ['a2']])
  })
  test('confirms an owner before its first commit, if the producer was opened after the takeover began', async () => {
    const { brokers, owners, own } = await given(['a'])
    brokers.whileTaking = async () => {
      brokers.fates.push('send fails')
      await commit(owners[0], 'a1', 1)
    }
    const late = await own('b')
    brokers.take('b', false)
    await expect(commit(late, 'zombie', 1)).rejects.toEqual(code('fenced'))
    await commit(owners[0], 'a2', 2)
    expect(brokers.transactions).toEqual([['a1'], ['a2']])
  })
  test('writes the commits of all owners except the one whose records the broker refuses', async () => {
    const { brokers, owners } = await given(['a', 'b', 'c'])
    const [a, b, c] = owners
    const outcomes = await Promise.allSettled([commit(a, 'a1', 1), commit(b, REFUSED, 1), commit(c, 'c1', 1)])
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(outcomes[1]).toMatchObject({ reason: code('log_refused') })
    expect(brokers.transactions).toEqual([['a1'], ['c1']])
  })
  test('stops the owners of a transaction whose outcome stays unknown, and no others', async () => {
    const { brokers, owners } = await given(['a', 'b', 'c'])
    const [a, b, c] = owners
    brokers.fates.push('lost before')
    brokers.during = async () => {
      brokers.areAway = true
    }
    const unknown = { code: 'log_unreachable', retriable: false }
    const outcomes = await Promise.allSettled([commit(a, 'a1', 1), commit(b, 'b1', 1)])
    expect(outcomes).toMatchObject([{ reason: unknown }, { reason: unknown }])
    brokers.areAway = false
    brokers.during = async () => {}
    await commit(c, 'c1', 1)
    await expect(commit(a, 'a1', 1)).rejects.toMatchObject(unknown)
    expect(brokers.transactions).toEqual([['c1']])
  })
  test('ends an owner that its own process takes over again, once its commit in flight has ended', async () => {
    const { brokers, owners, writer } = await given(['a', 'b', 'c'])
    const [a] = owners
    let drained: Promise<void> | undefined
    let isDrained = false
    brokers.during = async () => {
      drained ??= writer.drained('a').then(() => {
        isDrained = true
      })
      await new Promise((resolve) => setImmediate(resolve))
      expect(isDrained).toBe(false)
    }
    const [inFlight, behind] = [commit(a, 'a1', 1), new Promise<void>((resolve) => setImmediate(resolve)).then(() => commit(a, 'a2', 2))]
    await inFlight
    await expect(behind).rejects.toEqual(code('fenced'))
    await drained
    expect(brokers.transactions).toEqual([['a1']])
  })
})
