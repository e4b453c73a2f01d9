// A data directory that belongs to another source.
import { EngineError } from '../../schemas/errors.ts'

export const otherSource = (held: string, asked: string): EngineError =>
  new EngineError(
    'data_dir_source',
    `the data directory holds frames of another source (${held}), not of ${asked}: set MINTFOLD_DATA_DIR to a fresh directory, or play that source`,
    { facts: { held, asked } },
  )
