// Topics created while there were fewer brokers.
import { checkKafka } from '../../../topology/cli/doctor/checks-kafka.ts'
import { parseSettings } from '../../../topology/cli/settings/settings.ts'
import { LAUNCH_RISK } from '../../../topology/launch-risk.ts'
import { openKafkaLog } from '../../../topology/logs/kafka/open.ts'
import { topicsOf } from '../../../topology/topology.ts'
import { kafkaOptions } from '../../contract/kafka-given.ts'
import { type Broker, startBroker } from '../../services/broker.ts'
import { describeOwnBroker, START_MS_MAX, sharedKafka } from '../../services/shared.ts'

describeOwnBroker('topics with fewer replicas than brokers', () => {
  const brokers: Broker[] = []
  let registryUrl = ''
  beforeAll(async () => {
    registryUrl = (await sharedKafka()).registryUrl
    brokers.push(await startBroker())
  }, START_MS_MAX)
  afterAll(async () => {
    for (const broker of brokers.reverse()) await broker.stop()
  })

  test('are warned about at the start and by doctor, with what to do, once a second broker is up', async () => {
    const first = brokers[0] as Broker
    const notices: string[] = []
    const services = { brokers: first.address, registryUrl }
    const options = await kafkaOptions({ services, topics: topicsOf(LAUNCH_RISK), partitions: 1, notice: (notice) => notices.push(notice) })
    await openKafkaLog(options).then((log) => log.close())
    expect(notices).toEqual([])
    brokers.push(await startBroker({ joins: first }))
    await openKafkaLog(options).then((log) => log.close())
    const warning = expect.stringMatching(
      /^\d+ topics have fewer than 2 copies.*capture\.changelog \(1\).* more\. Give each .* 2 replicas with kafka-reassign-partitions\.sh/,
    )
    expect(notices).toEqual([warning])
    const looked = []
    for await (const check of checkKafka(parseSettings({ MINTFOLD_PARTITIONS: '1' }, { source: 'demo' }), options)) looked.push(check)
    expect(looked[0]).toMatchObject({ name: 'kafka', ok: false, text: expect.stringContaining(notices[0] as string) })
  })
})
