// Memory of evicted rows.
import { readSchema } from '../../../schemas/avro.ts'
import { keyOf } from '../../../schemas/keys.ts'
import { NewestRecords } from '../../../topology/engine/changelog/newest.ts'
import { emptyPage, type Kind, pageKey, stateTypeOf } from '../../../topology/engine/rows/state-type.ts'
import { Store } from '../../../topology/engine/rows/store.ts'
import { Journal } from '../../../topology/engine/undo/journal.ts'
import { buffersHeldBy, collect } from '../../tools/memory.ts'

const type = stateTypeOf(readSchema('wallet-state'))
const FIGURES = type.byName.get('figures') as Kind
const KEYS = 1_000
const KB = 1_024

const key = (n: number): string => {
  const bytes = Buffer.alloc(32)
  bytes.writeUInt32LE(n)
  return keyOf(bytes)
}
const pageOf = (payments: number): Buffer => type.encode({ ...emptyPage(type.kinds), figures: { payments, lastAt: payments } })
/** A page as a fetch returns it: inside a larger response buffer. */
const fetched = (page: Buffer): Buffer => {
  const answer = Buffer.allocUnsafeSlow(64 * KB)
  return answer.subarray(answer.write(page.toString('latin1'), KB, 'latin1') + KB - page.length, KB + page.length)
}

test('rows that are evicted between short-lived buffers do not keep the memory of these buffers', () => {
  const store = new Store('wallet', type, { journal: new Journal({ undoFramesMax: 0, undoBytesMax: 0 }), hotFrames: 4 })
  const { bytes } = buffersHeldBy(() => {
    for (let n = 0; n < KEYS + 20; n++) {
      store.beginFrame()
      store.rest()
      if (n < KEYS) store.edit(store.aggregate(key(n)), FIGURES, undefined, () => ({ payments: n, lastAt: n }))
      store.takeDirty()
      for (let neighbours = 0; neighbours < 8; neighbours++) Buffer.allocUnsafe(KB)
    }
    return store
  })
  expect(bytes).toBeLessThan(KEYS * KB)
  expect(store.size).toBe(KEYS)
  expect(store.read(store.aggregate(key(7)), FIGURES, undefined)).toEqual({ payments: 7, lastAt: 7 })
})

test('a restored store holds the newest page of each key, not the response buffers', () => {
  const store = new Store('wallet', type, { journal: new Journal({ undoFramesMax: 0, undoBytesMax: 0 }), hotFrames: 4 })
  const { bytes } = buffersHeldBy(() => {
    for (let n = 0; n < KEYS; n++) store.restore({ key: pageKey(key(n % 500), 0), value: fetched(pageOf(n)) })
    store.restore({ key: pageKey(key(3), 0), value: null })
    return store
  })
  expect(bytes).toBeLessThan(500 * KB)
  expect([store.size, store.find(key(3))]).toEqual([499, undefined])
  expect(store.read(store.aggregate(key(7)), FIGURES, undefined)).toEqual({ payments: 507, lastAt: 507 })
})

test("the newest records of a task's own changelog are held, not the response buffers", () => {
  const newest = new NewestRecords()
  const { bytes } = buffersHeldBy(() => {
    for (let n = 0; n < KEYS; n++) newest.add([{ key: pageKey(key(n % 500), 0), value: fetched(pageOf(n)) }])
    return newest
  })
  expect(bytes).toBeLessThan(500 * KB)
  const payments = Array.from(newest.take(), ({ value }) => (type.decode(value).figures as { payments: number }).payments)
  expect(payments).toEqual(Array.from({ length: 500 }, (_, n) => n + 500))
})

test('a tombstone removes a page from a restore, and a later record of its key restores it', () => {
  const newest = new NewestRecords()
  const record = (n: number, value: Buffer | null) => ({ key: pageKey(key(n), 0), value })
  newest.add([record(1, pageOf(1)), record(2, pageOf(2)), record(1, null), record(3, pageOf(3))])
  newest.add([record(2, null), record(1, pageOf(4)), record(9, null)])
  const left = Array.from(newest.take(), ({ value }) => (type.decode(value).figures as { payments: number }).payments)
  expect(left).toEqual([3, 4])
  expect([...newest.take()]).toEqual([])
})

test('idle rows are evicted repeatedly, rows in use are not', () => {
  const store = new Store('wallet', type, { journal: new Journal({ undoFramesMax: 0, undoBytesMax: 0 }), hotFrames: 4 })
  const write = (n: number): unknown => {
    const aggregate = store.aggregate(key(n))
    store.edit(aggregate, FIGURES, undefined, () => ({ payments: n, lastAt: n }))
    return aggregate
  }
  for (const n of [1, 2, 3]) {
    const [quiet, busy] = [write(n), write(100)]
    for (let frame = 0; frame < 20; frame++) {
      expect(store.find(key(100))).toBe(busy)
      store.takeDirty()
      store.rest()
    }
    expect(store.find(key(n))).not.toBe(quiet)
  }
})

test('a row that was written and deleted is freed after the commit of its deletion', async () => {
  const store = new Store('wallet', type, { journal: new Journal({ undoFramesMax: 0, undoBytesMax: 0 }), hotFrames: 4 })
  const written = (): WeakRef<object> => {
    const aggregate = store.aggregate(key(1))
    store.edit(aggregate, FIGURES, undefined, () => ({ payments: 1, lastAt: 1 }))
    store.takeDirty()
    store.remove(aggregate, FIGURES, undefined)
    expect(store.takeDirty().map(({ value }) => value)).toEqual([null])
    return new WeakRef(aggregate)
  }
  const gone = written()
  await new Promise((resolve) => setTimeout(resolve, 1))
  collect()
  expect(gone.deref()).toBeUndefined()
})
