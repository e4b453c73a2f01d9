// The only broker is killed during transactions and comes back on the same data: everything committed once, nothing lost.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openKafkaLog } from '../../../topology/logs/kafka/open.ts'
import type { Log } from '../../../topology/ports/log.ts'
import { kafkaOptions } from '../../contract/kafka-given.ts'
import { EVENTS, out, readAll, text, write } from '../../contract/log-topics.ts'
import { type Broker, startBroker } from '../../services/broker.ts'
import { describeOwnBroker, START_MS_MAX, sharedKafka } from '../../services/shared.ts'
import { checkOwner, fenceBoth, startWriter } from './kill-given.ts'

describeOwnBroker('a broker that is killed', () => {
  const dir = mkdtempSync(join(tmpdir(), 'mintfold-broker-'))
  let broker: Broker
  let registryUrl = ''
  beforeAll(async () => {
    registryUrl = (await sharedKafka()).registryUrl
    broker = await startBroker({ dir })
  }, START_MS_MAX)
  afterAll(async () => {
    await broker.stop()
    rmSync(dir, { recursive: true, force: true })
  })
  const services = () => ({ brokers: broker.address, registryUrl })
  const killAndStart = async (): Promise<void> => {
    const { port } = broker
    await broker.kill()
    broker = await startBroker({ dir, port })
  }

  test('after a kill under load and a restart, a writer in another process continues by itself, and every number is there once', async () => {
    const options = await kafkaOptions({ services: services() })
    const writer = startWriter(options, 1)
    await writer.isOpen
    const started = Date.now()
    while ((writer.printed.get('a') ?? 0) < 20 && Date.now() - started < 30_000) await new Promise((resolve) => setTimeout(resolve, 20))
    await killAndStart()
    const atReturn = Math.max(writer.printed.get('a') ?? 0, writer.printed.get('b') ?? 0)
    const isOn = () => ['a', 'b'].every((id) => (writer.printed.get(id) ?? 0) > atReturn + 5)
    while (!isOn() && writer.child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 20))
    writer.child.kill('SIGKILL')
    await writer.exited
    const log = await openKafkaLog(options)
    await fenceBoth(log)
    for (const [id, partition] of [['a', 0] as const, ['b', 1] as const]) await checkOwner(log, id, partition, writer.printed.get(id) ?? 0)
    await log.close()
    expect(isOn()).toBe(true)
  })

  test('while a broker stays down a commit fails as retriable, nothing is duplicated, and readers continue when it is back', async () => {
    const notices: string[] = []
    const options = await kafkaOptions({ services: services(), notice: (message) => notices.push(message), limits: { commitMsMax: 500 } })
    const log: Log = await openKafkaLog(options)
    const reader = await openKafkaLog(options)
    expect(await readAll(reader, EVENTS, 0)).toEqual([])
    const owner = await log.own('c')
    await write(owner, [out(EVENTS, 0, 'k', 'before')], { in: 1 })
    const { port } = broker
    await broker.kill()
    const away = { outputs: [out(EVENTS, 0, 'k', 'away')], inputs: new Map([['in', 2]]) }
    await expect(owner.commit(away)).rejects.toMatchObject({ code: 'log_unreachable', retriable: true })
    broker = await startBroker({ dir, port })
    await owner.commit(away)
    await write(owner, [out(EVENTS, 0, 'k', 'after')], { in: 3 })
    const last = log.end(EVENTS, 0)
    while (reader.end(EVENTS, 0) < last) await new Promise((resolve) => setTimeout(resolve, 20))
    for (const one of [log, reader])
      expect((await readAll(one, EVENTS, 0)).map(({ value }) => text(value))).toEqual(['before', 'away', 'after'])
    expect(notices.join('\n')).toMatch(/no broker of 127\.0\.0\.1:\d+ answered/)
    expect(notices.at(-1)).toMatch(/reachable again/)
    await Promise.all([log.close(), reader.close()])
  })
})
