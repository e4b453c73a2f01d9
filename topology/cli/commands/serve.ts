// `mintfold serve`: the API over the changelogs on Kafka. Its payments are stored in its data directory.

import { join } from 'node:path'
import { CURVE_RISK } from '../../curve-risk.ts'
import { openDataDir } from '../../data-dir/directory.ts'
import { holdDirectory } from '../../data-dir/hold-directory.ts'
import { LAUNCH_RISK, TOPOLOGIES } from '../../launch-risk.ts'
import { apiMetrics } from '../../operations/metrics/api-metrics.ts'
import { logAwayMetrics } from '../../operations/metrics/log-metrics.ts'
import { stopped } from '../../waiting/waiting.ts'
import type { Io, Register } from '../command.ts'
import { createLogger, noticesTo } from '../output/logger.ts'
import { showStatus } from '../output/status-line.ts'
import { parseSettings } from '../settings/settings.ts'
import { addBrokerOptions, type BrokerOptions, envWith, kafkaOfRole } from '../settings/settings-kafka.ts'
import { LOG } from '../settings/source-name.ts'
import { Closing } from '../start/closing.ts'
import { drainedAfter } from '../start/drained.ts'
import { hereOf, openRemoteChain } from '../start/open-chains.ts'
import { openViews } from '../start/open-views.ts'
import { openAccounts } from '../wiring/open-accounts.ts'
import { claimPort, openApi } from '../wiring/open-api.ts'
import { openReadHistory } from '../wiring/open-history.ts'
import { openWithDirectory } from '../wiring/open-kafka-directory.ts'
import { openMetrics, showFigures, shownOf } from '../wiring/open-metrics.ts'
import { openOdds, showOdds } from '../wiring/open-odds.ts'
import { openPages } from '../wiring/open-pages.ts'
import { openSnapshots } from '../wiring/open-snapshots.ts'

export const register: Register = (command, io) => {
  command.description(
    'Serves the API from the changelogs on Kafka: /ready is 503 until they are read, from snapshots in its data directory or from their start, ' +
      'and /health reports its lag. Start any number, each with its own MINTFOLD_DATA_DIR for its payments and snapshots.',
  )
  addBrokerOptions(command).action((options: BrokerOptions) => serveRole(options, io))
}

const serveRole = async (options: BrokerOptions, io: Io): Promise<void> => {
  const settings = parseSettings(envWith(io.env, options), { source: LOG, role: 'serve' })
  const kafka = kafkaOfRole(settings)
  const logger = createLogger({ logLevel: settings.logLevel, terminal: io.terminal })
  await new Closing(io.printNotice).after(async (closing) => {
    const port = await claimPort(settings)
    const { registry, notice } = await openMetrics('serve', settings, noticesTo(logger), closing, io)
    openDataDir(settings.dataDir)
    closing.add('directory', await holdDirectory(join(settings.dataDir, 'held')))
    const log = await openSnapshots(await openWithDirectory(settings, kafka, closing, notice, io.stop), settings, closing, notice)
    const chains = await Promise.all(TOPOLOGIES.map((topology) => openRemoteChain(log, topology, { stop: io.stop, notice }, closing)))
    const { source, facts } = hereOf(chains, LAUNCH_RISK)
    const kept = { pages: openPages(settings, closing), isShared: true, isRecorded: false }
    const { mints: view, curves, shownCurves } = openViews(log, chains, kept, notice)
    const odds = openOdds(log, notice, closing, registry)
    const failed = Promise.race([view.failed, curves.failed, odds.graded.failed, ...chains.map((one) => one.source.failed)])
    failed.catch(() => {})
    const history = openReadHistory(settings, closing, notice)
    const read = openAccounts(undefined, settings.accountsUrl, notice)
    const shown = { view, curves: shownCurves, records: view.records, odds, clock: source, source: facts, live: [], history, ...read }
    const drained = drainedAfter(io, settings.http.drainMs, () => view.status().ready)
    const observer = apiMetrics(registry)
    logAwayMetrics(log, registry)
    const server = await openApi({ settings, port, log, ...shown, logger, notice, observer, stop: io.stop, drained }, closing)
    showFigures(registry, [shownOf(LAUNCH_RISK, view, source), shownOf(CURVE_RISK, curves, hereOf(chains, CURVE_RISK).source)], history)
    io.printNotice(`mintfold listens on ${server.url} and reads the changelogs from Kafka ${kafka.brokers.join(',')}`)
    closing.add('view', () => view.stop())
    closing.add('view of curves', () => curves.stop())
    await Promise.race([Promise.all([view.start(), curves.start()]), stopped(drained), failed])
    void showOdds(odds)
    io.printNotice(`mintfold answers on ${server.url} (payments: ${settings.payments}; data: ${settings.dataDir})`)
    const hide = showStatus({ view, source, terminal: io.terminal })
    closing.add('status', async () => hide())
    await Promise.race([stopped(drained), failed])
    io.printNotice('stopping')
  })
}
