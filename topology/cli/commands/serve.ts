// `mintfold serve`: the API over the changelogs on Kafka. Payments are kept in its own data directory.

import { join } from 'node:path'
import { openDataDir } from '../../data-dir/directory.ts'
import { holdDirectory } from '../../data-dir/hold-directory.ts'
import { LAUNCH_RISK, TOPOLOGIES } from '../../launch-risk.ts'
import { apiMetrics } from '../../operations/metrics/api-metrics.ts'
import { logAwayMetrics } from '../../operations/metrics/log-metrics.ts'
import { LogMintView } from '../../views/mint-view.ts'
import { stopped } from '../../waiting/waiting.ts'
import type { Io, Register } from '../command.ts'
import { createLogger, noticesTo } from '../output/logger.ts'
import { showStatus } from '../output/status-line.ts'
import { parseSettings } from '../settings/settings.ts'
import { LOG } from '../settings/source-name.ts'
import { Closing } from '../start/closing.ts'
import { hereOf, openTold } from '../start/open-chains.ts'
import { openAccounts } from '../wiring/open-accounts.ts'
import { claimPort, openApi } from '../wiring/open-api.ts'
import { openReadHistory } from '../wiring/open-history.ts'
import { openShared } from '../wiring/open-kafka.ts'
import { settingsOfRole } from '../wiring/open-log.ts'
import { openMetrics, showFigures } from '../wiring/open-metrics.ts'

export const register: Register = (command, io) => {
  command
    .description(
      'Answers from the changelogs on Kafka, which it reads from their start: /ready is 503 until it has them whole, and /health tells how far ' +
        'behind it is. Start as many as wanted, each with a MINTFOLD_DATA_DIR of its own for its payments.',
    )
    .action(() => serveRole(io))
}

const serveRole = async (io: Io): Promise<void> => {
  const settings = parseSettings(io.env, { source: LOG })
  const kafka = settingsOfRole('serve', settings)
  const logger = createLogger({ logLevel: settings.logLevel, terminal: io.terminal })
  await new Closing(io.say).after(async (closing) => {
    const { registry, notice } = await openMetrics('serve', settings, noticesTo(logger), closing, io)
    const port = await claimPort(settings)
    openDataDir(settings.dataDir)
    closing.add('directory', await holdDirectory(join(settings.dataDir, 'held')))
    const log = await openShared(settings, kafka, closing, notice, io.stop)
    const chains = await Promise.all(TOPOLOGIES.map((topology) => openTold(log, topology, { stop: io.stop, notice }, closing)))
    const { source, facts } = hereOf(chains, LAUNCH_RISK)
    const view = new LogMintView(log, LAUNCH_RISK.views.mints.reads, source, Date.now, notice)
    const failed = Promise.race([view.failed, ...chains.map((one) => one.source.failed)])
    failed.catch(() => {})
    const history = openReadHistory(settings, closing, notice)
    const read = openAccounts(undefined, settings.accountsUrl, notice)
    const shown = { view, records: view.records, clock: source, source: facts, live: [], history, ...read }
    const observer = apiMetrics(registry)
    logAwayMetrics(log, registry)
    const server = await openApi({ settings, port, ...shown, logger, notice, observer, stop: io.stop }, closing)
    showFigures(registry, [{ chain: LAUNCH_RISK.chain.name, source, view, clock: source }], history)
    io.say(`mintfold listens on ${server.url} and reads the changelogs from Kafka ${kafka.brokers.join(',')}`)
    closing.add('view', () => view.stop())
    await Promise.race([view.start(), stopped(io.stop), failed])
    io.say(`mintfold answers on ${server.url} (payments: ${settings.payments}; data: ${settings.dataDir})`)
    const hide = showStatus({ view, source, terminal: io.terminal })
    closing.add('status', async () => hide())
    await Promise.race([stopped(io.stop), failed])
    io.say('stopping')
  })
}
