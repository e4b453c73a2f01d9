// The page `/alerts`: what is pushed, how to subscribe, and how a receiver verifies alerts.

import { ALERT_HEAD } from '../../alerts/feeds/odds-source.ts'
import { alertLabels } from '../../alerts/labels.ts'
import type { Instant, Service } from '../../answers/service.ts'
import { buyingPart } from '../buying.ts'
import { command } from '../copy.ts'
import { sheetOf } from '../document.ts'
import { usd } from '../figures.ts'
import { type Html, html } from '../html.ts'

export const ALERTS_PATH = '/alerts'
const ROUTE = '/v1/alerts/webhook'
const RECEIVER_PORT = 9000
const RECEIVER = `node query-api/guides/receive_alerts.mjs ${RECEIVER_PORT}`

/** A sandbox sells this order unchanged while `RECEIVER` runs. */
const shownOrder = ({ options: { odds, sandbox } }: Service): string => {
  const kinds = odds.headState(ALERT_HEAD).isShown ? 'graduation_odds,rug_flags' : 'rug_flags'
  const url = sandbox ? `http://127.0.0.1:${RECEIVER_PORT}/` : 'https://example.com/hook'
  return `${ROUTE}?kinds=${kinds}&target=generic&url=${encodeURIComponent(url)}&min_odds=0.6`
}

export const alertsPage = (service: Service, instant: Instant): Html => {
  const question = service.options.questions.find(({ path }) => path === ROUTE)
  const price = question === undefined ? 0 : service.priceUsd(question)
  const main = html`<section class="lead" aria-labelledby="lead">
<h1 id="lead">Alerts</h1>
<p>${question?.description ?? ''} ${price === 0 ? 'Free here' : usd(price)}, for ${alertLabels.limits.term_days} days. No account, no polling.</p>
<p class="reading" data-live="standing">${standingPart(service)}</p>
</section>
<section class="kinds" aria-labelledby="kinds">
<h2 id="kinds" tabindex="-1">What is pushed</h2>
<p>${alertLabels.about}.</p>
</section>
<section class="buy" aria-labelledby="subscribe">
<h2 id="subscribe" tabindex="-1">Subscribe</h2>
<p>A generic webhook must return a challenge before it is sold. This receiver does, and prints what arrives:</p>
${command(RECEIVER)}
${buyingPart(service, shownOrder(service))}
${parametersPart(service)}
</section>
<section class="receive" aria-labelledby="receive">
<h2 id="receive" tabindex="-1">Receive</h2>
<p>${alertLabels.delivery}.</p>
<p>Challenge: ${alertLabels.challenge}.</p>
${listOf(alertLabels.headers)}
${listOf(alertLabels.targets)}
</section>
<section class="limits" aria-labelledby="limits">
<h2 id="limits" tabindex="-1">Limits</h2>
${listOf(alertLabels.limits)}
</section>`
  const description = 'Graduation odds that reach your minimum, and rug flags, pushed to a webhook or a chat: 30 days for one payment.'
  return sheetOf(service, instant, { title: 'mintfold: alerts', main, path: ALERTS_PATH, description })
}

/** Whether alerts about odds are sold now; if not, the reason. */
const standingPart = ({ options: { odds } }: Service): Html => {
  const { isShown, reason } = odds.headState(ALERT_HEAD)
  return isShown
    ? html`Odds of graduation are shown now: alerts of both kinds are sold.`
    : html`Odds of graduation are not shown now (${reason ?? 'no reason is known'}): only alerts about rug flags are sold.`
}

const parametersPart = ({ options: { questions } }: Service): Html => {
  const params = questions.find(({ path }) => path === ROUTE)?.params ?? {}
  return html`<ul class="free">${Object.entries(params).map(([name, { schema }]) => html`<li><code>${name}</code> <span>${schema.description}</span></li>`)}</ul>`
}

const listOf = (named: Readonly<Record<string, string | number>>): Html =>
  html`<ul class="free">${Object.entries(named).map(([name, what]) => html`<li><code>${name}</code> <span>${what}</span></li>`)}</ul>`
