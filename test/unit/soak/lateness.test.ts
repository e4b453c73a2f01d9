import { latenessOf, type Second } from '../../soak/hour-window.ts'

const calm = (nowS: number): Second => ({ nowS, lagMsMax: 300, loopMsMax: 40, starvedMs: 100, stolenMs: 0, diskStillMs: 0 })
const minute = (change: (second: Second) => Partial<Second>): Second[] =>
  Array.from({ length: 60 }, (_, nowS) => ({ ...calm(nowS), ...change(calm(nowS)) }))

test('seconds over the limit are counted and reported', () => {
  const { all, own, late } = latenessOf(minute(({ nowS }) => (nowS === 20 || nowS === 40 ? { lagMsMax: 2_001 } : {})))
  expect([all, own]).toEqual([2, 2])
  expect(late[0]).toBe('1970-01-01T00:00:20.000Z lag 2001 ms, loop 40 ms, starved 10 %, stolen 0 %, disk still 0 ms, own')
})

test.each([
  ['the host had the processors just before', [30, 34], { stolenMs: 900 }, 0],
  ['the host had them just after', [41, 45], { stolenMs: 900 }, 0],
  ['the host had them long before', [0, 5], { stolenMs: 900 }, 1],
  ['other jobs had the processors', [20, 50], { starvedMs: 400 }, 0],
] as const)('a late second where %s', (_, [from, to], shortage, own) => {
  const seconds = minute(({ nowS }) => ({ ...(nowS >= from && nowS < to ? shortage : {}), ...(nowS === 40 ? { lagMsMax: 5_000 } : {}) }))
  expect(latenessOf(seconds)).toMatchObject({ all: 1, own })
})

test('a late second reports how long the disk stalled, and counts anyway', () => {
  const seconds = minute(({ nowS }) => ({
    ...(nowS >= 36 && nowS < 40 ? { diskStillMs: 1_000 } : {}),
    ...(nowS === 40 ? { lagMsMax: 2_600 } : {}),
  }))
  const { own, late } = latenessOf(seconds)
  expect(own).toBe(1)
  expect(late[0]).toContain('disk still 3000 ms, own')
})
