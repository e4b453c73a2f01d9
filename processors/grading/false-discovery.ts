// Multiple testing: how many of the results that are called true may be false.

/**
 * Benjamini-Hochberg q-values (Benjamini and Hochberg 1995, "Controlling the false discovery rate") in the order of `values`: the lowest
 * false discovery rate at which each would be called true. A null is not a test, and stays null.
 */
export const qValues = (values: readonly (number | null)[]): (number | null)[] => {
  const tested = values.flatMap((value, index) => (value === null ? [] : [{ value, index }])).sort((a, b) => b.value - a.value)
  const answers: (number | null)[] = values.map(() => null)
  let least = 1
  for (const [larger, { value, index }] of tested.entries()) {
    const rank = tested.length - larger
    least = Math.min(least, value * (tested.length / rank))
    answers[index] = least
  }
  return answers
}
