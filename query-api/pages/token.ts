// The record page of one launch: its sample card, free because nothing of it has changed for five minutes.
import type { MintEvidence } from '../../processors/mint/card/card.ts'
import { ageOf } from '../../processors/mint/card/labels.ts'
import { assert } from '../../schemas/errors.ts'
import { type Key, keyText, parseKey } from '../../schemas/keys.ts'
import type { MintSnapshot } from '../../topology/ports/mint-view.ts'
import { answerCard } from '../answers/cards/mint.ts'
import { DELAY_S, delayed, restsSince } from '../answers/delay.ts'
import type { Look, Service } from '../answers/service.ts'
import { buyingPart } from './buying.ts'
import { sheetOf, startingDocument } from './document.ts'
import { count, percent, sol, span, UNKNOWN, words } from './figures.ts'
import { type Html, html } from './html.ts'
import { chip, copyButton } from './launches.ts'
import { shownFlags } from './lines.ts'

export const TOKEN_PATH = '/token/{mint}'
const SAMPLE = '/v1/sample/mint'

const NAV = html`<nav aria-label="Other pages"><a href="/#launches">All launches</a> <a href="#buy">Buy</a></nav>`

interface Page {
  readonly status: number
  readonly page: Html
}

/** @param text what the path has after `/token/`. */
export const tokenPage = (service: Service, look: Look, text: string): Page => {
  if (!look.status.ready) return { status: 503, page: startingDocument(service, look) }
  const sheet = (status: number, title: string, main: Html): Page => ({ status, page: sheetOf(service, look, { title, main, nav: NAV }) })
  const mint = parseKey(text)
  if (mint === undefined) return sheet(404, 'No address', lead('This is no token address', NO_ADDRESS))
  const snapshot = service.options.view.get(mint)
  const address = keyText(mint)
  if (snapshot === undefined || snapshot.head.launch === null)
    return sheet(
      404,
      'Not known here',
      html`${lead('No launch of this address is known here', UNKNOWN_HERE, address)}${buy(service, address)}`,
    )
  const { asOf } = delayed(look).moment
  if (snapshot.head.launch.at > asOf || !restsSince(snapshot.head, asOf))
    return sheet(200, 'What moves is sold', html`${lead('This launch moves', MOVES, address)}${buy(service, address)}`)
  const { name } = snapshot.head.launch
  return sheet(200, `mintfold: ${name === '' ? 'no name' : name}`, html`${cardPart(snapshot, service, look)}${buy(service, address)}`)
}

const lead = (title: string, text: Html, address = ''): Html => html`<section class="lead" aria-labelledby="lead">
<h1 id="lead">${title}</h1>
${address === '' ? '' : addressPart(address)}
<p class="note">${text}</p>
</section>`

const addressPart = (address: string): Html => html`<p class="address"><code>${address}</code> ${copyButton(address, 'address')}</p>`

const NO_ADDRESS = html`An address is base58: 32 to 44 characters without 0, O, I and l. <a href="/#launches">Launches that can be shown</a>.`
const UNKNOWN_HERE = html`Nothing of it was seen, or it has been silent for hours. The card that is sold answers for any address, with
what the chain and the history have.`
const MOVES = html`Something of it changed within the last ${span(DELAY_S)}, or it is younger than that: its card is what is sold. It can
be read here once it has rested for ${span(DELAY_S)}.`

const buy = (service: Service, address: string): Html => html`<section class="buy" aria-labelledby="buy">
<h2 id="buy">Buy the card as it is now</h2>
${buyingPart(service, `/v1/mint/${address}`)}
</section>`

/** The card as the sample route sends it. */
const sampleOf = (mint: Key, service: Service, look: Look): { readonly data: MintEvidence & { readonly confidence: string } } => {
  const facts = service.options.questions.find(({ path }) => path === SAMPLE)
  assert(facts !== undefined, `${SAMPLE} is not in the list`)
  return JSON.parse(answerCard(mint, { service, look, facts }, { delayedS: DELAY_S }).body)
}

const cardPart = ({ mint, head }: MintSnapshot, service: Service, look: Look): Html => {
  const answer = sampleOf(mint, service, look)
  const { data } = answer
  const flags = shownFlags(head, service.options)
  return html`<section class="lead" aria-labelledby="lead">
<h1 id="lead">Sample card: what was observed of this launch, unchanged for ${span(DELAY_S)}</h1>
<p class="reading token"><bdi>${data.name === '' || data.name === undefined ? 'no name' : data.name}</bdi> <bdi class="symbol">${data.symbol ?? ''}</bdi></p>
${addressPart(data.mint)}
<ul class="chips">${flags.map(chip)}<li class="state">${words(data.risk_label)}, ${words(data.status)}, confidence ${data.confidence}</li></ul>
<ul class="why">${data.why.filter((reason) => reason !== null).map((reason) => html`<li>${reason}</li>`)}</ul>
</section>
<section class="facts" aria-labelledby="facts">
<h2 id="facts">In figures</h2>
${figures(data, head.launch === null ? null : ageOf(head.launch, look.moment))}
</section>
<section class="json" aria-labelledby="json">
<h2 id="json">The same as an agent gets it</h2>
<p class="note">The answer of <code>/v1/mint/${data.mint}</code>, late by ${span(DELAY_S)}. What each field means is at
<a href="/v1/labels">/v1/labels</a>.</p>
<pre class="answer" tabindex="0" role="region" aria-label="The card in JSON"><code>${JSON.stringify(answer, null, 2)}</code></pre>
</section>`
}

type Figure = readonly [label: string, value: string]

const figures = (data: MintEvidence, ageS: number | null): Html => {
  const rows: Figure[] = [['Launched', ageS === null ? UNKNOWN : `${span(ageS)} ago`]]
  if (data.coverage === 'thin') rows.push(['Coverage', `thin: ${data.coverage_reason}`])
  else {
    const { curve, demand, holders } = data
    rows.push(
      ['The curve holds', `${sol(curve.rs_sol)} SOL of ${sol(curve.peak_rs_sol)} at its peak`],
      ['On the way to graduation', percent(curve.progress)],
      ['Buys and sells', `${count(demand.n_buys)} and ${count(demand.n_sells)}`],
      ['Different buyers', count(demand.unique_buyers)],
      ['Top 5 wallets hold', percent(holders.top5_share)],
      ['Whoever launched holds', percent(holders.dev_share)],
      ['Buyers in the create slot hold', percent(holders.bundle_share)],
      ['Insiders hold', percent(holders.insider_share)],
    )
  }
  return html`<dl>${rows.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>`
}
