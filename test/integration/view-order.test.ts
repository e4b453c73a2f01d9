// What a view reads while tasks commit: it never shows a frame as folded whose rows it may not have read.
import type { Topic } from '../../schemas/topics.ts'
import { LAUNCH_RISK } from '../../topology/launch-risk.ts'
import { createMemoryLog } from '../../topology/logs/memory/memory.ts'
import { withOwners } from '../../topology/logs/with-owners.ts'
import type { Log } from '../../topology/ports/log.ts'
import { LogMintView } from '../../topology/views/mint-view.ts'
import { foldAll, marketBodies, wiringOf } from '../fixtures/rebuild-market.ts'
import { TOPICS } from '../fixtures/topics.ts'
import { appendRaw } from '../live.ts'

const bodies = marketBodies(20, 9)
const half = Math.floor(bodies.length / 2)
const topology = wiringOf(2)

/** Does something before the first read of a topic. */
const beforeRead = (log: Log, topic: Topic, happen: () => Promise<void>): Log => {
  let isOver = false
  return {
    ...withOwners(log, (id) => log.own(id)),
    read: async (asked, ...where) => {
      if (asked.name === topic.name && !isOver) {
        isOver = true
        await happen()
      }
      return log.read(asked, ...where)
    },
  }
}

test.each([TOPICS.mintChangelog, TOPICS.walletChangelog, TOPICS.decodeChangelog])(
  'shows frames committed while it reads $name with its next round',
  async (topic) => {
    const log = createMemoryLog({ partitions: 2 })
    await appendRaw(log, bodies.slice(0, half), 1)
    await foldAll(log, topology)
    const before = new LogMintView(log, LAUNCH_RISK, { tip: () => null })
    await before.start()
    const { folded } = before.status()
    await before.stop()
    const changing = beforeRead(log, topic, async () => {
      await appendRaw(log, bodies.slice(half), half + 1)
      await foldAll(log, topology)
    })
    const view = new LogMintView(changing, LAUNCH_RISK, { tip: () => null })
    await view.start()
    expect(view.status().folded).toEqual(folded)
    await view.caughtUp()
    expect(view.status().folded?.number).toBeGreaterThan(folded?.number ?? 0)
    await view.stop()
  },
)
