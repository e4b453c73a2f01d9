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

const head = html`<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="Observed evidence about token launches: what was seen of each, seconds after it happened.">
<title>mintfold: token launches as observed</title>
<link rel="icon" href="/page/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/page/page.css">
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

export const restoringDocument: Html = html`<!doctype html>
<html lang="en">
${head}
<body>
<header><p class="brand">mintfold</p></header>
<main><section class="lead"><h1>The stores are being read back</h1>
<p class="reading">Nothing true can be said yet. Try again in a few seconds.</p></section></main>
</body>
</html>
`
