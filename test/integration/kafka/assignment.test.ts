// The consumer group while one of its members does not respond.
import { AssignerProtocol, type Broker } from 'kafkajs'
import { createClient, createCluster } from '../../../topology/logs/kafka/client.ts'
import { KafkaAssignment } from '../../../topology/logs/kafka/group/assignment.ts'
import { retry } from '../../../topology/waiting/retry.ts'
import { describeKafka, START_MS_MAX, sharedKafka } from '../../services/shared.ts'
import { until } from '../../tools/until.ts'

const PARTITIONS = ['raw.solana/0', ...Array.from({ length: 4 }, (_, partition) => `tape.solana/${partition}`)]
/** How long a rebalance waits for the silent member. */
const SILENT_MS = 15_000

/** Methods of kafkajs that its types omit. */
interface Joining extends Broker {
  joinGroup(request: object): Promise<{ readonly memberId: string; readonly generationId: number }>
  syncGroup(request: object): Promise<unknown>
}

type Options = ConstructorParameters<typeof KafkaAssignment>[0]

/** A member that sends no heartbeats. */
const silentMember = async ({ prefix, ...options }: Options, group: string) => {
  const silent = createCluster(createClient(options))
  await silent.connect()
  const groupId = prefix + group
  const coordinator = (await silent.findGroupCoordinator({ groupId })) as Joining
  const metadata = AssignerProtocol.MemberMetadata.encode({ version: 0, topics: [], userData: Buffer.from('[]') })
  const times = { sessionTimeout: SILENT_MS, rebalanceTimeout: SILENT_MS }
  // A new broker may still load its groups.
  const joined = await retry(
    () => coordinator.joinGroup({ groupId, memberId: '', ...times, groupProtocols: [{ name: 'mintfold', metadata }] }),
    { firstMs: 100, triesMax: 100, isPassing: () => true },
  )
  await coordinator.syncGroup({ groupId, ...joined, groupAssignment: [] })
  return { memberId: joined.memberId, disconnect: () => silent.disconnect() }
}

describeKafka('the consumer group', () => {
  let options: Options
  beforeAll(async () => {
    const { brokers } = await sharedKafka()
    const security = { tls: false, sasl: null }
    const prefix = `group-${process.pid}-${Date.now()}.`
    options = { brokers: brokers.split(','), security, prefix, notice: () => {}, group: 'process', weightOf: () => 1, standbys: 0 }
  }, START_MS_MAX)

  test('a start after a kill ends the former membership instead of waiting for its session', async () => {
    const group = 'restarted'
    const killed = await silentMember(options, group)
    const memory = { id: killed.memberId as string | undefined }
    const store = {
      read: () => memory.id,
      write: (id: string | undefined) => {
        memory.id = id
      },
    }
    const restarted = new KafkaAssignment({ ...options, group, memory: store })
    let has = 0
    const askedMs = Date.now()
    await restarted.start(PARTITIONS, async (assigned) => {
      has = assigned.size
    })
    expect(Date.now() - askedMs).toBeLessThan(SILENT_MS / 3)
    expect(has).toBe(PARTITIONS.length)
    expect(memory.id).not.toBe(killed.memberId)
    expect(memory.id).toBeDefined()
    await restarted.stop()
    expect(memory.id).toBeUndefined()
    await killed.disconnect()
  })

  test('a member stops at once, and leaves, while a rebalance waits for another that is silent', async () => {
    const [staying, leaving] = [new KafkaAssignment(options), new KafkaAssignment(options)]
    const has = { staying: 0, leaving: 0 }
    await staying.start(PARTITIONS, async (assigned) => {
      has.staying = assigned.size
    })
    await leaving.start(PARTITIONS, async (assigned) => {
      has.leaving = assigned.size
    })
    await until(async () => has.staying + has.leaving === PARTITIONS.length && has.leaving > 0)
    const groupId = `${options.prefix}process`
    const silent = await silentMember(options, 'process')
    const newcomer = new KafkaAssignment(options)
    const waiting = newcomer.start(PARTITIONS, async () => {})
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    const askedMs = Date.now()
    await leaving.stop()
    expect(Date.now() - askedMs).toBeLessThan(SILENT_MS / 3)
    await waiting
    await until(async () => staying.isKnown)
    const admin = createClient(options).admin()
    await admin.connect()
    const { groups } = await admin.describeGroups([groupId])
    expect(groups[0]?.members).toHaveLength(2)
    await Promise.all([staying.stop(), newcomer.stop(), silent.disconnect(), admin.disconnect()])
  })
})
