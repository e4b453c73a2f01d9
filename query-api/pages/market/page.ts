// The page `/`: the market now, and how to buy answers.

import { DELAY_S } from '../../answers/delay.ts'
import { regimeOf } from '../../answers/market/regime.ts'
import type { Instant, Service } from '../../answers/service.ts'
import { offerPart } from '../banner.ts'
import { buyingPart, pricesPart, quickPart } from '../buying.ts'
import { sheetOf } from '../document.ts'
import { span } from '../figures.ts'
import { type Html, html } from '../html.ts'
import { worksPart } from '../starting.ts'
import { curvesSection } from './curves.ts'
import { fieldPart, readingPart } from './field.ts'
import { launchesPart } from './launches.ts'
import { shownOf } from './lines.ts'
import { nowPart } from './now.ts'
import { regimeNote, regimePart } from './regime.ts'

export const documentOf = (service: Service, instant: Instant): Html => {
  const regime = regimeOf(service)
  const { lines, strokes, counted } = shownOf(service, instant)
  const { feedLagS } = instant.feed
  // With a feed lag above the pages' delay, the last hour is not complete.
  const isCounted = feedLagS !== null && feedLagS <= DELAY_S
  const main = html`<section class="lead" aria-labelledby="lead">
<div class="offering"><h1 id="lead">Token launches, as observed</h1>
${offerPart(service)}</div>
${quickPart(service)}
<div class="full" data-live="works">${worksPart(instant)}</div>
<div class="full" data-live="now">${nowPart(regime, instant, service.options.detectors.flags)}</div>
</section>
<section class="panel list" aria-labelledby="launches">
<h2 id="launches" tabindex="-1">Newest launches</h2>
<p class="note">As of <b>${span(DELAY_S)}</b> ago: launches that have not changed since. Current data are paid. A name opens its
record.</p>
<div data-live="launches">${launchesPart(lines)}</div>
</section>
<div class="beside">
<section class="panel hour" aria-labelledby="hour">
<h2 id="hour">The last hour</h2>
<div data-live="reading">${isCounted ? readingPart(counted) : ''}</div>
<div data-live="field">${isCounted ? fieldPart(strokes, counted) : ''}</div>
</section>
<section class="panel market" aria-labelledby="market">
<h2 id="market">Market</h2>
<p class="note" data-live="regime-note">${regimeNote(regime, instant)}</p>
<div data-live="regime">${regimePart(regime, instant, service.options.detectors.flags)}</div>
<p class="note">All events in each window, of launches of any age. A launch can have several flags.</p>
</section>
</div>
${curvesSection(service)}
<section class="panel buy" aria-labelledby="buy">
<h2 id="buy">Buy an answer</h2>
${buyingPart(service)}
</section>
<section class="panel costs" aria-labelledby="costs">
<h2 id="costs">Prices</h2>
<p class="note">These routes need a payment; a browser that opens one gets the terms (402). <a href="/docs">An example of each</a>.</p>
${pricesPart(service)}
</section>`
  return sheetOf(service, instant, { title: 'mintfold: token launches as observed', main, path: '/', facts: factsOf(service) })
}

/** For search engines. */
const factsOf = ({ options: { baseUrl, version } }: Service) => ({
  '@context': 'https://schema.org',
  '@type': 'WebAPI',
  name: 'mintfold',
  description: 'Observed evidence about token launches, sold by the answer over x402.',
  url: `${baseUrl}/`,
  documentation: `${baseUrl}/docs`,
  version,
})
