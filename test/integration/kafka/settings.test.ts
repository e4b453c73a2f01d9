// What the roles on Kafka need, reported before anything starts.
import { register as registerCapture } from '../../../topology/cli/commands/capture.ts'
import { register as registerProcess } from '../../../topology/cli/commands/process.ts'
import { register as registerServe } from '../../../topology/cli/commands/serve.ts'
import { register as registerDoctor } from '../../../topology/cli/doctor/doctor.ts'
import { createAdmin, createClient } from '../../../topology/logs/kafka/client.ts'
import { runCommand } from '../../fakes/run-command.ts'
import { describeKafka, START_MS_MAX, sharedKafka } from '../../services/shared.ts'

describeKafka('settings of Kafka', () => {
  beforeAll(async () => void (await sharedKafka()), START_MS_MAX)

  test('doctor reports that brokers and registry respond, and what to do where they do not', async () => {
    const { brokers, registryUrl } = await sharedKafka()
    const doctor = async (env: Readonly<Record<string, string>>): Promise<string> =>
      (
        await runCommand(registerDoctor, ['doctor'], {
          env: { MINTFOLD_PORT: '0', MINTFOLD_CLICKHOUSE_PORT: '1', MINTFOLD_SINGLE_BROKER: 'true', ...env },
        })
      ).out
    const well = await doctor({ KAFKA_BROKERS: brokers, SCHEMA_REGISTRY_URL: registryUrl, MINTFOLD_TOPIC_PREFIX: 'none-yet.' })
    expect(well).toMatch(/^ok {6}kafka .*no topics none-yet\.\* yet/m)
    expect(well).toMatch(/^ok {6}kafka rights .*groups and transactional ids none-yet\.\* can be used/m)
    expect(well).toMatch(/^ok {6}registry .* subjects$/m)
    const away = await doctor({ KAFKA_BROKERS: '127.0.0.1:1', SCHEMA_REGISTRY_URL: `${registryUrl}/elsewhere` })
    expect(away).toMatch(/^not ok {2}kafka .*start a broker, or check KAFKA_BROKERS$/m)
    expect(away).toMatch(/^not ok {2}registry .*check the path of SCHEMA_REGISTRY_URL$/m)
  })

  test('doctor names topics that the brokers would not create, or not keep as configured, and creates none', async () => {
    const { brokers, registryUrl } = await sharedKafka()
    const admin = createAdmin(createClient({ brokers: [brokers], security: { tls: false, sasl: null } }))
    await admin.connect()
    await admin.createTopics({ topics: [{ topic: 'refused_raw_solana' }, { topic: 'kept.tape.solana', numPartitions: 3 }] })
    // Tests in other processes create topics on the same broker.
    const ours = async () => (await admin.listTopics()).filter((name) => /^(refused|kept)[._]/.test(name)).sort()
    const before = await ours()
    const line = async (prefix: string): Promise<string> => {
      const env = { MINTFOLD_PORT: '0', KAFKA_BROKERS: brokers, SCHEMA_REGISTRY_URL: registryUrl, MINTFOLD_TOPIC_PREFIX: prefix }
      const { out } = await runCommand(registerDoctor, ['doctor', '--single-broker'], { env })
      return out.split('\n').find((one) => one.slice(8).startsWith('kafka ')) ?? ''
    }
    expect(await line('refused.')).toMatch(/^not ok .*refused\.raw\.solana/)
    expect(await line('kept.')).toMatch(/^not ok .*kept\.tape\.solana has 3 partitions, wanted 12.*MINTFOLD_PARTITIONS/)
    expect(await ours()).toEqual(before)
    await admin.disconnect()
  })

  test.each([
    [registerCapture, 'capture'],
    [registerProcess, 'process'],
    [registerServe, 'serve'],
  ] as const)('without a broker or a ClickHouse role %# states what it needs', async (register, role) => {
    const { brokers, registryUrl } = await sharedKafka()
    expect((await runCommand(register, [role], { env: { MINTFOLD_PAYMENTS: 'off' } })).error).toMatchObject({
      message: expect.stringContaining('KAFKA_BROKERS is not set'),
    })
    const env = { MINTFOLD_PAYMENTS: 'off', KAFKA_BROKERS: brokers, SCHEMA_REGISTRY_URL: registryUrl }
    expect((await runCommand(register, [role], { env })).error).toMatchObject({
      message: expect.stringContaining('CLICKHOUSE_URL is not set'),
    })
  })
})
