// The page as a whole. Parts marked data-live are what the script replaces with their newer selves.

import { regimeOf } from '../answers/regime.ts'
import { DELAY_S } from '../answers/samples.ts'
import { isStale } from '../feed.ts'
import type { Look, Service } from '../service.ts'
import { buyingPart, pricesPart } from './buying.ts'
import { fieldPart } from './field.ts'
import { span } from './figures.ts'
import { type Html, html } from './html.ts'
import { launchesPart } from './launches.ts'
import { shownOf } from './lines.ts'
import { pulsePart, readingPart, regimeNote, regimePart } from './regime.ts'

/** Feed lag above which the page says that it is late, seconds. */
const FEED_LAG_S_MAX = 30

const descriptive = html`<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="Observed evidence about token launches: what was seen of each, seconds after it happened.">
<title>mintfold: token launches as observed</title>
<link rel="icon" href="/page/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/page/page.css">`

const head = html`<head>
${descriptive}
<script src="/page/page.js" defer></script>
</head>`

const late = html`every launch here is at least <b>${span(DELAY_S)}</b> old, and so is every flag; younger ones are what is sold. Bars:
SOL now, behind it the peak, on a square-root scale to 85`

export const documentOf = (service: Service, look: Look): Html => {
  const { version } = service.options
  const regime = regimeOf(service)
  const { lines, strokes } = shownOf(service, look)
  const isLate = isStale(look.feed, FEED_LAG_S_MAX)
  return html`<!doctype html>
<html lang="en">
${head}
<body>
<a class="skip" href="#launches">Skip to the launches</a>
<header><p class="brand">mintfold</p><nav aria-label="Parts of this page"><a href="#launches">Launches</a> <a href="#market">Market</a>
<a href="#buy">Buy</a> <a href="#costs">Prices</a></nav><p class="pulse" data-live="pulse">${pulsePart(look, isLate)}</p></header>
<main>
<section class="lead" aria-labelledby="lead">
<h1 id="lead">Token launches, as observed</h1>
<div data-live="reading">${readingPart(regime, look)}</div>
<div data-live="field">${fieldPart(strokes)}</div>
</section>
<section class="list" aria-labelledby="launches">
<h2 id="launches" tabindex="-1">Launches</h2>
<p class="note">Delayed: ${late}.</p>
<div data-live="launches">${launchesPart(lines)}</div>
</section>
<section class="market" aria-labelledby="market">
<h2 id="market">Market</h2>
<p class="note" data-live="regime-note">${regimeNote(regime, look)}</p>
<div data-live="regime">${regimePart(regime)}</div>
</section>
<section class="buy" aria-labelledby="buy">
<h2 id="buy">Buy an answer</h2>
${buyingPart(service)}
</section>
<section class="costs" aria-labelledby="costs">
<h2 id="costs">What it costs</h2>
${pricesPart(service)}
</section>
</main>
<footer>
<p>Observed evidence, not a prediction and not advice. No flags observed is not a safety guarantee. Names are written by token
creators.</p>
<p>Source: ${service.source()}. Version ${version}. <a href="/v1/labels">What each word means</a>. Ask for this page without
<code>text/html</code> and it is JSON.</p>
</footer>
</body>
</html>
`
}

/** Asks for itself again until it is the page: it needs no script for that. */
const again = html`<meta http-equiv="refresh" content="1">`

/** While there is nothing to show: what the server does, and how far it is. */
export const startingDocument = (doing: string): Html => html`<!doctype html>
<html lang="en">
<head>
${again}
${descriptive}
</head>
<body>
<header><p class="brand">mintfold</p></header>
<main><section class="lead"><h1>mintfold starts</h1>
<p class="reading" role="status">Now: ${doing}. There is nothing to show yet; this page asks again every second.</p></section></main>
</body>
</html>
`
