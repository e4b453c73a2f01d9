// A broker confirms an owner, but its answer is lost, and it restarts: it forgets which epoch the owner had before.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DEFAULT_LIMITS } from '../../../topology/engine/limits.ts'
import { openKafkaLog } from '../../../topology/logs/kafka/open.ts'
import { TransactionalProducer } from '../../../topology/logs/kafka/owners/producer.ts'
import { retryCommit } from '../../../topology/waiting/retry.ts'
import { kafkaOptions } from '../../contract/kafka-given.ts'
import { EVENTS, out, values, write } from '../../contract/log-topics.ts'
import { LateEnds } from '../../fakes/late-ends.ts'
import { startBroker } from '../../services/broker.ts'
import { describeOwnBroker, sharedKafka } from '../../services/shared.ts'
import { Dice } from '../../simulation/dice.ts'
import { freePort } from '../../tools/free-port.ts'
import { until } from '../../tools/until.ts'
import { nextCheckpoint, partsOf } from './left-transactions.ts'

const ID = 'a'

/** The connection is always cut, and always after the request was delivered. */
class Delivered extends Dice {
  readonly #shares = [0, 0.9]
  #next = 0
  override share(): number {
    return this.#shares[this.#next++ % 2] as number
  }
}

describeOwnBroker('an owner that was confirmed without an answer, by a broker that restarts', () => {
  test('goes on: it takes its id again, and its commit is there once', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'mintfold-confirmation-'))
    const advertisedPort = await freePort()
    let broker = await startBroker({ dir, advertisedPort })
    const { port } = broker
    const proxy = await LateEnds.listen(advertisedPort, port)
    const services = { brokers: `127.0.0.1:${advertisedPort}`, registryUrl: (await sharedKafka()).registryUrl }
    const options = await kafkaOptions({ services })
    const log = await openKafkaLog(options)
    const owner = await log.own(ID, true)
    await write(owner, [out(EVENTS, 0, 'k', '1')], { in: 1 })
    const { standing } = await nextCheckpoint(options, ID, 0, 0)
    await (await TransactionalProducer.open(options.prefix + standing.writer, partsOf(options))).disconnect()

    proxy.hold({ transactionalId: options.prefix + ID, dice: new Delivered(0, 'confirmation'), heldShare: 0, cutShare: 1 })
    const next = { outputs: [out(EVENTS, 0, 'k', '2')], inputs: new Map([['in', 2]]) }
    const written = retryCommit(owner, next, DEFAULT_LIMITS, () => false)
    await until(() => proxy.cuts > 0)
    await broker.stop()
    broker = await startBroker({ dir, port, advertisedPort })
    proxy.pass()
    await written
    await log.refresh()
    expect(await values(log, EVENTS, 0)).toEqual(['1', '2'])
    await log.close()
    await broker.stop()
    await proxy.close()
    await rm(dir, { recursive: true, force: true })
  }, 600_000)
})
