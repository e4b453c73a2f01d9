// Faults that the simulation finds: each is a change of code by its text, which occurs exactly once in its file.
import type { Planted } from '../planted.ts'

const EXCHANGE = 'topology/engine/exchange/exchange.ts'
const TASK = 'topology/engine/task.ts'
const RUNNER = 'topology/engine/runner.ts'
const STORE = 'topology/engine/rows/store.ts'
const RESTORE = 'topology/engine/changelog/restore.ts'
const RETRY = 'topology/waiting/retry.ts'

export const SIMULATED: readonly Planted[] = [
  {
    name: 'commit-in-doubt-is-repeated',
    what: 'a commit that may have taken place is made again',
    changes: [{ file: RETRY, find: 'isRetriable(failure)', put: "(failure as { code?: string }).code !== 'fenced'" }],
  },
  {
    name: 'commits-overtake',
    what: 'a commit does not wait for the one before it',
    changes: [{ file: RUNNER, find: '#commit(): Promise<void> {\n    await this.#inFlight\n', put: '#commit(): Promise<void> {\n' }],
  },
  {
    name: 'exchange-read-from-too-far',
    what: 'a restart does not read again what a task has read ahead',
    changes: [{ file: EXCHANGE, find: 'this.#buffer.oldestOffset(this.#nextOffset)', put: 'this.#nextOffset' }],
  },
  {
    name: 'exchange-wants-the-new-alone',
    what: 'a task that may roll back drops the facts of frames that it folded',
    changes: [{ file: EXCHANGE, find: ' || this.#own.hasClosing(closedBy)', put: '' }],
  },
  {
    name: 'facts-are-counted-twice',
    what: 'a batch that comes twice is kept twice',
    changes: [
      { file: EXCHANGE, find: ' || this.#buffer.holds(closedBy, writer)', put: '' },
      {
        file: 'topology/engine/exchange/fact-buffer.ts',
        find: 'if (epoch.facts[writer] !== undefined) return\n    epoch.facts[writer] = facts',
        put: 'epoch.facts[writer] = [...(epoch.facts[writer] ?? []), ...facts]',
      },
    ],
  },
  {
    name: 'facts-come-late',
    what: 'facts apply a frame later than they are due',
    changes: [{ file: EXCHANGE, find: 'dueNumber > number', put: 'dueNumber >= number' }],
  },
  {
    name: 'facts-do-not-wait',
    what: 'a frame does not wait for what other tasks tell',
    changes: [{ file: EXCHANGE, find: 'return late === undefined\n', put: 'return true\n' }],
  },
  {
    name: 'facts-forget-the-fork',
    what: 'facts of an orphaned branch stay after its fork',
    changes: [{ file: TASK, find: '    this.exchange?.rewind(revert.sequence)\n', put: '' }],
  },
  {
    name: 'facts-in-order-of-arrival',
    what: 'facts apply in the order in which they came',
    changes: [{ file: EXCHANGE, find: 'facts.sort(compareFacts)', put: 'facts' }],
  },
  {
    name: 'failed-commit-is-dropped',
    what: 'a commit that fails for longer than the retries counts as written',
    changes: [
      {
        file: RETRY,
        find: 'if (!isPassing(failure, ++tries)',
        put: 'if (isRetriable(failure) && !isPassing(failure, tries + 1)) return undefined\n      if (!isPassing(failure, ++tries)',
      },
    ],
  },
  {
    name: 'nobody-wakes',
    what: 'a task that sleeps is not woken by its input',
    changes: [{ file: RUNNER, find: 'this.#waitingSince === undefined && topics', put: 'this.#waitingSince !== undefined && topics' }],
  },
  {
    name: 'offset-of-the-next-record',
    what: 'a commit holds the offset of the record after the next',
    changes: [{ file: TASK, find: 'this.#offset]]', put: 'this.#offset + 1]]' }],
  },
  {
    name: 'offsets-are-counted',
    what: 'the next offset is counted, as if no mark lay between two records',
    changes: [{ file: RUNNER, find: 'this.#offset = record.offset + 1', put: 'this.#offset += 1' }],
  },
  {
    name: 'restore-does-not-wait',
    what: 'a restore reads to the end that it knows, whatever is undecided before it',
    changes: [{ file: RESTORE, find: 'await decidedEnd(restoring, topic)', put: 'log.end(topic, partition)' }],
  },
  {
    name: 'restore-forgets-the-timers',
    what: 'after a restart no timer fires',
    changes: [{ file: TASK, find: '    this.#timers.rebuild(this.#stores.values())\n', put: '' }],
  },
  {
    name: 'restore-forgets-the-undo',
    what: 'after a restart there is no undo',
    changes: [
      {
        file: TASK,
        find: 'restoreUndo(this.#changelogs.checked(this.#own.putBack(), records), this.#journal, (store) => this.store(store).type)',
        put: 'this.#changelogs.checked(this.#own.putBack(), records)',
      },
    ],
  },
  {
    name: 'restore-one-record-too-few',
    what: 'a restore leaves out the last record of a changelog',
    changes: [
      {
        file: 'topology/engine/changelog/changelog-reads.ts',
        find: 'await this.#log.read(topic, partition, next, this.#limits)',
        put: '(await this.#log.read(topic, partition, next, this.#limits)).filter((record) => record.offset < end - 1)',
      },
    ],
  },
  {
    name: 'retraction-of-the-newest',
    what: 'a fork retracts what the newest dead frame said alone',
    changes: [{ file: TASK, find: 'retract(revert, dead,', put: 'retract(revert, dead.slice(0, 1),' }],
  },
  {
    name: 'settled-too-soon',
    what: 'what a fork may need again is dropped with the first frame that is final',
    changes: [{ file: EXCHANGE, find: '< oldestUndo', put: '<= oldestUndo' }],
  },
  {
    name: 'skip-the-fence',
    what: 'a restore does not ask whether somebody else has taken the task over meanwhile',
    changes: [{ file: RESTORE, find: '  await commit({ outputs: [], inputs: new Map() })\n', put: '' }],
  },
  {
    name: 'sleep-loses-a-write',
    what: 'an aggregate that was written goes to sleep before it is committed',
    changes: [{ file: STORE, find: ' || aggregate.isDirty', put: '' }],
  },
  {
    name: 'stop-leaves-a-commit',
    what: 'a stop does not wait for the commit under way',
    changes: [
      {
        file: RUNNER,
        find: `await this.#inFlight
    if (this.#failure === undefined && this.#task.isDirty) await this.#commit()
    await this.#inFlight`,
        put: 'if (this.#failure === undefined && this.#task.isDirty) void this.#commit()',
      },
    ],
  },
  {
    name: 'tombstones-are-left-out',
    what: 'a key that has no rows any more stays on the changelog',
    changes: [
      {
        file: STORE,
        find: `    for (let page = pages; page < aggregate.pages; page++) records.push({ key: pageKey(aggregate.key, page), value: null })
`,
        put: '',
      },
    ],
  },
  {
    name: 'undo-ends-too-soon',
    what: 'finality of a frame ends the undo of the one after it too',
    changes: [{ file: 'topology/engine/undo/journal.ts', find: '.number <= number)', put: '.number <= number + 1)' }],
  },
  {
    name: 'undo-keeps-no-absence',
    what: 'a row that a dead frame made stays',
    changes: [{ file: STORE, find: '      this.#journal.note(aggregate, this.name, kind, id)\n', put: '' }],
  },
  {
    name: 'undo-knows-no-absence-after-a-restart',
    what: 'rows that were absent before a frame are left out of its undo on the changelog',
    changes: [{ file: 'topology/engine/undo/undo-record.ts', find: 'of absent)', put: 'of absent.slice(1))' }],
  },
  {
    name: 'undo-of-one-frame',
    what: 'a fork takes back one frame less than it should',
    changes: [{ file: 'topology/engine/undo/undo.ts', find: 'i < depth;', put: 'i < Math.max(1, depth - 1);' }],
  },
  {
    name: 'undo-of-timers-is-lost',
    what: 'a timer that a dead frame moved is not set again',
    changes: [{ file: TASK, find: 'for (const timer of store.putBack(group)) this.#timers.push(timer)', put: 'store.putBack(group)' }],
  },
  {
    name: 'undo-shares-the-row',
    what: 'what is noted before a write is the row itself, not a copy',
    changes: [{ file: STORE, find: 'kind.copy(row)', put: 'row' }],
  },
]
