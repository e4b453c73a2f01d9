import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openLmdbLog } from '../../topology/logs/lmdb/lmdb.ts'
import type { Log, TaskOwner } from '../../topology/ports/log.ts'
import { code, EVENTS, folded, out, ROWS, readAll, SETUP, text, write } from '../contract/log-topics.ts'
import { smallDisk } from '../tools/small-disk.ts'

const { dir: disk, isMounted } = smallDisk('24m', 'full disk')
const ballast = join(disk, 'ballast')
const numbered = (owner: TaskOwner, number: number): Promise<void> =>
  write(owner, [out(EVENTS, 0, 'k', `${number}`), out(ROWS, 0, 'total', `${number}`), out(EVENTS, 1, 'k', 'x'.repeat(60_000))], {
    in: number,
  })
const fill = async (owner: TaskOwner, from: number): Promise<number> => {
  for (let number = from; number < from + 500; number++) {
    const failure = await numbered(owner, number).then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    if (failure === undefined) continue
    expect(failure).toEqual(code('log_full'))
    expect(failure).toMatchObject({ retriable: true, message: expect.stringContaining('Free some space') })
    return number - 1
  }
  throw new Error('the disk never filled up')
}
const expectWhole = async (log: Log, last: number): Promise<void> => {
  const numbers = (await readAll(log, EVENTS, 0)).map(({ value }) => Number(text(value)))
  expect(numbers).toEqual(Array.from({ length: last }, (_, i) => i + 1))
  expect(await folded(log, ROWS, 0)).toEqual({ total: `${last}` })
}

;(isMounted ? test : test.skip)(
  'on a full disk commits fail with the cause, nothing is half done, reads continue, and commits resume once there is space',
  async () => {
    writeFileSync(ballast, Buffer.alloc(4 << 20))
    const dir = join(disk, 'log')
    const log = await openLmdbLog({ dir, ...SETUP })
    const owner = await log.own('a')
    const last = await fill(owner, 1)
    await expectWhole(log, last)
    expect(owner.committed().get('in')).toBe(last)

    const both = await Promise.allSettled([numbered(owner, last + 1), numbered(owner, last + 2)])
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await expectWhole(log, last)

    rmSync(ballast)
    const more = await fill(owner, last + 1)
    expect(more).toBeGreaterThan(last + 5)
    await expectWhole(log, more)
    await log.close()

    const again = await openLmdbLog({ dir, ...SETUP })
    await expectWhole(again, more)
    expect((await again.own('a')).committed().get('in')).toBe(more)
    await again.close()
  },
  600_000,
)
