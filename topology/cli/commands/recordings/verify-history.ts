// `mintfold verify-tape --history`: compares the history with the log's tape, and finds rows that the history lacks, has twice, or has
// with other values. Read-only.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { EngineError } from '../../../../schemas/errors.ts'
import { createHistoryClient, type HistoryClient } from '../../../history/client.ts'
import { WRITER } from '../../../history/engine/access.ts'
import type { HistoryTarget } from '../../../history/target.ts'
import { TOPOLOGIES } from '../../../launch-risk.ts'
import { type WatchedLog, watchLmdbLog } from '../../../logs/lmdb/lmdb-reader.ts'
import { type HistoryReport, verifyHistory } from '../../../operations/verify/verify-history.ts'
import type { LogReader } from '../../../ports/log.ts'
import { LOG_ID_OWNER, logIdIn, refuseHistoryOfAnother, sinkOwnerOf } from '../../../sinks/history-id.ts'
import type { Io } from '../../command.ts'
import { showProgress } from '../../output/progress.ts'
import { settingsWithoutApi } from '../../settings/settings.ts'
import { reachHistory } from '../../wiring/reach-history.ts'
import { foundWords, tradeWords } from './verified-words.ts'

export const verifyHistoryCommand = async (io: Io): Promise<void> => {
  const settings = settingsWithoutApi(io.env)
  const logDir = join(settings.dataDir, 'log')
  if (!existsSync(logDir))
    throw new EngineError(
      'file_unreadable',
      `${settings.dataDir} has no log: run mintfold up to create one, or set MINTFOLD_DATA_DIR to another directory`,
    )
  await reachHistory(settings, WRITER, (target) => verify(logDir, target, io))
}

type Chain = (typeof TOPOLOGIES)[number]

const verify = async (logDir: string, target: HistoryTarget, io: Io): Promise<void> => {
  const found = new Map<string, number>()
  const client = createHistoryClient(target)
  const log = await watchLmdbLog(logDir)
  try {
    for (const topology of chainsIn(log)) await verifyChain(topology, { log, client, found }, io)
    io.printNotice(foundWords(found))
  } finally {
    await log.close()
    await client.close()
  }
  if (found.size > 0) io.setExitCode(1)
}

/** Chains with a tape in the log; the primary chain if no chain has one. */
const chainsIn = (log: LogReader): readonly Chain[] => {
  const isThere = (topology: Chain): boolean => {
    const { tape } = topology.operations.verify.reads
    return Array.from({ length: log.partitions(tape) }).some((_, partition) => log.end(tape, partition) > 0)
  }
  const chains = TOPOLOGIES.filter(isThere)
  return chains.length === 0 ? TOPOLOGIES.slice(0, 1) : chains
}

interface Verified {
  readonly log: WatchedLog
  readonly client: HistoryClient
  /** Counts of the differences found, by kind. */
  readonly found: Map<string, number>
}

const verifyChain = async (topology: Chain, { log, client, found }: Verified, io: Io): Promise<void> => {
  const { tables } = topology.sinks.clickhouse
  const progress = showProgress(io, { what: 'verifying the history', unit: 'frames' })
  try {
    await refuseHistoryOfAnother(client, tables, logIdIn(log.inputsOf(LOG_ID_OWNER)))
    const report = await verifyHistory({
      log,
      topology,
      settled: log.inputsOf(await sinkOwnerOf(client, tables)),
      client,
      found: async (finding) => {
        progress.hide()
        found.set(finding.finding, (found.get(finding.finding) ?? 0) + ('count' in finding ? finding.count : 1))
        await io.out(`${JSON.stringify({ history: client.database, ...finding })}\n`)
      },
      progress: (frames, share) => progress.at(frames, share),
      stop: io.stop,
    })
    progress.hide()
    printSummary(report, `${topology.chain.name}: ${tables.number}s`, io)
  } finally {
    progress.hide()
  }
}

/** `numbers`: the unit of frame numbers of the chain. */
const printSummary = ({ since, from, to, rows, counts }: HistoryReport, numbers: string, io: Io): void => {
  const older = since < from ? `; ${since} to ${from - 1} are no longer in the log: only gaps and reserves were checked` : ''
  io.printNotice(`${numbers} ${from} to ${to}: ${rows} rows of the log were compared with the history${older}`)
  io.printNotice(`${counts.frames} frames; ${tradeWords(counts)}`)
}
