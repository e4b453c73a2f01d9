// `mintfold verify-tape --history`: what of the log's tape the history has not, twice, or otherwise. Changes neither.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { EngineError } from '../../../../schemas/errors.ts'
import { createHistoryClient } from '../../../history/client.ts'
import { WRITER } from '../../../history/engine/engine-config.ts'
import type { HistoryTarget } from '../../../history/target.ts'
import { LAUNCH_RISK } from '../../../launch-risk.ts'
import { watchLmdbLog } from '../../../logs/lmdb/lmdb-reader.ts'
import { type HistoryReport, verifyHistory } from '../../../operations/verify/verify-history.ts'
import { LOG_ID_OWNER, logIdIn, refuseHistoryOfAnother, sinkOwnerOf } from '../../../sinks/history-id.ts'
import type { Io } from '../../command.ts'
import { showProgress } from '../../output/progress.ts'
import { settingsWithoutApi } from '../../settings/settings.ts'
import { reachHistory } from '../../wiring/reach-history.ts'

export const verifyHistoryCommand = async (io: Io): Promise<void> => {
  const settings = settingsWithoutApi(io.env)
  const logDir = join(settings.dataDir, 'log')
  if (!existsSync(logDir))
    throw new EngineError(
      'file_unreadable',
      `${settings.dataDir} has no log: mintfold up makes one, and MINTFOLD_DATA_DIR names another place`,
    )
  await reachHistory(settings, (target) => verify(logDir, target, io), WRITER)
}

const verify = async (logDir: string, target: HistoryTarget, io: Io): Promise<void> => {
  const found = new Map<string, number>()
  const progress = showProgress(io, { what: 'verifies the history', unit: 'frames' })
  const client = createHistoryClient(target)
  const log = await watchLmdbLog(logDir)
  try {
    await refuseHistoryOfAnother(client, LAUNCH_RISK.sinks.clickhouse.tables, logIdIn(log.inputsOf(LOG_ID_OWNER)))
    const report = await verifyHistory({
      log,
      chain: LAUNCH_RISK.chain,
      topics: LAUNCH_RISK.operations.verify.reads,
      settled: log.inputsOf(await sinkOwnerOf(client, LAUNCH_RISK.sinks.clickhouse.tables)),
      client,
      found: async (finding) => {
        progress.hide()
        found.set(finding.finding, (found.get(finding.finding) ?? 0) + ('count' in finding ? finding.count : 1))
        await io.out(`${JSON.stringify({ history: target.database, ...finding })}\n`)
      },
      progress: (frames, share) => progress.at(frames, share),
      stop: io.stop,
    })
    progress.hide()
    say(report, found, io)
  } finally {
    progress.hide()
    await log.close()
    await client.close()
  }
  if (found.size > 0) io.setExitCode(1)
}

const say = ({ since, from, to, rows, counts }: HistoryReport, found: ReadonlyMap<string, number>, io: Io): void => {
  const older = since < from ? `; of slots ${since} to ${from - 1} the log is gone, and only gaps and reserves were looked at` : ''
  io.say(`slots ${from} to ${to}: ${rows} rows of the log were looked for in the history${older}`)
  const { frames, trades, checked, poolTrades, poolChecked, withoutLaunch } = counts
  io.say(
    `${frames} frames; ${checked} of ${trades} trades on curves and ${poolChecked} of ${poolTrades} in pools could be checked; ` +
      `${withoutLaunch} curves without their launch`,
  )
  const kinds = [...found].map(([kind, count]) => `${count} ${kind}`)
  io.say(kinds.length === 0 ? 'nothing is missing' : `found: ${kinds.join(', ')}`)
}
