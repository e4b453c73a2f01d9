// The application: middlewares in their order, then the routes of the list.
import Koa from 'koa'
import type { ChainDefinition } from '../../processors/chains/chain.ts'
import type { DetectorSet } from '../../processors/mint/detectors/set.ts'
import type { AccountReader } from '../../topology/ports/accounts.ts'
import type { History } from '../../topology/ports/history.ts'
import type { Clock, MintView } from '../../topology/ports/mint-view.ts'
import type { ApiObserver } from '../../topology/ports/observer.ts'
import type { RecordView } from '../../topology/ports/record-view.ts'
import type { Finality } from '../answers/cards/finality-text.ts'
import type { Logger } from '../logger.ts'
import { MCP_PATH } from '../mcp/limits.ts'
import { mcp } from '../mcp/mount.ts'
import { access, routeNames } from '../middleware/access.ts'
import { browsers } from '../middleware/browsers.ts'
import { callers } from '../middleware/callers.ts'
import { compression } from '../middleware/compression.ts'
import { mapErrors } from '../middleware/errors.ts'
import { headers } from '../middleware/headers.ts'
import { inFlight } from '../middleware/in-flight.ts'
import { limits } from '../middleware/limits.ts'
import { callerLimit, rateLimits } from '../middleware/rates.ts'
import { validators } from '../middleware/validators.ts'
import { PAGE_PATHS, pages } from '../pages/mount.ts'
import type { PaymentGate } from '../payment/gate.ts'
import { questions } from '../questions/questions.ts'
import { Service, type ServiceOptions } from '../service.ts'
import { flagStream, STREAM_PATH } from '../stream/mount.ts'
import { TrustedProxies } from './caller-address.ts'
import { observedGate } from './observed-gate.ts'
import type { Rates } from './rates.ts'
import { mountRoutes } from './routes.ts'

export interface AppDeps {
  readonly chain: ChainDefinition
  /** Those that the folds run. */
  readonly detectors: DetectorSet
  readonly view: MintView
  readonly records: RecordView
  /** Absent: no history is kept, and what needs it is null with the reason. */
  readonly history?: History
  /** Absent: the chain is not asked, and thin cards say so. */
  readonly accounts?: AccountReader
  /** Time of the cards: wall for live sources, stream time for recordings. */
  readonly clock: Clock
  /** Time of this process. */
  readonly wallClock: Clock
  readonly gate: PaymentGate
  /** Public origin without a slash at its end. */
  readonly baseUrl: string
  /** E-mail address or URL of the operator; absent: none is published. */
  readonly contact?: string
  /** `meta.source`: what the events come from, in words; a function where another process may say so later. */
  readonly source: string | (() => string)
  /** True where payments are play money; answers say so. */
  readonly sandbox: boolean
  /** The command of this project that buys an answer here with the sandbox's wallet; absent: there is none. */
  readonly buyCommand?: (path: string) => string
  readonly version: string
  readonly logger: Logger
  /** Takes a line for each request, of facts that hold no secret; absent: `logger`. */
  readonly requestLog?: Pick<Logger, 'info'>
  /** Multiplies every price that is shown; the gate multiplies what it asks. */
  readonly priceFactor: number
  /** What watch cursors are signed with, newest first; all of them are believed. */
  readonly cursorKeys: readonly Uint8Array[]
  /** Whose word on a caller's address counts; absent: nobody's. */
  readonly proxies?: TrustedProxies
  /** How often callers may ask; absent: nobody counts. */
  readonly rates?: Rates
  /** Absent: nobody listens. */
  readonly observer?: ApiObserver
  /** Fires when the service begins to stop: streams end then, and /ready says so. */
  readonly closing?: AbortSignal
  /** How sure the chain was of a slot when it came, for sources that say nothing more of it; recordings: always finalized. */
  readonly finalityOf: (slot: number) => Finality
}

/** What is answered beside the questions, as logs and figures name it. */
const FIXED_PATHS = [...PAGE_PATHS, MCP_PATH, STREAM_PATH]
const NOBODY: ApiObserver = { request: () => {}, limited: () => {}, sale: () => {}, streams: () => {} }

/** The whole API as one Koa app; nothing is read or started before the first request. */
export const createApp = ({ gate: till, logger, observer = NOBODY, ...deps }: AppDeps): Koa => {
  const { proxies = new TrustedProxies([]), requestLog = logger } = deps
  const gate = observedGate(till, observer)
  const termsOf: ServiceOptions['termsOf'] = async (offer, resourceUrl) => {
    const told = await till.quote({ offer, resourceUrl })
    return told.kind === 'asked' ? told.body.accepts : []
  }
  const { receiptKeys } = till
  const service = new Service({ ...deps, charges: gate.mode !== 'off', questions, termsOf, ...(receiptKeys && { receiptKeys }) })
  const templates = questions.map(({ path }) => path)
  const app = new Koa()
  app.on('error', (error: Error) => logger.warn({ err: error }, 'connection failed while an answer was sent'))
  app.use(callers(proxies))
  app.use(access(requestLog, observer, routeNames(templates, FIXED_PATHS)))
  app.use(headers)
  app.use(browsers())
  app.use(compression())
  app.use(validators())
  app.use(mapErrors(logger))
  app.use(limits)
  app.use(inFlight(observer))
  const limit = deps.rates && callerLimit(deps.rates, gate, observer)
  if (limit !== undefined) app.use(rateLimits(limit))
  app.use(flagStream(service, observer, deps.closing ?? new AbortController().signal))
  app.use(pages(service))
  app.use(mcp({ questions, service, gate, logger, ...(limit && { limit }) }))
  mountRoutes(app, questions, service, gate)
  return app
}
