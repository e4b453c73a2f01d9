// What an answer costs, and how to buy one.
import { requestOf, shownOf } from '../discovery/shown.ts'
import type { QuestionFacts } from '../question.ts'
import type { Service } from '../service.ts'
import { usd } from './figures.ts'
import { type Html, html } from './html.ts'

const EXAMPLE = '/v1/launches/recent'

export const pricesPart = (service: Service): Html => {
  const { questions } = service.options
  const paid = questions.filter(({ priceMicroUsdc }) => priceMicroUsdc > 0)
  const free = questions.filter(({ priceMicroUsdc, path }) => priceMicroUsdc === 0 && path !== '/')
  return html`<ul class="prices">${paid.map((question) => priced(question, service.priceUsd(question)))}</ul>
<h3>Free</h3>
<ul class="free">${free.map((question) => html`<li>${linked(question, service)} <span>${question.description}</span></li>`)}</ul>`
}

/** A link only where it leads to an answer. */
const linked = (question: QuestionFacts, service: Service): Html => {
  const request = requestOf(question, shownOf(service))
  return request === null ? html`<code>${question.path}</code>` : html`<a href="${request}">${question.path}</a>`
}

const priced = ({ path, description }: QuestionFacts, priceUsd: number): Html =>
  html`<li><code>${path}</code><b>${priceUsd === 0 ? 'free here' : usd(priceUsd)}</b><span>${description}</span></li>`

export const buyingPart = ({ options: { baseUrl, sandbox, charges } }: Service): Html => {
  if (!charges)
    return html`<p>Payments are off on this server: every question is answered as it is asked.</p><pre><code>curl ${baseUrl}${EXAMPLE}</code></pre>`
  const money = sandbox ? html`<p class="note">This server runs on play money: nothing you pay here is worth anything.</p>` : ''
  const own = sandbox
    ? html`<p>Or let the command of this project do all three, with a wallet that is already filled:</p><pre><code>npx mintfold buy ${EXAMPLE}</code></pre>`
    : ''
  return html`${money}<ol class="steps">
<li>Ask. The answer is 402 with the terms: amount, currency, to whom.<pre><code>curl -i ${baseUrl}${EXAMPLE}</code></pre></li>
<li>Sign the transfer of USDC that the terms name, with any x402 version 2 client. No account, no key, no network fee.</li>
<li>Ask again with the header <code>PAYMENT-SIGNATURE</code>. You get the answer and the receipt. What is refused is never charged.</li>
</ol>${own}`
}
