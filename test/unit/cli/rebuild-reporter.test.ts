// Progress of a rebuild as text.
import { adviceOn } from '../../../topology/cli/output/dead-letter-advice.ts'
import { RebuildReporter, rebuildWords } from '../../../topology/cli/output/rebuild-reporter.ts'

test.each([
  [{ phase: 'decoding' as const, share: 0 }, 500, 'the stores are being rebuilt: decoding the raw frames again, 0 %'],
  [{ phase: 'folding' as const, share: 0.25 }, 10_000, 'the stores are being rebuilt: folding the tape again, 25 %, about 30 s left'],
  [{ phase: 'installing' as const, share: 1 }, 9_000, 'the stores are rebuilt'],
])('%p after %i ms is %p', (progress, elapsedMs, text) => {
  expect(rebuildWords(progress, elapsedMs)).toBe(text)
})

test('reports every change to the callback, and prints an occasional line and the end', () => {
  const lines: string[] = []
  const statuses: (string | null)[] = []
  let nowMs = 0
  const teller = new RebuildReporter(
    (line) => lines.push(line),
    (status) => statuses.push(status),
    () => nowMs,
  )
  for (let share = 0; share <= 1; share += 0.125) {
    teller.at({ phase: 'folding', share })
    nowMs += 1_000
  }
  teller.at({ phase: 'installing', share: 1 })
  teller.at(null)
  expect(statuses).toHaveLength(11)
  expect(statuses.at(-1)).toBeNull()
  expect(statuses[4]).toBe('the stores are being rebuilt: folding the tape again, 50 %, about 4 s left')
  expect(lines).toEqual([statuses[0], statuses[5], 'the stores are rebuilt'])
})

test('advice states what to do, also for a code of another version', () => {
  expect(adviceOn('unknown_event')).toMatch(/upgrade.*dead-letters redrive/)
  expect(adviceOn('a code of tomorrow')).toMatch(/another version.*upgrade/)
})
