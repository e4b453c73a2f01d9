// `mintfold up`: every role in one process. From the data directory up: log, source, view, payments, API, folds.
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Command } from 'commander'
import { createApp } from '../../query-api/app.ts'
import { serve } from '../../query-api/server.ts'
import { serveControl } from '../control/server.ts'
import { openLmdbLog } from '../logs/lmdb.ts'
import type { StoreSnapshot } from '../ports/snapshot.ts'
import { startFolds } from '../runtime.ts'
import type { Source } from '../sources/source.ts'
import { LogMintView } from '../views/mint-view.ts'
import { stopped } from '../waiting.ts'
import { Closing } from './closing.ts'
import type { Io, Register } from './command.ts'
import { controlHandlers } from './control-handlers.ts'
import { createLogger } from './logger.ts'
import { openGate } from './open-gate.ts'
import { openHistory } from './open-history.ts'
import { checkSource, openSource, rateOf, type SourceOptions, seedOf, speedOf, startOf } from './open-source.ts'
import { play } from './play.ts'
import { parseSettings, type Settings } from './settings.ts'
import { showStatus } from './status-line.ts'
import { versionOf } from './version.ts'

/** Requests in flight may take this long at a stop; the whole stop has 10 s. */
const DRAIN_MS = 5_000

export const registerUp: Register = (program: Command, io: Io) => {
  program
    .command('up')
    .description('every role in one process on the embedded log; resumes from its last committed frame')
    .option('--source <source>', 'what to play: demo or recording:PATH', 'demo')
    .option('--speed <n>', 'stream seconds per second, or max (demo: 1, recording: max)', speedOf)
    .option('--seed <n>', 'of the demo: the same seed and start give the same market', seedOf)
    .option('--start <time>', 'of the demo: when its paced part begins, unix seconds or an ISO date', startOf)
    .option('--rate <n>', 'of the demo: 1 is a tenth of the load of today', rateOf)
    .action((options: SourceOptions) => up(options, io))
}

const up = async (options: SourceOptions, io: Io): Promise<void> => {
  const closing = new Closing()
  try {
    await start(options, io, closing)
  } finally {
    await closing.run()
  }
}

/** Starts everything, each part with how it ends, then waits for the stop or for what fails. */
const start = async (options: SourceOptions, io: Io, closing: Closing): Promise<void> => {
  checkSource(options)
  const settings = parseSettings(io.env, { source: options.source })
  const logger = createLogger({ logLevel: settings.logLevel, terminal: io.terminal })
  const failed = new AbortController()
  const stop = AbortSignal.any([io.stop, failed.signal])
  const port = await claimPort(settings)
  mkdirSync(settings.dataDir, { recursive: true })
  const log = await openLmdbLog({ dir: join(settings.dataDir, 'log'), partitions: settings.partitions })
  closing.add('log', () => log.close())
  const folded = (): number | null => view.status().folded?.number ?? null
  const { source, facts, words } = await openSource(log, options, { dataDir: settings.dataDir, stop, folded })
  const view = new LogMintView(log, source)
  const baseUrl = settings.baseUrl ?? `http://${settings.host.includes(':') ? `[${settings.host}]` : settings.host}:${port}`
  const live: (() => StoreSnapshot)[] = [() => log.snapshot()]
  const notice = (code: string, named: Record<string, string | number>): void => logger.warn(named, code)
  const { history, done: historyDone } = openHistory(settings, log, closing, notice)
  const gate = await openGate(settings, baseUrl, closing, live, notice)
  const app = createApp({
    view,
    clock: source,
    wallClock: { now: Date.now },
    gate,
    history,
    baseUrl,
    source: facts,
    sandbox: settings.payments === 'sandbox',
    version: versionOf(),
    priceFactor: settings.priceFactor,
    logger,
    finalityOf: () => 'finalized',
  })
  const server = await serve(app, { host: settings.host, port })
  closing.add('server', () => server.close(DRAIN_MS))
  const control = await serveControl(settings.dataDir, controlHandlers({ settings, url: server.url, view, live }))
  closing.add('control', () => control.close())
  await source.prepare?.(preparing(io))
  const folds = await startFolds(log)
  closing.add('folds', () => folds.stop())
  await view.start()
  closing.add('view', () => view.stop())
  io.say(`mintfold answers on ${server.url} (payments: ${settings.payments}; data: ${settings.dataDir})`)
  const playing = play({ source, words, view, folds, settings, io, url: server.url })
  closing.add('source', async () => {
    failed.abort()
    await playing
  })
  const hide = showStatus({ view, source, terminal: io.terminal, say: io.say })
  closing.add('status', async () => hide())
  await Promise.race([stopped(stop), folds.done, historyDone.then(() => stopped(stop)), playing.then(() => stopped(stop))])
  io.say('stopping: what was committed is kept')
}

/** Says now and then how much of the history is written. */
const preparing = (io: Io): NonNullable<Parameters<NonNullable<Source['prepare']>>[0]> => {
  let told = 0
  return ({ atS, ofS }) => {
    const tenths = Math.floor((atS / ofS) * 10)
    if (tenths <= told) return
    told = tenths
    io.say(`history: ${tenths * 10} % of ${Math.round(ofS / 3_600)} h written`)
  }
}

/** The port that will be listened on; a free one for 0, because every resource url names it. */
const claimPort = async ({ host, port }: Settings): Promise<number> => {
  if (port !== 0) return port
  const probe = createServer()
  return new Promise((resolvePort, reject) => {
    probe.once('error', reject)
    probe.listen(0, host, () => {
      const address = probe.address()
      probe.close(() => resolvePort(typeof address === 'object' && address !== null ? address.port : port))
    })
  })
}
