// Six minutes of the demo, with forks and a gap, through every log and without one: equal outputs, stores, views and histories.
//
// Compared byte for byte: raw frames and control records, the tape, conclusions and dead letters, record by record in their order; rows of
// the mint and creator processors by key; cards, launches, flags and counters as a view shows them. If the processes share a ClickHouse:
// row count and checksum of every public table. Of the alt chain, whose demo runs too: the tape, rows of every processor, conclusions that
// were not retracted, dead letters that are still valid, and cards. Not compared, and why:
// - offsets, in all topics: transaction markers on Kafka take offsets;
// - records of type `anchor` on raw, and the topic `sources`: they hold the wall time of a start;
// - the order of batches within a partition of `exchange`: several tasks write there, each batch names its frame;
// - `*.changelog`, `progress`, `owners` record by record: how often a row is written depends on when commits happen, and compaction keeps
// the newest; their newest versions are the stores and the view, which are compared;
// - the order of rows within a page of the mint changelog: a task keeps them as it wrote or restored them; the stores are
// compared sorted by key;
// - of a replay: all but conclusions, rows of mints and cards (on the alt chain conclusions and cards); offsets, raw and tape need a log;
// - of a replay of the canonical branch also retractions, whose ids have sequence numbers, and the conclusions that they retract: this
// replay has neither.
import { describeKafka, START_MS_MAX, sharedKafka } from '../services/shared.ts'
import { differentialHere, differentialOnKafka, streamOf } from '../soak/differential.ts'
import { describeEngine } from './history-server-given.ts'

const MINUTES = 6
const PLAN = streamOf(MINUTES)

const printed = <Report>(report: Report): Report => {
  process.stderr.write(`differential: ${JSON.stringify(report)}\n`)
  return report
}

test(`lmdb, a replay and a replay of the canonical branch equal a run in memory, over ${MINUTES} minutes of the demo`, async () => {
  const { counts, differences } = printed(await differentialHere(PLAN))
  expect(differences).toEqual({ replay: [], 'canonical branch': [], lmdb: [], 'canonical curves': [] })
  expect(counts).toMatchObject({ frames: PLAN.frames, gaps: 1 })
  expect(counts.reverts).toBeGreaterThan(10)
  expect(counts.mints).toBeGreaterThan(50)
  expect(counts.curves).toBeGreaterThan(50)
  expect(counts.conclusions).toBeGreaterThan(20)
  expect(counts.retractions).toBeGreaterThan(0)
})

describeEngine('ClickHouse and', () => {
  describeKafka('Kafka', () => {
    beforeAll(sharedKafka, START_MS_MAX)

    test(`Kafka with one process and with three equals a run in memory, over ${MINUTES} minutes of the demo`, async () => {
      const { differences } = printed(await differentialOnKafka(PLAN, await sharedKafka()))
      expect(differences).toEqual({ 'one process': [], 'several processes': [] })
    })
  })
})
