// Every field of a card that SQL can derive, derived from the history of what was recorded on the chain. demo-in-sql.test.ts has the demo.
import { fileURLToPath } from 'node:url'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import type { Log } from '../../topology/ports/log.ts'
import { playRecording } from '../fixtures/recorded-log.ts'
import { compareAtEnd, fillHistory } from '../tools/two-ways/history-of.ts'
import { describeEngine } from './history-server-given.ts'
import { type GivenHistories, givenHistories } from './sink-given.ts'

const recording = (name: string): string => fileURLToPath(new URL(`../recordings/${name}.avro`, import.meta.url))

describeEngine('two ways to one card', () => {
  let given: GivenHistories
  beforeAll(async () => {
    given = await givenHistories({ views: false })
  })
  afterEach(() => given.rollBack())
  afterAll(() => given.remove())
  const filled = async (log: Log) => {
    const client = await given.lent()
    await fillHistory(log, client)
    return client
  }

  test.each([
    ['launches', 1, 1, 0],
    ['launches', 5, 1, 0],
    ['blocks', 2, 0, 20],
    ['transactions', 25, 0, 1],
  ])(
    'agree for the recording %s after %d frames of the real chain',
    async (name, frames, full, thin) => {
      const log = createMemoryLog({ partitions: 2 })
      await playRecording(log, recording(name), frames)
      const compared = await compareAtEnd(log, await filled(log), true)
      expect(compared.differences).toEqual([])
      expect(compared.full).toBeGreaterThanOrEqual(full)
      expect(compared.thin).toBeGreaterThanOrEqual(thin)
    },
    600_000,
  )
})
