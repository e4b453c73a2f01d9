// The probability of backtest overfitting on matrices with a known answer.
import { overfitting, sharpeRatio } from '../../../../processors/grading/overfitting.ts'

describe('overfitting', () => {
  test('is 0 if one setting is best in every block', () => {
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
  test('is certain if each setting is good in one half: the best of one half is the worst of the other', () => {
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
  test('of equal settings chooses the first, at the median: not overfit, and no slope', () => {
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
  test('puts an extra row into the first group', () => {
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
  test('of 20 groups counts all 184,756 halves', () => {
    const rows = Array.from({ length: 20 }, (_, row) => [row % 3, row % 5])
    expect(overfitting(rows, 20).logits).toHaveLength(184_756)
  })
  test('throws for an odd number of groups, none, too many, or more than rows', () => {
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

test('the Sharpe ratio is mean over sample deviation, and 0 without deviation', () => {
  expect(sharpeRatio([0.01, 0.02, -0.01, 0.03])).toBeCloseTo(0.7319250547, 9)
  expect(sharpeRatio([0.1, 0.1, 0.1])).toBe(0)
  expect(sharpeRatio([5])).toBe(0)
  expect(sharpeRatio([1e-200, 2e-200])).toBe(0)
})
