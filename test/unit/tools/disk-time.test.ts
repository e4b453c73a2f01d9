import { type DiskLook, StillDisk } from '../../tools/disk-time.ts'

const stillMs = (looks: readonly (Omit<DiskLook, 'atMs'> | undefined)[]): number => {
  let at = -1
  const disk = new StillDisk(() => {
    at++
    const look = looks[at]
    return look && { atMs: at * 100, ...look }
  })
  for (const _ of looks) disk.look()
  return disk.take()
}

test.each<[string, (Omit<DiskLook, 'atMs'> | undefined)[], number]>([
  [
    'no write was pending',
    [
      { completed: 5, waiting: 0 },
      { completed: 5, waiting: 0 },
    ],
    0,
  ],
  [
    'a pending write completed before',
    [
      { completed: 5, waiting: 1 },
      { completed: 6, waiting: 0 },
    ],
    0,
  ],
  [
    'it is busy',
    [
      { completed: 0, waiting: 90 },
      { completed: 150, waiting: 90 },
    ],
    0,
  ],
  [
    'no pending write completed',
    [
      { completed: 5, waiting: 1 },
      { completed: 5, waiting: 8 },
      { completed: 6, waiting: 9 },
    ],
    200,
  ],
  ['there is no disk', [undefined, undefined], 0],
])('a disk where %s', (_, looks, ms) => {
  expect(stillMs(looks)).toBe(ms)
})

test('a value that was taken is not returned again', () => {
  const looks = [0, 100, 200].map((atMs) => ({ atMs, completed: 1, waiting: 1 }))
  const disk = new StillDisk(() => looks.shift())
  disk.look()
  disk.look()
  expect([disk.take(), disk.take()]).toEqual([100, 0])
})
