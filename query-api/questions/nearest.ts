// Finds the nearest known name, for hints.

/** Words longer than this are not compared: the work is quadratic. */
const CHARS_MAX = 64

/**
 * The first candidate that begins with `word` (2 characters or more); else the candidate with the fewest edits, if there are at most half
 * as many edits as characters in the longer of the two. Ties go to the first.
 */
export const nearest = (word: string, candidates: readonly string[]): string | undefined => {
  if (word.length > CHARS_MAX) return undefined
  const longer = word.length > 1 ? candidates.find((candidate) => candidate.startsWith(word)) : undefined
  if (longer !== undefined) return longer
  let best: string | undefined
  let edits = Number.POSITIVE_INFINITY
  for (const candidate of candidates) {
    const distance = editDistance(word, candidate)
    if (distance < edits && distance * 2 <= Math.max(word.length, candidate.length)) {
      best = candidate
      edits = distance
    }
  }
  return best
}

/** The number of edits from `a` to `b`: characters inserted, removed or replaced, and neighbours swapped. */
const editDistance = (a: string, b: string): number => {
  let before: readonly number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwap = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwap ? (before[j - 2] ?? 0) + 1 : replaced
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, replaced, swapped))
    }
    before = row
    row = next
  }
  return row[b.length] ?? 0
}
