// The page `/docs`: every route, paid and free, with a runnable example, generated from the list of questions.
import type { Instant, Service } from '../../answers/service.ts'
import { requestOf, shownOf } from '../../discovery/shown.ts'
import { MCP_PATH } from '../../questions/limits.ts'
import type { QuestionFacts } from '../../questions/question-facts.ts'
import { STREAM } from '../../stream/facts.ts'
import { buyingPart } from '../buying.ts'
import { command } from '../copy.ts'
import { sheetOf } from '../document.ts'
import { usd } from '../figures.ts'
import { type Html, html } from '../html.ts'

const NAV = html`<nav aria-label="Parts of this page"><a href="#buy">How to buy</a> <a href="#sold">Paid</a> <a href="#free">Free</a>
<a href="#agents">Agents</a></nav>`

export const docsPage = (service: Service, instant: Instant): Html => {
  const { questions } = service.options
  const isSold = ({ priceMicroUsdc }: QuestionFacts): boolean => priceMicroUsdc > 0
  const list = (of: readonly QuestionFacts[]): Html => html`<div class="routes">${of.map((facts) => routePart(facts, service))}</div>`
  const main = html`<section class="lead" aria-labelledby="lead">
<h1 id="lead">Routes, prices and how to buy</h1>
<p class="offer">Every answer states what was observed, how fresh it is, and what is not known. A refused request is never charged.</p>
</section>
<section class="panel buy" aria-labelledby="buy">
<h2 id="buy">How to buy</h2>
${buyingPart(service)}
</section>
<section class="panel" aria-labelledby="sold">
<h2 id="sold">Paid</h2>
${list(questions.filter(isSold))}
</section>
<section class="panel" aria-labelledby="free">
<h2 id="free">Free</h2>
${list(questions.filter((facts) => !isSold(facts) && facts.path !== '/'))}
<article class="route"><h3><code>${STREAM.path}</code> <b>free</b></h3><p class="note">${STREAM.description}</p>
${command(`curl -N ${service.options.baseUrl}${STREAM.path}`)}</article>
</section>
${agentsPart(service)}`
  const description = 'All routes, paid and free, with prices, parameters and a runnable example of each.'
  return sheetOf(service, instant, { title: 'mintfold: routes, prices and how to buy', main, path: '/docs', description, nav: NAV })
}

/** One route with its parameters, and a command if an example request is known. */
const routePart = (facts: QuestionFacts, service: Service): Html => {
  const { baseUrl, buyCommand } = service.options
  const request = requestOf(facts, shownOf(service))
  const price = service.priceUsd(facts)
  const buy = request === null || price === 0 || buyCommand === undefined ? undefined : buyCommand(request)
  return html`<article class="route"><h3><code>${facts.path}</code> <b>${price === 0 ? 'free' : usd(price)}</b></h3>
<p class="note">${facts.description}${facts.tool === null ? '' : html` Tool <code>${facts.tool}</code>.`}</p>
${paramsPart(facts)}
${request === null ? '' : command(`curl ${price === 0 ? '' : '-i '}'${baseUrl}${request}'`)}${buy === undefined ? '' : command(buy)}</article>`
}

const paramsPart = ({ params }: QuestionFacts): Html => {
  const all = Object.entries(params)
  if (all.length === 0) return html``
  return html`<dl class="params">${all.map(
    ([name, { schema, fallback }]) =>
      html`<div><dt><code>${name}</code>${fallback === undefined ? ' (required)' : ''}</dt><dd>${schema.description ?? ''}</dd></div>`,
  )}</dl>`
}

const agentsPart = ({ options: { baseUrl } }: Service): Html => html`<section class="panel" aria-labelledby="agents">
<h2 id="agents">For agents</h2>
<p>The same answers are available as tools of an MCP server (streamable HTTP):</p>
${command(`${baseUrl}${MCP_PATH}`)}
<ul class="links"><li><a href="/llms.txt">llms.txt</a></li><li><a href="/openapi.json">OpenAPI 3.1</a></li><li><a href="/v1/x402/resources">Catalog with terms</a></li>
<li><a href="/.well-known/x402">Discovery manifest</a></li><li><a href="/v1/labels">What each field and label means</a></li></ul>
</section>`
