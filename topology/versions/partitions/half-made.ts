// The mark of a log that `mintfold repartition` is filling: no task and no capture may run there.
import { EngineError } from '../../../schemas/errors.ts'
import type { RebuildStanding } from '../../../schemas/types.ts'

/** In the place of the name of a process that rebuilds. */
const BY = 'mintfold repartition'

export const HALF_MADE: Pick<RebuildStanding, 'state' | 'by'> = { state: 'beside', by: BY }

export const isHalfMade = ({ state, by }: Pick<RebuildStanding, 'state' | 'by'>): boolean => state === HALF_MADE.state && by === BY

/** The given record. @throws EngineError `half_made` if it has the mark */
export const usable = (rebuild: RebuildStanding): RebuildStanding => {
  if (!isHalfMade(rebuild)) return rebuild
  throw new EngineError(
    'half_made',
    'mintfold repartition is filling these topics, or was stopped while it did: start again when it follows, or run it again',
    { retriable: true },
  )
}
