// Redrives all chains of a log, one after the other.
import { hasCode } from '../../schemas/errors.ts'
import type { Report } from './rebuild/put-in-place.ts'
import type { Redriven } from './stores.ts'

/**
 * Skips chains without folded frames, unless no chain has any. Returns the summed result: the first failure, or undefined if one was
 * stopped. @throws like `redrive`
 */
export const redriveAll = async <Chain>(
  chains: readonly Chain[],
  redrive: (chain: Chain) => Promise<Redriven | undefined>,
): Promise<Redriven | undefined> => {
  let whole: Redriven | undefined
  let isEmpty: unknown
  for (const chain of chains) {
    try {
      const redriven = await redrive(chain)
      if (redriven?.ok !== true) return redriven
      whole = { ok: true, report: whole?.ok ? sumOf(whole.report, redriven.report) : redriven.report }
    } catch (failure) {
      if (!hasCode(failure, 'nothing_to_redrive')) throw failure
      isEmpty = failure
    }
  }
  if (whole === undefined) throw isEmpty
  return whole
}

/** Null if another process has the report. */
const sumOf = (a: Report | null, b: Report | null): Report | null =>
  a &&
  b && {
    corrected: a.corrected + b.corrected,
    lettersRead: a.lettersRead + b.lettersRead,
    lettersDead: a.lettersDead + b.lettersDead,
  }
