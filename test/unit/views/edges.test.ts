// Finality of a view is the minimum over its partitions; a view starts only after it has read every topic.

import type { Progress } from '../../../schemas/types.ts'
import { LAUNCH_RISK } from '../../../topology/launch-risk.ts'
import { createMemoryLog } from '../../../topology/logs/memory/memory.ts'
import { withOwners } from '../../../topology/logs/with-owners.ts'
import type { Log } from '../../../topology/ports/log.ts'
import { LogMintView } from '../../../topology/views/mint-view.ts'
import { finalityOf } from '../../../topology/views/status/status-parts.ts'
import { TOPICS } from '../../fixtures/topics.ts'

const progress = (confirmed: number | null, finalized: number | null): Progress => ({
  ...{ task: 't', chain: 'solana', number: 9, hash8: 'a', time: 1, gapFrom: null, gapTo: null, forks: 0 },
  ...{ confirmed, finalized },
})
test.each([
  ['nothing', [progress(null, null), progress(null, null)], null],
  ['all partitions', [progress(8, 5), progress(7, 6)], { confirmed: 7, finalized: 5 }],
  ['one partition only', [progress(8, 5), progress(null, null)], { confirmed: -1, finalized: -1 }],
  ['confirmed frames and no final one', [progress(8, null)], { confirmed: 8, finalized: -1 }],
])('finality is the minimum over all partitions: %s reported', (_name, all, known) => {
  expect(finalityOf(all)).toEqual(known)
})

const TOPICS_READ = [
  ...[TOPICS.stores, TOPICS.rebuilds, TOPICS.progress, TOPICS.flags, TOPICS.outcomes, TOPICS.mintChangelog],
  ...[TOPICS.creatorChangelog, TOPICS.walletChangelog, TOPICS.decodeChangelog, TOPICS.deadLetters],
]
test.each(TOPICS_READ.map((topic) => [topic.name, topic] as const))('a start waits for %s if it is slow to read', async (_name, slow) => {
  const inner = createMemoryLog({ partitions: 1 })
  const owner = await inner.own('a')
  await owner.commit({
    outputs: [{ topic: TOPICS.deadLetters, partition: 0, key: Buffer.from('k'), value: Buffer.from([0]) }],
    inputs: new Map(),
  })
  let pending = 0
  let asked = 0
  const log: Log = {
    ...withOwners(inner, (id) => inner.own(id)),
    end: (topic, partition) => (topic.name === slow.name ? 1 : inner.end(topic, partition)),
    read: async (topic, partition, offset, limits) => {
      if (topic.name !== slow.name) return inner.read(topic, partition, offset, limits)
      asked++
      pending++
      await new Promise((resolve) => setTimeout(resolve, 20))
      pending--
      return []
    },
  }
  const view = new LogMintView(log, LAUNCH_RISK, { tip: () => null })
  await view.start()
  expect([asked > 0, pending]).toEqual([true, 0])
  await view.stop()
})
