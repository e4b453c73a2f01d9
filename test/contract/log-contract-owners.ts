// What every log promises about who may write.
import type { Log } from '../../topology/ports/log.ts'
import { code, EVENTS, out, values, write } from './log-topics.ts'

export const ownersContract = (current: () => Log): void => {
  describe('owners', () => {
    let log: Log
    beforeEach(() => {
      log = current()
    })
    test('given a newer owner, the older is fenced for good and writes nothing', async () => {
      const older = await log.own('a')
      await write(older, [out(EVENTS, 0, 'k', 'before')], { in: 1 })
      const newer = await log.own('a')
      await expect(write(older, [out(EVENTS, 0, 'k', 'zombie')], { in: 9 })).rejects.toEqual(code('fenced'))
      await expect(write(older, [], { in: 9 })).rejects.toMatchObject({ retriable: false })
      await write(newer, [out(EVENTS, 0, 'k', 'after')], { in: 2 })
      expect(await values(log, EVENTS, 0)).toEqual(['before', 'after'])
      expect(Object.fromEntries(newer.committed())).toEqual({ in: 2 })
    })
    test('a commit under way at a takeover is there when the new owner is, or never', async () => {
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
    test('an id that never committed has no offsets, one that did has them', async () => {
      await write(await log.own('a'), [], { 'raw/0': 5 })
      expect(Object.fromEntries((await log.own('a')).committed())).toEqual({ 'raw/0': 5 })
      expect((await log.own('b')).committed().size).toBe(0)
    })
  })
}
