// The schema registry is down: a start waits for it, a running process does not need it.
import { openKafkaLog } from '../../../topology/logs/kafka/open.ts'
import { kafkaOptions } from '../../contract/kafka-given.ts'
import { EVENTS, out, values, write } from '../../contract/log-topics.ts'
import { type Registry, startRegistry } from '../../services/registry.ts'
import { describeOwnBroker, START_MS_MAX, sharedKafka } from '../../services/shared.ts'
import { freePort } from '../../tools/free-port.ts'

describeOwnBroker('a registry outage', () => {
  let registry: Registry | undefined
  beforeAll(sharedKafka, START_MS_MAX)
  afterEach(() => registry?.stop())

  test('a start waits for it; when it goes away later commits and reads continue, and a restart is refused by name', async () => {
    const port = await freePort()
    const notices: string[] = []
    const notice = (message: string): void => void notices.push(message)
    const { brokers } = await sharedKafka()
    const services = { brokers, registryUrl: `http://127.0.0.1:${port}/apis/ccompat/v7` }
    const options = await kafkaOptions({ services, notice, limits: { openMsMax: 90_000 } })
    const opening = openKafkaLog(options)
    registry = await startRegistry({ port })
    const log = await opening
    const owner = await log.own('a')
    await write(owner, [out(EVENTS, 0, 'k', 'with')], { in: 1 })
    await registry.kill()
    for (let i = 0; i < 5; i++) await write(owner, [out(EVENTS, 0, 'k', `without ${i}`)], { in: 2 + i })
    expect(await values(log, EVENTS, 0)).toEqual(['with', ...[0, 1, 2, 3, 4].map((i) => `without ${i}`)])
    await log.close()
    const again = openKafkaLog({ ...options, limits: { openMsMax: 5_000 } })
    await expect(again).rejects.toMatchObject({ code: 'registry_unreachable', retriable: true })
    expect(notices.join()).toMatch(/the schema registry at http:\/\/127\.0\.0\.1:\d+ gave no answer/)
  })
})
