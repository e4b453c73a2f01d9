// The contract of every log on owners and fencing.
import type { Log, LogRecord } from '../../topology/ports/log.ts'
import { code, EVENTS, type OpenLog, out, ROWS, readAll, text, values, write } from './log-topics.ts'

export const ownersContract = (current: () => OpenLog): void => {
  describe('owners', () => {
    let log: Log
    beforeEach(() => {
      log = current().log
    })
    test('a newer owner fences the older one permanently: the older one writes nothing more', async () => {
      const older = await log.own('a')
      await write(older, [out(EVENTS, 0, 'k', 'before')], { in: 1 })
      const newer = await log.own('a')
      await expect(write(older, [out(EVENTS, 0, 'k', 'zombie')], { in: 9 })).rejects.toEqual(code('fenced'))
      await expect(write(older, [], { in: 9 })).rejects.toMatchObject({ retriable: false })
      await write(newer, [out(EVENTS, 0, 'k', 'after')], { in: 2 })
      expect(await values(log, EVENTS, 0)).toEqual(['before', 'after'])
      expect(Object.fromEntries(newer.committed())).toEqual({ in: 2 })
    })
    test('a commit in progress at a takeover is on the log once the new owner has taken over, or never', async () => {
      const older = await log.own('a')
      const attempts = Array.from({ length: 10 }, (_, i) => write(older, [out(EVENTS, 0, 'k', `${i}`)], { in: i + 1 }))
      const settled = Promise.allSettled(attempts)
      const newer = await log.own('a')
      const seen = await values(log, EVENTS, 0)
      expect(newer.committed().get('in') ?? 0).toBe(seen.length)
      const done = (await settled).filter(({ status }) => status === 'fulfilled')
      expect(done).toHaveLength(seen.length)
      expect(await values(log, EVENTS, 0)).toEqual(seen)
    })
    test('owners of other ids are not fenced', async () => {
      const other = await log.own('b')
      await log.own('a')
      await log.own('a')
      await write(other, [out(EVENTS, 0, 'k', 'v')])
      expect(await values(log, EVENTS, 0)).toEqual(['v'])
    })
    test('an id that never committed has no offsets; an id that committed has its own', async () => {
      await write(await log.own('a'), [], { 'raw/0': 5 })
      expect(Object.fromEntries((await log.own('a')).committed())).toEqual({ 'raw/0': 5 })
      expect((await log.own('b')).committed().size).toBe(0)
    })
    test('while another owner’s transaction is open in a partition, the decided end covers what is committed behind it', async () => {
      const older = await log.own('a')
      await write(older, [out(ROWS, 0, 'before', '1')])
      const abort = await current().openTransaction?.(ROWS, 0)
      await write(older, [out(ROWS, 0, 'behind', '2')], { in: 2 })
      const elsewhere = (await current().reopen?.()) ?? log
      const newer = await elsewhere.own('a')
      const deciding = elsewhere.decidedEnd(ROWS, 0)
      await elsewhere.refresh()
      await abort?.()
      const end = await deciding
      const keys = (await readAll(elsewhere, ROWS, 0)).filter(({ offset }) => offset < end).map(({ key }: LogRecord) => text(key))
      expect([keys, newer.committed().get('in')]).toEqual([['before', 'behind'], 2])
    })
    test('a commit in progress at a release is written, and the next owner continues', async () => {
      const owner = await log.own('a')
      const committing = write(owner, [out(EVENTS, 0, 'k', 'last')], { in: 1 })
      await owner.release()
      await committing
      const next = await log.own('a')
      await write(next, [out(EVENTS, 0, 'k', 'first')])
      expect([next.committed().get('in'), await values(log, EVENTS, 0)]).toEqual([1, ['last', 'first']])
    })
  })
}
