// Faults of the folds, their engine and their versions that the simulation cannot find, with the suites that do.
import type { Planted } from '../planted.ts'

const ARENA = 'topology/engine/rows/arena.ts'
const JOURNAL = 'topology/engine/undo/journal.ts'
const STUCK = ['test/integration/stuck.test.ts']
const UNDO = ['test/unit/engine/undo.test.ts']

export const TESTED_FOLDS: readonly Planted[] = [
  {
    name: 'arena-hands-a-slot-out-twice',
    what: 'a slot that is free is handed out while its record is still read',
    suites: ['test/property/engine-arena.test.ts'],
    changes: [
      {
        file: ARENA,
        find: 'classOf(length) === classOf(bytes.length) && isSmall(length)',
        put: 'isSmall(length) && isSmall(bytes.length)',
      },
    ],
  },
  {
    name: 'crowd-without-end',
    what: 'a coin may have any number of rows',
    suites: ['test/unit/processors/mint/crowd.test.ts'],
    changes: [
      { file: 'processors/mint/fold/crowd.ts', find: '>= HOLDER_ROWS_MAX && ctx.read(', put: '> HOLDER_ROWS_MAX ** 2 && ctx.read(' },
    ],
  },
  {
    name: 'exchange-starts-too-late',
    what: 'a task that begins reads what others told from a later epoch on',
    suites: ['test/unit/engine/exchange-start.test.ts'],
    changes: [{ file: 'topology/engine/exchange/exchange-start.ts', find: '< oldestNeeded)', put: '< oldestNeeded + 40)' }],
  },
  {
    name: 'expired-input-ends-the-decoder',
    what: 'the decoder does not go on where raw frames begin now',
    suites: STUCK,
    changes: [{ file: 'topology/runtime/past-expired.ts', find: 'of.name !== topic.name', put: 'of.name !== topic.name || asked < 0' }],
  },
  {
    name: 'growth-while-a-read-ends',
    what: 'what grows in the moment in which a read of the exchange ends is read by nobody',
    suites: ['test/unit/engine/exchange-reader.test.ts'],
    changes: [
      {
        file: 'topology/engine/exchange/exchange-reader.ts',
        find: 'this.#reading = undefined\n    this.#readOn()',
        put: 'this.#reading = undefined',
      },
    ],
  },
  {
    name: 'letters-of-all-partitions-are-one',
    what: 'the dead letter of a record names no partition',
    suites: ['test/unit/engine/rejected-records.test.ts'],
    changes: [{ file: 'topology/records/records.ts', find: 'partition}/${', put: '' }],
  },
  {
    name: 'lost-record-of-its-own',
    what: 'a task waits for ever for a record of its own that is lost',
    suites: STUCK,
    changes: [
      {
        file: 'topology/engine/runner.ts',
        find: 'this.#exchange?.hasTold(partition, this.#began.exchangeEnd ?? 0)',
        put: 'this.#stopping && this.#exchange?.hasTold(partition, 0)',
      },
    ],
  },
  {
    name: 'pages-of-sixteen-bits',
    what: 'a page number beyond 65,534 loses its upper half',
    suites: ['test/unit/engine/page-key.test.ts'],
    changes: [{ file: 'topology/engine/rows/state-type.ts', find: 'writeUInt32BE(page,', put: 'writeUInt32BE(page & 0xffff,' }],
  },
  {
    name: 'partition-without-work',
    what: 'a task that is assigned again while it ends is not started',
    suites: ['test/property/workers.test.ts'],
    changes: [
      {
        file: 'topology/runtime/task-supervisor.ts',
        find: '    this.#wanted = wanted\n',
        put: "    if (wanted !== 'runs' || isTakeover || this.#attempt === undefined) this.#wanted = wanted\n",
      },
    ],
  },
  {
    name: 'rows-at-rest-pin-the-pool',
    what: 'rows at rest are slices of memory that Node shares among short-lived buffers',
    suites: ['test/unit/engine/rest-memory.test.ts'],
    changes: [
      { file: ARENA, find: 'Buffer.allocUnsafeSlow(bytes.length)\n      own.set(bytes)', put: 'Buffer.from(bytes)' },
      { file: ARENA, find: 'length + HEAD_BYTES <= SLOT_BYTES_MAX', put: 'length < 0' },
    ],
  },
  {
    name: 'stores-are-repaired-for-ever',
    what: 'stores are rebuilt again and again for one cause',
    suites: STUCK,
    changes: [{ file: 'topology/versions/stores.ts', find: ':`)) throw rebuiltInVain', put: ':`) && stop.aborted) throw rebuiltInVain' }],
  },
  {
    name: 'undo-notes-a-row-twice',
    what: 'a row removed and made again in a frame is noted twice',
    suites: UNDO,
    changes: [{ file: JOURNAL, find: '    if (group.removed?.get(index)?.has(id)) return\n', put: '' }],
  },
  {
    name: 'undo-of-one-record-stays',
    what: 'after a fork the undo of a commit still has its dead frames',
    suites: UNDO,
    changes: [{ file: JOURNAL, find: 'this.#unstore(', put: 'this.#release(' }],
  },
  {
    name: 'undo-record-of-one-page',
    what: 'the undo of a restart has only the first page of a frame',
    suites: UNDO,
    changes: [{ file: 'topology/engine/undo/undo-record.ts', find: 'parts.flatMap', put: 'parts.slice(0, 1).flatMap' }],
  },
  {
    name: 'undo-without-end',
    what: 'frames that are final stay in the undo',
    suites: UNDO,
    changes: [{ file: 'topology/engine/task.ts', find: '    this.#journal.finalize(finality.finalized)\n', put: '' }],
  },
  {
    name: 'upgrade-finds-no-copy',
    what: 'a rebuild does not use the copies of rows',
    suites: ['test/integration/rebuild-bases.test.ts'],
    changes: [{ file: 'topology/versions/folding/fold-begin.ts', find: 'bases.length < all.length', put: 'bases.length <= all.length' }],
  },
]
