// Formats the result of a run of mutants: a line per mutant, and a summary.
import type { Mutant } from './places.ts'
import type { Outcome } from './run.ts'

/** Minimum share of killed mutants among those that are not equivalent. */
export const SHARE_LEAST = 0.85

export type Line = Pick<Mutant, 'file' | 'in' | 'line' | 'kind' | 'was' | 'now' | 'before' | 'after'> &
  (Outcome | { readonly verdict: 'equivalent'; readonly why: string })

export interface Summary {
  readonly mutants: number
  readonly killed: number
  readonly survived: number
  readonly over_the_limit: number
  readonly equivalent: number
  /** Share of killed mutants among those that are not equivalent; null if there are none. */
  readonly share: number | null
}

export const lineOf = ({ file, in: name, line, kind, was, now, before, after }: Mutant, outcome: Outcome | string): Line => ({
  ...{ file, in: name, line, kind, was, now, before, after },
  ...(typeof outcome === 'string' ? { verdict: 'equivalent', why: outcome } : outcome),
})

export const summaryOf = (lines: readonly Line[]): Summary => {
  const count = (wanted: Line['verdict']): number => lines.filter(({ verdict }) => verdict === wanted).length
  const [killed, equivalent] = [count('killed'), count('equivalent')]
  const counted = lines.length - equivalent
  const share = counted === 0 ? null : Math.floor((killed / counted) * 1_000) / 1_000
  return { mutants: lines.length, killed, survived: count('survived'), over_the_limit: count('over the limit'), equivalent, share }
}

export const isEnough = ({ share }: Summary): boolean => share === null || share >= SHARE_LEAST
