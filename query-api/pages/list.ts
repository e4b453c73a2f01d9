// The list of pages: pages of records (the last part of the path names the record), and fixed pages.
import { RADAR_PAGE } from '../answers/ranked/radar.ts'
import type { Instant, Service } from '../answers/service.ts'
import type { Market } from '../questions/question-facts.ts'
import { ALERTS_PATH, alertsPage } from './alerts/page.ts'
import { creatorPage } from './creator/page.ts'
import { docsPage } from './docs/page.ts'
import type { PageAnswer } from './page-answer.ts'
import { CREATOR_PATH, CURVE_PATH, TOKEN_PATH } from './paths.ts'
import { radarPage } from './radar/page.ts'

export interface RecordPage {
  /** Path template with one parameter, at its end. */
  readonly path: string
  readonly market: Market
  /** @param text the parameter's text in the path. */
  make(service: Service, instant: Instant, text: string): PageAnswer | Promise<PageAnswer>
}

/** Modules that draw are imported when the first record is requested: the import takes a tenth of a second and would delay startup. */
export const RECORD_PAGES: readonly RecordPage[] = [
  { path: TOKEN_PATH, market: 'mints', make: async (...asked) => (await import('./token/page.ts')).tokenPage(...asked) },
  { path: CREATOR_PATH, market: 'mints', make: creatorPage },
  { path: CURVE_PATH, market: 'curves', make: async (...asked) => (await import('./alt/page.ts')).curvePage(...asked) },
]

export interface FixedPage {
  readonly path: string
  /** True if the page is rendered per request, or has its own cache; absent: the page is cached for some seconds. */
  readonly isLive?: true
  make(service: Service, instant: Instant): PageAnswer | Promise<PageAnswer>
}

/** All but `/`, which also answers programs. */
export const FIXED_PAGES: readonly FixedPage[] = [
  { path: RADAR_PAGE, isLive: true, make: radarPage },
  {
    path: '/calibration',
    make: async (service, instant) => ({
      status: 200,
      page: await (await import('./calibration/page.ts')).calibrationPage(service, instant),
    }),
  },
  { path: ALERTS_PATH, isLive: true, make: (service, instant) => ({ status: 200, page: alertsPage(service, instant) }) },
  { path: '/docs', make: (service, instant) => ({ status: 200, page: docsPage(service, instant) }) },
]
