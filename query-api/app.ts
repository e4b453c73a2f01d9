// The application: middlewares in their order, then the routes of the list.
import Koa from 'koa'
import type { AccountReader } from '../topology/ports/accounts.ts'
import type { History } from '../topology/ports/history.ts'
import type { Clock, MintView } from '../topology/ports/mint-view.ts'
import type { RecordView } from '../topology/ports/record-view.ts'
import type { Finality } from './answers/finality-text.ts'
import type { Logger } from './logger.ts'
import { mapErrors } from './middleware/errors.ts'
import { headers } from './middleware/headers.ts'
import { limits } from './middleware/limits.ts'
import { pages } from './pages/mount.ts'
import type { PaymentGate } from './payment/gate.ts'
import { questions } from './questions.ts'
import { mountRoutes } from './routes.ts'
import { Service } from './service.ts'

export interface AppDeps {
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
  /** `meta.source`: what the events come from, in words; a function where another process may say so later. */
  readonly source: string | (() => string)
  /** True where payments are play money; answers say so. */
  readonly sandbox: boolean
  readonly version: string
  readonly logger: Logger
  /** Multiplies every price that is shown; the gate multiplies what it asks. */
  readonly priceFactor: number
  /** How sure the chain was of a slot when it came, for sources that say nothing more of it; recordings: always finalized. */
  readonly finalityOf: (slot: number) => Finality
}

/** The whole API as one Koa app; nothing is read or started before the first request. */
export const createApp = ({ gate, logger, ...deps }: AppDeps): Koa => {
  const service = new Service({ ...deps, charges: gate.mode !== 'off', questions })
  const app = new Koa()
  app.on('error', (error: Error) => logger.warn({ err: error }, 'connection failed while an answer was sent'))
  app.use(headers)
  app.use(mapErrors(logger))
  app.use(limits)
  app.use(pages(service))
  mountRoutes(app, questions, service, gate)
  return app
}
