// The report as a file: whole, or not there.
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import type { ChainDefinition } from '../../../../processors/chains/chain.ts'
import { reportPage } from '../../../backtest/page/page.ts'
import type { Report } from '../../../backtest/report-types.ts'
import { isOfFiles, unwritable } from '../../../sources/recording/unreadable.ts'

/** @throws EngineError `file_unreadable` where the disk refuses; what was there before stays */
export const writeReport = (path: string, report: Report, quote: ChainDefinition['quote']): void => {
  const fresh = `${path}.${process.pid}`
  try {
    writeFileSync(fresh, reportPage(report, quote))
    renameSync(fresh, path)
  } catch (cause) {
    rmSync(fresh, { force: true })
    throw isOfFiles(cause) ? unwritable(path, cause) : cause
  }
}
