// Options shared by the variants of `mintfold export`.
import { EngineError } from '../../../../schemas/errors.ts'
import type { RangeEntry } from '../../../operations/export/manifest.ts'
import type { OutDirectory } from '../../../operations/export/out-directory.ts'
import type { Io } from '../../command.ts'

/** A range of whole days, given by their midnights, and the target directory. */
export interface ExportRun {
  readonly days: { readonly from: number | null; readonly to: number | null }
  readonly range: RangeEntry
  readonly version: string
  /** Opens the directory for an export of `of`. @throws UsageError if the directory has other content */
  open(of: string, cuts: Parameters<typeof OutDirectory.open>[2]): Promise<OutDirectory>
  readonly progress: (done: number, share: number) => void
  readonly io: Io
}

/** @throws EngineError */
export const nothingToExport = (words: string): never => {
  throw new EngineError('history_empty', words)
}
