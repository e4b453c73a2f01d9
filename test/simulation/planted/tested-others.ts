// Faults of logs, sources, sinks and views, which the simulation replaces or leaves out, with the suites that find them.
import type { Planted } from '../planted.ts'

const FEED = 'topology/sources/solana/rpc/feed.ts'

export const TESTED_OTHERS: readonly Planted[] = [
  {
    name: 'aborted-records-are-shown',
    what: 'readers on Kafka see records of transactions that were aborted',
    suites: ['test/unit/logs/kafka-committed.test.ts'],
    changes: [{ file: 'topology/logs/kafka/wire/committed.ts', find: '(isInTransaction && dead', put: '(!isInTransaction && dead' }],
  },
  {
    name: 'finality-stands-still-during-a-fill',
    what: 'no finality is told while blocks before a stream are filled in',
    suites: ['test/integration/live/grpc-source.test.ts'],
    changes: [
      {
        file: FEED,
        find: `      if (step.type !== 'block') continue
      const { slot } = step.block
      const finalized = await this.#finalizedSlot(stop)
      if (finalized !== null) yield { type: 'standing', confirmed: slot, finalized: Math.min(finalized, slot) }
`,
        put: '',
      },
    ],
  },
  {
    name: 'owners-are-kept-after-a-takeover',
    what: 'a takeover leaves the owner before it with its connections open',
    suites: ['test/unit/logs/kafka-open-owners.test.ts'],
    changes: [{ file: 'topology/logs/kafka/owners/open-owners.ts', find: '      this.release(older).catch(() => {})\n', put: '' }],
  },
  {
    name: 'refusal-is-an-answer',
    what: 'a refusal of the node is taken as the answer that no slot has a block',
    suites: ['test/integration/live/rpc-source.test.ts'],
    changes: [{ file: FEED, find: 'const slots = answer?.ok', put: 'if (!answer?.ok) return []\n    const slots = answer?.ok' }],
  },
  {
    name: 'rows-are-acknowledged-before-the-disk-has-them',
    what: 'the sink commits offsets of rows that the history has not written through to its disk',
    suites: ['test/integration/sink-durable.test.ts'],
    changes: [
      {
        file: 'deploy/clickhouse/012-durable-parts.sql',
        find: 'mintfold.trades_log MODIFY SETTING\n  fsync_after_insert = 1',
        put: 'mintfold.trades_log MODIFY SETTING\n  fsync_after_insert = 0',
      },
    ],
  },
  {
    name: 'sink-commits-first',
    what: 'the sink commits its offsets before the rows are there',
    suites: ['test/integration/sink-run.test.ts'],
    changes: [
      {
        file: 'topology/sinks/clickhouse.ts',
        find: 'const inserts = await',
        put: 'await this.#owner.commit({ outputs: [], inputs: new Map(offsets) })\n    const inserts = await',
      },
    ],
  },
  {
    name: 'slow-second-source-slows-the-first',
    what: 'the first source waits for each block until the second has been asked about it',
    suites: ['test/integration/live/cross-check.test.ts'],
    changes: [
      {
        file: 'topology/sources/solana/source.ts',
        find: 'return this.#chain.frame(this.#frameOf(step.block))',
        put: 'const frame = this.#frameOf(step.block)\n    await this.#options.check?.idle()\n    return this.#chain.frame(frame)',
      },
    ],
  },
  {
    name: 'tombstones-have-no-floor',
    what: 'a view that missed a tombstone is not told',
    suites: ['test/contract/log.test.ts'],
    changes: [{ file: 'topology/logs/memory/memory.ts', find: 'end - this.#shape', put: 'end - 1_000 * this.#shape' }],
  },
  {
    name: 'view-dies-of-a-read',
    what: 'a view ends with the first read that fails',
    suites: ['test/integration/view-outlives.test.ts'],
    changes: [
      { file: 'topology/views/rounds.ts', find: '(failure) => signal.aborted || isRetriable(failure)', put: '() => signal.aborted' },
    ],
  },
  {
    name: 'view-dies-of-an-expired-offset',
    what: 'a view that fell behind retention ends',
    suites: ['test/integration/view-outlives.test.ts'],
    changes: [
      {
        file: 'topology/logs/read-kept.ts',
        find: "!hasCode(failure, 'offset_expired')",
        put: "!hasCode(failure, 'offset_expired') || failure.retriable === false",
      },
    ],
  },
  {
    name: 'view-keeps-whole-answers',
    what: 'rows of views are slices of the answers they came in',
    suites: ['test/unit/views/rows-memory.test.ts'],
    changes: [
      {
        file: 'topology/views/rows-by-key.ts',
        find: '(page.buffer.byteLength <= 2 * page.length ? page : new Uint8Array(page))',
        put: 'page',
      },
    ],
  },
  {
    name: 'view-shows-frames-it-has-not-read',
    what: 'a view reads how far the folds are after their rows, not before',
    suites: ['test/integration/view-order.test.ts'],
    changes: [
      {
        file: 'topology/views/log-view.ts',
        find: `if (this.#isHeld) return this.#together.hold()
    this.#together.show()`,
        put: `await this.#follow(this.#topics.progress, (record) => this.#tasks.hold(record))
    if (this.#isHeld) return this.#together.hold()
    this.#together.show()`,
      },
    ],
  },
]
