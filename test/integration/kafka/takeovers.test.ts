// Takeovers leak nothing in a process.
import { openKafkaLog } from '../../../topology/logs/kafka/open.ts'
import type { Log } from '../../../topology/ports/log.ts'
import { kafkaOptions } from '../../contract/kafka-given.ts'
import { code, EVENTS, out, write } from '../../contract/log-topics.ts'
import { describeKafka, START_MS_MAX, sharedKafka } from '../../services/shared.ts'

const sockets = (): number => process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length
/** Closed sockets disappear a moment later. */
const settle = async (socketsMax: number): Promise<number> => {
  for (let tries = 0; tries < 500 && sockets() > socketsMax; tries++) await new Promise((resolve) => setTimeout(resolve, 10))
  return sockets()
}

describeKafka('100 takeovers', () => {
  beforeAll(sharedKafka, START_MS_MAX)

  test('by one process leave open only the connections of the newest owner of each id', async () => {
    const log = await openKafkaLog(await kafkaOptions())
    const first = await log.own('task-0')
    await Promise.all(['task-1', 'task-2'].map((id) => log.own(id)))
    const before = sockets()
    const writing: Promise<unknown>[] = []
    for (let n = 0; n < 100; n++) {
      const owner = await log.own(`task-${n % 3}`)
      writing.push(write(owner, [out(EVENTS, 0, 'k', `${n}`)], { in: n }).catch((failure: unknown) => failure))
    }
    for (const outcome of await Promise.all(writing)) expect([undefined, code('fenced')]).toContainEqual(outcome)
    expect(await settle(before)).toBeLessThanOrEqual(before)
    await expect(write(first, [out(EVENTS, 0, 'k', 'zombie')])).rejects.toEqual(code('fenced'))
    await log.close()
  })

  test('by processes in turn, each of which releases what it owned, leave no more open than before', async () => {
    const options = await kafkaOptions()
    const logs = [await openKafkaLog(options), await openKafkaLog(options)] as const
    const takeOver = async (log: Log, n: number): Promise<void> => {
      const owner = await log.own('task')
      await write(owner, [out(EVENTS, 0, 'k', `${n}`)], { in: n })
      await owner.release()
    }
    for (let n = 0; n < 4; n++) await takeOver(n % 2 === 0 ? logs[0] : logs[1], n)
    const before = sockets()
    for (let n = 0; n < 100; n++) await takeOver(n % 2 === 0 ? logs[0] : logs[1], n)
    expect(await settle(before)).toBeLessThanOrEqual(before)
    await Promise.all(logs.map((log) => log.close()))
  })

  test('a fenced owner closes its connections by itself', async () => {
    const options = await kafkaOptions()
    const logs = [await openKafkaLog(options), await openKafkaLog(options)] as const
    for (let n = 0; n < 4; n++) await (await logs[n % 2 === 0 ? 0 : 1].own('other')).release()
    const before = sockets()
    const older = await logs[0].own('task')
    const newer = await logs[1].own('task')
    await expect(write(older, [out(EVENTS, 0, 'k', 'zombie')])).rejects.toEqual(code('fenced'))
    await newer.release()
    expect(await settle(before)).toBeLessThanOrEqual(before)
    await Promise.all(logs.map((log) => log.close()))
  })
})
