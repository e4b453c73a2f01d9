// The API of a process: payments, the server, and the control socket of its data directory.
import { createServer } from 'node:net'
import { resolve } from 'node:path'
import type { Logger } from 'pino'
import { type AppDeps, createApp } from '../../../query-api/app/app.ts'
import { TrustedProxies } from '../../../query-api/http/caller-address.ts'
import { Rates } from '../../../query-api/http/rates.ts'
import { connectionsFor, listenError, type Serving, serve } from '../../../query-api/http/server.ts'
import { payerLimits } from '../../../query-api/middleware/rates.ts'
import { CURVE_RISK } from '../../curve-risk.ts'
import { dirOwned } from '../../data-dir/data-dir-lock.ts'
import { LAUNCH_RISK } from '../../launch-risk.ts'
import { serveControl } from '../../operations/control/server.ts'
import type { StreamClock } from '../../ports/chain-view.ts'
import type { LogReader } from '../../ports/log.ts'
import type { MintView } from '../../ports/mint-view.ts'
import type { ApiObserver } from '../../ports/observer.ts'
import type { StoreSnapshot } from '../../ports/snapshot.ts'
import { atStop } from '../../waiting/waiting.ts'
import { buyCommand } from '../commands/buy/buy-command.ts'
import { recomputerOn } from '../commands/explain/subject-chains.ts'
import { runningIn } from '../doctor/checks-directory.ts'
import { type noticesTo, plainLines } from '../output/logger.ts'
import { openCursorKeys } from '../selling/cursor-keys.ts'
import { openAlerts } from '../selling/open-alerts.ts'
import { openGate } from '../selling/open-gate.ts'
import { openRedis, REDIS_PREFIX } from '../selling/open-redis.ts'
import type { Settings } from '../settings/settings.ts'
import type { Closing } from '../start/closing.ts'
import { versionOf } from '../version.ts'
import { controlHandlers } from './control-handlers.ts'
import type { OpenOdds } from './open-odds.ts'

/** Time limit for requests in flight at a stop; the whole stop has 10 s. */
const DRAIN_MS = 5_000

/** The chain of curves, as this process follows it. */
export type ShownCurves = Omit<AppDeps['curves'], 'chain' | 'detectors'>

export interface ApiContext extends Pick<AppDeps, 'records' | 'history' | 'accounts' | 'source'> {
  readonly settings: Settings
  /** See `claimPort`. */
  readonly port: number
  readonly view: MintView
  readonly clock: StreamClock
  readonly curves: ShownCurves
  readonly odds: Pick<OpenOdds, 'view' | 'feed' | 'publish' | 'validations'>
  /** The tape from which findings are recomputed. */
  readonly log: LogReader
  /** One function per open store; each takes a snapshot of the store. */
  readonly live: readonly (() => StoreSnapshot)[]
  readonly logger: Logger
  /** Receives the notices of parts. */
  readonly notice: ReturnType<typeof noticesTo>
  readonly observer: ApiObserver
  /** When this fires, /ready is 503, and each answer closes its connection. */
  readonly stop: AbortSignal
  /** When this fires, at `stop` or later, the port closes: the API stops first, before its data sources. */
  readonly drained: AbortSignal
  /** Decodes dead letters again, on request through the control socket. */
  readonly redrive?: (stop: AbortSignal) => Promise<object>
}

/** Serves from now on, with 503 until the view is complete. Registers the end of each part with `closing`. */
export const openApi = async (ground: ApiContext, closing: Closing): Promise<Serving> => {
  const { settings, port, view, records, clock, source, logger, notice, observer } = ground
  const { host, payments, dataDir, priceFactor, http } = settings
  const origin = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  const baseUrl = settings.baseUrl ?? origin
  const live = [...ground.live]
  const redis = settings.redisUrl === null ? undefined : await openRedis(settings.redisUrl, closing, notice)
  const limits = { perMinute: http.ratePerMinute, paidPerMinute: http.ratePaidPerMinute }
  const rates = new Rates({ ...limits, notice, ...(redis && { redis, prefix: REDIS_PREFIX }) })
  const proxies = new TrustedProxies(http.trustedProxies)
  const gate = await openGate(settings, closing, live, notice, payerLimits(rates, observer), redis)
  const alerts = openAlerts({
    settings,
    baseUrl,
    redis,
    closing,
    live,
    view,
    clock,
    odds: ground.odds.view,
    feed: ground.odds.feed,
    notice,
    challengeWaitS: (host) => rates.challenge(host),
  })
  const ending = new AbortController()
  const app = createApp({
    chain: LAUNCH_RISK.chain,
    detectors: LAUNCH_RISK.detectors,
    curves: { ...ground.curves, chain: CURVE_RISK.chain, detectors: CURVE_RISK.detectors },
    view,
    records,
    odds: ground.odds.view,
    oddsFeed: ground.odds.feed,
    oddsModels: ground.odds.validations,
    clock,
    wallClock: { now: Date.now },
    gate,
    ...(ground.history !== undefined && { history: ground.history }),
    alerts,
    recomputer: recomputerOn(ground.log, { ...settings, notice }),
    ...(ground.accounts !== undefined && { accounts: ground.accounts }),
    baseUrl,
    source,
    sandbox: payments === 'sandbox',
    ...(http.contact !== null && { contact: http.contact }),
    ...(payments === 'sandbox' && { buyCommand: (path: string) => buyCommand(dataDir, origin, path) }),
    version: versionOf(),
    priceFactor,
    cursorKeys: await openCursorKeys(settings),
    logger,
    requestLog: plainLines(logger),
    ...{ rates, proxies, observer, closing: ending.signal, stopping: AbortSignal.any([ground.stop, ending.signal]) },
    finalityOf: () => 'finalized',
  })
  const server = await serve(app, { host, port, proxies, connectionsPerAddressMax: connectionsFor(http.ratePerMinute) })
  closing.add('server', endingWith(ground.drained, ending, server))
  const control = await serveControl(
    dataDir,
    controlHandlers({
      ...{ settings, url: server.url, view, live, alerts, publish: ground.odds.publish },
      ...(ground.redrive && { redrive: ground.redrive }),
    }),
  )
  closing.add('control', () => control.close())
  alerts.start()
  return server
}

/** Accepts no new connection after `drained`; requests in flight finish while other parts close. Returns a function that waits for them. */
export const endingWith = (drained: AbortSignal, ending: AbortController, server: Pick<Serving, 'close'>): (() => Promise<void>) => {
  let ended: Promise<void> | undefined
  const end = (): Promise<void> => {
    ending.abort()
    ended ??= server.close(DRAIN_MS)
    return ended
  }
  atStop(drained, () => void end())
  return end
}

/**
 * Checks first that no other mintfold answers in the data directory. Returns the port to listen on; for 0 a free one is chosen now, because
 * every resource URL contains it. @throws EngineError `data_dir_owned`, `port_in_use`, `cannot_listen`
 */
export const claimPort = async ({ dataDir, host, port }: Settings): Promise<number> => {
  const running = await runningIn(dataDir)
  if (running !== undefined) throw dirOwned(resolve(dataDir), Number(running.pid), String(running.url))
  const probe = createServer()
  return new Promise((resolvePort, reject) => {
    probe.once('error', (cause) => reject(listenError(cause, host, port)))
    probe.listen(port, host, () => {
      const address = probe.address()
      probe.close(() => resolvePort(typeof address === 'object' && address !== null ? address.port : port))
    })
  })
}
