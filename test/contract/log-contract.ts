// The contract of every log, whatever stores it. It assumes that only what the port declares synchronous is so, and of compaction only what
// a reader may rely on.
import type { Log } from '../../topology/ports/log.ts'
import { keptContract } from './log-contract-kept.ts'
import { ownersContract } from './log-contract-owners.ts'
import { EVENTS, expectGrowing, type LogSetup, type OpenLog, out, ROWS, readAll, SETUP, SINGLE, text, values, write } from './log-topics.ts'

export const logContract = (name: string, open: (setup: LogSetup) => Promise<OpenLog>): void => {
  describe(`${name} as a log`, () => {
    let opened: OpenLog
    let log: Log
    beforeEach(async () => {
      opened = await open(SETUP)
      log = opened.log
    })
    afterEach(() => opened.close())

    describe('appending and reading', () => {
      test('a new partition is empty: its start is its end', async () => {
        expect([log.partitions(EVENTS), log.partitions(SINGLE)]).toEqual([3, 1])
        expect([log.start(EVENTS, 2), log.end(EVENTS, 2)]).toEqual([0, 0])
        expect(await readAll(log, EVENTS, 2)).toEqual([])
      })
      test('records of a partition come back in order, with key, value and growing offsets', async () => {
        const owner = await log.own('a')
        await write(owner, [out(EVENTS, 0, 'k', 'one'), out(EVENTS, 1, 'k', 'other'), out(EVENTS, 0, '', 'two')])
        await write(owner, [out(EVENTS, 0, 'k', '')])
        const records = await readAll(log, EVENTS, 0)
        expect(records.map(({ key, value }) => [text(key), text(value)])).toEqual([
          ['k', 'one'],
          ['', 'two'],
          ['k', ''],
        ])
        expectGrowing(records)
        expect(log.end(EVENTS, 0)).toBe((records.at(-1)?.offset ?? 0) + 1)
        expect(await values(log, EVENTS, 1)).toEqual(['other'])
      })
      test('keys and values may be any bytes, and a value may have a megabyte', async () => {
        const owner = await log.own('a')
        const key = Uint8Array.from({ length: 256 }, (_, i) => i)
        const value = Uint8Array.from({ length: 1 << 20 }, (_, i) => (i * 31) & 0xff)
        await owner.commit({
          outputs: [
            { topic: EVENTS, partition: 0, key, value },
            { topic: ROWS, partition: 0, key, value },
          ],
          inputs: new Map(),
        })
        for (const from of [EVENTS, ROWS]) {
          const [record] = await log.read(from, 0, 0, { recordsMax: 1, bytesMax: 1 })
          expect(Buffer.compare(record?.key ?? Buffer.of(), key)).toBe(0)
          expect(Buffer.compare(record?.value ?? Buffer.of(), value)).toBe(0)
        }
      })
      test('a read record stays unchanged, whatever is written later; buffers of a resolved commit may be reused', async () => {
        const owner = await log.own('a')
        const value = Buffer.from('first')
        await owner.commit({ outputs: [{ topic: ROWS, partition: 0, key: Buffer.from('k'), value }], inputs: new Map() })
        value.fill('x')
        const [record] = await log.read(ROWS, 0, 0, { recordsMax: 1, bytesMax: 1 })
        for (let i = 0; i < 5; i++) await write(owner, [out(ROWS, 0, 'k', `later ${i}`), out(EVENTS, 0, 'k', 'y'.repeat(40_000))])
        expect(text(record?.value ?? null)).toBe('first')
      })
      test('a read returns at most the requested number of records', async () => {
        const owner = await log.own('a')
        await write(
          owner,
          [1, 2, 3, 4].map((i) => out(EVENTS, 0, 'k', `${i}`)),
        )
        const read = await log.read(EVENTS, 0, 1, { recordsMax: 2, bytesMax: 1_000 })
        expect(read.map(({ value }) => text(value))).toEqual(['2', '3'])
      })
      test('a read stops once `bytesMax` is reached, and returns at least one record', async () => {
        const owner = await log.own('a')
        await write(
          owner,
          [1, 2, 3, 4].map(() => out(EVENTS, 0, 'k', 'x'.repeat(99))),
        )
        expect(await log.read(EVENTS, 0, 0, { recordsMax: 9, bytesMax: 1 })).toHaveLength(1)
        expect(await log.read(EVENTS, 0, 0, { recordsMax: 9, bytesMax: 200 })).toHaveLength(2)
        expect(await log.read(EVENTS, 0, 0, { recordsMax: 9, bytesMax: 201 })).toHaveLength(3)
      })
    })

    describe('commits', () => {
      test('outputs and inputs take effect together, over several topics and partitions', async () => {
        const owner = await log.own('a')
        await write(owner, [out(EVENTS, 0, 'k', 'e'), out(EVENTS, 2, 'k', 'f'), out(ROWS, 1, 'k', 'r')], { 'raw/0': 7 })
        expect(Object.fromEntries(owner.committed())).toEqual({ 'raw/0': 7 })
        expect([await values(log, EVENTS, 0), await values(log, EVENTS, 2), await values(log, ROWS, 1)]).toEqual([['e'], ['f'], ['r']])
      })
      test('a read before a commit resolves returns none or all of its records', async () => {
        const owner = await log.own('a')
        const under = write(
          owner,
          Array.from({ length: 50 }, () => out(EVENTS, 0, 'k', 'v')),
        )
        for (let i = 0; i < 20; i++) {
          const read = await log.read(EVENTS, 0, 0, { recordsMax: 99, bytesMax: 9_999 })
          expect([0, 50]).toContain(read.length)
          await new Promise((resolve) => setImmediate(resolve))
        }
        await under
        expect(log.end(EVENTS, 0)).toBe(50)
      })
      test('commits of one owner take effect in call order, even if all are in progress at once', async () => {
        const owner = await log.own('a')
        const all = Array.from({ length: 30 }, (_, i) => write(owner, [out(EVENTS, 0, 'k', `${i}`)], { in: i }))
        await Promise.all(all)
        expect(await values(log, EVENTS, 0)).toEqual(Array.from({ length: 30 }, (_, i) => `${i}`))
        expect(Object.fromEntries(owner.committed())).toEqual({ in: 29 })
      })
      test('commits of several owners do not disturb each other', async () => {
        const owners = await Promise.all(['a', 'b', 'c'].map((id) => log.own(id)))
        const all = owners.flatMap((owner, n) =>
          [0, 1, 2, 3].map((i) => write(owner, [out(EVENTS, n, 'k', `${n}.${i}`)], { [`in${n}`]: i })),
        )
        await Promise.all(all)
        for (const [n, owner] of owners.entries()) {
          expect(await values(log, EVENTS, n)).toEqual([0, 1, 2, 3].map((i) => `${n}.${i}`))
          expect(Object.fromEntries(owner.committed())).toEqual({ [`in${n}`]: 3 })
        }
      })
      test('an input that a commit does not name keeps its offset', async () => {
        const owner = await log.own('a')
        await write(owner, [], { x: 1, y: 1 })
        await write(owner, [], { y: 2 })
        expect(Object.fromEntries(owner.committed())).toEqual({ x: 1, y: 2 })
      })
      test('an empty commit resolves', async () => {
        const owner = await log.own('a')
        await write(owner, [])
        expect(owner.committed().size).toBe(0)
      })
      test('listeners are notified of each commit with its topics, after it is visible, until they stop', async () => {
        const owner = await log.own('a')
        let notified: string[] = []
        const stop = log.onCommit((topics) => notified.push(...[...topics].map((name) => `${name} at ${log.end(EVENTS, 0)}`)))
        await write(owner, [out(EVENTS, 0, 'k', 'v'), out(ROWS, 0, 'k', 'v')])
        expect(notified.sort()).toEqual(['contract.events at 1', 'contract.rows at 1'])
        notified = []
        await write(owner, [out(EVENTS, 0, 'k', 'v')])
        expect(notified).toEqual([`contract.events at ${log.end(EVENTS, 0)}`])
        stop()
        await write(owner, [out(EVENTS, 0, 'k', 'v')])
        expect(notified).toHaveLength(1)
      })
      test('a listener that reads from its last offset at each call misses no record', async () => {
        const owner = await log.own('a')
        const seen: (string | null)[] = []
        let next = log.start(EVENTS, 0)
        let following = Promise.resolve()
        const stop = log.onCommit(() => {
          following = following.then(async () => {
            const records = await readAll(log, EVENTS, 0, next)
            next = (records.at(-1)?.offset ?? next - 1) + 1
            seen.push(...records.map(({ value }) => text(value)))
          })
        })
        for (let i = 0; i < 20; i++) await write(owner, [out(EVENTS, 0, 'k', `${i}`)])
        await following
        stop()
        expect(seen).toEqual(Array.from({ length: 20 }, (_, i) => `${i}`))
      })
      test('a reader at the end of a partition gets no records, also after a commit without outputs', async () => {
        const owner = await log.own('a')
        await write(owner, [out(EVENTS, 0, 'k', 'v')], { in: 1 })
        for (const again of [1, 2]) {
          const last = (await readAll(log, EVENTS, 0)).at(-1)?.offset ?? -1
          expect([again, last + 1]).toEqual([again, log.end(EVENTS, 0)])
          expect(await log.read(EVENTS, 0, last + 1, { recordsMax: 9, bytesMax: 99 })).toEqual([])
          await write(owner, [], { in: 2 })
        }
      })
    })

    ownersContract(() => opened)
    keptContract(() => log)

    test('close waits for commits in progress', async () => {
      const owner = await log.own('a')
      const all = Array.from({ length: 5 }, (_, i) => write(owner, [out(EVENTS, 0, 'k', `${i}`)]))
      const settled = Promise.allSettled(all)
      await log.close()
      expect((await settled).map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 'fulfilled'))
    })
  })
}
