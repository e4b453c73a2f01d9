import { SquareSum } from '../../../../processors/mint/fold/square-sum.ts'
import { LONG_MAX } from '../../../../schemas/amount.ts'
import { randomOf } from '../../../bench/synthetic-tape.ts'

const sumOf = (amounts: readonly (number | bigint)[]): bigint => {
  const sum = new SquareSum()
  for (const amount of amounts) sum.add(amount)
  return sum.value
}
const expected = (amounts: readonly (number | bigint)[]): bigint => amounts.reduce<bigint>((sum, n) => sum + BigInt(n) * BigInt(n), 0n)

describe('the sum of squares', () => {
  it('is 0 without amounts', () => expect(sumOf([])).toBe(0n))

  it.each([1, 2 ** 18 - 1, 2 ** 18, 2 ** 36 - 1, 2 ** 36, 2 ** 36 + 2 ** 18 - 1, LONG_MAX, 2n ** 200n])(
    'of %p alone is exact',
    (amount) => {
      expect(sumOf([amount])).toBe(expected([amount]))
    },
  )

  it('of random amounts of all sizes is exact', () => {
    const random = randomOf(7)
    const amounts = Array.from({ length: 10_000 }, () => Math.floor(random() * 2 ** Math.floor(random() * 53)))
    expect(sumOf(amounts)).toBe(expected(amounts))
  })

  it('of more of the largest amounts than fit its digits is exact', () => {
    const amounts = new Array<number>(70_000).fill(LONG_MAX)
    expect(sumOf(amounts)).toBe(expected(amounts))
  })
})
