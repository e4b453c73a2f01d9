// Compares two evaluations of a detector: which findings are new, gone or changed.
import type { Answer, DevFinding } from './answer.ts'

/** `arrived`: caused by events after the older answer, so not by a change of the file. */
const MARKS = ['new', 'gone', 'other', 'arrived', 'same'] as const
export type Mark = (typeof MARKS)[number]

export interface MarkedFinding {
  readonly mark: Mark
  readonly finding: DevFinding
  /** For a finding with other evidence or at another position: the older one. */
  readonly before?: DevFinding
}

/** Changed findings first, then the newest first. Without an older answer all are `same`. */
export const changesOf = (
  answer: Pick<Answer, 'findings' | 'from'>,
  older: Pick<Answer, 'findings' | 'to'> | undefined,
): readonly MarkedFinding[] => {
  if (older === undefined) return answer.findings.map((finding) => ({ mark: 'same', finding }))
  const before = new Map(older.findings.map((finding) => [finding.mint, finding]))
  const marked = answer.findings.map((finding): MarkedFinding => {
    const was = before.get(finding.mint)
    before.delete(finding.mint)
    if (was === undefined) return { mark: finding.at > older.to ? 'arrived' : 'new', finding }
    return was.evidence === finding.evidence && was.position === finding.position
      ? { mark: 'same', finding }
      : { mark: 'other', finding, before: was }
  })
  // A launch that is older than the stretch now is no change of the detector.
  const gone = [...before.values()]
    .filter(({ at, ageS }) => at - ageS >= answer.from)
    .map((finding): MarkedFinding => ({ mark: 'gone', finding }))
  return [...marked, ...gone].sort(byMark)
}

const byMark = (a: MarkedFinding, b: MarkedFinding): number => MARKS.indexOf(a.mark) - MARKS.indexOf(b.mark) || b.finding.at - a.finding.at

export type MarkCounts = Readonly<Record<Mark, number>>
export const countsOf = (changes: readonly MarkedFinding[]): MarkCounts => {
  const counts = Object.fromEntries(MARKS.map((mark) => [mark, 0])) as Record<Mark, number>
  for (const { mark } of changes) counts[mark]++
  return counts
}
