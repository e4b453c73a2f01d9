// Time up to which the history also has odds.
import { ScoredUpTo } from '../../../topology/history/odds/scored-up-to.ts'

describe('the time up to which the history has odds', () => {
  test('is a time at which everything was scored, once the history has advanced twice', () => {
    const scored = new ScoredUpTo()
    const looks: readonly (readonly [upTo: number | null, isScored: boolean])[] = [
      ...([
        [null, true],
        [100, false],
        [110, true],
        [110, false],
        [120, false],
      ] as const),
      ...([
        [130, false],
        [140, true],
        [150, true],
        [160, true],
      ] as const),
    ]
    expect(looks.map((look) => scored.update(...look))).toEqual([null, null, null, null, null, 110, 110, 110, 140])
  })
  test('is null while nothing is scored, however far the history is', () => {
    const scored = new ScoredUpTo()
    expect(Array.from({ length: 40 }, (_, n) => scored.update(n * 10, false))).toEqual(Array.from({ length: 40 }, () => null))
  })
  test('is the end of an ended log, after two minutes of polls', () => {
    const scored = new ScoredUpTo()
    const looks = Array.from({ length: 14 }, () => scored.update(500, true))
    expect([looks.indexOf(500), looks.at(-1)]).toEqual([12, 500])
  })
})
