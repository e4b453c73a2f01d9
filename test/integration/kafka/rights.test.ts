// What doctor reports of brokers with restrictive ACLs, and of stores that a newer version wrote.
import { AclOperationTypes, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } from 'kafkajs'
import { register as registerDoctor } from '../../../topology/cli/doctor/doctor.ts'
import { LAUNCH_RISK } from '../../../topology/launch-risk.ts'
import { createAdmin, createClient } from '../../../topology/logs/kafka/client.ts'
import { openKafkaLog } from '../../../topology/logs/kafka/open.ts'
import { topicsOf } from '../../../topology/topology.ts'
import { storesOwner, versionsOf, writeStoresUpdate } from '../../../topology/versions/stores-record.ts'
import { kafkaOptions } from '../../contract/kafka-given.ts'
import { out, write } from '../../contract/log-topics.ts'
import { runCommand } from '../../fakes/run-command.ts'
import { TOPICS } from '../../fixtures/topics.ts'
import { type Broker, startBroker } from '../../services/broker.ts'
import { describeOwnBroker, START_MS_MAX, sharedKafka } from '../../services/shared.ts'

const AUTHORIZER = {
  'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
  'allow.everyone.if.no.acl.found': 'true',
}
const PREFIX = 'guarded.'

describeOwnBroker('brokers with ACLs', () => {
  let broker: Broker
  let registryUrl = ''
  beforeAll(async () => {
    registryUrl = (await sharedKafka()).registryUrl
    broker = await startBroker({ settings: AUTHORIZER })
  }, START_MS_MAX)
  afterAll(() => broker.stop())

  const services = () => ({ brokers: broker.address, registryUrl })
  const doctor = async (): Promise<string> => {
    const kafka = { KAFKA_BROKERS: broker.address, SCHEMA_REGISTRY_URL: registryUrl, MINTFOLD_TOPIC_PREFIX: PREFIX }
    const env = { MINTFOLD_PORT: '0', MINTFOLD_CLICKHOUSE_PORT: '1', MINTFOLD_PARTITIONS: '1', ...kafka }
    return (await runCommand(registerDoctor, ['doctor', '--single-broker'], { env })).out
  }
  /** A topic with a rule allows what its rules allow, and nothing else. */
  const allowReading = async (topic: string): Promise<void> => {
    const admin = createAdmin(createClient({ brokers: [broker.address], security: { tls: false, sasl: null } }))
    await admin.connect()
    const resource = { resourceType: AclResourceTypes.TOPIC, resourceName: topic, resourcePatternType: ResourcePatternTypes.LITERAL }
    const rule = { principal: 'User:ANONYMOUS', host: '*', permissionType: AclPermissionTypes.ALLOW }
    const operations = [AclOperationTypes.READ, AclOperationTypes.DESCRIBE_CONFIGS]
    await admin.createAcls({ acl: operations.map((operation) => ({ ...resource, ...rule, operation })) })
    await admin.disconnect()
  }

  test('names the topic that this user may not write, and stores of a newer version', async () => {
    const log = await openKafkaLog(
      await kafkaOptions({ services: services(), prefix: PREFIX, topics: topicsOf(LAUNCH_RISK), partitions: 1 }),
    )
    const before = await doctor()
    expect(before).toMatch(/^ok {6}kafka rights .*topics, groups and transactional ids guarded\.\* can be used$/m)
    expect(before).toMatch(/^ok {6}kafka stores .*none yet/m)
    const versions = versionsOf(LAUNCH_RISK).map(({ name, version }) => ({ name, version: version + 1 }))
    await writeStoresUpdate(await log.own(storesOwner('solana')), TOPICS, 'solana', {
      stores: { state: 'whole', versions, redrive: 0, revision: 0, rolledBack: [] },
    })
    await allowReading(PREFIX + TOPICS.flags.name)
    const flag = out(TOPICS.flags, 0, 'k', 'v')
    const owner = await log.own('writer')
    const after = await doctor()
    expect(after).toMatch(/^not ok {2}kafka rights .*this user may not write guarded\.flags: allow Read and Write on topics guarded\.\*$/m)
    expect(after).toMatch(
      /^not ok {2}kafka stores .*written by version \d+ of \w+, and this program has version \d+: run the newer program/m,
    )
    await expect(write(owner, [flag])).rejects.toMatchObject({ code: 'log_refused', retriable: false })
    await log.close()
  })
})
