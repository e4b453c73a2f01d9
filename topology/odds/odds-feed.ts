// The topic `odds` for consumers that store their own offsets.
import type { ConclusionForm } from '../../schemas/record-forms.ts'
import type { Topic } from '../../schemas/topics.ts'
import { readKept } from '../logs/read-kept.ts'
import type { Log, LogReader } from '../ports/log.ts'
import type { Notice } from '../ports/notice.ts'
import type { OddsFeed, OddsRecord } from '../ports/odds.ts'

const BYTES_MAX = 4 * 1024 * 1024

/** Skips records that are not valid conclusions. */
export const oddsFeedOf = (log: LogReader & Pick<Log, 'onCommit'>, topic: Topic, { codec }: ConclusionForm, notice: Notice): OddsFeed => ({
  partitions: log.partitions(topic),
  end: (partition) => log.end(topic, partition),
  start: (partition) => log.start(topic, partition),
  read: async (partition, from, recordsMax) => {
    const lost = (first: number, to: number): void => notice('alert_odds_lost', { topic: `${topic.name}/${partition}`, from: first, to })
    for (let at = from; ; ) {
      const { records, next } = await readKept(log, { topic, partition, offset: at }, { recordsMax, bytesMax: BYTES_MAX }, lost)
      const odds = records.flatMap(({ offset, value }): OddsRecord[] => {
        const read = value === null ? undefined : codec.decode(value)
        return read?.ok === true ? [{ partition, offset, conclusion: read.value }] : []
      })
      if (odds.length > 0 || records.length === 0) return odds
      at = next
    }
  },
  onNew: (listener) => log.onCommit((topics) => (topics.has(topic.name) ? listener() : undefined)),
})
