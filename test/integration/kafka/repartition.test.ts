// Another number of partitions on Kafka as an operator gets it, each role in its own process, under load, while a client polls a server.
import { describeKafka, START_MS_MAX, sharedKafka } from '../../services/shared.ts'
import { KafkaWorld, type Outcome } from '../../soak/kafka-world.ts'
import { until } from '../../tools/until.ts'
import { describeEngine } from '../history-server-given.ts'

const PLAN = { seed: 3, rate: 6, frames: 240, partitions: 3 }
/** Slow enough that frames are left for the capture on the new topics. */
const SPEED = { former: 0.5, later: 4 }
const POLL_MS = 50
/** Facts that were applied before the first final frame are not copied. */
const isLeftOut = (part: string): boolean => part.startsWith('exchange/')

describeEngine('ClickHouse and', () => {
  describeKafka('topics for another number of partitions', () => {
    let world: KafkaWorld
    let expected: Outcome
    beforeAll(async () => {
      world = await KafkaWorld.open(PLAN, await sharedKafka())
      expected = await world.reference()
    }, START_MS_MAX)
    afterAll(() => world.close())

    test('take over without a missing answer, and have what they would have had from the start', async () => {
      const former = { MINTFOLD_TOPIC_PREFIX: `${world.prefix}former.`, MINTFOLD_PARTITIONS: '2' }
      const fill = () => world.command('fill', ['repartition', '--to', world.prefix, '--partitions', '3'], { env: former })
      const [older, olderServer] = [world.process(former), await world.serve('former', former)]
      await Promise.all([older.printed('processes from'), olderServer.printed('answers on')])
      const olderCapture = world.capture(SPEED.former, former)
      const seen = { url: olderServer.url, answers: 0, missing: [] as string[], isOver: false }
      await until(async () => (await fetch(`${seen.url}/v1/launches/recent`)).status === 200)
      const polls = (async () => {
        for (; !seen.isOver; await new Promise((resolve) => setTimeout(resolve, POLL_MS))) {
          const response = await fetch(`${seen.url}/v1/launches/recent`).catch(String)
          if (typeof response !== 'string' && response.status === 200) seen.answers++
          else seen.missing.push(typeof response === 'string' ? response : `${response.status} ${await response.text()}`)
        }
      })()

      const killed = fill()
      await killed.printed('solana: copying the tape')
      await killed.kill()
      const refused = world.process()
      await refused.printed('mintfold repartition is filling these topics')
      const filling = fill()
      await filling.printed('the new topics have everything and follow')

      const newer = world.command('newer', ['process', '--adopt-history'])
      const server = await world.serve('serve')
      await Promise.all([newer.printed('processes from'), server.printed('answers on')])
      await until(async () => (await fetch(`${server.url}/v1/launches/recent`)).status === 200)
      seen.url = server.url
      const capture = world.capture(SPEED.later)
      await filling.printed('capture runs there')
      await until(() => !filling.isAlive)
      for (const former of [olderCapture, older, olderServer]) await former.stop()
      await capture.printed('the source has ended')
      expect(await world.arrived(expected, { isLeftOut, msMax: 60_000 })).toEqual([])
      seen.isOver = true
      await polls
      expect(seen.missing).toEqual([])
      expect(seen.answers).toBeGreaterThan(50)
    }, 300_000)
  })
})
