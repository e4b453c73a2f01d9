// The sample card as figures, reasons and JSON.
import type { MintEvidence } from '../../../processors/mint/card/card.ts'
import { DELAY_S } from '../../answers/delay.ts'
import { count, percent, sol, span, UNKNOWN, words } from '../figures.ts'
import { type Html, html } from '../html.ts'
import { type Meter, metersPart } from '../record/meters.ts'

export interface Sample {
  readonly data: MintEvidence & { readonly confidence: string }
}

/** The verdict and its reasons. */
export const reasonsPart = (
  data: Sample['data'],
): Html => html`<p class="verdict"><b>${words(data.risk_label)}</b>, ${words(data.status)}, confidence ${data.confidence}:
as of ${span(DELAY_S)} ago, unchanged since</p>
<ul class="why">${data.why.filter((reason) => reason !== null).map((reason) => html`<li>${reason}</li>`)}</ul>`

/** All figures, the age included, are as of the card's time, `DELAY_S` ago. */
export const cardMeters = (data: MintEvidence): Html => {
  const launched: Meter = ['Age', data.age_s == null ? UNKNOWN : span(data.age_s), `as of ${span(DELAY_S)} ago`]
  if (data.coverage === 'thin') return metersPart([launched, ['Coverage', 'thin', data.coverage_reason ?? '']])
  const { curve, demand, holders } = data
  return metersPart([
    launched,
    ['SOL held', sol(curve.rs_sol), `${sol(curve.peak_rs_sol)} at its peak`],
    ['To graduation', percent(curve.progress), curve.graduated === true ? 'graduated' : ''],
    ['Buyers', count(demand.unique_buyers), `${count(demand.n_buys)} buys, ${count(demand.n_sells)} sells`],
    ['Holders', count(holders.n_holders), `top 5 hold ${percent(holders.top5_share)}`],
    ['Creator', percent(holders.dev_share), 'of supply held'],
    ['Bundle', percent(holders.bundle_share), `${count(holders.n_bundle_wallets)} wallets in the create slot`],
    ['Insiders', percent(holders.insider_share), 'of supply held'],
  ])
}

export const cardPart = (answer: Sample): Html => html`<section class="panel json" aria-labelledby="json">
<h2 id="json">The card as an agent receives it</h2>
<p class="note">The answer of <code>/v1/mint/${answer.data.mint}</code>, delayed by ${span(DELAY_S)}. <a href="/v1/labels">/v1/labels</a>
explains each field.</p>
<pre class="answer" tabindex="0" role="region" aria-label="The card in JSON"><code>${JSON.stringify(answer, null, 2)}</code></pre>
</section>`
