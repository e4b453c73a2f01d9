// The contract of every log on what it keeps: the newest record of each key of a compacted topic, all untrimmed records of any other topic.
import type { Log } from '../../topology/ports/log.ts'
import { code, EVENTS, expectGrowing, folded, out, ROWS, readAll, SETUP, SINGLE, text, values, write } from './log-topics.ts'

export const keptContract = (current: () => Log): void => {
  describe('compacted topics', () => {
    let log: Log
    beforeEach(() => {
      log = current()
    })
    test('a restore from the start ends with the newest value of each key', async () => {
      const owner = await log.own('a')
      await write(owner, [out(ROWS, 0, 'x', '1'), out(ROWS, 0, 'y', '1'), out(ROWS, 0, 'x', '2')])
      await write(owner, [out(ROWS, 0, 'y', '2'), out(ROWS, 1, 'x', 'elsewhere'), out(ROWS, 0, 'z', '1')])
      expect(await folded(log, ROWS, 0)).toEqual({ x: '2', y: '2', z: '1' })
      expect(await folded(log, ROWS, 1)).toEqual({ x: 'elsewhere' })
      const records = await readAll(log, ROWS, 0)
      expectGrowing(records)
      expect(log.end(ROWS, 0)).toBe((records.at(-1)?.offset ?? 0) + 1)
    })
    test('a consumer sees a removal as a null, a restore ends without the key, and the key may come back', async () => {
      const owner = await log.own('a')
      await write(owner, [out(ROWS, 0, 'x', '1'), out(ROWS, 0, 'y', '1')])
      const at = log.end(ROWS, 0)
      await write(owner, [out(ROWS, 0, 'x', null)])
      expect((await readAll(log, ROWS, 0, at)).map(({ key, value }) => [text(key), text(value)])).toEqual([['x', null]])
      expect(await folded(log, ROWS, 0)).toEqual({ y: '1' })
      await write(owner, [out(ROWS, 0, 'x', '2')])
      expect(await folded(log, ROWS, 0)).toEqual({ x: '2', y: '1' })
    })
    test('a reader whose offset is not below the tombstone floor sees every removal from its offset on', async () => {
      const owner = await log.own('a')
      await write(owner, [out(ROWS, 0, 'x', '1')])
      const at = log.end(ROWS, 0)
      await write(owner, [out(ROWS, 0, 'x', null)])
      for (let i = 0; i < 3 * SETUP.tombstoneRecordsKept; i++) await write(owner, [out(ROWS, 0, 'y', `${i}`)])
      const seen = (await readAll(log, ROWS, 0, at)).map(({ key }) => text(key))
      expect(seen.includes('x') || log.tombstoneFloor(ROWS, 0) > at).toBe(true)
      expect(log.tombstoneFloor(ROWS, 0)).toBeLessThan(log.end(ROWS, 0))
      expect([log.tombstoneFloor(ROWS, 1), log.tombstoneFloor(EVENTS, 0)]).toEqual([0, 0])
    })
    test('keys with a common prefix are different keys', async () => {
      const owner = await log.own('a')
      await write(
        owner,
        ['', 'a', 'a\0', 'aa', 'b'].map((key) => out(ROWS, 0, key, `of ${key}`)),
      )
      await write(owner, [out(ROWS, 0, 'a', null), out(ROWS, 0, '', 'new')])
      expect(await folded(log, ROWS, 0)).toEqual({ '': 'new', 'a\0': 'of a\0', aa: 'of aa', b: 'of b' })
    })
  })

  describe('trim', () => {
    let log: Log
    beforeEach(() => {
      log = current()
    })
    test('records below the trimmed offset are gone, reading them fails with offset_expired, and offsets continue', async () => {
      const owner = await log.own('a')
      await write(
        owner,
        [0, 1, 2, 3].map((i) => out(EVENTS, 0, 'k', `${i}`)),
      )
      await log.trim(EVENTS, 0, 2)
      expect([log.start(EVENTS, 0), log.end(EVENTS, 0)]).toEqual([2, 4])
      await expect(log.read(EVENTS, 0, 1, { recordsMax: 9, bytesMax: 9 })).rejects.toEqual(code('offset_expired'))
      expect(await values(log, EVENTS, 0)).toEqual(['2', '3'])
      await log.trim(EVENTS, 0, 1)
      await log.trim(EVENTS, 0, 4)
      await write(owner, [out(EVENTS, 0, 'k', '4')])
      const records = await readAll(log, EVENTS, 0)
      expect(records.map(({ value }) => text(value))).toEqual(['4'])
      expect(records[0]?.offset).toBeGreaterThanOrEqual(4)
      expect([log.start(EVENTS, 0), log.end(EVENTS, 0)]).toEqual([4, (records[0]?.offset ?? 0) + 1])
    })
    test('other partitions keep their records', async () => {
      const owner = await log.own('a')
      await write(owner, [out(EVENTS, 0, 'k', 'a'), out(EVENTS, 1, 'k', 'b'), out(SINGLE, 0, 'k', 'c')])
      await log.trim(EVENTS, 0, 1)
      expect([await values(log, EVENTS, 1), await values(log, SINGLE, 0)]).toEqual([['b'], ['c']])
    })
  })
}
