// The pages that are about one thing each, named by the end of their path.
import { RADAR_PAGE } from '../answers/ranked/radar.ts'
import type { Look, Service } from '../answers/service.ts'
import type { Market } from '../questions/question-facts.ts'
import { ALERTS_PATH, alertsPage } from './alerts/page.ts'
import { creatorPage } from './creator/page.ts'
import { docsPage } from './docs/page.ts'
import type { PageAnswer } from './page-answer.ts'
import { CREATOR_PATH, CURVE_PATH, TOKEN_PATH } from './paths.ts'
import { radarPage } from './radar/page.ts'

export interface RecordPage {
  /** With one parameter, at its end. */
  readonly path: string
  readonly market: Market
  /** @param text what the path has in place of the parameter. */
  make(service: Service, look: Look, text: string): PageAnswer | Promise<PageAnswer>
}

/** What draws is loaded with the first record: it takes a tenth of a second, and no start has to wait for it. */
export const RECORD_PAGES: readonly RecordPage[] = [
  { path: TOKEN_PATH, market: 'mints', make: async (...asked) => (await import('./token/page.ts')).tokenPage(...asked) },
  { path: CREATOR_PATH, market: 'mints', make: creatorPage },
  { path: CURVE_PATH, market: 'curves', make: async (...asked) => (await import('./alt/page.ts')).curvePage(...asked) },
]

export interface FixedPage {
  readonly path: string
  /** True where it is made for each request, or sees to that itself; absent: it may be some seconds old. */
  readonly isLive?: true
  make(service: Service, look: Look): PageAnswer | Promise<PageAnswer>
}

/** Beside `/`, which answers programs too. */
export const FIXED_PAGES: readonly FixedPage[] = [
  { path: RADAR_PAGE, isLive: true, make: radarPage },
  {
    path: '/calibration',
    make: async (service, look) => ({ status: 200, page: await (await import('./calibration/page.ts')).calibrationPage(service, look) }),
  },
  { path: ALERTS_PATH, isLive: true, make: (service, look) => ({ status: 200, page: alertsPage(service, look) }) },
  { path: '/docs', make: (service, look) => ({ status: 200, page: docsPage(service, look) }) },
]
