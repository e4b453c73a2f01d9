// `mintfold up`: every role in one process. From the data directory up: log, folds, view, payments, API, source.
import { mkdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { createApp } from '../../query-api/app.ts'
import { createGate } from '../../query-api/payment/create-gate.ts'
import { offGate } from '../../query-api/payment/off-gate.ts'
import type { PaymentEntry } from '../../query-api/payment/payment-book.ts'
import { serve } from '../../query-api/server.ts'
import { openLmdbLog } from '../logs/lmdb.ts'
import { startFolds } from '../runtime.ts'
import { startSandbox } from '../sandbox/sandbox.ts'
import { RecordingSource, type Speed } from '../sources/recording.ts'
import { readRecording } from '../sources/recording-file.ts'
import { openLmdbTable } from '../stores/lmdb-table.ts'
import { LogMintView } from '../views/mint-view.ts'
import { Closing } from './closing.ts'
import { type Io, type Register, UsageError } from './command.ts'
import { createLogger } from './logger.ts'
import { play, shorten } from './play.ts'
import { parseSettings, type Settings } from './settings.ts'
import { showStatus } from './status-line.ts'

/** What a newcomer sees: recorded launches, shipped with the package. */
const SHIPPED = fileURLToPath(new URL('../../test/recordings/launches.avro', import.meta.url))
const PREFIX = 'recording:'
/** Requests in flight may take this long at a stop; the whole stop has 10 s. */
const DRAIN_MS = 5_000
const SETTLE_MS = 3_000

interface Options {
  readonly source: string
  readonly speed: Speed
}

const speed = (text: string): Speed => {
  if (text === 'max') return text
  const value = Number(text)
  if (!(value > 0 && value <= 1_000_000)) throw new InvalidArgumentError('a number above 0, or max')
  return value
}

export const registerUp: Register = (program: Command, io: Io) => {
  program
    .command('up')
    .description('every role in one process on the embedded log; resumes from its last committed frame')
    .addOption(
      new Option('--source <source>', 'what to play: recording:PATH').default(
        `${PREFIX}${SHIPPED}`,
        'the recorded launches that ship with it',
      ),
    )
    .option('--speed <n>', 'stream seconds per second, or max', speed, 'max')
    .action((options: Options) => up(options, io))
}

const recordingOf = (source: string): string => {
  if (source.startsWith(PREFIX) && source.length > PREFIX.length) return resolve(source.slice(PREFIX.length))
  throw new UsageError(`--source ${source} is not played by this version: give recording:PATH (mintfold import makes recordings)`)
}

const up = async (options: Options, io: Io): Promise<void> => {
  const closing = new Closing()
  try {
    await start(options, io, closing)
  } finally {
    await closing.run()
  }
}

/** Starts everything, each part with how it ends, then waits for the stop or for what fails. */
const start = async ({ source: sourceText, speed: pace }: Options, io: Io, closing: Closing): Promise<void> => {
  const path = recordingOf(sourceText)
  const settings = parseSettings(io.env, { source: `${PREFIX}${path}` })
  const logger = createLogger({ logLevel: settings.logLevel, terminal: io.terminal })
  const failed = new AbortController()
  const stop = AbortSignal.any([io.stop, failed.signal])
  const port = await claimPort(settings)
  mkdirSync(settings.dataDir, { recursive: true })
  const log = await openLmdbLog({ dir: join(settings.dataDir, 'log'), partitions: settings.partitions })
  closing.add('log', () => log.close())
  const source = new RecordingSource(log, { path, speed: pace, wall: Date.now, stop })
  await source.open()
  const view = new LogMintView(log, source)
  const baseUrl = settings.baseUrl ?? `http://${settings.host.includes(':') ? `[${settings.host}]` : settings.host}:${port}`
  const gate = await openGate(settings, baseUrl, closing, (code, facts) => logger.warn(facts, code))
  const app = createApp({
    view,
    clock: source,
    wallClock: { now: Date.now },
    gate,
    baseUrl,
    source: await describeSource(path),
    sandbox: settings.payments === 'sandbox',
    version: versionOf(),
    priceFactor: settings.priceFactor,
    logger,
    finalityOf: () => 'finalized',
  })
  const server = await serve(app, { host: settings.host, port })
  closing.add('server', () => server.close(DRAIN_MS))
  const folds = await startFolds(log)
  closing.add('folds', () => folds.stop())
  await view.start()
  closing.add('view', () => view.stop())
  io.say(`mintfold answers on ${server.url} (payments: ${settings.payments}; data: ${settings.dataDir})`)
  const playing = play({ source, path, pace, view, folds, settings, io, url: server.url })
  closing.add('source', async () => {
    failed.abort()
    await playing
  })
  const hide = showStatus({ view, source, terminal: io.terminal, say: io.say })
  closing.add('status', async () => hide())
  await Promise.race([stopped(stop), folds.done, playing.then(() => stopped(stop))])
  io.say('stopping: what was committed is kept')
}

const openGate = async (
  settings: Settings,
  baseUrl: string,
  closing: Closing,
  notice: (code: string, facts: Record<string, string | number>) => void,
) => {
  if (settings.payments === 'off') return offGate()
  const table = openLmdbTable<PaymentEntry>(join(settings.dataDir, 'payments'))
  closing.add('payments', () => table.close())
  const common = { mode: settings.payments, baseUrl, priceFactor: settings.priceFactor, table, clock: { now: Date.now }, notice }
  const { facilitator, rpcUrl } = settings
  if (facilitator !== null) {
    const network = facilitator.network as `${string}:${string}`
    const gate = await createGate({
      ...common,
      facilitatorUrl: facilitator.url,
      payTo: facilitator.payTo,
      network,
      ...(rpcUrl !== null && { rpcUrl }),
    })
    closing.add('gate', () => gate.close(SETTLE_MS))
    return gate
  }
  const sandbox = await startSandbox({ dataDir: settings.dataDir, host: settings.host, port: 0 })
  closing.add('sandbox', () => sandbox.close())
  const gate = await createGate({
    ...common,
    facilitatorUrl: sandbox.facilitatorUrl,
    payTo: sandbox.payTo,
    network: sandbox.network,
    rpcUrl: sandbox.rpcUrl,
  })
  closing.add('gate', () => gate.close(SETTLE_MS))
  return gate
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

/** `meta.source`: what the events come from, and whose word stands for their being complete. */
const describeSource = async (path: string): Promise<string> => {
  const name = `recording ${shorten(path).split('/').at(-1)}`
  for await (const frame of readRecording(path))
    return frame.vouched ? `${name}; its importer vouched that it holds everything about its mints` : name
  return name
}

const stopped = (stop: AbortSignal): Promise<void> =>
  new Promise((resolveStop) => {
    if (stop.aborted) resolveStop()
    else stop.addEventListener('abort', () => resolveStop(), { once: true })
  })

const versionOf = (): string => {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
  return manifest.version
}
