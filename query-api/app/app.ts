// The application: middlewares in order, then the routes of the questions.
import Koa from 'koa'
import type { ApiObserver } from '../../topology/ports/observer.ts'
import { Service, type ServiceOptions } from '../answers/service.ts'
import { TrustedProxies } from '../http/caller-address.ts'
import type { Logger } from '../http/logger.ts'
import { observedGate } from '../http/observed-gate.ts'
import type { Rates } from '../http/rates.ts'
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
import { offerOf } from '../payment/sale.ts'
import { MCP_PATH } from '../questions/limits.ts'
import { flagStream, STREAM_PATH } from '../stream/mount.ts'
import { questions } from './list/questions.ts'
import { mountRoutes } from './routes.ts'

export interface AppDeps extends Omit<ServiceOptions, 'charges' | 'questions' | 'rates' | 'receiptKeys' | 'termsOf'> {
  readonly gate: PaymentGate
  readonly logger: Logger
  /** Receives a line without secrets for each request; absent: `logger`. */
  readonly requestLog?: Pick<Logger, 'info'>
  /** Proxies whose forwarded caller address is trusted; absent: none. */
  readonly proxies?: TrustedProxies
  /** Rate limits of callers; absent: none. */
  readonly rates?: Rates
  /** Absent: no metrics. */
  readonly observer?: ApiObserver
}

/** Paths other than questions, as named in logs and metrics. */
const FIXED_PATHS = [...PAGE_PATHS, MCP_PATH, STREAM_PATH]
const NOBODY: ApiObserver = { request: () => {}, limited: () => {}, sale: () => {}, streams: () => {} }

/** Some clients append a slash to the address of an MCP server. */
const slashed: Koa.Middleware = (ctx, next) => {
  if (ctx.path === `${MCP_PATH}/`) ctx.path = MCP_PATH
  return next()
}

/** The whole API as one Koa app; nothing is read or started before the first request. */
export const createApp = ({ gate: paymentGate, logger, observer = NOBODY, ...deps }: AppDeps): Koa => {
  const { proxies = new TrustedProxies([]), requestLog = logger } = deps
  const gate = observedGate(paymentGate, observer)
  const termsOf: ServiceOptions['termsOf'] = async (facts, resourceUrl) => {
    const quote = await paymentGate.quote({ offer: offerOf(facts), resourceUrl })
    return quote.kind === 'asked' ? quote.body.accepts : []
  }
  const { receiptKeys } = paymentGate
  const service = new Service({ ...deps, charges: gate.mode !== 'off', questions, termsOf, ...(receiptKeys && { receiptKeys }) })
  const templates = questions.map(({ path }) => path)
  const app = new Koa()
  app.on('error', (error: Error) => logger.warn({ err: error }, 'connection failed while sending an answer'))
  app.use(slashed)
  app.use(callers(proxies))
  app.use(access(requestLog, observer, routeNames(templates, FIXED_PATHS)))
  app.use(headers(deps.stopping))
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
