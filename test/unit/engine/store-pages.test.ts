// Pages of one key on the changelog, commit by commit: which are written, and the state of a store restored from them.
import fc from 'fast-check'
import type { PageRecord } from '../../../topology/engine/rows/aggregate.ts'
import { pageKey, type StateType } from '../../../topology/engine/rows/state-type.ts'
import { Store } from '../../../topology/engine/rows/store.ts'
import { Journal } from '../../../topology/engine/undo/journal.ts'
import { definition } from '../../fixtures/transfers.ts'

const KEY = 'k'.repeat(20)
const { state } = definition().folds[0] as { readonly state: StateType }
const peers = state.kinds.find(({ name }) => name === 'peers')
if (peers === undefined) throw new Error('accounts must have peers')
const opened = (): Store => new Store('transfers', state, { journal: new Journal({ undoFramesMax: 0, undoBytesMax: 0 }), hotFrames: 4 })
const add = (store: Store, n: number): void => {
  store.edit(store.aggregate(KEY), peers, `peer ${n}`, () => ({ peer: `peer ${n}`, amount: n }))
}
const keep = (log: Map<string, PageRecord>, records: readonly PageRecord[]): void => {
  for (const record of records) {
    const name = record.key.toString('hex')
    if (record.value === null) log.delete(name)
    else log.set(name, record)
  }
}
const read = (log: Map<string, PageRecord>): Store => {
  const store = opened()
  for (const record of log.values()) store.restore(record)
  return store
}

test('an iteration over all keys has those that are woken while it visits others', () => {
  const store = opened()
  const page = state.encode({ total: null, peers: [{ peer: 'p', amount: 1 }], timers: [] })
  const evicted = ['evicted 1', 'evicted 2']
  for (const key of evicted) store.restore({ key: pageKey(key, 0), value: page })
  add(store, 1)
  const keys = store.keys()[Symbol.iterator]()
  const visited = [keys.next().value]
  for (const key of evicted) store.find(key)
  for (let next = keys.next(); !next.done; next = keys.next()) visited.push(next.value)
  expect(new Set(visited)).toEqual(new Set([KEY, ...evicted]))
})

test('a row added to many writes at most three pages, and a store restored from the pages continues with the same rows', () => {
  const [store, log] = [opened(), new Map<string, PageRecord>()]
  for (let n = 0; n < 1_000; n++) {
    add(store, n)
    const records = store.takeDirty()
    if (n > 100) expect(records.length).toBeLessThanOrEqual(3)
    keep(log, records)
  }
  const again = read(log)
  expect(again.snapshot()).toEqual(store.snapshot())
  for (const one of [store, again]) add(one, 1_000)
  expect(again.takeDirty().map(({ key }) => key)).toEqual(store.takeDirty().map(({ key }) => key))
})

test('the pages on the log equal the rows after any writes, deletes, commits and restarts', () => {
  const step = fc.record({ add: fc.boolean(), from: fc.nat(250), count: fc.nat(150), restart: fc.boolean() })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const log = new Map<string, PageRecord>()
      let store = opened()
      for (const { add: isAdd, from, count, restart } of steps) {
        for (let n = from; n < from + count; n++) isAdd ? add(store, n) : store.remove(store.aggregate(KEY), peers, `peer ${n}`)
        keep(log, store.takeDirty())
        if (restart) store = read(log)
        expect(log.size).toBe(store.snapshot().length)
        expect(read(log).snapshot()).toEqual(store.snapshot())
      }
    }),
    { numRuns: 50 },
  )
})

test('rows in pages of an older version, which doubled the number of pages, are kept; the next commit lays them out again', () => {
  const [log, store] = [new Map<string, PageRecord>(), opened()]
  const rows = Array.from({ length: 200 }, (_, n) => ({ peer: `peer ${n}`, amount: n }))
  for (let page = 0; page <= 8; page++) {
    const inPage = page === 0 ? [] : rows.filter(({ amount }) => amount % 8 === page - 1)
    keep(log, [{ key: pageKey(KEY, page), value: state.encode({ total: null, peers: inPage, timers: [] }) }])
  }
  const older = read(log)
  for (const { amount } of rows) add(store, amount)
  expect(older.snapshot()).toEqual(store.snapshot())
  keep(log, older.takeDirty())
  expect(log.size).toBe(1 + 5)
  expect(read(log).snapshot()).toEqual(store.snapshot())
})
