// The frame of all pages. The script refreshes the elements marked `data-live`.

import { FRESH_LAG_S } from '../../topology/ports/chain-view.ts'
import { isStale } from '../answers/feed.ts'
import type { Look, Service } from '../answers/service.ts'
import { badge, offerPart, simulationPart } from './banner.ts'
import { buyingPart, pricesPart } from './buying.ts'
import { type Html, html, trusted } from './html.ts'
import { navPart } from './nav.ts'
import { pulsePart } from './pulse.ts'
import { worksPart } from './starting.ts'

export interface Sheet {
  readonly title: string
  /** The content between header and footer. */
  readonly main: Html
  /** Path of the page, for crawlers; absent: crawlers must not index the page, such as a refusal. */
  readonly path?: string
  /** One sentence for search results and link previews; absent: the service's description. */
  readonly description?: string
  /** Path of a picture of 1200 x 630 pixels, and its alternative text. */
  readonly picture?: { readonly path: string; readonly text: string }
  /** JSON-LD. */
  readonly facts?: object
  /** Links to parts of the page. */
  readonly nav?: Html
  /** Seconds after which the browser reloads the page; absent: the script refreshes it, or it does not change. */
  readonly againS?: number
}

const DESCRIPTION = 'Observed evidence about token launches: what happened to each, seconds later, with the events that prove it.'

export const sheetOf = (service: Service, instant: Look, sheet: Sheet): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${sheet.againS === undefined ? '' : html`<meta http-equiv="refresh" content="${sheet.againS}">`}
<title>${sheet.title}</title>
${crawlersPart(service, sheet)}
<link rel="icon" href="/page/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/page/page.css">
<script src="/page/page.js" defer></script>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header><p class="brand"><a class="home" href="/">mintfold</a> ${badge(service)}</p>${navPart(sheet.path)}
<p class="pulse" data-live="pulse">${pulsePart(instant, isStale(instant.feed, FRESH_LAG_S))}</p>
<div class="about" data-live="simulation">${simulationPart(service, instant)}</div></header>
<main id="main" tabindex="-1">
${sheet.nav ?? ''}${sheet.main}
</main>
<footer>
<p>Observed evidence, not a prediction and not advice. No flags observed is not a safety guarantee. Names are written by token
creators.</p>
<p>Source: ${service.source()}. Version ${service.options.version}. <a href="/v1/labels">What each field and label means</a>. <a href="/terms">Terms</a>.
Agents: <a href="/llms.txt">llms.txt</a>, <a href="/openapi.json">OpenAPI</a>.</p>
</footer>
</body>
</html>
`

/** Metadata for search engines, link previews and archives. */
const crawlersPart = ({ options: { baseUrl } }: Service, { title, path, description = DESCRIPTION, picture, facts }: Sheet): Html => {
  const about = html`<meta name="description" content="${description}">`
  if (path === undefined) return html`${about}<meta name="robots" content="noindex">`
  return html`${about}
<link rel="canonical" href="${baseUrl}${path}">
<meta property="og:type" content="website"><meta property="og:site_name" content="mintfold">
<meta property="og:title" content="${title}"><meta property="og:description" content="${description}">
<meta property="og:url" content="${baseUrl}${path}">${picture === undefined ? '' : picturePart(baseUrl, picture)}
${facts === undefined ? '' : factsPart(facts)}`
}

const picturePart = (baseUrl: string, { path, text }: NonNullable<Sheet['picture']>): Html => html`
<meta property="og:image" content="${baseUrl}${path}"><meta property="og:image:type" content="image/png">
<meta property="og:image:width" content="1200"><meta property="og:image:height" content="630">
<meta property="og:image:alt" content="${text}"><meta name="twitter:card" content="summary_large_image">`

/** A JSON-LD block: browsers do not run it, so the script policy does not apply. `<` and `>` are escaped: no text can end the block. */
const factsPart = (facts: object): Html =>
  html`<script type="application/ld+json">${trusted(JSON.stringify(facts).replaceAll('<', '\\u003c').replaceAll('>', '\\u003e'))}</script>`

/** The page during startup: the progress of the startup, and all parts that need no launch. The browser reloads it. */
export const startingDocument = (service: Service, instant: Look): Html => {
  const main = html`<section class="lead" aria-labelledby="lead">
<h1 id="lead">Token launches, as observed</h1>
${offerPart(service)}
<p class="reading">The service is starting.</p>
${worksPart(instant)}
<p class="note">No figures can be shown until that is complete. This page reloads every ${AGAIN_S} s.</p>
</section>
<section class="panel buy" aria-labelledby="buy">
<h2 id="buy">Buy an answer</h2>
${buyingPart(service)}
${pricesPart(service)}
</section>`
  return sheetOf(service, instant, { title: 'mintfold is starting', main, againS: AGAIN_S })
}
const AGAIN_S = 2
