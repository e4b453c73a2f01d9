// The contract of every store of partition snapshots.
import type { LogRecord } from '../../topology/ports/log.ts'
import type { Notice } from '../../topology/ports/notice.ts'
import type { SnapshotStore } from '../../topology/ports/partition-snapshots.ts'
import { batchesOf, EXTENT, PLACE, readOut, record } from './snapshot-place.ts'

export interface OpenStore {
  readonly store: SnapshotStore
  close(): Promise<void>
}

export const snapshotStoreContract = (name: string, open: (notice: Notice) => Promise<OpenStore>): void => {
  describe(`${name} as a store of partition snapshots`, () => {
    let opened: OpenStore
    let notices: (readonly [string, object])[]
    beforeEach(async () => {
      notices = []
      opened = await open((code, facts) => notices.push([code, facts]))
    })
    afterEach(() => opened.close())
    const write = (place = PLACE, ...batches: readonly (readonly LogRecord[])[]) => opened.store.write(place, EXTENT, batchesOf(...batches))

    test('has no snapshot at first, without a notice', async () => {
      expect(await opened.store.open(PLACE)).toBeUndefined()
      expect(notices).toEqual([])
    })

    test('returns records, offsets and extent unchanged, in the order in which they were written', async () => {
      expect(await write(PLACE, [record(3, 'b', '1'), record(9, 'a', '')], [], [record(70, '\0\xff', 'ü')])).toBe(3)
      const snapshot = await opened.store.open(PLACE)
      expect(snapshot).toMatchObject({ ...EXTENT, records: 3 })
      expect(await readOut(snapshot)).toEqual(['3 b 1', '9 a ', '70 \0\xff ü'])
    })

    test('stores a snapshot without records', async () => {
      expect(await write(PLACE, [])).toBe(0)
      const snapshot = await opened.store.open(PLACE)
      expect(snapshot).toMatchObject({ ...EXTENT, records: 0 })
      expect(await readOut(snapshot)).toEqual([])
    })

    test('stores large records, and more than fit into one block', async () => {
      const large = 'x'.repeat(1024 * 1024)
      await write(
        PLACE,
        [record(1, 'large', large)],
        Array.from({ length: 5_000 }, (_, n) => record(n + 2, `key ${n}`, 'y'.repeat(100))),
      )
      const texts = await readOut(await opened.store.open(PLACE))
      expect(texts).toHaveLength(5_001)
      expect([texts[0], texts.at(-1)]).toEqual([`1 large ${large}`, `5001 key 4999 ${'y'.repeat(100)}`])
    })

    test('replaces a snapshot as a whole; a reader of the former snapshot still reads it to its end', async () => {
      await write(PLACE, [record(1, 'a', 'old')], [record(2, 'b', 'old')])
      const former = await opened.store.open(PLACE)
      await opened.store.write(PLACE, { next: 100, madeAtMs: 5 }, batchesOf([record(95, 'a', 'new')]))
      expect(await readOut(former)).toEqual(['1 a old', '2 b old'])
      const newer = await opened.store.open(PLACE)
      expect(newer).toMatchObject({ next: 100, madeAtMs: 5, records: 1 })
      expect(await readOut(newer)).toEqual(['95 a new'])
    })

    test('keeps the former snapshot if the records of a new one fail halfway', async () => {
      await write(PLACE, [record(1, 'a', 'old')])
      const failing = async function* (): AsyncGenerator<readonly LogRecord[]> {
        yield [record(5, 'a', 'new')]
        throw new Error('the log is away')
      }
      await expect(opened.store.write(PLACE, { next: 6, madeAtMs: 5 }, failing())).rejects.toThrow('the log is away')
      expect(await readOut(await opened.store.open(PLACE))).toEqual(['1 a old'])
    })

    test('refuses tombstones', async () => {
      await expect(write(PLACE, [{ offset: 1, key: Buffer.from('a'), value: null }])).rejects.toThrow('no tombstones')
      expect(await opened.store.open(PLACE)).toBeUndefined()
    })

    test('keeps topics and partitions apart', async () => {
      const others = [
        { ...PLACE, partition: 4 },
        { ...PLACE, topic: 'mint.changelog-3' },
      ]
      await write(PLACE, [record(1, 'a', 'here')])
      for (const other of others) await write(other, [record(1, 'a', `${other.topic}/${other.partition}`)])
      expect(await readOut(await opened.store.open(PLACE))).toEqual(['1 a here'])
      for (const other of others) expect(await readOut(await opened.store.open(other))).toEqual([`1 a ${other.topic}/${other.partition}`])
    })

    test('deletes the snapshot of another topic id, with a notice that names both', async () => {
      await write(PLACE, [record(1, 'a', 'b')])
      expect(await opened.store.open({ ...PLACE, identity: 'bb' })).toBeUndefined()
      const reason = expect.stringContaining('it is of topic id aa, this one is bb')
      expect(notices).toEqual([['snapshot_refused', { topic: 'mint.changelog/3', reason }]])
      expect(await opened.store.open(PLACE)).toBeUndefined()
    })

    test('deletes a snapshot with values of another schema, with a notice that names both', async () => {
      await write(PLACE, [record(1, 'a', 'b')])
      expect(await opened.store.open({ ...PLACE, schema: '22' })).toBeUndefined()
      const reason = 'its values have schema 11, this program has schema 22: another version wrote it'
      expect(notices).toEqual([['snapshot_refused', { topic: 'mint.changelog/3', reason }]])
      expect(await opened.store.open(PLACE)).toBeUndefined()
    })

    test('removes a snapshot, and removing it again is no error', async () => {
      await write(PLACE, [record(1, 'a', 'b')])
      await opened.store.remove(PLACE)
      await opened.store.remove(PLACE)
      expect(await opened.store.open(PLACE)).toBeUndefined()
      expect(notices).toEqual([])
    })

    test('a snapshot that is closed unread can be opened again', async () => {
      await write(PLACE, [record(1, 'a', 'b')])
      await (await opened.store.open(PLACE))?.close()
      expect(await readOut(await opened.store.open(PLACE))).toEqual(['1 a b'])
    })
  })
}
