// Time windows: test ranges, and the rows each may train on.
import { mayTrain, purgedFolds, walkForward } from '../../../../processors/grading/time-folds.ts'

describe('walking forward', () => {
  const range = { fromS: 0, toS: 100, folds: 3, testS: 20, purgeS: 5 }
  test('tests the end of the range, and each fold trains on earlier knowledge', () => {
    expect(walkForward({ ...range, trainS: null })).toEqual([
      { test: { fromS: 40, toS: 60 }, before: { fromS: 0, knownByS: 35 }, after: null },
      { test: { fromS: 60, toS: 80 }, before: { fromS: 0, knownByS: 55 }, after: null },
      { test: { fromS: 80, toS: 100 }, before: { fromS: 0, knownByS: 75 }, after: null },
    ])
  })
  test('slides the window with a training length', () => {
    expect(walkForward({ ...range, trainS: 40 }).map(({ before }) => before.fromS)).toEqual([0, 15, 35])
  })
  test('trains on a launch if its outcome is known before the test begins', () => {
    const [fold] = walkForward({ ...range, trainS: null })
    const trains = (atS: number, knownAtS: number | null): boolean => fold !== undefined && mayTrain(fold, atS, knownAtS)
    expect([trains(0, 35), trains(30, 36), trains(-1, 3), trains(34, null), trains(70, 90)]).toEqual([true, false, false, false, false])
  })
  test('throws if the tests leave no time for training', () => {
    expect(() => walkForward({ ...range, folds: 5, trainS: null })).toThrow('no time for training')
  })
})

describe('purged folds', () => {
  test('throw for an empty range, one fold, or negative lengths', () => {
    const range = { fromS: 0, toS: 90, folds: 2, horizonS: 0, purgeS: 0, embargoS: 0 }
    expect(purgedFolds(range)).toHaveLength(2)
    for (const wrong of [{ toS: 0 }, { folds: 1 }, { horizonS: -1 }, { purgeS: -1 }, { embargoS: -1 }])
      expect(() => purgedFolds({ ...range, ...wrong })).toThrow('at least two folds')
  })
  test('train on launches after the test and its embargo, if there are any', () => {
    expect(purgedFolds({ fromS: 0, toS: 90, folds: 3, horizonS: 4, purgeS: 5, embargoS: 10 })).toEqual([
      { test: { fromS: 0, toS: 30 }, before: { fromS: 0, knownByS: -5 }, after: { fromS: 44, toS: 90 } },
      { test: { fromS: 30, toS: 60 }, before: { fromS: 0, knownByS: 25 }, after: { fromS: 74, toS: 90 } },
      { test: { fromS: 60, toS: 90 }, before: { fromS: 0, knownByS: 55 }, after: null },
    ])
  })
  test('train on launches on either side, but not in the test, purged or under embargo', () => {
    const [, fold] = purgedFolds({ fromS: 0, toS: 90, folds: 3, horizonS: 4, purgeS: 5, embargoS: 10 })
    const trains = (atS: number): boolean => fold !== undefined && mayTrain(fold, atS, atS + 4)
    expect([21, 22, 30, 59, 73, 74, 89, 90].map(trains)).toEqual([true, false, false, false, false, true, true, false])
  })
})
