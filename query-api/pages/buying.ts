// What an answer costs, and how to buy one.

import type { Service } from '../answers/service.ts'
import { requestOf, shownOf } from '../discovery/shown.ts'
import { MCP_PATH } from '../questions/limits.ts'
import type { QuestionFacts } from '../questions/question-facts.ts'
import { STREAM } from '../stream/facts.ts'
import { usd } from './figures.ts'
import { type Html, html } from './html.ts'
import { copyButton } from './launches.ts'

const EXAMPLE = '/v1/launches/recent'

export const pricesPart = (service: Service): Html => {
  const { questions } = service.options
  const paid = questions.filter(({ priceMicroUsdc }) => priceMicroUsdc > 0)
  return html`<ul class="prices">${paid.map((question) => priced(question, service.priceUsd(question)))}</ul>`
}

export const freePart = (service: Service, isLinked: boolean): Html => {
  const { questions, baseUrl } = service.options
  const free = questions.filter(({ priceMicroUsdc, path }) => priceMicroUsdc === 0 && path !== '/')
  const named = (question: QuestionFacts): Html => (isLinked ? linked(question, service) : html`<code>${question.path}</code>`)
  return html`<ul class="free">${free.map((question) => html`<li>${named(question)} <span>${question.description}</span></li>`)}
<li><code>${STREAM.path}</code> <span>${STREAM.description}</span></li>
<li><code>${MCP_PATH}</code> <span>The same answers as tools, for clients of the Model Context Protocol, at
${baseUrl}${MCP_PATH}.</span></li></ul>`
}

/** A link only where it leads to an answer. */
const linked = (question: QuestionFacts, service: Service): Html => {
  const request = requestOf(question, shownOf(service))
  return request === null ? html`<code>${question.path}</code>` : html`<a href="${request}">${question.path}</a>`
}

const priced = ({ path, description }: QuestionFacts, priceUsd: number): Html =>
  html`<li><code>${path}</code><b>${priceUsd === 0 ? 'free here' : usd(priceUsd)}</b><span>${description}</span></li>`

/** A shell takes `?` and `&` of an address for its own. */
const quoted = (address: string): string => (/[?&]/.test(address) ? `'${address}'` : address)

/** A command to be copied; it breaks only between words and behind slashes. */
const command = (text: string): Html => {
  const [first = '', ...rest] = text.split('/')
  return html`<pre class="command">${copyButton(text, 'command')}<code>${first}${rest.map((part) => html`/<wbr>${part}`)}</code></pre>`
}

/** Of the path that is named; the command of this project where the server takes play money. */
export const buyingPart = ({ options: { baseUrl, charges, buyCommand } }: Service, path = EXAMPLE): Html => {
  if (!charges)
    return html`<p>Payments are off on this server: every question is answered as it is asked.</p>${command(`curl ${quoted(baseUrl + path)}`)}`
  const own =
    buyCommand === undefined
      ? ''
      : html`<p>The command of this project does all three with a wallet that is filled already. In a second terminal, where the server
was started:</p>${command(buyCommand(path))}
<p class="or">By hand:</p>`
  return html`${own}<ol class="steps">
<li>Ask. The answer is 402 with the terms: amount, currency, to whom.${command(`curl -i ${quoted(baseUrl + path)}`)}</li>
<li>Sign the transfer of USDC that the terms name, with any x402 version 2 client. No account, no key, no network fee.</li>
<li>Ask again with the header <code>PAYMENT-SIGNATURE</code>. You get the answer and the receipt. What is refused is never charged.</li>
</ol>`
}
