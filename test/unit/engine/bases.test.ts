// A copy of all rows (topic `bases`) is spread over many commits and equals the rows after the last of these commits.
import fc from 'fast-check'
import { baseCodec } from '../../../schemas/codecs.ts'
import type { Topic } from '../../../schemas/topics.ts'
import { DEFAULT_LIMITS } from '../../../topology/engine/limits.ts'
import { IN_MEMORY } from '../../../topology/engine/rows/memory-pages.ts'
import { pageKey } from '../../../topology/engine/rows/state-type.ts'
import { TaskPages } from '../../../topology/engine/rows/task-pages.ts'
import { Task } from '../../../topology/engine/task.ts'
import type { OutRecord } from '../../../topology/ports/log.ts'
import { testScratch } from '../../fixtures/scratch.ts'
import { account, CHANGELOG, definition, frame } from '../../fixtures/transfers.ts'

const BASES: Topic = { name: 'test.bases', schema: 'base', cleanup: 'delete', partitions: 'many', retentionHours: 1, doc: '' }
const LIMITS = { ...DEFAULT_LIMITS, baseIntervalS: 10, basePagesMax: 3, hotFrames: 2 }

/** Appends each copy that `outputs` completes to `copies`, as values by page; `pages` is the unfinished copy. */
const collectCopies = (outputs: readonly OutRecord[], copies: Map<string, string>[], pages: Map<string, string>): void => {
  for (const { topic, value } of outputs) {
    if (topic !== BASES) continue
    const read = baseCodec.decode(value ?? Buffer.alloc(0))
    if (!read.ok) throw new Error(read.reason)
    if (read.value.begins) pages.clear()
    for (const { store, key, page, value } of read.value.pages) {
      const name = pageKey(Buffer.from(key).toString('latin1'), page).toString('hex')
      if (store !== 'transfers') continue
      if (value === null) pages.delete(name)
      else pages.set(name, Buffer.from(value).toString('hex'))
    }
    if (read.value.mark !== null) copies.push(new Map(pages))
  }
}

const scratch = testScratch({ youngBytesMax: 0 })
afterAll(() => scratch.close())

test.each([
  ['in memory', IN_MEMORY],
  ['on disk', scratch.store],
])('a copy has every row as of its mark, whatever is written, rolled back or evicted %s meanwhile', (_where, store) => {
  const step = fc.record({
    accounts: fc.array(fc.nat(12), { maxLength: 4 }),
    revert: fc.boolean(),
    commit: fc.boolean(),
  })
  let compared = 0
  fc.assert(
    fc.property(fc.array(step, { minLength: 30, maxLength: 60 }), (steps) => {
      const evicted = new TaskPages(store)
      const task = new Task({ ...definition(), bases: BASES }, 0, LIMITS, undefined, evicted)
      task.begin({ input: 0, exchange: 0 })
      const [copies, pages, changelog] = [[] as Map<string, string>[], new Map<string, string>(), new Map<string, string>()]
      let number = 0
      for (const { accounts, revert, commit } of steps) {
        number++
        const transfers = accounts.map((of, tx) => ({ tx, log: tx, account: account(of), peer: `p${tx}`, amount: 1 }))
        task.fold(frame(number, transfers, number))
        if (revert && number > 1) {
          number++
          task.fold(frame(number, transfers, number))
          task.revert({ chain: 'alt', number: number - 1, hash8: frame(number - 1, []).header.hash8, sequence: number })
        }
        if (!commit) continue
        const { outputs } = task.takeCommit()
        const before = copies.length
        for (const { topic, key, value } of outputs)
          if (topic === CHANGELOG && value === null) changelog.delete(Buffer.from(key).toString('hex'))
          else if (topic === CHANGELOG) changelog.set(Buffer.from(key).toString('hex'), Buffer.from(value ?? []).toString('hex'))
        collectCopies(outputs, copies, pages)
        if (copies.length === before) continue
        compared++
        expect(new Set(copies.at(-1)?.keys())).toEqual(
          new Set(Array.from(task.store('transfers').keys(), (key) => pageKey(key, 0).toString('hex'))),
        )
        for (const [key, value] of copies.at(-1) ?? []) expect(value).toBe(changelog.get(key))
      }
      evicted.close()
    }),
    { numRuns: 60 },
  )
  expect(compared).toBeGreaterThan(20)
})
