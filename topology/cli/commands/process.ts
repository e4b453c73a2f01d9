// `mintfold process`: decodes and folds the partitions that its consumer group assigns, on Kafka; one member also writes the history.
import { openDataDir } from '../../data-dir/directory.ts'
import { LAUNCH_RISK, TOPOLOGIES } from '../../launch-risk.ts'
import { barrierMetrics, standbyMetrics } from '../../operations/metrics/barrier-metrics.ts'
import { measuredLog } from '../../operations/metrics/log-metrics.ts'
import { historyMetrics, sourceMetrics } from '../../operations/metrics/source-metrics.ts'
import { stopped } from '../../waiting/waiting.ts'
import type { Io, Register } from '../command.ts'
import { createLogger, noticesTo } from '../output/logger.ts'
import { reportRebuilds } from '../output/rebuild-reporter.ts'
import { showLine } from '../output/status-line.ts'
import { settingsWithoutApi } from '../settings/settings.ts'
import { addBrokerOptions, type BrokerOptions, envWith, kafkaOfRole } from '../settings/settings-kafka.ts'
import { Closing } from '../start/closing.ts'
import { hereOf, openRemoteChain } from '../start/open-chains.ts'
import { shadowFirst } from '../start/shadow-first.ts'
import { startSharedFolds } from '../start/shared-folds.ts'
import { type AdoptOption, addAdoptOption, openSharedHistory } from '../wiring/open-history.ts'
import { assignmentOf } from '../wiring/open-kafka.ts'
import { openWithDirectory } from '../wiring/open-kafka-directory.ts'
import { openMetrics } from '../wiring/open-metrics.ts'
import { openOdds } from '../wiring/open-odds.ts'
import { openPages } from '../wiring/open-pages.ts'
import { openSnapshots } from '../wiring/open-snapshots.ts'

export const register: Register = (command, io) => {
  command.description(
    'Joins the group of processes that decode and fold. Each gets a share of the partitions; when one stops or fails, the others take its ' +
      'share over. One of them also writes the history. Start any number of them at any time: every record takes effect exactly once.',
  )
  addBrokerOptions(addAdoptOption(command))
    .option(
      '--shadow',
      "runs this program's versions beside the running ones: builds their stores in MINTFOLD_DATA_DIR and follows, without any effect on stores, " +
        'outputs and history, until mintfold promote; then, and if the stores are of these versions already, it is like any other process',
    )
    .action((options: ProcessOptions) => process_(options, io))
}

interface ProcessOptions extends AdoptOption, BrokerOptions {
  readonly shadow?: boolean
}

const process_ = async ({ adoptHistory, shadow = false, ...options }: ProcessOptions, io: Io): Promise<void> => {
  const settings = settingsWithoutApi(envWith(io.env, options), 'process')
  const kafka = kafkaOfRole(settings)
  const logger = createLogger({ logLevel: settings.logLevel, terminal: io.terminal })
  await new Closing(io.printNotice).after(async (closing) => {
    const { registry, notice } = await openMetrics('process', settings, noticesTo(logger), closing, io)
    openDataDir(settings.dataDir)
    const log = await openSnapshots(await openWithDirectory(settings, kafka, closing, notice, io.stop), settings, closing, notice)
    const pages = openPages(settings, closing)
    const promotion = shadow ? await shadowFirst({ topologies: TOPOLOGIES, settings, log, pages, notice, io }, closing) : undefined
    if (shadow && promotion === undefined) return
    const chains = await Promise.all(TOPOLOGIES.map((topology) => openRemoteChain(log, topology, { stop: io.stop }, closing)))
    const { source: tip } = hereOf(chains, LAUNCH_RISK)
    const odds = openOdds(log, notice, closing, registry)
    const fillings = TOPOLOGIES.map((topology) => ({
      ...{ topology, source: () => hereOf(chains, topology).source.facts, adopts: adoptHistory === true },
      ...(topology === LAUNCH_RISK && { isScored: odds.isScored }),
    }))
    const { sinkParts, history } = openSharedHistory(settings, log, fillings, closing, notice)
    sourceMetrics(
      registry,
      chains.map(({ topology, source }) => ({ chain: topology.chain.name, source })),
    )
    historyMetrics(registry, history, () => tip.tip()?.time ?? null)
    const measured = measuredLog(log, TOPOLOGIES, registry)
    let share = 'waiting for partitions'
    const assigned = (assignedTasks: readonly string[], partitions: ReadonlySet<string>): void => {
      measured.assigned(partitions)
      share = shareWords(assignedTasks, TOPOLOGIES.length * settings.partitions)
      io.printNotice(share)
    }
    const rebuilding = reportRebuilds(io.printNotice, (words) => promotion?.at(words))
    const otherTasks = [...sinkParts, ...odds.parts]
    const assignment = await assignmentOf(settings, kafka, closing, notice)
    const tasks = { assignment, otherTasks, pages, assigned, isPromoted: shadow }
    const folds = await startSharedFolds({ settings, measured, registry }, { ...tasks, rebuilding, notice, stop: io.stop })
    promotion?.done()
    closing.add('folds', () => folds.stop())
    barrierMetrics(registry, () => folds.waits())
    standbyMetrics(registry, () => folds.standbys())
    io.printNotice(`processes from Kafka ${kafka.brokers.join(',')}`)
    const hide = showLine(io.terminal, () => `${share}  newest slot ${tip.tip()?.number ?? '-'}${folds.isCaughtUp ? '' : '  catching up'}`)
    closing.add('status', async () => hide())
    await Promise.race([stopped(io.stop), folds.done])
    io.printNotice('stopping: committed work is kept')
  })
}

/** Lists `decode`, `sink` and partition numbers. */
const shareWords = (assignedTasks: readonly string[], partitions: number): string => {
  const folded = assignedTasks.filter((name) => /\d$/.test(name))
  const others = assignedTasks.filter((name) => !folded.includes(name))
  const parts = [...others, `${folded.length} of ${partitions} partitions${folded.length === 0 ? '' : ` (${folded.join(', ')})`}`]
  return `has ${parts.join(', ')}`
}
