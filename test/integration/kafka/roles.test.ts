// Roles on Kafka, each in a separate process: together they conclude, keep and serve what one process does over a log in memory.
import { describeKafka, START_MS_MAX, sharedKafka } from '../../services/shared.ts'
import { KafkaWorld, type Outcome } from '../../soak/kafka-world.ts'
import type { UpProcess } from '../../soak/up-process.ts'
import { until } from '../../tools/until.ts'
import { describeEngine } from '../history-server-given.ts'

interface Health {
  readonly ok: boolean
  readonly sources: readonly { readonly tip: number | null; readonly folded: number | null; readonly slots_behind: number | null }[]
  readonly counters: { readonly frames: number; readonly flags: number }
}
/** Stops a process; returns its exit code, with its last lines if the code is not 0, to explain a failure. */
const endOf = async (process: UpProcess) => {
  const code = await process.stop()
  return { code, lines: code === 0 ? [] : process.lines.slice(-12) }
}
const ENDED_WELL = { code: 0, lines: [] }
const PLAN = { seed: 3, rate: 6, frames: 150, partitions: 6 }

describeEngine('ClickHouse and', () => {
  describeKafka('roles on Kafka', () => {
    let world: KafkaWorld
    let expected: Outcome
    beforeAll(async () => {
      world = await KafkaWorld.open(PLAN, await sharedKafka())
      expected = await world.reference()
    }, START_MS_MAX)
    afterAll(async () => {
      await world.close()
    })

    test('a capture, processes that join, are killed and leave, and a server equal one process', async () => {
      const threads = { MINTFOLD_FOLD_THREADS: '2' }
      const [first, second, server] = [world.process(threads), world.process(threads), await world.serve('serve')]
      await Promise.all([
        first.printed('processes from', 60_000),
        second.printed('processes from', 60_000),
        server.printed('answers on', 60_000),
      ])
      const older = world.capture(0.5)
      await older.printed('captures', 60_000)
      const capture = world.capture(8)
      await Promise.all([
        capture.printed('captures', 60_000),
        older.printed('another capture has taken over this stream, and only one may write it', 60_000),
      ])
      const third = world.process()
      await third.printed('has ', 60_000)
      await first.kill()
      expect(await endOf(second)).toEqual(ENDED_WELL)
      await capture.printed('the source has ended', 90_000)
      expect(await world.arrived(expected)).toEqual([])
      const health = async (): Promise<Health> => (await (await fetch(`${server.url}/health`)).json()) as Health
      await until(async () => (await health()).counters.frames === PLAN.frames)
      const { sources, counters } = await health()
      expect(sources[0]).toMatchObject({ slots_behind: 0, folded: sources[0]?.tip })
      expect(JSON.parse(expected.log.view?.[0] ?? '')).toMatchObject({ counters: { flags: counters.flags } })
      expect(await endOf(server)).toEqual(ENDED_WELL)
      expect(await endOf(third)).toEqual(ENDED_WELL)
    }, 480_000)

    test('a server that starts later is ready once it prints that it answers, and then serves launches', async () => {
      const server = await world.serve('later')
      await server.printed('listens on', 60_000)
      const early = await fetch(`${server.url}/ready`)
      expect([200, 503]).toContain(early.status)
      await server.printed('answers on', 60_000)
      expect((await fetch(`${server.url}/ready`)).status).toBe(200)
      const launches = (await (await fetch(`${server.url}/v1/launches/recent`)).json()) as { readonly launches: readonly object[] }
      expect(JSON.stringify(launches)).toContain('recording stream.avro')
      expect(await endOf(server)).toEqual(ENDED_WELL)
    })
  })
})
