// The probability of backtest overfitting on matrices whose answer is known.
import { overfitting, sharpeRatio } from '../../../../processors/grading/overfitting.ts'

describe('overfitting', () => {
  test('given one setting that is best in every block, then it is never overfit', () => {
    const { probability, logits } = overfitting(
      [
        [1, 2, 3],
        [1, 2, 3],
        [0, 1, 2],
        [0, 1, 2],
      ],
      4,
    )
    expect(probability).toBe(0)
    expect(logits).toEqual(Array.from({ length: 6 }, () => Math.log(3)))
  })
  test('given settings that are good in one half each, then the best of one half is the worst of the other', () => {
    const { probability, logits, best, slope } = overfitting(
      [
        [4, 0],
        [0, 3],
      ],
      2,
    )
    expect(probability).toBe(1)
    for (const logit of logits) expect(logit).toBeCloseTo(-Math.LN2, 14)
    expect(best).toEqual([
      { inSample: 3, outOfSample: 0 },
      { inSample: 4, outOfSample: 0 },
    ])
    expect(slope).toBe(0)
  })
  test('given settings that are all the same, then the first is chosen, at the median: not overfit, and no slope', () => {
    expect(
      overfitting(
        [
          [1, 1, 1],
          [1, 1, 1],
        ],
        2,
      ),
    ).toMatchObject({ probability: 0, logits: [0, 0], slope: null })
  })
  test('given a row too many, then the first group is the longer one', () => {
    expect(
      overfitting(
        [
          [3, 0],
          [3, 0],
          [0, 9],
        ],
        2,
      ).best,
    ).toEqual([
      { inSample: 9, outOfSample: 0 },
      { inSample: 3, outOfSample: 0 },
    ])
  })
  test('given 20 groups, then all 184,756 halves are counted', () => {
    const rows = Array.from({ length: 20 }, (_, row) => [row % 3, row % 5])
    expect(overfitting(rows, 20).logits).toHaveLength(184_756)
  })
  test('groups that are odd, too many, or more than blocks are a bug', () => {
    for (const groups of [3, 0, 22, 4])
      expect(() =>
        overfitting(
          [
            [1, 2],
            [1, 2],
          ],
          groups,
        ),
      ).toThrow()
  })
})

test('the Sharpe ratio is mean over sample deviation, and 0 without any', () => {
  expect(sharpeRatio([0.01, 0.02, -0.01, 0.03])).toBeCloseTo(0.7319250547, 9)
  expect(sharpeRatio([0.1, 0.1, 0.1])).toBe(0)
  expect(sharpeRatio([5])).toBe(0)
  expect(sharpeRatio([1e-200, 2e-200])).toBe(0)
})
