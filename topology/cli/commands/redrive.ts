// `mintfold dead-letters redrive`: requests a redrive from the running process, or runs it here if there is none.
import * as z from 'zod'
import { EngineError, hasCode } from '../../../schemas/errors.ts'
import { DEFAULT_LIMITS } from '../../engine/limits.ts'
import { TOPOLOGIES } from '../../launch-risk.ts'
import { openLmdbLog } from '../../logs/lmdb/lmdb.ts'
import { askControl } from '../../operations/control/client.ts'
import type { Log } from '../../ports/log.ts'
import type { Topology } from '../../topology.ts'
import type { Report } from '../../versions/rebuild/put-in-place.ts'
import { stagingIn } from '../../versions/rebuild/staging-stores.ts'
import { redriveAll } from '../../versions/redrive-all.ts'
import { type Redriven, Stores } from '../../versions/stores.ts'
import { type Io, UsageError } from '../command.ts'
import { createLogger, noticesTo } from '../output/logger.ts'
import { RebuildReporter } from '../output/rebuild-reporter.ts'
import { type Settings, settingsWithoutApi } from '../settings/settings.ts'
import { Closing } from '../start/closing.ts'
import { rebuildThreadsOf } from '../start/shared-folds.ts'
import { logFolderIn } from '../wiring/open-reader.ts'

const reportSchema = z.object({ report: z.object({ corrected: z.number(), lettersRead: z.number(), lettersDead: z.number() }).nullable() })
const progressSchema = z.object({ words: z.string() })

export const redrive = async (io: Io): Promise<void> => {
  const settings = settingsWithoutApi(io.env)
  const reporter = new RebuildReporter(io.printNotice)
  io.printNotice(wordsOf(settings.kafka === null ? await embedded(settings, io, reporter) : await shared(settings, io)))
}

/** The outcome of a redrive, for the requester. @throws EngineError `control_failed` with the reason if it failed; nothing has then changed */
export const outcomeOf = (redriven: Redriven | undefined): { readonly report: Report | null } => {
  if (redriven === undefined) throw new EngineError('control_failed', 'the redrive was stopped: it resumes at the next start of mintfold')
  if (!redriven.ok) throw new EngineError('control_failed', `the redrive failed, and nothing has changed: ${redriven.reason}`)
  return { report: redriven.report }
}

const wordsOf = (report: Report | null): string => {
  if (report === null) return 'redriven: the process that did it prints the outcome'
  const { corrected, lettersRead, lettersDead } = report
  return `redriven: ${lettersRead} dead letters gone, ${lettersDead} new; ${corrected} records of the tape corrected`
}

const embedded = async (settings: Settings, io: Io, reporter: RebuildReporter): Promise<Report | null> => {
  const { dataDir } = settings
  try {
    const progress = (what: Readonly<Record<string, unknown>>): void => reporter.relay(progressSchema.parse(what).words)
    return reportSchema.parse(await askControl({ dataDir, command: 'redrive', progress, stop: io.stop })).report
  } catch (failure) {
    if (!hasCode(failure, 'control_unreachable')) throw failure
  }
  const log = await openLmdbLog({ dir: logFolderIn(dataDir), partitions: settings.partitions })
  try {
    const redriven = await redriveAll(TOPOLOGIES, (topology) => storesOf(log, topology, settings, reporter, io.stop).redrive(io.stop))
    return outcomeOf(redriven).report
  } finally {
    await log.close()
  }
}

const storesOf = (log: Log, topology: Topology, settings: Settings, reporter: RebuildReporter, stop: AbortSignal): Stores =>
  new Stores({
    log,
    topology,
    limits: DEFAULT_LIMITS,
    staging: stagingIn(settings.dataDir)(topology.chain),
    foldThreads: rebuildThreadsOf(settings, () => {}),
    stop,
    progress: (progress) => reporter.at(progress),
  })

/** Requests the redrive on Kafka; the process that decodes runs it. */
const shared = async (settings: Settings, io: Io): Promise<Report | null> => {
  const { kafka } = settings
  if (kafka === null) throw new UsageError('KAFKA_BROKERS is not set')
  return new Closing(io.printNotice).after(async (closing) => {
    const { openShared } = await import('../wiring/open-kafka.ts')
    const log = await openShared(settings, kafka, closing, noticesTo(createLogger({ logLevel: settings.logLevel, terminal: io.terminal })))
    const redriven = await redriveAll(TOPOLOGIES, async (topology) => {
      const stores = storesOf(log, topology, settings, new RebuildReporter(() => {}), io.stop)
      const asked = await stores.request()
      io.printNotice('requested: the mintfold process that decodes runs it')
      return stores.redriven(asked, io.stop)
    })
    return outcomeOf(redriven).report
  })
}
