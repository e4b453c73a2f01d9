// The topic `odds` for those who follow it with offsets of their own.
import type { ConclusionForm } from '../../schemas/record-forms.ts'
import type { Topic } from '../../schemas/topics.ts'
import type { Log } from '../ports/log.ts'
import type { OddsFeed, OddsRecord } from '../ports/odds.ts'

const BYTES_MAX = 4 * 1024 * 1024

/** Records that no program of ours wrote are left out. @throws EngineError (`read`) `offset_expired` below `start` */
export const oddsFeedOf = (log: Log, topic: Topic, { codec }: ConclusionForm): OddsFeed => ({
  partitions: log.partitions(topic),
  end: (partition) => log.end(topic, partition),
  start: (partition) => log.start(topic, partition),
  read: async (partition, from, recordsMax) => {
    for (let next = from; ; ) {
      const records = await log.read(topic, partition, next, { recordsMax, bytesMax: BYTES_MAX })
      const odds = records.flatMap(({ offset, value }): OddsRecord[] => {
        const read = value === null ? undefined : codec.decode(value)
        return read?.ok === true ? [{ partition, offset, conclusion: read.value }] : []
      })
      const last = records.at(-1)
      if (odds.length > 0 || last === undefined) return odds
      next = last.offset + 1
    }
  },
  onNew: (listener) => log.onCommit((topics) => (topics.has(topic.name) ? listener() : undefined)),
})
