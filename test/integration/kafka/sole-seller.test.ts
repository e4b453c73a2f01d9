// Two processes that take payments to one wallet without a shared store of payments, on a real broker.
import { claimSales } from '../../../topology/cli/selling/sole-seller.ts'
import { KafkaAssignment } from '../../../topology/logs/kafka/group/assignment.ts'
import { describeKafka, START_MS_MAX, sharedKafka } from '../../services/shared.ts'

describeKafka('sellers to one wallet', () => {
  let options: ConstructorParameters<typeof KafkaAssignment>[0]
  beforeAll(async () => {
    const { brokers } = await sharedKafka()
    const security = { tls: false, sasl: null }
    const prefix = `sellers-${process.pid}-${Date.now()}.`
    options = { brokers: brokers.split(','), security, prefix, notice: () => {}, group: 'sales.wallet', weightOf: () => 1, standbys: 0 }
  }, START_MS_MAX)

  test('the second is refused while the first sells, which continues; once the first has left, the next sells', async () => {
    const first = await claimSales('wallet', new KafkaAssignment(options))
    const free = first.admit(async () => null)
    await expect(claimSales('wallet', new KafkaAssignment(options), 3_000)).rejects.toMatchObject({ code: 'seller_elsewhere' })
    expect(await free('payer')).toBeNull()
    await first.stop()
    const next = await claimSales('wallet', new KafkaAssignment(options))
    expect(await next.admit(async () => null)('payer')).toBeNull()
    await next.stop()
  })
})
