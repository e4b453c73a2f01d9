// The page as a whole. Parts marked data-live are what the script replaces with their newer selves.

import { FRESH_LAG_S } from '../../topology/ports/chain-view.ts'
import { DELAY_S } from '../answers/delay.ts'
import { isStale } from '../answers/feed.ts'
import { regimeOf } from '../answers/market/regime.ts'
import type { Look, Service } from '../answers/service.ts'
import { badge, offerPart, simulationPart } from './banner.ts'
import { buyingPart, freePart, pricesPart } from './buying.ts'
import { curvesSection } from './curves.ts'
import { fieldPart, readingPart } from './field.ts'
import { span } from './figures.ts'
import { type Html, html } from './html.ts'
import { launchesPart } from './launches.ts'
import { shownOf } from './lines.ts'
import { pulsePart, regimeNote, regimePart } from './regime.ts'
import { worksPart } from './starting.ts'

export interface Sheet {
  readonly title: string
  /** Between the header and the end of the page. */
  readonly main: Html
  /** Links of the header. */
  readonly nav: Html
  /** Seconds after which a browser asks again; absent: the script sees to it, or nothing changes. */
  readonly againS?: number
}

/** What all pages have around what they hold. */
export const sheetOf = (service: Service, look: Look, { title, main, nav, againS }: Sheet): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="Observed evidence about token launches: what was seen of each, seconds after it happened.">
${againS === undefined ? '' : html`<meta http-equiv="refresh" content="${againS}">`}
<title>${title}</title>
<link rel="icon" href="/page/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/page/page.css">
<script src="/page/page.js" defer></script>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header><p class="brand"><a class="home" href="/">mintfold</a> ${badge(service)}</p>${nav}
<p class="pulse" data-live="pulse">${pulsePart(look, isStale(look.feed, FRESH_LAG_S))}</p>
<div class="about" data-live="simulation">${simulationPart(service, look)}</div></header>
<main id="main" tabindex="-1">
${main}
</main>
<footer>
<p>Observed evidence, not a prediction and not advice. No flags observed is not a safety guarantee. Names are written by token
creators.</p>
<p>Source: ${service.source()}. Version ${service.options.version}. <a href="/v1/labels">What each word means</a>. Ask for this page without
<code>text/html</code> and it is JSON.</p>
</footer>
</body>
</html>
`

const NAV = html`<nav aria-label="Parts of this page"><a href="/radar">Radar</a> <a href="#launches">Launches</a> <a href="#market">Market</a> <a href="#buy">Buy</a> <a
href="#costs">Prices</a> <a href="#free">Free</a></nav>`

const HEADING = html`<h1 id="lead">Token launches, as observed</h1>`

export const documentOf = (service: Service, look: Look): Html => {
  const regime = regimeOf(service)
  const { lines, strokes, counted } = shownOf(service, look)
  const { feedLagS } = look.feed
  // Who is further behind than what is shown is late has no last hour to tell of.
  const isCounted = feedLagS !== null && feedLagS <= DELAY_S
  const main = html`<section class="lead" aria-labelledby="lead">
${HEADING}
${offerPart(service)}
<div data-live="works">${worksPart(look)}</div>
<div data-live="reading">${isCounted ? readingPart(counted) : ''}</div>
<div data-live="field">${isCounted ? fieldPart(strokes, counted) : ''}</div>
</section>
<section class="list" aria-labelledby="launches">
<h2 id="launches" tabindex="-1">Launches</h2>
<p class="note">As of <b>${span(DELAY_S)}</b> ago, those that have not changed since: what moves now is what is sold. A name opens the
launch's sample card. Bars: the SOL a curve holds, behind it its peak, on a square-root scale to 85.</p>
<div data-live="launches">${launchesPart(lines)}</div>
</section>
<div class="beside">
<section class="market" aria-labelledby="market">
<h2 id="market">Market</h2>
<p class="note" data-live="regime-note">${regimeNote(regime, look)}</p>
<div data-live="regime">${regimePart(regime, look, service.options.detectors.flags)}</div>
<p class="note">What happened in each window, whatever the age of the launch: a launch can have several flags.</p>
</section>
${buySection(service)}
</div>
${curvesSection(service)}
${costsSections(service)}`
  return sheetOf(service, look, { title: 'mintfold: token launches as observed', main, nav: NAV })
}

const buySection = (service: Service): Html => html`<section class="buy" aria-labelledby="buy">
<h2 id="buy">Buy an answer</h2>
${buyingPart(service)}
</section>`

/** @param isLinked false while the routes refuse. */
const costsSections = (service: Service, isLinked = true): Html => html`<section class="costs" aria-labelledby="costs">
<h2 id="costs">What it costs</h2>
<p class="note">An agent gets these by paying; a browser that opens one gets the terms (402).</p>
${pricesPart(service)}
</section>
<section class="gifts" aria-labelledby="free">
<h2 id="free">Free</h2>
${freePart(service, isLinked)}
</section>`

/** While the stores are not there: what is done meanwhile, and all that needs no launch. A browser asks again by itself. */
export const startingDocument = (service: Service, look: Look): Html => {
  const main = html`<section class="lead" aria-labelledby="lead">
${HEADING}
${offerPart(service)}
<p class="reading">The service is starting.</p>
${worksPart(look)}
<p class="note">Nothing true can be shown before that. This page comes again every ${AGAIN_S} s by itself.</p>
</section>
${buySection(service)}
${costsSections(service, false)}`
  const nav = html`<nav aria-label="Parts of this page"><a href="#buy">Buy</a> <a href="#costs">Prices</a> <a href="#free">Free</a></nav>`
  return sheetOf(service, look, { title: 'mintfold starts', main, nav, againS: AGAIN_S })
}
const AGAIN_S = 2
