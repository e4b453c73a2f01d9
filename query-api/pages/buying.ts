// Page sections with the prices and the steps to buy an answer.

import type { Service } from '../answers/service.ts'
import { shownOf } from '../discovery/shown.ts'
import type { QuestionFacts } from '../questions/question-facts.ts'
import { command } from './copy.ts'
import { usd } from './figures.ts'
import { type Html, html } from './html.ts'

const EXAMPLE = '/v1/launches/recent'

export const pricesPart = (service: Service): Html => {
  const { questions } = service.options
  const paid = questions.filter(({ priceMicroUsdc }) => priceMicroUsdc > 0)
  return html`<ul class="prices">${paid.map((question) => priced(question, service.priceUsd(question)))}</ul>`
}

const priced = ({ path, description }: QuestionFacts, priceUsd: number): Html =>
  html`<li><code>${path}</code><b>${priceUsd === 0 ? 'free here' : usd(priceUsd)}</b><span>${description}</span></li>`

/** Quoted if the address has `?` or `&`, which a shell would interpret. */
const quoted = (address: string): string => (/[?&]/.test(address) ? `'${address}'` : address)

/** How to buy `path`, with this project's own command if the server takes play money. */
export const buyingPart = ({ options: { baseUrl, charges, buyCommand } }: Service, path = EXAMPLE): Html => {
  if (!charges)
    return html`<p>Payments are off on this server: every request is answered without payment.</p>${command(`curl ${quoted(baseUrl + path)}`)}`
  const own =
    buyCommand === undefined
      ? ''
      : html`<p>This project's command does all three steps with a wallet that is already funded. Run it in a second terminal, in the
directory where the server was started:</p>${command(buyCommand(path))}
<p class="or">By hand:</p>`
  return html`${own}<ol class="steps">
<li>Send the request. The response is 402 with the terms: amount, currency, recipient.${command(`curl -i ${quoted(baseUrl + path)}`)}</li>
<li>Sign the USDC transfer that the terms name, with any x402 version 2 client. No account, no key, no network fee.</li>
<li>Send the request again with the header <code>PAYMENT-SIGNATURE</code>. You get answer and receipt. Refusals are never charged.</li>
</ol>`
}

/** A section that sells the answer at `path`. */
export const buyPart = (service: Service, title: string, path: string): Html => html`<section class="panel buy" aria-labelledby="buy">
<h2 id="buy">${title}</h2>
${buyingPart(service, path)}
</section>`

const CARD = '/v1/mint/{mint}'

/** In the first view: the price of a card, and the command that buys one. */
export const quickPart = (service: Service): Html => {
  const card = service.options.questions.find(({ path }) => path === CARD)
  if (card === undefined) return html``
  const { baseUrl, charges, buyCommand } = service.options
  const path = CARD.replace('{mint}', shownOf(service).mint)
  const price = service.priceUsd(card)
  return html`<div class="quick">
<p><b>Buy a risk card</b> <span class="price">${price === 0 ? 'free here' : `${usd(price)} USDC`}</span></p>
${command(charges && buyCommand !== undefined ? buyCommand(path) : `curl -i ${baseUrl}${path}`)}
<p class="of">${charges ? html`The first request returns the terms (402), the next one pays over x402. ` : ''}<a href="#buy">How that works</a></p>
</div>`
}
